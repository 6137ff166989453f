#include "sinew/transition.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "derivative/fixtures.h"
#include "derivative/golden.h"

namespace sinew {
namespace {

using namespace test;

/// Solver settings tight enough that differences of a step are those of the exact minimum.
Model tight(Model m) {
  m.opt.tolerance = 0;
  m.opt.ls_tolerance = 1e-10;
  m.opt.iterations = m.opt.ls_iterations = 100;
  return m;
}

/// A box sliding on the floor, and an arm without contacts.
Data sliding(const Model& m, int steps) {
  Data d = world_of(m);
  d.qvel[0] = 0.5;
  for (int i = 0; i < steps; ++i) step(m, d);
  return d;
}

TEST(TransitionMethods, HybridUsesDifferencesByPositionAndIsExactOtherwise) {
  const Model m = tight(golden_model("ArmImplicit"));
  Data d = world_of(m);
  std::mt19937 random(5);
  displace(m, d, random, 0.4);
  random_velocity(d, random);
  std::ranges::fill(d.ctrl, 0.4);
  Transition hybrid, exact, differences;
  SwitchReport report;
  transition_hybrid(m, d, {.sensors = true}, hybrid);
  transition_analytic(m, d, {.sensors = true}, exact, report);
  transition_fd(m, d, {.sensors = true}, differences);
  for (int i = 0; i < hybrid.ndx; ++i) {
    for (int k = 0; k < hybrid.ndx; ++k) {
      const auto at = std::size_t(i * hybrid.ndx + k);
      EXPECT_EQ(hybrid.A[at], k < m.nv ? differences.A[at] : exact.A[at]) << i << ", " << k;
    }
  }
  EXPECT_EQ(hybrid.B, exact.B);
  EXPECT_EQ(hybrid.D, exact.D);
  EXPECT_LT(transition_error(hybrid, differences).worst(), 1e-6);
}

TEST(TransitionMethods, ExactIsChosenIfAvailable) {
  Model m = tight(golden_model("BoxPyramidal"));
  const Data d = sliding(m, 30);
  Transition t, differences;
  SwitchReport report;
  EXPECT_EQ(transition(m, d, {}, t, report), TransitionMethod::Analytic);
  transition_richardson(m, d, {.eps = 1e-7}, differences);
  EXPECT_LT(transition_error(t, differences).worst(), 1e-6);
  m.opt.noslip_iterations = 3;
  EXPECT_EQ(transition(m, d, {}, t, report), TransitionMethod::Differences);
  transition_fd(m, d, {}, differences);
  EXPECT_EQ(t.A, differences.A);
}

TEST(Richardson, IsOfFourthOrder) {
  const Model m = golden_model("ArmEuler");
  Data d = world_of(m);
  std::mt19937 random(6);
  displace(m, d, random, 0.4);
  random_velocity(d, random);
  std::ranges::fill(d.ctrl, 0.4);
  Transition exact, fine, rough;
  SwitchReport report;
  transition_analytic(m, d, {}, exact, report);
  transition_richardson(m, d, {.eps = 0.01}, fine);
  transition_richardson(m, d, {.eps = 0.02}, rough);
  const double ratio = transition_error(rough, exact).worst() / transition_error(fine, exact).worst();
  EXPECT_GT(ratio, 12);
  EXPECT_LT(ratio, 20);
}

TEST(Richardson, OneSidedIsOfSecondOrder) {
  const Model m = golden_model("ArmEuler");
  Data d = world_of(m);
  std::mt19937 random(6);
  displace(m, d, random, 0.4);
  random_velocity(d, random);
  std::ranges::fill(d.ctrl, 1.0);  // the end of the range
  Transition exact, fine, rough;
  SwitchReport report;
  transition_analytic(m, d, {}, exact, report);
  transition_richardson(m, d, {.eps = 0.001, .centered = false}, fine);
  transition_richardson(m, d, {.eps = 0.002, .centered = false}, rough);
  EXPECT_NEAR(matrix_error(rough.A, exact.A, exact.ndx).error / matrix_error(fine.A, exact.A, exact.ndx).error, 4, 0.5);
  EXPECT_LT(transition_error(fine, exact).worst(), 1e-4);
}

TEST(TransitionMethods, AMuscleBetweenRisingAndFallingActivationIsReportedAsASwitch) {
  // act⁺ = act + h (u - act) / τ, with different τ for u > act and u < act
  const Model m = golden_model("Muscle");
  Data d = world_of(m);
  Transition t;
  SwitchReport report;
  d.act[0] = d.ctrl[0] = 0.4;
  transition_analytic(m, d, {}, t, report);
  EXPECT_EQ(report.switches, (std::vector<Switch>{{SwitchKind::Activation, 0}}));
  EXPECT_TRUE(report.at_switch());
  d.ctrl[0] = 0.5;
  transition_analytic(m, d, {}, t, report);
  EXPECT_FALSE(report.at_switch());
}

TEST(TransitionMethods, UnsupportedModelsAreDifferencedWithTheReason) {
  Model m = golden_model("ArmEuler");
  m.opt.noslip_iterations = 2;
  const Data d = world_of(m);
  Transition t;
  SwitchReport report;
  EXPECT_EQ(transition(m, d, {}, t, report), TransitionMethod::Differences);
  EXPECT_NE(report.refusal.find("noslip"), std::string::npos);
  m.opt.noslip_iterations = 0;
  EXPECT_EQ(transition(m, d, {}, t, report), TransitionMethod::Analytic);
  EXPECT_TRUE(report.refusal.empty());
}

TEST(MatrixError, NamesTheWorstEntry) {
  const MatrixError e = matrix_error({1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5.6, 6.5}, 3);
  EXPECT_EQ(e.row, 1);
  EXPECT_EQ(e.column, 1);
  EXPECT_NEAR(e.error, 0.6 / 6.6, 1e-15);
  EXPECT_EQ(matrix_error({1, 2}, {1, 2}, 2).row, -1);
}

TEST(CheckTransition, EverySceneIsAccurateToAMillionth) {
  for (const auto& file : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".xml") continue;
    const Model m = tight(load(file.path().string()).value_or_throw());
    Data d = world_of(m);
    if (m.nkey > 0) reset_to_keyframe(m, d, 0);
    std::ranges::fill(d.ctrl, 0.2);
    for (int i = 0; i < 40; ++i) step(m, d);
    const TransitionCheck check = check_transition(m, d, {.eps = 2e-7, .threads = 2});
    const MatrixError& A = check.error.A;
    EXPECT_LT(check.error.worst(), 1e-6) << file.path().filename() << ", worst entry of A: " << A.row << ", "
                                         << A.column << (check.report.at_switch() ? " at a switch" : "")
                                         << ", reach of the active set: " << check.report.reach;
  }
}

TEST(CheckConvergence, CenteredDifferencesAreOfSecondOrderAndOneSidedOfFirst) {
  const Model m = golden_model("ArmEuler");
  Data d = world_of(m);
  std::mt19937 random(7);
  displace(m, d, random, 0.4);
  random_velocity(d, random);
  std::ranges::fill(d.ctrl, 0.4);
  const ConvergenceCheck centered = check_convergence(m, d, {.eps = 1e-2});
  EXPECT_NEAR(centered.order, 2, 0.1);
  EXPECT_EQ(centered.eps.size(), 4u);
  EXPECT_EQ(centered.changes.size(), 3u);
  EXPECT_NEAR(check_convergence(m, d, {.eps = 1e-2, .centered = false}).order, 1, 0.1);
}

TEST(CheckConvergence, AKinkDoesNotConverge) {
  // a slider that reaches its limit: the step has two one-sided derivatives there
  const Model m = model_of(R"(<mujoco><option gravity="0 0 0"/><worldbody><body>
    <joint type="slide" range="-1 0" limited="true"/><geom size=".1"/></body></worldbody></mujoco>)");
  Data d = world_of(m);
  d.qvel[0] = 1;
  EXPECT_LT(check_convergence(m, d, {.eps = 1e-3}).order, 0.5);
}

}  // namespace
}  // namespace sinew
