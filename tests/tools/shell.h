#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "temp_folder.h"

namespace sinew::test {

struct Outcome {
  int code = -1;  // exit code; -1: ended by a signal
  std::string out, err;
};

/// Runs the sinew command in a temporary folder, one per test.
class Shell : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path(name); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string read(const std::string& name) const { return folder_.read(name); }
  /// Runs "sinew ARGUMENTS" in the folder.
  Outcome sinew(const std::string& arguments) const {
    const std::string line =
        "cd '" + folder_.path().string() + "' && '" SINEW_COMMAND "' " + arguments + " >.out 2>.err </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }

 private:
  TempFolder folder_;
};

inline const std::string kPendulum = R"(<mujoco model="pendulum">
  <option timestep="0.01" integrator="RK4"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="hinge" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" size="0.02" fromto="0 0 0 0.5 0 0" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="hinge" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="up" qpos="-1.5"/></keyframe>
</mujoco>
)";

}  // namespace sinew::test
