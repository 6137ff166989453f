#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/world.h"

namespace sinew::test {
namespace {

constexpr const char* kIntegratorNames[] = {"Euler", "RK4", "implicit", "implicitfast"};

void expect_near(std::span<const double> values, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << "index " << i;
}

struct Golden {
  const char* integrator;
  std::vector<double> qpos, qvel, act;
};

// MuJoCo 3.12.0, oracle.mjs get CHAIN.xml qpos qvel act --steps 50 --set qvel=kChainVelocity --set ctrl=kChainControl
const Golden kGoldens[] = {
    {"Euler",
     {0.9548033644167857, -0.06292492788239208, 0.23384728086499046, 0.1723555568626421, 0.7770764370479699,
      -0.032274602047526905, 1.0487531020844931, 0.10864323039833905, -0.08549894250840631, 0.5975779378984576,
      0.7039814765084647, -0.38196569916184714, 0.037588476076972285},
     {-0.7598295773878166, 1.982570047267136, 0.47894158200261816, 3.023238171361929, 0.2121394692204734,
      0.08853214872419508, 0.21246268751085873, -4.542022373334394, 3.041336601430566, -2.218770187512599,
      -0.6368877061560981},
     {0.7999885820184583}},
    {"RK4",
     {0.954871470389987, -0.06200284674504237, 0.23280332590806824, 0.17372027364967552, 0.7570264606350187,
      -0.035426435650760126, 1.0486734143720309, 0.1083100602085482, -0.061161236945247596, 0.5981794950039343,
      0.7028218046122581, -0.3828584692614385, 0.040524008108716335},
     {-0.7631426290557778, 2.004624127435771, 0.48396711568350786, 2.914317036126807, 0.19911112136103112,
      0.08814478313855607, 0.21129222295851524, -4.54193723429628, 3.0260352872886087, -2.229691605157495,
      -0.644180542616557},
     {0.7999636743325768}},
    {"implicit",
     {0.9529433717330543, -0.06216813494353144, 0.23893328685614992, 0.17591173269511476, 0.7624795713450849,
      -0.032999496026664986, 1.0488663542073657, 0.1085588592615605, -0.08547054734434278, 0.5985795965734748,
      0.7018829524328952, -0.3844798963024499, 0.03518518138755428},
     {-0.7460855383232574, 2.0143248157080027, 0.5109685004956672, 2.9316155400079196, 0.19603737602709004,
      0.08914210181909352, 0.21212505779006346, -4.5419752854777835, 3.010544842916912, -2.240613985819916,
      -0.6515357170565359},
     {0.7999885820184583}},
    {"implicitfast",
     {0.9545161337546679, -0.06304214462900096, 0.23437028064949136, 0.1731912525241825, 0.7591611865255624,
      -0.031188203912581636, 1.0488663542073657, 0.10855885926156052, -0.08547054734434259, 0.5985795965734748,
      0.7018829524328952, -0.3844798963024498, 0.03518518138755435},
     {-0.7590664693300341, 1.9874622284357941, 0.48772173849260086, 3.0578283105630955, 0.21848719087880603,
      0.08914210181909346, 0.2121250577900637, -4.541975285477783, 3.010544842916912, -2.2406139858199157,
      -0.6515357170565356},
     {0.7999885820184583}},
};

TEST(Integrators, MatchMuJoCoAfterFiftySteps) {
  for (const Golden& golden : kGoldens) {
    SCOPED_TRACE(golden.integrator);
    World w(with(kChain, golden.integrator));
    w.set(w.d.qvel, kChainVelocity);
    w.set(w.d.ctrl, kChainControl);
    for (int i = 0; i < 50; ++i) step(w.m, w.d);
    expect_near(w.d.qpos, golden.qpos, 1e-12);
    expect_near(w.d.qvel, golden.qvel, 1e-12);
    expect_near(w.d.act, golden.act, 1e-12);
    EXPECT_NEAR(w.d.time, 0.5, 1e-12);
  }
}

/// Two hinges and a slide, swinging with a filtered actuator: scalar joints only.
const std::string kPendulum = R"(
<mujoco>
  <option integrator="$"/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0" damping="0.05"/><geom type="capsule" size="0.03" fromto="0 0 0 0.4 0 0"/>
      <body pos="0.4 0 0">
        <joint axis="0 1 0" stiffness="3"/><geom type="capsule" size="0.03" fromto="0 0 0 0.3 0.1 0"/>
        <body pos="0.3 0.1 0"><joint type="slide" axis="1 0 0" stiffness="40"/><geom size="0.05"/></body>
      </body>
    </body>
  </worldbody>
  <actuator><general joint="a" dyntype="filter" dynprm="0.05" gainprm="3"/></actuator>
</mujoco>)";

/// The state after 0.2 s in `steps` steps, from velocities 0.5, 1, 1.5 … and controls 0.8.
std::vector<double> end_of_swing(const std::string& model, const char* integrator, int steps) {
  World w(with(model, integrator));
  w.m.opt.timestep = 0.2 / steps;
  for (int i = 0; i < w.m.nv; ++i) w.d.qvel[i] = 0.5 * (i + 1);
  std::ranges::fill(w.d.ctrl, 0.8);
  for (int i = 0; i < steps; ++i) step(w.m, w.d);
  std::vector<double> state(static_cast<std::size_t>(state_size(w.m, kStatePhysics)));
  get_state(w.m, w.d, state, kStatePhysics);
  return state;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

/// log2 of the factor by which half the timestep reduces the error.
double measured_order(const std::string& model, const char* integrator, int steps) {
  const std::vector<double> exact = end_of_swing(model, "RK4", 8000);
  const double error = distance(end_of_swing(model, integrator, steps), exact);
  EXPECT_GT(error, 1e-8);  // large enough to measure
  return std::log2(error / distance(end_of_swing(model, integrator, 2 * steps), exact));
}

TEST(Integrators, HaveTheirOrderOfConvergence) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast"})
    EXPECT_NEAR(measured_order(kPendulum, integrator, 200), 1, 0.1) << integrator;
  EXPECT_NEAR(measured_order(kPendulum, "RK4", 10), 4, 0.3);
}

TEST(Rk4, IsOfSecondOrderForQuaternions) {
  // the mean of the stages' angular velocities, each in its own body frame, gives a rotation of second order only
  EXPECT_NEAR(measured_order(kChain, "RK4", 40), 2, 0.3);
}

TEST(Euler, TreatsJointDampingImplicitly) {
  // v' = v / (1 + h c / m): stable, while the explicit rule v (1 - h c / m) = -9 v diverges
  World w(R"(<mujoco><option timestep="0.1" gravity="0 0 0"/><worldbody><body>
    <joint type="slide" damping="100"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)");
  w.d.qvel[0] = 1;
  step(w.m, w.d);
  EXPECT_NEAR(w.d.qvel[0], 1.0 / 11, 1e-15);
}

TEST(Euler, IsExplicitIfEulerdampOrDampersAreDisabled) {
  for (const char* flag : {"eulerdamp", "damper"}) {
    SCOPED_TRACE(flag);
    World w(with(R"(<mujoco><option timestep="0.1" gravity="0 0 0"><flag $="disable"/></option><worldbody><body>
      <joint type="slide" damping="2"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)",
                 flag));
    w.d.qvel[0] = 1;
    step(w.m, w.d);
    EXPECT_NEAR(w.d.qvel[0], std::string_view(flag) == "damper" ? 1 : 0.8, 1e-15);
  }
}

TEST(Euler, NegativeDampingAloneStaysExplicit) {
  // MuJoCo 3.12.0, oracle.mjs get … qvel --steps 1 --set qvel=1: 1.1; the implicit rule would give 1 / 0.9
  World w(R"(<mujoco><option timestep="0.1" gravity="0 0 0"/><worldbody><body>
    <joint type="slide" damping="0"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)");
  w.m.dof_damping[0] = -1;
  w.d.qvel[0] = 1;
  step(w.m, w.d);
  EXPECT_NEAR(w.d.qvel[0], 1.1, 1e-15);
}

TEST(ImplicitIntegrators, AreExactForALinearDamper) {
  for (const char* integrator : {"implicit", "implicitfast"}) {
    SCOPED_TRACE(integrator);
    World w(with(R"(<mujoco><option timestep="0.1" gravity="0 0 0" integrator="$"/><worldbody><body>
      <joint name="j" type="slide" damping="3"/><geom size="0.1" mass="1"/></body></worldbody>
      <actuator><velocity joint="j" kv="7"/></actuator></mujoco>)",
                 integrator));
    w.d.qvel[0] = 1;
    step(w.m, w.d);
    EXPECT_NEAR(w.d.qvel[0], 1.0 / (1 + 0.1 * (3 + 7)), 1e-15);
  }
}

TEST(Implicitfast, TreatsALoneFreeBodyAsImplicitDoes) {
  // a free body's block contains the bias derivative exactly, so both integrators solve the same equations
  const char* top = R"(<mujoco><option timestep="0.01" integrator="$"/><worldbody><body>
    <freejoint/><geom type="box" size="0.3 0.1 0.05" pos="0.1 0.05 0"/></body></worldbody></mujoco>)";
  World implicit(with(top, "implicit")), fast(with(top, "implicitfast"));
  for (World* w : {&implicit, &fast}) {
    w->set(w->d.qvel, {0.1, 0.2, 0.3, 5, -4, 9});
    for (int i = 0; i < 20; ++i) step(w->m, w->d);
  }
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(implicit.d.qvel[i], fast.d.qvel[i], 1e-12);
}

TEST(Implicit, UsesANegativePivotUnchanged) {
  World w(R"(<mujoco><option timestep="0.03" integrator="implicit"/><worldbody><body pos="0 0 1">
    <joint type="ball" pos="-0.007 -0.2 0.05"/><geom type="box" size=".084 .154 .14"/></body></worldbody></mujoco>)");
  std::ranges::copy(std::array{-9., -15., -64.}, w.d.qvel.begin());
  // MuJoCo 3.12.0, native
  constexpr double kQvel[][3] = {{27.300901639305998, 5.8773273910023676, -74.970193258574511},
                                 {110.34949654854179, 94.909964389787163, 24.830153864733518},
                                 {37.932038609526856, 69.466519910516595, 34.382145598871929},
                                 {-42.856465585649389, 111.36116898988709, -6.723553951563197}};
  for (const auto& want : kQvel) {
    step(w.m, w.d);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d.qvel[i], want[i], 1e-9 * 111);
  }
  EXPECT_EQ(w.d.warning[static_cast<int>(Warning::Inertia)].number, 0);
}

TEST(Implicit, SingularMatrixIsCountedAndDoesNotCrash) {
  World w(R"(<mujoco><option timestep="0.1" gravity="0 0 0" integrator="implicit"/><worldbody><body>
    <joint type="slide" damping="0"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)");
  w.m.dof_damping[0] = -10;  // M - h D = 1 - 1
  w.d.qvel[0] = 1;
  step(w.m, w.d);
  EXPECT_EQ(w.d.warning[static_cast<std::size_t>(Warning::Inertia)].number, 1);
}

TEST(QuaternionIntegration, RotatesByAngularVelocityTimesTimeAndKeepsUnitLength) {
  for (const char* integrator : kIntegratorNames) {
    SCOPED_TRACE(integrator);
    World w(with(R"(<mujoco><option timestep="0.01" gravity="0 0 0" integrator="$"/><worldbody><body>
      <joint type="ball"/><geom size="0.1" mass="1"/></body></worldbody></mujoco>)",
                 integrator));
    w.set(w.d.qvel, {0, 0, std::numbers::pi / 2});
    for (int i = 0; i < 100; ++i) step(w.m, w.d);
    const double half = std::numbers::pi / 4;
    EXPECT_NEAR(w.d.qpos[0], std::cos(half), 1e-12);
    EXPECT_NEAR(w.d.qpos[3], std::sin(half), 1e-12);
  }
}

TEST(QuaternionIntegration, NormalizesQuaternionsOfAnyLength) {
  const char* ball = R"(<mujoco><worldbody><body><joint type="ball"/><geom size="0.1" pos="0.3 0 0"/></body>
    </worldbody></mujoco>)";
  World unit(ball), longer(ball), zero(ball);
  longer.set(longer.d.qpos, {3, 0, 0, 0});
  zero.set(zero.d.qpos, {0, 0, 0, 0});  // becomes the identity
  for (World* w : {&unit, &longer, &zero}) {
    step(w->m, w->d);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(w->d.qpos[i], unit.d.qpos[i], 1e-15);
  }
}

TEST(Rk4, CallsTheControlCallbackInEachOfItsFourStages) {
  World w(with(kChain, "RK4"));
  std::vector<double> times;
  w.d.callbacks.control = [&](const Model&, Data& d) { times.push_back(d.time); };
  step(w.m, w.d);
  EXPECT_THAT(times, testing::ElementsAre(0, 0.005, 0.005, 0.01));
  EXPECT_DOUBLE_EQ(w.d.time, 0.01);
}

}  // namespace
}  // namespace sinew::test
