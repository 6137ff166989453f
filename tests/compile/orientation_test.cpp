#include "compile/compiled.h"

// Golden numbers: MuJoCo 3.12.0, site_quat and the like of the same models.

namespace sinew {
namespace {

using namespace testing_compile;

TEST(Orientation, EulerSequencesRotateAboutMovingOrFixedAxes) {
  const auto quat = [](const char* sequence) {
    return compiled("<mujoco><compiler eulerseq='" + std::string(sequence) +
                    "'/><worldbody><site euler='10 20 30'/></worldbody></mujoco>")
        .site_quat;
  };
  expect_near(quat("xyz"), {0.943714364147489, 0.12767944069578063, 0.14487812541736914, 0.2685358227515692});
  expect_near(quat("XYZ"), {0.9515485246437885, 0.03813457647485015, 0.18930785741199999, 0.2392983377447303});
  expect_near(quat("zYx"), {0.943714364147489, 0.2685358227515692, 0.18930785741199999, 0.03813457647485015});
}

TEST(Orientation, EveryRepresentationGivesMuJoCosQuaternion) {
  const Model m = compiled(R"(<mujoco><worldbody>
      <site axisangle="1 2 3 70"/><site xyaxes="1 2 3 3 -1 0"/><site zaxis="1 2 -3"/><site zaxis="0 0 -1"/>
      <site zaxis="1e-8 0 1"/><site quat="2 0 1 0"/></worldbody></mujoco>)");
  expect_near(m.site_quat, {0.8191520442889918,
                            0.15329475071088322,
                            0.30658950142176644,
                            0.45988425213264966,  // axisangle
                            -0.27875981972848163,
                            0.7456028325195369,
                            0.4908589833412782,
                            0.3541565155647353,  // xyaxes
                            0.31481444873347764,
                            -0.8489484615068863,
                            0.42447423075344315,
                            0,  // zaxis
                            6.123233995736766e-17,
                            1,
                            0,
                            0,  // half a turn about x
                            1,
                            0,
                            0,
                            0,  // too close to z for a rotation
                            0.8944271909999159,
                            0,
                            0.4472135954999579,
                            0});
}

TEST(Orientation, AnglesAreInTheUnitsOfTheCompiler) {
  const Model m = compiled(R"(<mujoco><compiler angle="radian"/><worldbody><site axisangle="1 2 3 1"/>
      <site euler=".1 .2 .3"/></worldbody></mujoco>)");
  expect_near(m.site_quat, {0.8775825618903728, 0.12813186485189226, 0.2562637297037845, 0.3843955945556768,
                            0.9818561728660808, 0.06407134770607116, 0.09115754934299071, 0.15343930202422257});
}

TEST(Orientation, AnAlternativeRepresentationInTheClassOverridesAQuaternionInTheElement) {
  const Model m = compiled(R"(<mujoco><default><site euler="0 0 90"/></default><worldbody>
      <site quat="0 1 0 0"/><site zaxis="1 0 0"/></worldbody></mujoco>)");
  expect_near(m.site_quat,
              {0.7071067811865476, 0, 0, 0.7071067811865475, 0.7071067811865476, 0, 0.7071067811865475, 0});
}

TEST(FromTo, PointsTheLocalZAxisFromTheSecondPointToTheFirst) {
  const Model m = compiled(R"(<mujoco><worldbody><geom type="capsule" size=".1" fromto="1 2 3 4 5 7"/>
      <geom type="box" size=".1" fromto="1 2 3 1 2 -7"/></worldbody></mujoco>)");
  expect_near(m.geom_pos, {2.5, 3.5, 5, 1, 2, -2});
  expect_near(m.geom_quat, {0.39623582588527045, 0.6492292238820653, -0.6492292238820653, 0, 1, 0, 0, 0});
  expect_near(m.geom_size, {0.1, 2.9154759474226504, 0, 0.1, 0.1, 5});
}

TEST(Frame, MovesEverythingInsideAndDisappears) {
  const Model m = compiled(R"(<mujoco><worldbody><frame pos="1 0 0" euler="0 0 90"><body pos="1 0 0">
      <geom size=".1"/>
      <frame euler="90 0 0" pos="0 0 .5"><joint pos="0 0 1"/><geom size=".1" pos="0 0 1"/><camera pos="1 0 0"/>
      <light dir="0 0 1"/><body pos="0 1 0"/></frame></body></frame></worldbody></mujoco>)");
  const double r = 0.7071067811865476, s = 0.7071067811865475, e = 2.220446049250313e-16;
  expect_near(m.body_pos, {0, 0, 0, 1 + e, 1, 0, 0, e, 1.5});
  expect_near(m.body_quat, {1, 0, 0, 0, r, 0, 0, s, r, s, 0, 0});
  expect_near(m.jnt_pos, {0, -1, 0.5 + e});
  expect_near(m.jnt_axis, {0, -1, e});
  expect_near(m.geom_pos, {0, 0, 0, 0, -1, 0.5 + e});
  expect_near(m.geom_quat, {1, 0, 0, 0, r, s, 0, 0});
  expect_near(m.cam_pos, {1, 0, 0.5});
  expect_near(m.cam_quat, {r, s, 0, 0});
  expect_near(m.light_dir, {0, -1, e});
}

TEST(Angles, OnlyLimitedHingesAndBallsHaveTheirRangeConverted) {
  const Model m = compiled(R"(<mujoco><worldbody><body><geom size=".1"/>
      <joint range="-180 90" ref="45" springref="90"/><joint range="-180 90" limited="false"/>
      <joint type="slide" range="-1 2" ref="3"/></body>
      <body><geom size=".1"/><joint type="ball" range="0 60"/></body></worldbody></mujoco>)");
  expect_near(m.jnt_range, {-kPi, kPi / 2, -180, 90, -1, 2, 0, kPi / 3});
  expect_equal(m.jnt_limited, {1, 0, 1, 1});
  expect_near(m.qpos0, {kPi / 4, 0, 3, 1, 0, 0, 0});
  expect_near(m.qpos_spring, {kPi / 2, 0, 0, 1, 0, 0, 0});
}

TEST(Orientation, DirectionsThatAreTooShortAreRefused) {
  for (const char* form : {"axisangle='0 0 0 1'", "xyaxes='1 0 0 2 0 0'", "zaxis='0 0 1e-9'", "xyaxes='0 0 0 1 0 0'"}) {
    const Problem problem = refused("<mujoco><worldbody><site " + std::string(form) + "/></worldbody></mujoco>");
    EXPECT_EQ(problem.element, "site");
    EXPECT_EQ(problem.attribute, std::string(form).substr(0, std::string(form).find('=')));
  }
}

}  // namespace
}  // namespace sinew
