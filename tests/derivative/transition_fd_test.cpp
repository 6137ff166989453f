#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "derivative/golden.h"
#include "sinew/derivatives.h"
#include "sinew/error.h"
#include "sinew/state.h"
#include "sinew/step.h"

namespace sinew {
namespace {

using namespace test;

class GoldenTransitions : public testing::TestWithParam<Golden> {
 protected:
  Model m = model_of(GetParam().at("model"));
  Data d = golden_world(m, GetParam());
  bool centered = GetParam().at("centered");

  Transition differences(TransitionOptions options) {
    options.centered = centered;
    options.sensors = true;
    Transition t;
    transition_fd(m, d, options, t);
    return t;
  }
  std::vector<double> out(const std::string& name) const { return numbers(GetParam().at("out"), name); }
};

TEST_P(GoldenTransitions, StateAndSensorsMatchMuJoCo) {
  const Transition t = differences({.compatible = true});
  expect_close(t.A, out("A"), 1e-6);
  expect_close(t.B, out("B"), 1e-6);
  if (GetParam().at("out").contains("C")) expect_close(t.C, out("C"), 1e-6);
}

TEST_P(GoldenTransitions, SensorsByControlHaveTheSignThatMuJoCoLosesInCenteredDifferences) {
  const Transition t = differences({.compatible = true});
  std::vector<double> expected = out("D");
  if (expected.empty()) return;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::size_t u = k % std::size_t(t.nu);
    const bool at_limit = m.actuator_ctrllimited[u] && d.ctrl[u] == m.actuator_ctrlrange[2 * u + 1];
    if (centered && !at_limit) expected[k] = -expected[k];
  }
  expect_close(t.D, expected, 1e-6);
}

TEST_P(GoldenTransitions, SameBitsWithAnyNumberOfThreads) {
  const Transition one = differences({}), three = differences({.threads = 3}), many = differences({.threads = 100});
  EXPECT_EQ(one.A, three.A);
  EXPECT_EQ(one.B, three.B);
  EXPECT_EQ(one.C, three.C);
  EXPECT_EQ(one.D, three.D);
  EXPECT_EQ(one.A, many.A);
}

TEST_P(GoldenTransitions, SkippingStagesDoesNotChangeTheResult) {
  // a user callback for passive forces prevents skipping of their level
  const Transition fast = differences({});
  d.callbacks.passive = [](const Model&, Data&) {};
  const Transition slow = differences({});
  EXPECT_EQ(fast.A, slow.A);
  EXPECT_EQ(fast.B, slow.B);
  EXPECT_EQ(fast.C, slow.C);
  EXPECT_EQ(fast.D, slow.D);
}

TEST_P(GoldenTransitions, EveryColumnMatchesCompleteSteps) {
  // a separate step for each perturbation, all stages, against the columns of A and B
  const Transition t = differences({});
  if (!centered) return;
  Transition whole;
  whole.resize(m, false);
  naive_differences(m, d, 1e-6, whole);
  expect_close(t.A, whole.A, 1e-9);
  for (int u = 0; u < t.nu; ++u) {
    if (m.actuator_ctrllimited[u] && d.ctrl[u] == m.actuator_ctrlrange[2 * u + 1]) continue;
    for (int i = 0; i < t.ndx; ++i) {
      const auto k = std::size_t(i * t.nu + u);
      EXPECT_NEAR(t.B[k], whole.B[k], 1e-9 * (1 + std::abs(whole.B[k]))) << i << ", " << u;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MuJoCo, GoldenTransitions, testing::ValuesIn(golden("transition")), golden_name);

TEST(TransitionFd, FactorOfPolynomialDampingFollowsTheVelocity) {
  // one slider, m a = -(1 + 3|v| + 2 v²) v, h = .01: v⁺ = v + h f/(m + h B) with B = 1 + 6|v| + 6 v² differentiated by
  // hand. MuJoCo keeps the factor of the unperturbed velocity.
  const Model m = golden_model("PolynomialDamping");
  Data d = world_of(m);
  const double v = 4, h = 0.01;
  d.qvel[0] = v;
  const double f = -(1 + 3 * v + 2 * v * v) * v, B = 1 + 6 * v + 6 * v * v, W = 1 + h * B, dB = 6 + 12 * v;
  const double exact = 1 - h * B / W - h * f / (W * W) * h * dB, stale = 1 - h * B / W;
  Transition t;
  transition_fd(m, d, {}, t);
  EXPECT_NEAR(t.A[3], exact, 1e-8);
  transition_fd(m, d, {.compatible = true}, t);
  EXPECT_NEAR(t.A[3], stale, 1e-8);
}

TEST(TransitionFd, FactorOfTheImplicitIntegratorsFollowsTheControl) {
  // damper: force -kv u v, so v⁺ = v / (1 + h kv u)
  for (const char* name : {"Damper", "DamperImplicitfast"}) {
    const Model m = golden_model(name);
    Data d = world_of(m);
    const double h = 0.1, kv = 2, u = 1.3;
    d.qvel[0] = 1;
    d.ctrl[0] = u;
    Transition t;
    transition_fd(m, d, {}, t);
    EXPECT_NEAR(t.B[1], -h * kv / ((1 + h * kv * u) * (1 + h * kv * u)), 1e-9);
    transition_fd(m, d, {.compatible = true}, t);
    EXPECT_NEAR(t.B[1], -h * kv / (1 + h * kv * u), 1e-9);
  }
}

TEST(TransitionFd, KineticEnergySensorFollowsTheVelocity) {
  const Model m = golden_model("PolynomialDamping");
  Data d = world_of(m);
  d.qvel[0] = 4;
  Transition t;
  transition_fd(m, d, {.sensors = true}, t);
  EXPECT_NEAR(t.C[1], 4, 1e-8);
}

TEST(TransitionFd, ControlOutOfRangeHasNoEffectUnlessClampingIsOff) {
  Model m = golden_model("Damper");
  Data d = world_of(m);
  d.qvel[0] = 1;
  d.ctrl[0] = 7;
  Transition t;
  transition_fd(m, d, {}, t);
  EXPECT_EQ(t.B, (std::vector<double>{0, 0}));
  m.opt.disableflags |= kDisableClampctrl;
  transition_fd(m, d, {}, t);
  EXPECT_LT(t.B[1], -0.01);
}

TEST(TransitionFd, DoesNotModifyTheWorld) {
  const Model m = golden_model("BoxPyramidal");
  Data d = world_of(m);
  for (int i = 0; i < 30; ++i) step(m, d);
  const Data before = d;
  Transition t;
  transition_fd(m, d, {.sensors = true}, t);
  Data copy = before;
  std::vector<const void*> expected;
  copy.for_each_field([&](auto, auto& field, auto...) { expected.push_back(field.data()); });
  std::size_t k = 0;
  d.for_each_field([&](auto name, auto& field, auto...) {
    EXPECT_EQ(std::memcmp(field.data(), expected[k++], field.size_bytes()), 0) << name;
  });
  EXPECT_EQ(d.time, before.time);
}

TEST(TransitionFd, RungeKuttaMatchesCompleteSteps) {
  Model m = golden_model("ArmEuler");
  m.opt.integrator = int(Integrator::RK4);
  Data d = world_of(m);
  std::mt19937 random(3);
  displace(m, d, random, 0.4);
  random_velocity(d, random);
  std::ranges::fill(d.ctrl, 0.4);
  Transition t, whole;
  transition_fd(m, d, {.threads = 2}, t);
  whole.resize(m, false);
  naive_differences(m, d, 1e-6, whole);
  expect_close(t.A, whole.A, 1e-9);
  expect_close(t.B, whole.B, 1e-9);
}

TEST(TransitionFd, SleepingTreesDoNotMove) {
  Model m = golden_model("BoxPyramidal");
  m.opt.enableflags |= kEnableSleep;
  Data d = world_of(m);
  Transition one, two;
  transition_fd(m, d, {}, one);
  transition_fd(m, d, {.threads = 2}, two);
  EXPECT_EQ(one.A, two.A);
}

TEST(TransitionFd, DelayBuffersAreRefused) {
  const Model m = model_of(R"(<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><motor joint="j" delay=".01" nsample="3"/></actuator></mujoco>)");
  const Data d = world_of(m);
  Transition t;
  EXPECT_THROW(transition_fd(m, d, {}, t), Exception);
}

TEST(TransitionFd, AnExceptionFromACallbackInAnyThreadReachesTheCallerAndTheNextCallWorks) {
  const Model m = golden_model("ArmEuler");
  Data d = world_of(m);
  Transition t, expected;
  transition_fd(m, d, {}, expected);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> thrown_elsewhere = 0;
  d.callbacks.control = [&](const Model&, Data&) {
    if (std::this_thread::get_id() == caller) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // leave some columns to other threads
      return;
    }
    ++thrown_elsewhere;
    throw std::runtime_error("controller failed");
  };
  for (int round = 0; round < 20 && thrown_elsewhere == 0; ++round) {
    std::string caught;
    try {
      transition_fd(m, d, {.threads = 8}, t);
    } catch (const std::runtime_error& e) {
      caught = e.what();
    }
    if (thrown_elsewhere > 0) {
      EXPECT_EQ(caught, "controller failed");
    }
  }
  EXPECT_GT(thrown_elsewhere, 0);
  d.callbacks.control = nullptr;
  transition_fd(m, d, {.threads = 8}, t);
  EXPECT_EQ(t.A, expected.A);
  EXPECT_EQ(t.B, expected.B);
}

}  // namespace
}  // namespace sinew
