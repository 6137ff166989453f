#include "compile/compiled.h"

// Defects of the MuJoCo 3.12.0 compiler that we do not reproduce. (Those that we do reproduce are tested with the
// feature: tendon actuatorfrclimited, simple bodies under tendon armature, fused cameras.)

namespace sinew {
namespace {

using namespace testing_compile;

std::string two_hinges(const std::string& lengthrange, const std::string& actuators) {
  return "<mujoco><compiler><lengthrange " + lengthrange + R"(/></compiler><worldbody>
      <body><joint name="ball" type="ball"/><geom size=".1"/></body>
      <body><joint name="a" range="-30 20"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 .4"/></body>
      <body><joint name="b" range="-60 70"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 .4"/></body></worldbody>
      <actuator>)" +
         actuators + "</actuator></mujoco>";
}

TEST(LengthRange, OfAMuscleIsNotShiftedByAnEarlierOrientationActuator) {
  // MuJoCo writes it at the index of the actuator and checks it at the address of the output: compile error
  const Model alone = compiled(two_hinges("", "<muscle joint='a'/>"));
  const Model behind = compiled(two_hinges("", "<orientation joint='ball'/><muscle joint='a'/>"));
  ASSERT_EQ(behind.nout, 4);
  EXPECT_LT(alone.actuator_lengthrange[0], alone.actuator_lengthrange[1]);
  EXPECT_EQ(behind.actuator_lengthrange[6], alone.actuator_lengthrange[0]);
  EXPECT_EQ(behind.actuator_lengthrange[7], alone.actuator_lengthrange[1]);
}

TEST(LengthRange, UselimitReadsTheLimitOfTheActuatorsOwnJoint) {
  // MuJoCo reads the second actuator's target at the wrong index
  const Model m = compiled(two_hinges("uselimit='true'", "<muscle joint='a'/><muscle joint='b'/>"));
  expect_near(m.actuator_lengthrange, {-30 * kPi / 180, 20 * kPi / 180, -60 * kPi / 180, 70 * kPi / 180});
}

TEST(SliderCrank, AfterAnOrientationActuatorUsesItsOwnRodLength) {
  // MuJoCo reads the rod length at the address of the output
  const char* actuators = "%s<general cranksite='c' slidersite='s' cranklength='.5'/>";
  const auto length = [&](const char* before) {
    char text[200];
    std::snprintf(text, sizeof(text), actuators, before);
    return compiled(R"(<mujoco><worldbody><site name="s"/><body><joint name="ball" type="ball"/><geom size=".1"/></body>
        <body><joint/><geom size=".1"/><site name="c" pos=".1 0 .45"/></body></worldbody><actuator>)" +
                    std::string(text) + "</actuator></mujoco>")
        .actuator_length0.back();
  };
  EXPECT_EQ(length("<orientation joint='ball'/>"), length(""));
  EXPECT_NE(length(""), 0);
}

TEST(Keyframe, MayGiveTooFewControlsEvenWithOrientationActuators) {
  // MuJoCo pads to the number of actuators, which is then less than the number of controls
  const Model m =
      compiled(R"(<mujoco><worldbody><body><joint name="ball" type="ball"/><geom size=".1"/></body></worldbody>
      <actuator><orientation joint="ball"/></actuator><keyframe><key ctrl="1"/></keyframe></mujoco>)");
  expect_near(m.key_ctrl, {1, 0, 0});
}

}  // namespace
}  // namespace sinew
