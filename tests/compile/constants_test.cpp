#include "compile/constants.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "sinew/load.h"

// Golden values: MuJoCo 3.12.0, fields of the compiled model.

namespace sinew {
namespace {

Model model_of(const std::string& text) {
  Result<Model> model = load_string(text);
  if (!model) {
    ADD_FAILURE() << model.error().text();
    return {};
  }
  return std::move(model).value();
}

/// A hinge with inertia 0.1 about its axis, driven by an actuator.
Model on_hinge(const std::string& actuator) {
  return model_of(
      "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><inertial pos='0 0 0' mass='1' "
      "diaginertia='0.1 0.1 0.1'/></body></worldbody><actuator>" +
      actuator + "</actuator></mujoco>");
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "[" << i << "]";
}

/// All floating-point numbers of a model by the name of their field.
std::map<std::string, std::vector<double>> numbers_of(const Model& m) {
  std::map<std::string, std::vector<double>> out;
  m.for_each_field([&](std::string_view name, const auto& field, auto...) {
    using T = typename std::remove_cvref_t<decltype(field)>::value_type;
    if constexpr (std::is_floating_point_v<T>) out[std::string(name)].assign(field.begin(), field.end());
  });
  const auto add = [&](const char* name, const auto& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>)
      out[std::string("stat.") + name] = {value};
    else
      out[std::string("stat.") + name].assign(value.begin(), value.end());
  };
#define SINEW_STATISTIC(type, name, value, doc) add(#name, m.stat.name);
#define SINEW_STATISTIC_ARRAY(type, name, count, doc, ...) add(#name, m.stat.name);
#include "sinew/statistic_fields.def"
#undef SINEW_STATISTIC
#undef SINEW_STATISTIC_ARRAY
  return out;
}

TEST(DerivedConstants, AreTheFieldsOfTheirTableAndNoOthers) {
  Model m = load(SINEW_SOURCE_DIR "/tests/edit/rich.xml").value_or_throw();
  for (int i = 0; i < std::ssize(m.body_mass); ++i) m.body_mass[i] *= 1.1 + 0.1 * i;
  for (double& x : m.body_pos) x = 1.2 * x + 0.01;
  for (double& x : m.qpos0) x += 0.02;
  for (double& x : m.tendon_lengthspring) x = -1;
  const auto before = numbers_of(m);
  derive_constants(m);
  const auto after = numbers_of(m);
  const std::set<std::string_view> table(std::begin(kDerivedFields), std::end(kDerivedFields));
  for (const std::string_view name : table) EXPECT_EQ(before.count(std::string(name)), 1u) << name;
  for (const auto& [name, numbers] : before)
    EXPECT_TRUE(table.count(name) == 1 || numbers == after.at(name)) << name << " is written, but not in the table";
}

TEST(ActuatorAcceleration, IsMomentOverInertia) {
  const Model motor = on_hinge("<motor joint='j' gear='2'/>");
  EXPECT_NEAR(motor.actuator_acc0[0], 20, 1e-14);
  EXPECT_NEAR(motor.dof_M0[0], 0.1, 1e-16);
  EXPECT_EQ(motor.actuator_length0[0], 0);
  EXPECT_NEAR(on_hinge("<position joint='j' kp='100' kv='10'/>").actuator_acc0[0], 10, 1e-14);
}

TEST(ActuatorAcceleration, IsZeroIfNothingMoves) {
  EXPECT_EQ(model_of("<mujoco><worldbody><body><geom size='0.1'/><site name='s'/></body></worldbody>"
                     "<actuator><general site='s' gear='1 0 0 0 0 0'/></actuator></mujoco>")
                .actuator_acc0[0],
            0);
  EXPECT_EQ(model_of("<mujoco><worldbody><geom type='plane' size='1 1 0.1'/><body name='b' pos='0 0 0.099'><freejoint/>"
                     "<geom size='0.1'/></body></worldbody><actuator><adhesion body='b' ctrlrange='0 1'/></actuator>"
                     "</mujoco>")
                .actuator_acc0[0],
            0);
}

TEST(MuscleForce, StaysUnresolvedInTheModel) {
  const Model m = on_hinge("<muscle joint='j' gear='2' lengthrange='-2 2'/>");
  EXPECT_NEAR(m.actuator_acc0[0], 20, 1e-14);
  EXPECT_EQ(m.actuator_gainprm[2], -1);
  EXPECT_EQ(m.actuator_biasprm[2], -1);
}

TEST(DampingRatio, IsConvertedToDampingWithTheInertiaSeenThroughTheGear) {
  const auto damping = [](const std::string& actuator) { return on_hinge(actuator).actuator_biasprm[2]; };
  EXPECT_NEAR(damping("<position joint='j' kp='100' dampratio='1'/>"), -6.324555320336759, 1e-14);
  EXPECT_NEAR(damping("<position joint='j' kp='100' dampratio='1' gear='2'/>"), -3.1622776601683795, 1e-14);
  EXPECT_NEAR(damping("<position joint='j' kp='100' dampratio='1' gear='2' armature='0.3'/>"), -11.40175425099138,
              1e-13);
  EXPECT_NEAR(damping("<pid joint='j' kp='40' dampratio='0.5' ki='3'/>"), -2, 1e-14);
  const Model servo = on_hinge("<position joint='j' kp='100' dampratio='1'/>");
  EXPECT_EQ(servo.actuator_gainprm[0], 100);
  EXPECT_EQ(servo.actuator_biasprm[1], -100);
  EXPECT_NEAR(on_hinge("<position joint='j' kp='100' dampratio='1' gear='2' armature='0.3'/>").dof_M0[0], 1.3, 1e-15);
}

TEST(DampingRatio, IsRecognizedByItsParametersAlone) {
  const auto damping = [](const std::string& actuator) { return on_hinge(actuator).actuator_biasprm[2]; };
  EXPECT_EQ(damping("<motor joint='j'/>"), 0);
  EXPECT_EQ(damping("<position joint='j' kp='100' kv='10'/>"), -10);
  EXPECT_NEAR(damping("<general joint='j' gainprm='50' biastype='none' biasprm='0 -50 1'/>"), -4.47213595499958, 1e-14);
  EXPECT_EQ(damping("<general joint='j' gainprm='0' biastype='affine' biasprm='0 0 1'/>"), 0);
  EXPECT_EQ(damping("<general joint='j' gainprm='50' biastype='affine' biasprm='0 -49 1'/>"), 1);
}

TEST(DampingRatio, OfAnOrientationActuatorUsesItsFirstOutput) {
  const Model m = model_of(
      "<mujoco><worldbody><body><joint name='q' type='ball'/><inertial pos='0 0 0' mass='1' "
      "diaginertia='0.1 0.2 0.3'/></body></worldbody><actuator>"
      "<orientation joint='q' kp='10' dampratio='1'/></actuator></mujoco>");
  EXPECT_NEAR(m.actuator_biasprm[2], -2, 1e-14);
}

TEST(DampingRatio, ThroughATendonUsesDofInertiaWithoutTendonArmature) {
  const Model m = model_of(R"(<mujoco><worldbody><body><joint name="a" axis="0 1 0" armature="0.02"/>
    <inertial pos="0 0 -0.2" mass="2" diaginertia="0.2 0.2 0.2"/><body pos="0 0 -0.4"><joint name="b" axis="0 1 0"/>
    <inertial pos="0 0 -0.1" mass="1" diaginertia="0.1 0.1 0.1"/></body></body></worldbody>
    <tendon><fixed name="t" armature="0.5"><joint joint="a" coef="2"/><joint joint="b" coef="-0.5"/></fixed></tendon>
    <actuator><position tendon="t" kp="50" dampratio="0.7" gear="3"/></actuator></mujoco>)");
  EXPECT_NEAR(m.dof_M0[0], 0.65, 1e-15);
  EXPECT_NEAR(m.actuator_biasprm[2], -2.5613581466783506, 1e-14);
  EXPECT_NEAR(m.actuator_acc0[0], 4.144661323673826, 1e-14);
  EXPECT_NEAR(m.tendon_invweight0[0], 1.8040979510244877, 1e-14);
}

TEST(Constants, OfATwoLinkChainMatchMuJoCo) {
  const auto chain = [](const char* com, const char* link) {
    return model_of(
        std::string("<mujoco><worldbody><body><body><joint name='j1' axis='0 1 0'/><inertial pos='") + com +
        "' mass='2' diaginertia='0.2 0.2 0.2'/><body pos='" + link +
        "'><joint name='j2' axis='0 1 0'/>"
        "<inertial pos='" +
        com +
        "' mass='1' diaginertia='0.1 0.1 0.1'/></body></body></body></worldbody>"
        "<actuator><position joint='j1' kp='200' dampratio='1'/><motor joint='j2' gear='3'/></actuator></mujoco>");
  };
  const Model close = chain("0 0 0", "0 0 0"), apart = chain("0 0 -0.25", "0 0 -0.5");
  expect_near(close.actuator_acc0, {7.071067811865475, 47.43416490252569}, 1e-13);
  expect_near(close.dof_M0, {0.3, 0.1}, 1e-15);
  expect_near(close.dof_invweight0, {5, 15}, 1e-13);
  EXPECT_NEAR(close.actuator_biasprm[2], -15.491933384829668, 1e-13);
  expect_near(apart.actuator_acc0, {4.244126847750329, 39.65301673392617}, 1e-13);
  expect_near(apart.dof_M0, {0.9875, 0.1625}, 1e-15);
  expect_near(apart.dof_invweight0, {2.088353413654618, 12.69076305220883}, 1e-13);
  EXPECT_NEAR(apart.actuator_biasprm[2], -28.106938645110393, 1e-13);
}

TEST(InverseWeights, MatchMuJoCo) {
  // a free body, a body on two slides, a mocap body, a ball joint with a body welded to it
  const Model m = model_of(R"(<mujoco><worldbody>
    <body><freejoint/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25"/></body>
    <body><joint type="slide" axis="1 0 0" armature="0.5"/><joint type="slide" axis="0 1 0"/>
      <inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body>
    <body mocap="true"><geom size="0.1"/></body>
    <body pos="0 0 1"><joint type="ball"/><inertial pos="0 0 0.2" mass="1" diaginertia="0.1 0.2 0.25"/>
      <body pos="0 0 0.3"><geom size="0.1" mass="0.5"/></body></body></worldbody></mujoco>)");
  expect_near(m.body_invweight0,
              {0, 0, 0.5, 6.333333333333333, 0.5, 0, 0, 0, 0.11775885520505315, 4.266722702877653, 0.26495742421136975,
               4.266722702877653},
              1e-14);
  expect_near(m.dof_invweight0,
              {0.53, 0.53, 0.53, 6.333333333333333, 6.333333333333333, 6.333333333333333, 0.5, 0.5, 4.266722702877653,
               4.266722702877653, 4.266722702877653},
              1e-14);
  expect_near(m.dof_M0, {2, 2, 2, 0.1, 0.22, 0.27, 2.5, 2, 0.187, 0.287, 0.252}, 1e-15);
  expect_near(m.body_subtreemass, {9.688790204786391, 2, 2, 4.188790204786391, 1.5, 0.5}, 1e-14);
}

TEST(EqualityData, TakesAnchorsAndRelativePoseFromQpos0) {
  const Model m = model_of(R"(<mujoco><compiler angle="radian"/><worldbody>
    <body name="a" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3"><freejoint/><geom size="0.1"/></body>
    <body name="b" pos="0.5 0.1 0.2" euler="0.3 0 0.1"><joint axis="0 1 0"/><geom size="0.1 0.2" type="capsule"
      pos="0.1 0 0"/></body></worldbody>
    <equality><connect body1="a" body2="b" anchor="0.1 0.2 0.3"/><connect body1="b" anchor="0.1 0.2 0.3"/>
    <weld body1="a" body2="b"/><weld body1="a" body2="b" anchor="0.1 0.2 0.3"/>
    <weld body1="a" body2="b" relpose="0.1 0.2 0.3 2 0 0 1"/></equality></mujoco>)");
  const std::vector<std::vector<double>> expected = {
      {0.1, 0.2, 0.3, -0.26341167916273756, 0.42671124969171803, 0.30321730628430305, 0, 0, 0, 0, 1},
      {0.1, 0.2, 0.3, 0.5795337331984369, 0.21099414576169023, 0.5483599932399708, 0, 0, 0, 0, 1},
      {0, 0, 0, 0.3591526707859306, -0.22570123944859205, -0.008264960901431473, 0.986082257059707, 0.07761983407788386,
       -0.11708933707644137, -0.088921486788937, 1},
      {0.1, 0.2, 0.3, 0.4128503869436035, -0.09030512823671688, 0.33638623719332555, 0.986082257059707,
       0.07761983407788386, -0.11708933707644137, -0.088921486788937, 1},
      {0, 0, 0, 0.1, 0.2, 0.3, 0.8944271909999159, 0, 0, 0.4472135954999579, 1}};
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const auto row = m.eq_data.begin() + kNumEqData * e;
    expect_near({row, row + kNumEqData}, expected[e], 1e-14);
  }
}

TEST(Statistics, MatchMuJoCo) {
  const Model m = model_of(R"(<mujoco><worldbody><geom type="plane" size="2 3 0.1"/>
    <body pos="0 0 1"><joint axis="0 1 0" pos="0 0 0.4"/><geom size="0.1 0.2" type="capsule"/><site pos="0 0 -0.9"/>
      <body pos="0.5 0 0"><joint type="slide" axis="0 0 1"/><geom size="0.1 0.2 0.3" type="box"/></body></body>
    <body pos="-3 0 1"><freejoint/><geom size="0.2"/></body></worldbody></mujoco>)");
  EXPECT_NEAR(m.stat.meaninertia, 21.818299030173048, 1e-13);
  EXPECT_NEAR(m.stat.meanmass, 32.755160819145566, 1e-13);
  EXPECT_NEAR(m.stat.meansize, 0.35805524622579804, 1e-15);
  EXPECT_NEAR(m.stat.extent, 4.074165738677395, 1e-14);
  expect_near({m.stat.center.begin(), m.stat.center.end()}, {-1.1629171306613029, 0, 0.55}, 1e-14);
  expect_near(m.dof_length, {0.5, 1, 1, 1, 1, 0.2, 0.2, 0.2}, 1e-15);
}

TEST(Statistics, OfAnEmptyModelAreDefaults) { EXPECT_EQ(model_of("<mujoco/>").stat, Statistic{}); }

TEST(TendonSpring, RestLengthIsTheLengthInTheSpringPose) {
  const Model m = model_of(R"(<mujoco><worldbody><site name="o" pos="0.3 0 0"/><body>
    <joint axis="0 1 0" springref="30"/><geom size="0.1"/><site name="s" pos="0 0 1"/></body></worldbody><tendon>
    <spatial><site site="o"/><site site="s"/></spatial>
    <spatial springlength="0.2 0.4"><site site="o"/><site site="s"/></spatial></tendon></mujoco>)");
  expect_near(m.tendon_lengthspring, {0.8888194417315589, 0.8888194417315589, 0.2, 0.4}, 1e-15);
  expect_near(m.tendon_length0, {1.044030650891055, 1.044030650891055}, 1e-15);
  expect_near(m.tendon_invweight0, {4.9279626874784075, 4.9279626874784075}, 1e-14);
}

TEST(Constants, AreUnchangedWhenRecomputed) {
  Model m = on_hinge("<position joint='j' kp='100' dampratio='1' gear='2'/>");
  const Model before = m;
  set_constants(m);
  EXPECT_EQ(m.actuator_biasprm, before.actuator_biasprm);
  EXPECT_EQ(m.dof_invweight0, before.dof_invweight0);
  EXPECT_EQ(m.body_invweight0, before.body_invweight0);
  EXPECT_EQ(m.stat, before.stat);
}

TEST(Constants, FollowAChangeOfMass) {
  Model m = on_hinge("<motor joint='j'/>");
  for (double& x : m.body_inertia) x *= 2;
  for (double& x : m.body_mass) x *= 2;
  set_constants(m);
  EXPECT_NEAR(m.actuator_acc0[0], 5, 1e-14);
  EXPECT_NEAR(m.dof_M0[0], 0.2, 1e-16);
  EXPECT_EQ(m.body_subtreemass[0], 2);
}

}  // namespace
}  // namespace sinew
