#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
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
  Outcome sinew(const std::string& arguments) const { return outcome(std::system(line(arguments).c_str())); }
  /// The same, interrupted as by Ctrl-C once the command handles that signal and `ready()` is true.
  template <class Ready>
  Outcome interrupted(const std::string& arguments, Ready&& ready) const {
    const std::string text = line(arguments);
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", text.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    for (int i = 0; i < 6000 && !(handles_interrupt(child) && ready()); ++i) {  // a minute, however busy the machine
      if (waitpid(child, &status, WNOHANG) == child) return outcome(status);
      usleep(10'000);
    }
    kill(child, SIGINT);
    waitpid(child, &status, 0);
    return outcome(status);
  }

 private:
  std::string line(const std::string& arguments) const {
    return "cd '" + folder_.path().string() + "' && exec '" SINEW_COMMAND "' " + arguments + " >.out 2>.err </dev/null";
  }
  Outcome outcome(int status) const {
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }
  static bool handles_interrupt(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string word; status >> word;) {
      std::uint64_t caught = 0;
      if (word == "SigCgt:" && status >> std::hex >> caught) return (caught >> (SIGINT - 1) & 1) != 0;
    }
    return false;
  }

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
