#include "sinew/step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "dynamics/acceleration.h"
#include "sim/world.h"

namespace sinew::test {
namespace {

void give_velocity(World& w) {
  w.set(w.d.qvel, kChainVelocity);
  w.set(w.d.ctrl, kChainControl);
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(Step, EqualsItsTwoHalves) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast"}) {
    SCOPED_TRACE(integrator);
    World whole(with(kChain, integrator)), halves(with(kChain, integrator));
    give_velocity(whole);
    give_velocity(halves);
    for (int i = 0; i < 20; ++i) {
      step(whole.m, whole.d);
      step1(halves.m, halves.d);
      step2(halves.m, halves.d);
    }
    EXPECT_TRUE(same_bits(whole.d.qpos, halves.d.qpos));
    EXPECT_TRUE(same_bits(whole.d.qvel, halves.d.qvel));
    EXPECT_TRUE(same_bits(whole.d.act, halves.d.act));
  }
}

TEST(Step, EqualsForwardFollowedByIntegration) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast", "RK4"}) {
    SCOPED_TRACE(integrator);
    World whole(with(kChain, integrator)), cut(with(kChain, integrator)), looked(with(kChain, integrator));
    for (World* w : {&whole, &cut}) give_velocity(*w);
    for (int i = 0; i < 20; ++i) {
      looked.d = cut.d;
      forward(looked.m, looked.d);
      step(whole.m, whole.d);
      begin_step(cut.m, cut.d);
      EXPECT_TRUE(same_bits(cut.d.qpos, looked.d.qpos));
      EXPECT_TRUE(same_bits(cut.d.qacc, looked.d.qacc));
      EXPECT_TRUE(same_bits(cut.d.sensordata, looked.d.sensordata));
      finish_step(cut.m, cut.d);
    }
    EXPECT_TRUE(same_bits(whole.d.qpos, cut.d.qpos));
    EXPECT_TRUE(same_bits(whole.d.qvel, cut.d.qvel));
    EXPECT_TRUE(same_bits(whole.d.act, cut.d.act));
  }
}

TEST(Step2, TakesAnEulerStepIfTheModelUsesRk4) {
  World euler(with(kChain, "Euler")), rk4(with(kChain, "RK4"));
  for (World* w : {&euler, &rk4}) {
    give_velocity(*w);
    step1(w->m, w->d);
    step2(w->m, w->d);
  }
  EXPECT_TRUE(same_bits(euler.d.qpos, rk4.d.qpos));
}

TEST(Step2, UsesControlsSetBetweenTheHalves) {
  World early(with(kChain, "Euler")), late(with(kChain, "Euler"));
  early.set(early.d.ctrl, kChainControl);
  step(early.m, early.d);
  step1(late.m, late.d);
  late.set(late.d.ctrl, kChainControl);
  step2(late.m, late.d);
  EXPECT_TRUE(same_bits(early.d.qvel, late.d.qvel));
}

TEST(Forward, ChangesNeitherStateNorInputs) {
  World w(with(kChain, "Euler"));
  give_velocity(w);
  std::vector<double> before(static_cast<std::size_t>(state_size(w.m, kStateIntegration))), after = before;
  get_state(w.m, w.d, before, kStateIntegration);
  forward(w.m, w.d);
  get_state(w.m, w.d, after, kStateIntegration);
  EXPECT_TRUE(same_bits(before, after));
}

TEST(Forward, InertiaTimesAccelerationIsTheTotalForce) {
  World w(with(kChain, "Euler"));
  give_velocity(w);
  forward(w.m, w.d);
  std::vector<double> force(static_cast<std::size_t>(w.m.nv));
  mul_m(w.m, w.d, force.data(), w.d.qacc.data());
  for (int i = 0; i < w.m.nv; ++i)
    EXPECT_NEAR(force[i], w.d.qfrc_passive[i] - w.d.qfrc_bias[i] + w.d.qfrc_actuator[i], 1e-12);
}

TEST(ForwardSkip, EqualsForwardIfSkippedStagesAreUpToDate) {
  World whole(with(kChain, "Euler")), skipped(with(kChain, "Euler"));
  for (World* w : {&whole, &skipped}) {
    give_velocity(*w);
    forward(w->m, w->d);
    w->d.ctrl[0] = -0.3;
  }
  forward(whole.m, whole.d);
  forward_skip(skipped.m, skipped.d, Stage::Vel, false);
  EXPECT_TRUE(same_bits(whole.d.qacc, skipped.d.qacc));
  whole.d.qvel[0] = skipped.d.qvel[0] = 1.5;
  forward(whole.m, whole.d);
  forward_skip(skipped.m, skipped.d, Stage::Pos, false);
  EXPECT_TRUE(same_bits(whole.d.qacc, skipped.d.qacc));
}

TEST(ForwardSkip, DoesNotModifyTheResultsOfSkippedStages) {
  World w(with(kChain, "Euler"));
  forward(w.m, w.d);
  w.d.xpos[4] = 123;
  w.d.cvel[8] = 456;
  forward_skip(w.m, w.d, Stage::Vel, false);
  EXPECT_EQ(w.d.xpos[4], 123);
  EXPECT_EQ(w.d.cvel[8], 456);
}

/// Random applied forces of both kinds; returns the sum of applied and actuator forces in joint space.
std::vector<double> apply_random_forces(World& w) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (double& f : w.d.qfrc_applied) f = normal(random);
  for (double& f : w.d.xfrc_applied) f = normal(random);
  forward(w.m, w.d);
  std::vector<double> total(w.d.qfrc_applied.begin(), w.d.qfrc_applied.end());
  add_applied_body_forces(w.m, w.d, total.data());
  for (int i = 0; i < w.m.nv; ++i) total[i] += w.d.qfrc_actuator[i];
  return total;
}

TEST(Inverse, ReturnsTheForcesAppliedInForward) {
  World w(with(kChain, "Euler"));
  give_velocity(w);
  const std::vector<double> given = apply_random_forces(w);
  inverse(w.m, w.d);
  for (int i = 0; i < w.m.nv; ++i) EXPECT_NEAR(w.d.qfrc_inverse[i], given[i], 1e-12) << i;
}

TEST(Inverse, WithInvdiscreteRecoversTheForcesFromTwoVelocitiesForEverySingleStageIntegrator) {
  for (const char* integrator : {"Euler", "implicit", "implicitfast"}) {
    SCOPED_TRACE(integrator);
    World w(with(kChain, integrator));
    give_velocity(w);
    const std::vector<double> given = apply_random_forces(w);
    const Data start = w.d;
    step(w.m, w.d);
    std::vector<double> acceleration(static_cast<std::size_t>(w.m.nv));
    for (int i = 0; i < w.m.nv; ++i) acceleration[i] = (w.d.qvel[i] - start.qvel[i]) / w.m.opt.timestep;

    w.m.opt.enableflags |= kEnableInvdiscrete;
    w.d = start;
    w.set(w.d.qacc, acceleration);
    inverse(w.m, w.d);
    for (int i = 0; i < w.m.nv; ++i) EXPECT_NEAR(w.d.qfrc_inverse[i], given[i], 1e-10) << i;
    EXPECT_TRUE(same_bits(w.d.qacc, acceleration));
  }
}

// A sphere deep below a plane: contact forces of 1e9 N with levers of kilometers.
TEST(Inverse, WithInvdiscreteAndWithoutDampingIsThatOfContinuousTime) {
  World w(R"(<mujoco><worldbody><geom type="plane" size="3 3 1"/><body><freejoint/><geom size="1" pos="0 1 0"/></body>
      </worldbody></mujoco>)");
  w.set(w.d.qpos, {14443, 156384, -25302, 1, 0, 0, 0});
  forward(w.m, w.d);
  inverse(w.m, w.d);
  const std::vector<double> continuous(w.d.qfrc_inverse.begin(), w.d.qfrc_inverse.end());
  w.m.opt.enableflags |= kEnableInvdiscrete;
  inverse(w.m, w.d);
  EXPECT_TRUE(same_bits(w.d.qfrc_inverse, continuous));
}

TEST(Inverse, WithInvdiscreteIsNaNForRk4) {
  World w(with(kChain, "RK4"));
  w.m.opt.enableflags |= kEnableInvdiscrete;
  forward(w.m, w.d);
  inverse(w.m, w.d);
  EXPECT_TRUE(std::isnan(w.d.qfrc_inverse[0]));
}

TEST(Energy, IsZeroIfTheFlagIsOff) {
  World w(with(kChain, "Euler"));
  give_velocity(w);
  forward(w.m, w.d);
  EXPECT_EQ(w.d.energy[0], 0);
  EXPECT_EQ(w.d.energy[1], 0);
  w.m.opt.enableflags |= kEnableEnergy;
  forward(w.m, w.d);
  EXPECT_NE(w.d.energy[0], 0);
  EXPECT_GT(w.d.energy[1], 0);
}

TEST(ControlCallback, RunsInForwardOnlyIfActuationIsEnabled) {
  World w(with(kChain, "Euler"));
  int calls = 0;
  w.d.callbacks.control = [&](const Model&, Data&) { ++calls; };
  forward(w.m, w.d);
  EXPECT_EQ(calls, 1);
  w.m.opt.disableflags |= kDisableActuation;
  forward(w.m, w.d);
  EXPECT_EQ(calls, 1);
  step1(w.m, w.d);  // called regardless of the flag: it is the hook between the halves
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace sinew::test
