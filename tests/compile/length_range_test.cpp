#include "compile/length_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sinew/load.h"

// Golden values: MuJoCo 3.12.0, actuator_lengthrange of the compiled model.

namespace sinew {
namespace {

using testing::HasSubstr;

constexpr const char* kInertial = "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 0.1'/>";
constexpr const char* kMuscleTypes =
    "dyntype='muscle' gaintype='muscle' biastype='muscle' dynprm='0.01 0.04' "
    "gainprm='0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2' biasprm='0.75 1.05 -1 200 0.5 1.6 1.5 1.3 1.2'";

std::string on_joint(const std::string& compiler, const std::string& joint, const std::string& actuator) {
  return "<mujoco><compiler angle='radian'>" + compiler + "</compiler><worldbody><body><joint name='j' " + joint +
         "/>" + kInertial + "</body></worldbody><actuator>" + actuator + "</actuator></mujoco>";
}

/// Two sites, one of them on a hinge about y whose body has its center of mass off the axis.
std::string between_sites(const std::string& moving_site, const std::string& rest) {
  return std::string("<mujoco><worldbody><body>") + kInertial +
         "<site name='s1' pos='0.5 0 0'/><body><joint axis='0 1 0'/><inertial pos='0.25 0 0' mass='1' "
         "diaginertia='0.1 0.1 0.1'/><site name='s2' pos='" +
         moving_site + "'/></body></body></worldbody>" + rest + "</mujoco>";
}

std::vector<double> length_ranges(const std::string& text) {
  const Result<Model> model = load_string(text);
  EXPECT_TRUE(model) << model.error().text();
  return model ? model->actuator_lengthrange : std::vector<double>{};
}

std::string refusal(const std::string& text) {
  const Result<Model> model = load_string(text);
  return model ? "accepted" : model.error().text();
}

void expect_range(const std::string& text, double low, double high, double tolerance = 1e-12) {
  const std::vector<double> range = length_ranges(text);
  ASSERT_EQ(range.size(), 2u);
  EXPECT_NEAR(range[0], low, tolerance);
  EXPECT_NEAR(range[1], high, tolerance);
}

TEST(LengthRange, OfAnUnlimitedSlideIsItsTravelDuringTheSimulation) {
  const std::string loose = "<lengthrange tolrange='0.2'/>";
  expect_range(on_joint(loose, "type='slide' axis='1 0 0'", "<muscle joint='j'/>"), -181.0027413207507,
               181.0027413207507);
  // gravity is off
  expect_range(on_joint(loose, "type='slide' axis='0 0 1'", "<muscle joint='j'/>"), -181.0027413207507,
               181.0027413207507);
}

TEST(LengthRange, SlightlyExceedsASoftLimit) {
  expect_range(on_joint("", "axis='0 1 0' range='-1 1'", "<muscle joint='j' gear='2'/>"), -2.001139876706741,
               2.001139876706741, 1e-9);
}

TEST(LengthRange, OfAnUnlimitedTendonFollowsFromTheLimitsOfItsJoints) {
  const std::string body = std::string(" axis='0 1 0'/>") + kInertial + "</body>";
  expect_range("<mujoco><worldbody><body><joint name='a' range='-30 60'" + body +
                   "<body><joint name='b' range='-20 10'" + body +
                   "</worldbody><tendon><fixed name='t'><joint joint='a' coef='1'/><joint joint='b' coef='-2'/>"
                   "</fixed></tendon><actuator><muscle tendon='t' gear='1.5'/></actuator></mujoco>",
               -1.3111188368595814, 2.620115775855016, 1e-9);
}

TEST(LengthRange, EndsWhereAnEqualityOfTendonsHoldsTheJoint) {
  expect_range(R"(<mujoco><worldbody>
      <body><joint name="driven"/><geom size="0.1" pos="0.3 0 0"/></body>
      <body pos="1 0 0"><joint name="limited" range="-20 40"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody>
    <tendon><fixed name="t"><joint joint="driven" coef="1"/><joint joint="limited" coef="-1"/></fixed></tendon>
    <equality><tendon tendon1="t"/></equality>
    <actuator><muscle joint="driven"/></actuator></mujoco>)",
               -0.350479308933, 0.699545159332, 1e-10);
}

TEST(LengthRange, IsRefusedIfItDoesNotSettle) {
  EXPECT_THAT(refusal(on_joint("", "type='slide' axis='1 0 0'", "<muscle joint='j'/>")), HasSubstr("does not settle"));
  EXPECT_THAT(refusal(on_joint("", "axis='0 1 0'", "<muscle joint='j' gear='2'/>")), HasSubstr("does not settle"));
  EXPECT_THAT(refusal(on_joint("<lengthrange mode='all'/>", "type='slide' axis='1 0 0'", "<motor joint='j'/>")),
              HasSubstr("does not settle"));
}

TEST(LengthRange, IsRefusedIfEmpty) {
  const auto muscle = [](const std::string& transmission) {
    return between_sites("0.5 0 0", "<actuator><general " + transmission + " " + kMuscleTypes + "/></actuator>");
  };
  EXPECT_THAT(refusal(muscle("site='s2' refsite='s1'")), HasSubstr("does not change"));  // no moment at qpos0
  EXPECT_THAT(refusal(muscle("site='s2' gear='0 0 1 0 0 0'")), HasSubstr("does not change"));
  EXPECT_THAT(refusal(std::string("<mujoco><worldbody><body name='b'><freejoint/><geom size='0.1'/></body></worldbody>"
                                  "<actuator><general body='b' ") +
                      kMuscleTypes + "/></actuator></mujoco>"),
              HasSubstr("does not change"));
}

TEST(LengthRange, OfSitesTendonsAndSliderCranksMatchesMuJoCo) {
  expect_range(between_sites("0.5 0 0", std::string("<actuator><general site='s2' refsite='s1' gear='0 0 1 0 0 0' ") +
                                            kMuscleTypes + "/></actuator>"),
               -0.4999999999393695, 0.4999999999393695);
  expect_range(between_sites("0 0 0.5",
                             "<tendon><spatial name='t'><site site='s1'/><site site='s2'/></spatial></tendon>"
                             "<actuator><muscle tendon='t'/></actuator>"),
               7.786556287928255e-06, 0.9999999999696847);
  expect_range(std::string("<mujoco><worldbody><site name='slider'/><body><joint axis='0 1 0'/>") + kInertial +
                   "<site name='crank' pos='0.2 0 0.1'/></body></worldbody><actuator><muscle cranksite='crank' "
                   "slidersite='slider' cranklength='0.6'/></actuator></mujoco>",
               -0.8236067974936021, -0.3763937400671147);
}

TEST(LengthRange, IsBoundedThroughAnEqualityOfTendons) {
  const auto slide = [](const std::string& joint) {
    return "<body><joint type='slide' axis='1 0 0' " + joint + "/>" + kInertial + "</body>";
  };
  expect_range("<mujoco><worldbody>" + slide("name='a'") + slide("name='b' range='-1 1'") +
                   "</worldbody><tendon><fixed name='s'><joint joint='a' coef='1'/></fixed>"
                   "<fixed name='t'><joint joint='b' coef='1'/></fixed></tendon>"
                   "<equality><tendon tendon1='s' tendon2='t'/></equality>"
                   "<actuator><muscle joint='a'/></actuator></mujoco>",
               -1.0014134585340466, 1.0014134585340466, 1e-9);
}

TEST(LengthRange, OfMotorsIsNotComputed) {
  expect_range(on_joint("", "type='slide' axis='1 0 0'", "<motor joint='j'/>"), 0, 0, 0);
  expect_range(on_joint("", "axis='0 1 0' range='-1 1'", "<motor joint='j' gear='2'/>"), 0, 0, 0);
}

TEST(LengthRange, GivenByTheModelIsKept) {
  expect_range(on_joint("", "axis='0 1 0' range='-1 1'", "<muscle joint='j' gear='2' lengthrange='-2 2'/>"), -2, 2, 0);
}

TEST(LengthRange, FromUselimitIgnoresTheGear) {
  const std::string uselimit = "<lengthrange uselimit='true'/>";
  expect_range(on_joint(uselimit, "axis='0 1 0' range='-1 1'", "<muscle joint='j' gear='2'/>"), -1, 1, 0);
  expect_range(on_joint(uselimit, "axis='0 1 0' range='-2 2'", "<muscle joint='j'/>"), -2, 2, 0);
}

TEST(LengthRange, FromUselimitIsThatOfTheActuatorsOwnJoint) {
  // MuJoCo 3.12.0 reads the joint of the wrong actuator for all but the first
  std::string text = "<mujoco><compiler angle='radian'><lengthrange uselimit='true'/></compiler><worldbody>";
  for (const char* joint : {"name='a' range='-1 1'", "name='b' range='-0.5 0.7'", "name='c' range='-0.3 0.2'"})
    text += std::string("<body><joint axis='0 1 0' ") + joint + "/>" + kInertial + "</body>";
  text += "</worldbody><actuator><muscle joint='a'/><muscle joint='b'/><muscle joint='c'/></actuator></mujoco>";
  EXPECT_EQ(length_ranges(text), (std::vector<double>{-1, 1, -0.5, 0.7, -0.3, 0.2}));
}

TEST(LengthRange, RecomputedLaterUsesTheOptionsOfTheModel) {
  Result<Model> model =
      load_string(on_joint("<lengthrange tolrange='0.2'/>", "type='slide' axis='0 0 1'", "<muscle joint='j'/>"));
  ASSERT_TRUE(model) << model.error().text();
  const std::vector<double> at_compile = model->actuator_lengthrange;
  model->lropt.useexisting = false;
  model->opt.timestep = 0.01;
  ASSERT_TRUE(compute_length_ranges(*model).empty());
  // gravity is on now and pulls both ends down: v' = 20 or -20 plus -9.81
  EXPECT_NEAR(model->actuator_lengthrange[0] / at_compile[0], (20 + 9.81) / 20, 1e-3);
  EXPECT_NEAR(model->actuator_lengthrange[1] / at_compile[1], (20 - 9.81) / 20, 1e-3);
}

}  // namespace
}  // namespace sinew
