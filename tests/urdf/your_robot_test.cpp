// docs/your_robot.md: its C++ example is the text between the two marks below, and reaches the target.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "sinew/sinew.h"

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::filesystem::path kRoot = SINEW_SOURCE_DIR;

TEST(YourRobot, FromUrdfToAControlledMotion) {
  const std::string path = (kRoot / "models/manipulator.urdf").string();
  // begin
  sinew::UrdfOptions urdf;
  urdf.actuators = sinew::UrdfOptions::Actuators::Position;
  urdf.kp = 300, urdf.kv = 15;
  const sinew::Spec spec = sinew::read_urdf_file(path, urdf).value_or_throw();
  const sinew::Model model = sinew::compile(spec).value_or_throw();
  sinew::Data data(model);
  const double target[] = {0.5, 1.0, 1.5, 0.4, 0.02};  // turn, shoulder, elbow, wrist, finger
  std::copy(target, target + 5, data.ctrl.begin());
  while (data.time < 3) sinew::step(model, data);
  // end
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(data.qpos[i], target[i], 0.05) << i;
  EXPECT_NEAR(data.qpos[5], data.qpos[4], 0.002);  // the second finger follows the first
}

TEST(YourRobot, ThePageShowsThisProgram) {
  std::istringstream source(text_of(kRoot / "tests/urdf/your_robot_test.cpp"));
  std::string program = "```cpp\n";
  bool inside = false;
  for (std::string line; std::getline(source, line);) {
    if (line == "  // end") inside = false;
    if (inside) program += line.substr(2) + "\n";
    if (line == "  // begin") inside = true;
  }
  EXPECT_THAT(text_of(kRoot / "docs/your_robot.md"), testing::HasSubstr(program + "```\n"));
}

}  // namespace
