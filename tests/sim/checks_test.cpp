#include "sim/checks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sim/world.h"

namespace sinew::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

const WarningStat& warning(const Data& d, Warning kind) { return d.warning[static_cast<std::size_t>(kind)]; }

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

/// The state one step after the initial state, for comparison.
std::vector<double> first_step() {
  World w(with(kChain, "Euler"));
  step(w.m, w.d);
  return {w.d.qpos.begin(), w.d.qpos.end()};
}

void expect_restarted(const World& w, Warning kind, int index) {
  EXPECT_EQ(warning(w.d, kind).number, 1);
  EXPECT_EQ(warning(w.d, kind).lastinfo, index);
  EXPECT_DOUBLE_EQ(w.d.time, w.m.opt.timestep);
  const std::vector<double> expected = first_step();
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(w.d.qpos[i], expected[i]) << i;
}

TEST(BadState, InPositionsResetsTheWorldAndReportsTheFirstIndex) {
  for (const double bad : {kNan, kInf, -kInf, 1.1e10, -1.1e10}) {
    SCOPED_TRACE(bad);
    World w(with(kChain, "Euler"));
    for (int i = 0; i < 5; ++i) step(w.m, w.d);
    w.d.qpos[5] = w.d.qpos[8] = bad;
    step(w.m, w.d);
    expect_restarted(w, Warning::BadQpos, 5);
  }
}

TEST(BadState, InVelocitiesResetsTheWorld) {
  World w(with(kChain, "Euler"));
  w.d.qvel[3] = kNan;
  step(w.m, w.d);
  expect_restarted(w, Warning::BadQvel, 3);
}

TEST(BadState, FromForcesControlsAndWarmStartsIsDetectedWithEverySolver) {
  for (const std::string solver : {"PGS", "CG", "Newton"}) {
    for (const std::string cone : {"pyramidal", "elliptic"}) {
      for (const std::string islands : {"enable", "disable"}) {
        for (const int source : {0, 1, 2, 3}) {
          SCOPED_TRACE(solver + " " + cone + " islands " + islands + ", source " + std::to_string(source));
          World w("<mujoco><option solver=\"" + solver + "\" cone=\"" + cone + "\"><flag island=\"" + islands +
                  R"("/></option><worldbody><geom type="plane" size="5 5 .1"/>
            <body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
            <body pos="1 0 .09"><freejoint/><geom size=".1"/></body>
            <body pos="2 0 1"><joint name="h" axis="0 1 0" frictionloss=".1"/><geom size=".1" pos=".1 0 0"/>
              <body pos=".2 0 0"><joint axis="0 1 0" range="-10 10" limited="true"/><geom size=".1" pos=".1 0 0"/></body>
            </body></worldbody><actuator><motor joint="h"/></actuator></mujoco>)");
          (source == 0   ? w.d.qfrc_applied[2]
           : source == 1 ? w.d.xfrc_applied[8]
           : source == 2 ? w.d.ctrl[0]
                         : w.d.qacc_warmstart[2]) = kNan;
          step(w.m, w.d);
          // MuJoCo 3.12.0, native: the same counts
          EXPECT_EQ(warning(w.d, Warning::BadQacc).number, source == 2 ? 0 : 1);
          EXPECT_EQ(warning(w.d, Warning::BadCtrl).number, source == 2 ? 1 : 0);
          EXPECT_TRUE(all_finite(w.d.qpos));
          EXPECT_TRUE(all_finite(w.d.qacc));
          EXPECT_TRUE(all_finite(w.d.efc_force));
        }
      }
    }
  }
}

// Two hinges on one axis. MuJoCo 3.12.0, native: the same counts, but for a sparse Jacobian without islands, which ends
// the process ("rank-deficient sparse Hessian")
TEST(BadState, FromASingularInertiaIsDetectedWithEverySolver) {
  for (const std::string solver : {"PGS", "CG", "Newton"}) {
    for (const std::string jacobian : {"dense", "sparse"}) {
      for (const std::string islands : {"enable", "disable"}) {
        SCOPED_TRACE(solver + " " + jacobian + " islands " + islands);
        World w("<mujoco><option solver=\"" + solver + "\" jacobian=\"" + jacobian + "\"><flag island=\"" + islands +
                R"("/></option><worldbody><body><joint/><joint/><geom size=".04"/></body>
          <body pos="0 0 1"><joint frictionloss="1"/><geom size=".1"/></body></worldbody></mujoco>)");
        step(w.m, w.d);
        EXPECT_EQ(warning(w.d, Warning::BadQacc).number, 1);
        EXPECT_EQ(warning(w.d, Warning::BadQacc).lastinfo, 0);
      }
    }
  }
}

TEST(BadState, FromAppliedForcesIsDetectedInTheAcceleration) {
  World w(with(kChain, "Euler"));
  w.d.xfrc_applied[6 * 3] = kNan;  // the free body
  step(w.m, w.d);
  EXPECT_EQ(warning(w.d, Warning::BadQacc).number, 1);
  EXPECT_GE(warning(w.d, Warning::BadQacc).lastinfo, 5);
  EXPECT_TRUE(all_finite(w.d.qpos));
  EXPECT_EQ(w.d.xfrc_applied[6 * 3], 0);  // a reset also clears inputs, otherwise the next step would fail again
}

TEST(BadState, WithAutoresetDisabledIsCountedAndKept) {
  World w(with(kChain, "Euler"));
  w.m.opt.disableflags |= kDisableAutoreset;
  w.d.qpos[5] = kNan;
  step(w.m, w.d);
  // MuJoCo 3.12.0, mj_step in the oracle: number 2 for one event without autoreset
  EXPECT_EQ(warning(w.d, Warning::BadQpos).number, 2);
  EXPECT_EQ(warning(w.d, Warning::BadQpos).lastinfo, 5);
  EXPECT_TRUE(std::isnan(w.d.qpos[5]));
}

TEST(BadState, DoesNotIncludeTheLimitItself) {
  World w(with(kChain, "Euler"));
  w.d.qpos[6] = 1e10;
  check_positions(w.m, w.d);
  EXPECT_EQ(warning(w.d, Warning::BadQpos).number, 0);
}

TEST(BadControls, AreTreatedAsZeroWithoutAReset) {
  World bad(with(kChain, "Euler")), zero(with(kChain, "Euler"));
  bad.set(bad.d.ctrl, {0.5, kNan});
  step(bad.m, bad.d);
  step(zero.m, zero.d);
  EXPECT_EQ(warning(bad.d, Warning::BadCtrl).number, 1);
  EXPECT_EQ(warning(bad.d, Warning::BadCtrl).lastinfo, 1);
  for (int i = 0; i < zero.m.nv; ++i) EXPECT_EQ(bad.d.qvel[i], zero.d.qvel[i]) << i;
}

// MuJoCo 3.12.0, native: qvel stays 0.5 but for gravity
TEST(BadControls, CountAsZeroInImplicitIntegratorsWhereTheGainDoesNotDependOnVelocity) {
  for (const char* integrator : {"implicit", "implicitfast"}) {
    for (const char* gain : {R"(gaintype="affine" gainprm="1 2 0")",
                             R"(gaintype="muscle" lengthrange="0 1" gainprm="0 1 0 1 0 2 1 1 1")"}) {
      const std::string text =
          std::string("<mujoco><option integrator=\"") + integrator +
          R"("/><worldbody><body><joint name="j"/><geom size="0.1" pos="0.3 0.1 0"/></body></worldbody>
        <actuator><general joint="j" )" +
          gain + "/></actuator></mujoco>";
      for (const double value : {kNan, std::numeric_limits<double>::infinity()}) {
        World bad(text), zero(text);
        for (World* w : {&bad, &zero}) {
          w->d.qpos[0] = 0.2;
          w->d.qvel[0] = 0.5;
        }
        bad.d.ctrl[0] = value;
        step(bad.m, bad.d);
        step(zero.m, zero.d);
        EXPECT_EQ(warning(bad.d, Warning::BadCtrl).number, 1);
        EXPECT_EQ(bad.d.qvel[0], zero.d.qvel[0]) << integrator << " " << gain << " " << value;
      }
    }
  }
}

// MuJoCo 3.12.0, native; the warm start is that of the joint
TEST(InfiniteWarmStart, OfPgsIsBadWhereItsForceIsInfinite) {
  for (const double value : {-1.0, 1.0}) {
    World w(R"(<mujoco><option solver="PGS"/><worldbody>
      <body><joint range="1 2"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody></mujoco>)");
    w.d.qacc_warmstart[0] = value * std::numeric_limits<double>::infinity();
    step(w.m, w.d);
    EXPECT_EQ(warning(w.d, Warning::BadQacc).number, value < 0 ? 1 : 0);
    EXPECT_TRUE(std::isfinite(w.d.qpos[0]));
  }
}

TEST(BadMocap, AffectsNothingThatDoesNotDependOnIt) {
  const char* text = R"(<mujoco><worldbody>
    <site name="hook" pos="0 0 2"/>
    <body mocap="true"><geom size="0.1" contype="0" conaffinity="0"/></body>
    <body pos="0 0 1"><freejoint/><geom size="0.1"/></body>
    <body pos="0 1 1"><joint axis="1 0 0"/><geom size="0.1" pos="0.1 0 0.5"/><site name="eye" pos="0 0 0.5"/></body>
    </worldbody>
    <equality><connect site1="hook" site2="eye"/></equality>
    <tendon><spatial armature="1"><site site="hook"/><site site="eye"/></spatial></tendon></mujoco>)";
  World bad(text), good(text);
  bad.d.mocap_pos[0] = kNan;
  bad.d.mocap_quat[2] = kInf;
  for (int i = 0; i < 10; ++i) {
    step(bad.m, bad.d);
    step(good.m, good.d);
  }
  for (int i = 0; i < good.m.nq; ++i) EXPECT_EQ(bad.d.qpos[i], good.d.qpos[i]) << i;
  EXPECT_NE(good.d.qpos[7], 0);
}

TEST(BadMocap, WeldedToABodyResetsTheWorld) {
  World w(R"(<mujoco><worldbody>
    <body name="hand" mocap="true"><geom size="0.1" contype="0" conaffinity="0"/></body>
    <body name="cup" pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody>
    <equality><weld body1="hand" body2="cup"/></equality></mujoco>)");
  w.d.mocap_pos[0] = kNan;
  step(w.m, w.d);
  EXPECT_EQ(warning(w.d, Warning::BadQacc).number, 1);
  EXPECT_TRUE(all_finite(w.d.qpos));
}

TEST(BadState, OfOneWorldDoesNotAffectAnother) {
  World w(with(kChain, "Euler"));
  Data other(w.m);
  reset(w.m, other);
  w.d.qpos[0] = kNan;
  step(w.m, w.d);
  step(w.m, other);
  EXPECT_EQ(warning(other, Warning::BadQpos).number, 0);
}

}  // namespace
}  // namespace sinew::test
