#include "world.h"

// Physical properties of constraint dynamics that hold for any model.

namespace sinew::test {
namespace {

constexpr const char* kMixed = R"(<mujoco>
  <option OPTIONS/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .1 .1" condim="3"/></body>
    <body pos="0 .02 .3"><freejoint/><geom type="box" size=".15 .1 .1" condim="4" friction=".6 .02 .001"/></body>
    <body pos="1 0 .12"><freejoint/><geom type="sphere" size=".12" condim="6" friction="1 .01 .002"/></body>
    <body pos="-2 0 1"><joint type="ball" range="0 30" limited="true" frictionloss=".02"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
      <body pos=".5 0 0"><joint axis="0 1 0" range="-20 30" frictionloss=".1" damping=".1"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/></body></body>
    <body name="a" pos="2 0 1"><freejoint/><geom type="box" size=".1 .05 .05"/></body>
    <body name="b" pos="2.3 0 1"><joint axis="0 1 0"/><geom type="box" size=".1 .05 .05"/></body>
  </worldbody>
  <equality><connect body1="a" body2="b" anchor=".15 0 0"/></equality>
</mujoco>)";

std::string mixed(const std::string& options, const std::string& flags = "") {
  std::string text = kMixed;
  const std::string place = "<option OPTIONS/>";
  return text.replace(text.find(place), place.size(), "<option " + options + ">" + flags + "</option>");
}

TEST(Inverse, ReturnsTheAppliedForceOfAConvergedForwardPass) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    World w(mixed("tolerance=\"0\" iterations=\"50\" cone=\"" + std::string(cone) + "\""));
    for (int k = 0; k < 20; ++k) {
      for (int i = 0; i < w.m.nv; ++i) w.d.qfrc_applied[i] = std::sin(3.0 * k + i);
      w.steps(10);
      forward(w.m, w.d);
      inverse(w.m, w.d);
      for (int i = 0; i < w.m.nv; ++i)
        EXPECT_NEAR(w.d.qfrc_inverse[i], w.d.qfrc_applied[i], 1e-8) << "dof " << i << " after " << 10 * (k + 1);
    }
  }
}

TEST(Inverse, IsComparedWithForwardIfTheFlagIsSet) {
  World w(mixed("tolerance=\"0\" iterations=\"50\"", R"(<flag fwdinv="enable"/>)"));
  w.steps(20);
  EXPECT_LT(w.d.solver_fwdinv[0], 1e-8);
  EXPECT_LT(w.d.solver_fwdinv[1], 1e-8);
  w.m.opt.iterations = 1;
  w.steps(1);
  EXPECT_GT(w.d.solver_fwdinv[0] + w.d.solver_fwdinv[1], 0);
}

TEST(Solvers, ConvergeToTheSameAcceleration) {
  for (const char* cone : {"pyramidal", "elliptic"}) {
    World newton(mixed("tolerance=\"1e-16\" cone=\"" + std::string(cone) + "\""));
    newton.steps(40);
    forward(newton.m, newton.d);
    ASSERT_GT(newton.d.ncon, 8);
    for (const char* solver : {"CG", "PGS"}) {
      World other(mixed("tolerance=\"1e-16\" iterations=\"20000\" solver=\"" + std::string(solver) + "\" cone=\"" +
                        cone + "\""));
      std::ranges::copy(newton.d.qpos, other.d.qpos.begin());
      std::ranges::copy(newton.d.qvel, other.d.qvel.begin());
      std::ranges::copy(newton.d.qacc_warmstart, other.d.qacc_warmstart.begin());
      forward(other.m, other.d);
      for (int i = 0; i < newton.m.nv; ++i)
        EXPECT_NEAR(other.d.qacc[i], newton.d.qacc[i], 1e-4 * (1 + std::abs(newton.d.qacc[i]))) << solver << ' ' << i;
    }
  }
}

TEST(Islands, DoNotChangeTheMotion) {
  World islands(mixed("tolerance=\"1e-14\"")), whole(mixed("tolerance=\"1e-14\"", R"(<flag island="disable"/>)"));
  for (int k = 0; k < 100; ++k) {
    forward(islands.m, islands.d);
    forward(whole.m, whole.d);
    if (k == 10) {
      EXPECT_EQ(islands.d.nisland, 4);
    }
    for (int i = 0; i < islands.m.nv; ++i) ASSERT_NEAR(islands.d.qacc[i], whole.d.qacc[i], 1e-5) << "step " << k;
    step(islands.m, islands.d);
    std::ranges::copy(islands.d.qpos, whole.d.qpos.begin());
    std::ranges::copy(islands.d.qvel, whole.d.qvel.begin());
    std::ranges::copy(islands.d.qacc_warmstart, whole.d.qacc_warmstart.begin());
  }
}

TEST(Jacobians, DenseAndSparseGiveTheSameMotion) {
  World dense(mixed("jacobian=\"dense\"")), sparse(mixed("jacobian=\"sparse\""));
  dense.steps(200);
  sparse.steps(200);
  for (int i = 0; i < dense.m.nq; ++i) EXPECT_NEAR(dense.d.qpos[i], sparse.d.qpos[i], 1e-12);
}

// two balls in space: contact forces conserve their total momentum
TEST(Contacts, OfTwoFreeBodiesConserveTheirMomentum) {
  World w(R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body><freejoint/><geom size=".1" mass="1"/></body>
    <body pos=".3 .05 0"><freejoint/><geom size=".1" mass="3"/></body></worldbody></mujoco>)");
  w.set_qvel({2, 0, 0, 1, 2, 3});
  bool touched = false;
  double relative = 0;
  for (int k = 0; k < 200; ++k) {
    step(w.m, w.d);
    touched |= w.d.ncon > 0;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(w.d.qvel[i] + 3 * w.d.qvel[6 + i], i == 0 ? 2 : 0, 1e-12);
    relative = w.d.qvel[6] - w.d.qvel[0];
  }
  EXPECT_TRUE(touched);
  EXPECT_GT(relative, 0);
}

double slide_velocity(double slope_degrees, double friction) {
  char text[600];
  std::snprintf(text, sizeof text, R"(<mujoco><option cone="elliptic" impratio="1000" timestep=".001"/><worldbody>
    <geom type="plane" size="9 9 .1" euler="0 %.17g 0" friction="%.17g"/>
    <body euler="0 %.17g 0" pos="%.17g 0 %.17g"><freejoint/><geom type="box" size=".1 .1 .02" friction="%.17g"/></body>
    </worldbody></mujoco>)",
                slope_degrees, friction, slope_degrees, 0.02 * std::sin(slope_degrees * kPi / 180),
                0.02 * std::cos(slope_degrees * kPi / 180), friction);
  World w(text);
  w.steps(1000);
  return std::hypot(w.d.qvel[0], w.d.qvel[2]);
}

TEST(Friction, HoldsABoxOnASlopeUpToTheFrictionAngle) {
  const double mu = 0.4, angle = std::atan(mu) * 180 / kPi;
  EXPECT_LT(slide_velocity(angle - 0.5, mu), 0.01);
  EXPECT_GT(slide_velocity(angle + 0.5, mu), 0.05);
}

TEST(Friction, TorsionalStopsASpinningDisk) {
  World w(R"(<mujoco><option cone="elliptic"/><worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .02"><freejoint/><geom type="sphere" size=".02" condim="4" friction="1 .02 .001" mass=".1"/></body>
    </worldbody></mujoco>)");
  w.set_qvel({0, 0, 0, 0, 0, 20});
  w.steps(2000);
  EXPECT_LT(std::abs(w.d.qvel[5]), 1e-2);
}

TEST(Stacks, OfBoxesAreStable) {
  std::string text = R"(<mujoco><worldbody><geom type="plane" size="1 1 .1"/>)";
  for (int i = 0; i < 8; ++i)
    text += "<body pos=\"0 0 " + std::to_string(0.05 + 0.1 * i) +
            "\"><freejoint/><geom type=\"box\" size=\".05 .05 .05\"/></body>";
  World w(text + "</worldbody></mujoco>");
  w.steps(3000);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(w.d.qpos[7 * i + 2], 0.05 + 0.1 * i, 0.01);
    EXPECT_NEAR(w.d.qpos[7 * i], 0, 1e-3);
    EXPECT_LT(std::abs(w.d.qvel[6 * i + 2]), 1e-3);
  }
}

TEST(Energy, OfAPassiveSystemDoesNotGrow) {
  World w(mixed("", R"(<flag energy="enable"/>)"));
  forward(w.m, w.d);
  const double start = w.d.energy[0] + w.d.energy[1];
  double top = start;
  for (int k = 0; k < 100000; ++k) {
    step(w.m, w.d);
    top = std::max(top, w.d.energy[0] + w.d.energy[1]);
  }
  // the energy stored in a compressed soft contact is not included: allow a thousandth
  EXPECT_LT(top, start + 1e-3 * std::abs(start));
}

TEST(BadInput, ContradictoryEqualitiesStayFinite) {
  World w(R"(<mujoco><worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom size=".1"/></body>
    <body name="l" pos="-1 0 1"/><body name="r" pos="1 0 1"/></worldbody>
    <equality><connect body1="a" body2="l" anchor="-1 0 0"/><connect body1="a" body2="r" anchor="1 0 0"/>
      <weld body1="a" body2="l" relpose="5 0 0 1 0 0 0"/><weld body1="a" body2="r" relpose="-5 0 0 0 1 0 0"/></equality></mujoco>)");
  w.steps(1000);
  for (double x : w.d.qpos) EXPECT_TRUE(std::isfinite(x));
  EXPECT_EQ(w.d.warning[static_cast<int>(Warning::BadQacc)].number, 0);
}

TEST(BadInput, TenThousandContactsInOneIslandAreSolved) {
  std::string text = R"(<mujoco><worldbody><geom type="plane" size="50 50 .1"/>)";
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 30; ++j)
      text += "<body pos=\"" + std::to_string(.1999 * i) + " " + std::to_string(.1999 * j) +
              " .0999\"><freejoint/><geom type=\"box\" size=\".1 .1 .1\"/></body>";
  World w(text + "</worldbody></mujoco>");
  w.steps(2);
  EXPECT_GT(w.d.ncon, 10000);
  EXPECT_EQ(w.d.nisland, 1);
  for (double x : w.d.qpos) ASSERT_TRUE(std::isfinite(x));
  // memory grows with the contacts: some kilobytes for each and its rows
  EXPECT_LT(w.d.bytes(), std::size_t{20000} * w.d.ncon);
}

TEST(BadInput, ChainsWithoutMassAtTheirEndStayFinite) {
  World w(R"(<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .3"><freejoint/><geom size=".1"/>
      <body pos=".2 0 0"><joint axis="0 1 0" armature="1e-12"/><inertial pos="0 0 0" mass="1e-9" diaginertia="1e-14 1e-14 1e-14"/>
        <geom size=".05" mass="0"/></body></body></worldbody></mujoco>)");
  w.steps(1000);
  for (double x : w.d.qpos) EXPECT_TRUE(std::isfinite(x));
}

TEST(BadInput, HugeStiffnessStaysFinite) {
  World w(R"(<mujoco><worldbody><geom type="plane" size="1 1 .1" solref="-1e12 -1e3"/>
    <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .1 .1" solref="-1e12 -1e3" euler="10 20 0"/></body>
    </worldbody></mujoco>)");
  w.steps(1000);
  for (double x : w.d.qpos) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace
}  // namespace sinew::test
