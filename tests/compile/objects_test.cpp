#include <gmock/gmock.h>

#include "compile/compiled.h"

// Golden numbers: MuJoCo 3.12.0, the fields of the same models.

namespace sinew {
namespace {

using namespace testing_compile;
using testing::ElementsAre;

/// Sections after a world with a slide j, a ball k and two sites.
std::string with_world(const std::string& sections) {
  return R"(<mujoco><worldbody><camera name="c" resolution="10 10"/><site name="w"/>
      <body name="a"><freejoint name="f"/><geom name="g" size=".1"/><site name="s"/>
      <body pos="1 0 0"><joint name="j" range="-10 10" ref="5"/><joint name="k" type="ball" pos="1 0 0"/>
      <geom size=".1" pos="0 0 1"/><site name="s2"/></body></body>
      <body name="mo" mocap="true" pos="1 2 3"><geom name="p" type="plane" size="0 0 1"/></body></worldbody>)" +
         sections + "</mujoco>";
}

const char* const kActuators = R"(<actuator>
    <motor name="m0" joint="j" nsample="3" delay=".01" interp="linear"/>
    <pid joint="j" kp="2" input="pos vel ff" ctrlrange="-1 1" velrange="-2 3"/>
    <orientation joint="k" input="quat" ctrlrange="-3 3" user="1 2"/>
    <dcmotor joint="j" motorconst="1" resistance="1" input="pos ff"/>
    <dcmotor joint="j" motorconst="1" resistance="1" input="none"/>
    <general joint="j" dyntype="integrator"/>
    <general joint="k" gaintype="so3" biastype="so3" gainprm="1" biasprm="0 -1" dyntype="integrator"/></actuator>)";

TEST(Actuators, HaveTheirOwnControlsOutputsAndStates) {
  const Model m = compiled(with_world(kActuators));
  EXPECT_EQ(m.nactuator, 7);
  EXPECT_EQ(m.nu, 1 + 3 + 4 + 2 + 0 + 1 + 3);
  EXPECT_EQ(m.nout, 1 + 1 + 3 + 1 + 1 + 1 + 3);
  EXPECT_EQ(m.na, 1 + 3);
  EXPECT_THAT(m.actuator_ctrladr, ElementsAre(0, 1, 4, 8, 10, 10, 11));
  EXPECT_THAT(m.actuator_ctrlnum, ElementsAre(1, 3, 4, 2, 0, 1, 3));
  EXPECT_THAT(m.actuator_ctrlspec, ElementsAre(0, 7, 2, 5, 16, 0, 1));
  EXPECT_THAT(m.actuator_outadr, ElementsAre(0, 1, 2, 5, 6, 7, 8));
  EXPECT_THAT(m.actuator_actadr, ElementsAre(-1, -1, -1, -1, -1, 0, 1));
  EXPECT_THAT(m.actuator_actnum, ElementsAre(0, 0, 0, 0, 0, 1, 3));
  EXPECT_EQ(m.actuator_trntype[2], static_cast<int>(TrnType::So3));
  EXPECT_THAT(m.actuator_ctrllimited, ElementsAre(0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0));
  expect_near(std::vector<double>(m.actuator_ctrlrange.begin(), m.actuator_ctrlrange.begin() + 16),
              {0, 0, -1, 1, -2, 3, 0, 0, -3, 3, -3, 3, -3, 3, -3, 3});
  EXPECT_EQ(m.nuser_actuator, 2);
}

TEST(Actuators, WithADelayKeepAHistory) {
  const Model m = compiled(with_world(kActuators));
  EXPECT_EQ(m.nhistory, 2 + 2 * 3);
  EXPECT_EQ(m.actuator_history[0], 3);
  EXPECT_EQ(m.actuator_history[1], static_cast<int>(Interp::Linear));
  EXPECT_THAT(m.actuator_historyadr, ElementsAre(0, -1, -1, -1, -1, -1, -1));
  EXPECT_EQ(m.actuator_delay[0], 0.01);
}

TEST(Actuators, InheritTheRangeOfTheirTarget) {
  const Model m =
      compiled(with_world("<actuator><position joint='j' inheritrange='2'/>"
                          "<intvelocity joint='j' inheritrange='.5'/></actuator>"));
  const double ten = 10 * kPi / 180;
  expect_near(m.actuator_ctrlrange, {-2 * ten, 2 * ten, 0, 0});
  expect_near(m.actuator_actrange, {0, 0, -0.5 * ten, 0.5 * ten});
  EXPECT_THAT(m.actuator_actlimited, ElementsAre(0, 1));
}

TEST(Actuators, JointsStoreTheirOnlyActuatorWithArmatureOrDamping) {
  const Model m =
      compiled(R"(<mujoco><worldbody><body><joint name="a" type="slide"/><joint name="b" type="slide" axis="1 0 0"/>
      <joint name="c" type="slide" axis="0 1 0"/><geom size=".1"/></body></worldbody>
      <tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>
      <actuator><motor joint="a"/><general joint="a" damping="0 1"/><motor jointinparent="b" armature="1"/>
      <motor joint="b" damping="1"/><motor tendon="t" armature="1"/></actuator></mujoco>)");
  EXPECT_THAT(m.jnt_actuatorid, ElementsAre(1, -2, -1));
  EXPECT_THAT(m.tendon_actuatorid, ElementsAre(4));
}

TEST(Actuators, PidMayHaveBothAnIntegralAndASlewLimit) {
  // MuJoCo 3.12.0 refuses this because of a check meant for other actuators
  const Model m = compiled(with_world("<actuator><pid joint='j' kp='1' ki='1' slewmax='2'/></actuator>"));
  EXPECT_EQ(m.na, 2);
}

TEST(Tendons, ActuatorForceLimitNeedsItsFlag) {
  // documented as auto, but MuJoCo 3.12.0 has false
  const char* model = R"(<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <tendon><fixed actuatorfrcrange="-1 1"><joint joint="j" coef="1"/></fixed>
      <fixed actuatorfrcrange="-1 1" actuatorfrclimited="auto"><joint joint="j" coef="1"/></fixed></tendon></mujoco>)";
  EXPECT_THAT(compiled(model).tendon_actfrclimited, ElementsAre(0, 1));
}

TEST(Sensors, HaveMuJoCosSizesStagesAndTypes) {
  const Model m = compiled(with_world(std::string(kActuators) + R"(<sensor><user dim="2" user="1"/>
      <jointpos joint="j" nsample="4" interp="cubic" delay=".02" interval=".1 -.05"/><actuatorfrc actuator="m0"/><contact/>
      <rangefinder site="s" data="dist normal"/><rangefinder camera="c"/>
      <framepos objtype="body" objname="a" reftype="site" refname="s"/><framepos objtype="xbody" objname="a"/>
      <contact subtree1="a" num="2" data="found pos"/><insidesite objtype="body" objname="a" site="s"/><clock/>
      <user objtype="geom" objname="g" dim="3" datatype="axis" needstage="pos"/></sensor>)"));
  EXPECT_EQ(m.nsensordata, 128);
  expect_equal(m.sensor_dim, {2, 1, 1, 1, 4, 100, 3, 3, 8, 1, 1, 3});
  expect_equal(m.sensor_adr, {0, 2, 3, 4, 5, 9, 109, 112, 115, 123, 124, 125});
  expect_equal(m.sensor_type, {48, 9, 15, 42, 7, 7, 26, 26, 42, 38, 45, 48});
  expect_equal(m.sensor_datatype, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2});
  expect_equal(m.sensor_needstage, {3, 1, 3, 3, 1, 1, 1, 1, 3, 1, 1, 1});
  expect_equal(m.sensor_objtype, {0, 3, 19, 0, 6, 7, 1, 2, 2, 1, 0, 5});
  expect_equal(m.sensor_objid, {-1, 1, 0, -1, 1, 0, 1, 1, 1, 1, -1, 0});
  expect_equal(m.sensor_reftype, {0, 0, 0, 0, 0, 0, 6, 0, 0, 6, 0, 0});
  expect_equal(m.sensor_refid, {-1, -1, -1, -1, -1, -1, 1, -1, -1, 1, -1, -1});
  EXPECT_EQ(m.sensor_historyadr[1], 8);  // after the actuator's
  EXPECT_EQ(m.nhistory, 8 + 2 + 4 + 4);
}

TEST(Pairs, AreSortedByTheirBodies) {
  const Model m = compiled(R"(<mujoco><worldbody><geom name="w" type="plane" size="1 1 1"/>
      <body name="a"><geom name="a" size=".1"/></body><body name="b"><geom name="b" size=".1"/></body></worldbody>
      <contact><pair name="second" geom1="b" geom2="a"/><pair name="first" geom1="a" geom2="w"/>
      <exclude name="e2" body1="b" body2="a"/><exclude name="e1" body1="a" body2="world"/></contact>
      <custom><tuple name="t"><element objtype="pair" objname="second"/></tuple></custom></mujoco>)");
  EXPECT_THAT(m.pair_geom1, ElementsAre(0, 1));
  EXPECT_THAT(m.pair_geom2, ElementsAre(1, 2));
  EXPECT_THAT(m.pair_signature, ElementsAre(1, (1 << 16) + 2));
  EXPECT_THAT(m.exclude_signature, ElementsAre(1, (1 << 16) + 2));
  EXPECT_EQ(m.name(ObjType::Pair, 0), "first");
  EXPECT_EQ(m.name(ObjType::Exclude, 1), "e2");
  EXPECT_THAT(m.tuple_objid, ElementsAre(1));
}

TEST(Tendons, HaveTheirPathWithSideSitesAndDivisors) {
  const Model m = compiled(R"(<mujoco><worldbody><site name="s"/><site name="t" pos="1 0 0"/>
      <geom name="c" type="cylinder" size=".1 .2"/><geom name="b" size=".1"/></worldbody>
      <tendon><spatial><site site="s"/><geom geom="c" sidesite="t"/><site site="t"/><pulley divisor="2"/>
      <site site="t"/><geom geom="b"/><site site="s"/></spatial></tendon></mujoco>)");
  EXPECT_THAT(m.wrap_type, ElementsAre(3, 5, 3, 2, 3, 4, 3));
  EXPECT_THAT(m.wrap_objid, ElementsAre(0, 0, 1, -1, 1, 1, 0));
  EXPECT_THAT(m.wrap_prm, ElementsAre(0, 1, 0, 2, 0, -1, 0));
}

TEST(Cameras, TakeTheirFieldOfViewFromTheSensor) {
  const Model m = compiled(
      "<mujoco><worldbody><camera resolution='400 300' sensorsize='4 3' focalpixel='200 200'/>"
      "<camera/><camera sensorsize='1 1'/></worldbody></mujoco>");
  // MuJoCo 3.12.0, oracle: get cam_fovy cam_intrinsic; the last has no focal length
  expect_near(m.cam_fovy, {73.73979461915735, 45, 180.00000500895632});
  EXPECT_FLOAT_EQ(m.cam_intrinsic[0], 2);
  EXPECT_FLOAT_EQ(m.cam_intrinsic[4], 0.01f);
}

TEST(Custom, NumericDataArePaddedToTheirSize) {
  const Model m = compiled(
      "<mujoco><custom><numeric name='a' size='4' data='1 2'/><numeric name='b' data='3'/>"
      "<text name='t' data='abc'/></custom></mujoco>");
  EXPECT_THAT(m.numeric_data, ElementsAre(1, 2, 0, 0, 3));
  EXPECT_THAT(m.numeric_adr, ElementsAre(0, 4));
  EXPECT_EQ(std::string(m.text_data.data()), "abc");
}

TEST(UserData, HasTheLengthOfTheLongestUnlessTheSizeIsGiven) {
  const char* model =
      "<mujoco><size nuser_geom='%s'/><worldbody><geom size='1' user='1 2'/><geom size='1'/></worldbody></mujoco>";
  char text[300];
  std::snprintf(text, sizeof(text), model, "-1");
  expect_near(compiled(text).geom_user, {1, 2, 0, 0});
  std::snprintf(text, sizeof(text), model, "3");
  expect_near(compiled(text).geom_user, {1, 2, 0, 0, 0, 0});
}

TEST(SpringDamper, SetsStiffnessAndDampingFromTheInertiaOfTheJoint) {
  // MuJoCo 3.12.0: time constant .5, damping ratio .8 on I = 0.1 give 0.625 and 0.4
  const Model m = compiled(R"(<mujoco><worldbody><body><joint springdamper=".5 .8"/>
      <inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/></body></worldbody></mujoco>)");
  expect_near(m.jnt_stiffness, {0.625}, 1e-14);
  expect_near(m.dof_damping, {0.4}, 1e-14);
}

TEST(Keyframes, TakeMissingValuesFromTheModel) {
  const Model m =
      compiled(with_world("<size nkey='2'/><keyframe><key qpos='1 2 3 0 0 0 2' time='4' ctrl=''/></keyframe>"));
  EXPECT_EQ(m.nkey, 2);
  // a short qpos is padded with ref as written, 5 degrees; an absent one gets the reference in radians
  expect_near(m.key_qpos, {1, 2, 3, 0, 0, 0, 1, 5, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0.08726646259971647, 1, 0, 0, 0});
  expect_near(m.key_mpos, {1, 2, 3, 1, 2, 3});
  expect_near(m.key_mquat, {1, 0, 0, 0, 1, 0, 0, 0});
  expect_near(m.key_time, {4, 0});
}

TEST(Keyframes, NormalizeQuaternionsAndReplaceZeroByTheIdentity) {
  const Model m =
      compiled(with_world("<keyframe><key qpos='0 0 0 0 0 0 0' mquat='0 0 0 0'/><key mquat='0 3 0 4'/></keyframe>"));
  expect_near(std::vector<double>(m.key_qpos.begin() + 3, m.key_qpos.begin() + 7), {1, 0, 0, 0});
  expect_near(m.key_mquat, {0, 0, 0, 0, 0, 0.6, 0, 0.8});
}

TEST(Statistics, AreOverriddenByTheUser) {
  const Model m =
      compiled("<mujoco><statistic extent='3' center='1 2 3'/><worldbody><geom size='1'/></worldbody></mujoco>");
  EXPECT_EQ(m.stat.extent, 3);
  EXPECT_THAT(m.stat.center, ElementsAre(1, 2, 3));
}

// MuJoCo 3.12.0, names_map of the same model.
TEST(Names, HashTablesMatchMuJoCo) {
  const Model m =
      compiled(R"(<mujoco model="abc"><asset><material name="mat1"/><material name="mat2"/></asset><worldbody>
    <body name="torso"><joint name="hip"/><joint name="knee" axis="1 0 0"/><geom name="g1" size="1"/><geom name="g2" size="1"/>
      <geom name="g3" size="1"/><geom size="1"/><site name="s"/></body><body name="b2"><geom size="1"/></body>
    <body name="a_very_long_name_for_hashing_äöü"/></worldbody>
    <actuator><motor name="m1" joint="hip"/><motor name="m2" joint="hip"/></actuator><keyframe><key name="home"/></keyframe>
    </mujoco>)");
  EXPECT_THAT(m.names_map, testing::ElementsAreArray({1, -1, -1, -1, -1, 2, 3,  0, 0,  1,  -1, -1, -1, -1, 1,  2, -1,
                                                      0, -1, -1, -1, -1, 0, -1, 0, -1, -1, 1,  -1, 0,  1,  -1, 0, -1}));
}

}  // namespace
}  // namespace sinew
