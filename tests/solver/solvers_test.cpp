#include <gtest/gtest.h>

#include "random_problem.h"
#include "solved.h"
#include "solver/hessian.h"
#include "solver/noslip.h"
#include "solver/tiles.h"

namespace sinew::test {
namespace {

std::vector<Shape> shapes(bool elliptic) {
  return {{.trees = {7}, .elliptic = elliptic},
          {.trees = {6, 6, 3}, .equality = 3, .contact = 8, .elliptic = elliptic},
          {.trees = {27}, .equality = 0, .friction = 10, .limit = 6, .contact = 10, .elliptic = elliptic},
          {.trees = std::vector<int>(12, 6), .equality = 4, .contact = 30, .elliptic = elliptic},
          {.trees = {50, 20, 6, 6}, .equality = 4, .contact = 20, .elliptic = elliptic, .branch = 0.1}};
}

class Solvers : public testing::TestWithParam<bool> {};

TEST_P(Solvers, NewtonMeetsTheOptimalityConditions) {
  Arena arena;
  unsigned seed = 1;
  for (const Shape& shape : shapes(GetParam())) {
    for (int k = 0; k < 10; ++k) {
      const RandomProblem r(shape, seed++);
      const Solved s = run(r, newton, {.tolerance = 1e-26, .iterations = 100}, arena);
      EXPECT_LT(kkt_error(r, s.acc), 1e-10) << "seed " << seed - 1 << ", iterations " << s.niter;
      EXPECT_LT((s.force - forces_at(r, s.acc)).norm(), 1e-9);
      EXPECT_LT((s.frc - r.J.transpose() * s.force).norm(), 1e-10);
      EXPECT_LT(s.niter, 50);
    }
  }
}

TEST_P(Solvers, ConjugateGradientMeetsTheOptimalityConditions) {
  Arena arena;
  unsigned seed = 100;
  for (const Shape& shape : shapes(GetParam())) {
    for (int k = 0; k < 5; ++k) {
      const RandomProblem r(shape, seed++);
      const Solved s = run(r, conjugate_gradients, {.tolerance = 1e-26, .iterations = 5000}, arena);
      EXPECT_LT(kkt_error(r, s.acc), 1e-9) << "seed " << seed - 1 << ", iterations " << s.niter;
    }
  }
}

TEST_P(Solvers, GaussSeidelConvergesToTheForcesOfNewton) {
  Arena arena;
  unsigned seed = 200;
  for (Shape shape : shapes(GetParam())) {
    // a cone with zero force is only updated along its normal, so the sweeps could end at a corner that is not the
    // optimum: press the contacts
    shape.pressed = true;
    const RandomProblem r(shape, seed++);
    const Solved exact = run(r, newton, {.tolerance = 1e-26}, arena);
    const Solved pgs = run(r, gauss_seidel, {.tolerance = 1e-16, .iterations = 20000}, arena);
    EXPECT_LT((pgs.force - exact.force).norm() / (1 + exact.force.norm()), 1e-6) << "seed " << seed - 1;
    const Eigen::VectorXd acc = r.smooth_acc + r.M.llt().solve(r.J.transpose() * pgs.force);
    EXPECT_LT((acc - exact.acc).norm() / (1 + exact.acc.norm()), 1e-6);
  }
}

TEST_P(Solvers, TheOptimumDoesNotDependOnTheStart) {
  Arena arena;
  const RandomProblem r(shapes(GetParam())[1], 7);
  const Solved cold = run(r, newton, {.tolerance = 1e-26}, arena);
  Solved warm = cold;
  warm.acc *= 1.5;
  Solution x;
  x.acc = warm.acc.data();
  x.force = warm.force.data();
  x.state = warm.state.data();
  x.frc_constraint = warm.frc.data();
  newton(r.p, {.tolerance = 1e-26}, x, arena);
  EXPECT_LT((warm.acc - cold.acc).norm(), 1e-9);
}

TEST_P(Solvers, StartingAtTheOptimumTakesNoIteration) {
  Arena arena;
  const RandomProblem r(shapes(GetParam())[2], 9);
  Solved s = run(r, newton, {.tolerance = 1e-26}, arena);
  Solution x;
  x.acc = s.acc.data();
  x.force = s.force.data();
  x.state = s.state.data();
  x.frc_constraint = s.frc.data();
  newton(r.p, {}, x, arena);
  EXPECT_EQ(x.niter, 0);
  conjugate_gradients(r.p, {}, x, arena);
  EXPECT_EQ(x.niter, 0);
}

TEST_P(Solvers, ForcesMatchTheAccelerationEvenIfTheLineSearchFails) {
  Arena arena;
  unsigned seed = 400;
  int stuck = 0;
  for (const Shape& shape : shapes(GetParam())) {
    for (int k = 0; k < 10; ++k) {
      const RandomProblem r(shape, seed++);
      for (Method method : {newton, newton_on_panels, conjugate_gradients}) {
        for (const int ls_iterations : {1, 2, 3}) {
          const Solved s = run(r, method, {.tolerance = 1e-26, .ls_iterations = ls_iterations}, arena);
          stuck += s.niter < 100;
          EXPECT_LT((s.force - forces_at(r, s.acc)).norm(), 1e-8 * (1 + s.force.norm())) << "seed " << seed - 1;
          EXPECT_LT((s.frc - r.J.transpose() * s.force).norm(), 1e-8 * (1 + s.force.norm())) << "seed " << seed - 1;
        }
      }
    }
  }
  EXPECT_GT(stuck, 100);
}

TEST_P(Solvers, EveryIterationLowersTheCost) {
  Arena arena;
  const RandomProblem r(shapes(GetParam())[3], 11);
  for (Method method : {newton, conjugate_gradients}) {
    const Solved s = run(r, method, {.tolerance = 1e-10}, arena);
    ASSERT_GT(s.niter, 1);
    for (int i = 0; i < std::min<int>(s.niter, s.stat.size()); ++i) EXPECT_GT(s.stat[i].improvement, 0) << i;
  }
}

TEST_P(Solvers, ALineSearchEndsWhereRoundingHidesTheSlope) {
  Arena arena;
  unsigned seed = 500;
  for (const Shape& shape : shapes(GetParam())) {
    const RandomProblem r(shape, seed++);
    const Solved s = run(r, newton_on_panels, {.tolerance = 0, .iterations = 20}, arena);
    EXPECT_LT(kkt_error(r, s.acc), 1e-10);
    ASSERT_GT(s.niter, 0);
    for (int i = 0; i < s.niter; ++i)
      if (s.stat[i].improvement > 1e-12) EXPECT_LT(s.stat[i].neval, 25) << "seed " << seed - 1 << ", iteration " << i;
  }
}

TEST_P(Solvers, NoslipKeepsForcesInTheCone) {
  Arena arena;
  const RandomProblem r(
      {.trees = {6, 6}, .equality = 0, .friction = 2, .limit = 1, .contact = 6, .elliptic = GetParam()}, 5);
  Solved s = run(r, newton, {.tolerance = 1e-12}, arena);
  const Eigen::VectorXd before = s.force;
  Solution x;
  x.acc = s.acc.data();
  x.force = s.force.data();
  x.state = s.state.data();
  x.frc_constraint = s.frc.data();
  remove_slip(r.p, {.noslip_tolerance = 0, .noslip_iterations = 50}, x, arena);
  EXPECT_GT((s.force - before).norm(), 1e-3);
  for (int i = r.p.ne; i < r.p.ne + r.p.nf; ++i) EXPECT_LE(std::abs(s.force[i]), r.loss[i]);
  for (const FrictionCone& c : r.cones) {
    if (!r.p.elliptic) {
      for (int j = 0; j < c.nrow; ++j) EXPECT_GE(s.force[c.row + j], 0);
      for (int j = 0; j < c.nrow; j += 2)
        EXPECT_NEAR(s.force[c.row + j] + s.force[c.row + j + 1], before[c.row + j] + before[c.row + j + 1], 1e-12);
      continue;
    }
    EXPECT_EQ(s.force[c.row], before[c.row]);
    double t = 0;
    for (int j = 1; j < c.dim; ++j) t += std::pow(s.force[c.row + j] / c.friction[j - 1], 2);
    EXPECT_LE(std::sqrt(t), s.force[c.row] * (1 + 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(Cones, Solvers, testing::Bool(),
                         [](const auto& info) { return info.param ? "Elliptic" : "Pyramidal"; });

/// Trees of random sizes with n dofs in all; every third constraint has no columns.
Shape shape_with_empty_rows(int n, bool elliptic, unsigned seed) {
  std::mt19937 random(seed);
  Shape shape;
  for (int left = n; left > 0;) {
    const int size = std::min<int>(left, 1 + static_cast<int>(random() % 9));
    shape.trees.push_back(size);
    left -= size;
  }
  shape.equality = static_cast<int>(random() % 4);
  shape.friction = static_cast<int>(random() % 6);
  shape.limit = static_cast<int>(random() % 6);
  shape.contact = static_cast<int>(random() % 12);
  shape.elliptic = elliptic;
  shape.pressed = true;
  shape.branch = 0.2;
  shape.empty = 0.34;
  return shape;
}

TEST_P(Solvers, MeetTheOptimalityConditionsForRowsWithoutColumns) {
  Arena arena;
  for (int n = 0; n <= 70; ++n) {
    for (unsigned k = 0; k < 3; ++k) {
      const unsigned seed = 1000 + 10 * n + k;
      const RandomProblem r(shape_with_empty_rows(n, GetParam(), seed), seed);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(n) + " dofs");
      const Solved exact = run(r, newton, {.tolerance = 1e-26}, arena);
      const Solved plain = run(r, newton_on_panels, {.tolerance = 1e-26}, arena);
      const Solved cg = run(r, conjugate_gradients, {.tolerance = 1e-26, .iterations = 5000}, arena);
      EXPECT_LT(kkt_error(r, exact.acc), 1e-9);
      EXPECT_LT((exact.force - forces_at(r, exact.acc)).norm(), 1e-8);
      EXPECT_LT((plain.acc - exact.acc).norm(), 1e-8 * (1 + exact.acc.norm()));
      EXPECT_LT((plain.force - exact.force).norm(), 1e-8 * (1 + exact.force.norm()));
      EXPECT_LT(kkt_error(r, cg.acc), 1e-8);
      // the sweeps could leave an elliptic cone at a corner that is not the optimum
      const Solved pgs = run(r, gauss_seidel, {.tolerance = 1e-14, .iterations = k == 0 ? 5000 : 50}, arena);
      EXPECT_TRUE(pgs.force.allFinite());
      if (!GetParam() && k == 0) {
        EXPECT_LT((pgs.force - exact.force).norm(), 1e-4 * (1 + exact.force.norm()));
      }
      Solved slipless = exact;
      Solution x;
      x.acc = slipless.acc.data();
      x.force = slipless.force.data();
      x.state = slipless.state.data();
      x.frc_constraint = slipless.frc.data();
      remove_slip(r.p, {.noslip_tolerance = 0, .noslip_iterations = 5}, x, arena);
      EXPECT_TRUE(slipless.force.allFinite());
    }
  }
}

TEST(Hessian, SolvesWithTheMatrixOfItsDefinition) {
  unsigned seed = 300;
  for (bool elliptic : {false, true}) {
    for (const Shape& shape : shapes(elliptic)) {
      const RandomProblem r(shape, seed++);
      Arena arena;
      Scratch scratch(arena);
      const Eigen::VectorXd jar = r.J * r.smooth_acc - r.aref;
      std::vector<double> force(r.p.nefc), cone(36 * r.cones.size());
      std::vector<int> state(r.p.nefc, -1);
      evaluate_rows(r.p, jar.data(), force.data(), state.data(), cone.data());
      Eigen::MatrixXd W = Eigen::MatrixXd::Zero(r.p.nefc, r.p.nefc);
      for (int i = 0; i < r.p.nefc; ++i)
        if (state[i] == kQuadratic) W(i, i) = r.D[i];
      for (std::size_t k = 0; elliptic && k < r.cones.size(); ++k) {
        const FrictionCone& c = r.cones[k];
        if (state[c.row] != kCone) continue;
        for (int i = 0; i < c.dim; ++i)
          for (int j = 0; j < c.dim; ++j) W(c.row + i, c.row + j) = cone[36 * k + i * c.dim + j];
      }
      const Eigen::MatrixXd H = r.M + r.J.transpose() * W * r.J;
      Hessian hessian(r.p, scratch);
      hessian.factor(state.data(), cone.data());
      Eigen::VectorXd x = r.smooth_force;
      hessian.solve(x.data());
      EXPECT_LT((H * x - r.smooth_force).norm() / r.smooth_force.norm(), 1e-10) << "seed " << seed - 1;

      std::optional<TileSystem> cut = TileSystem::cut(r.p, scratch);
      ASSERT_TRUE(cut || r.p.M.n > 40);
      if (!cut) continue;
      TileSystem& tiles = *cut;
      tiles.prepare_factor(scratch);
      tiles.factor(state.data(), cone.data());
      Eigen::VectorXd y(tiles.problem().M.n);
      tiles.pad(r.smooth_force.data(), y.data());
      tiles.solve(y.data());
      EXPECT_LT((H * y.head(r.p.M.n) - r.smooth_force).norm() / r.smooth_force.norm(), 1e-10) << "seed " << seed - 1;
    }
  }
}

TEST(TileSystem, MultipliesLikeTheOriginalMatrices) {
  unsigned seed = 340;
  for (const Shape& shape : shapes(false)) {
    const RandomProblem r(shape, seed++);
    const int n = r.p.M.n;
    Arena arena;
    Scratch scratch(arena);
    const std::optional<TileSystem> cut = TileSystem::cut(r.p, scratch);
    if (!cut) continue;
    const TileSystem& tiles = *cut;
    const int padded = tiles.problem().M.n;
    Eigen::VectorXd v(padded), Mv(padded), Jv(r.p.nefc), Jf(padded);
    tiles.pad(r.smooth_acc.data(), v.data());
    tiles.multiply_inertia(v.data(), Mv.data());
    tiles.multiply_rows(v.data(), Jv.data());
    tiles.multiply_rows_transposed(r.aref.data(), Jf.data());
    EXPECT_LT((Mv.head(n) - r.M * r.smooth_acc).norm(), 1e-12 * (1 + r.smooth_acc.norm()) * r.M.norm());
    EXPECT_LT((Jv - r.J * r.smooth_acc).norm(), 1e-12 * (1 + r.smooth_acc.norm()) * r.J.norm());
    EXPECT_LT((Jf.head(n) - r.J.transpose() * r.aref).norm(), 1e-12 * (1 + r.aref.norm()) * r.J.norm());
    EXPECT_EQ(Mv.tail(padded - n).norm() + Jf.tail(padded - n).norm(), 0);
  }
}

TEST(Rows, ForcesAreTheNegativeGradientOfTheCost) {
  for (bool elliptic : {false, true}) {
    const RandomProblem r(shapes(elliptic)[1], 21);
    std::vector<double> force(r.p.nefc), other(r.p.nefc);
    std::vector<int> state(r.p.nefc, -1);
    Eigen::VectorXd jar = r.J * r.smooth_acc - r.aref;
    evaluate_rows(r.p, jar.data(), force.data(), state.data(), nullptr);
    for (int i = 0; i < r.p.nefc; ++i) {
      constexpr double kStep = 1e-5;
      Eigen::VectorXd up = jar, down = jar;
      up[i] += kStep;
      down[i] -= kStep;
      const double slope = (evaluate_rows(r.p, up.data(), other.data(), state.data(), nullptr).cost -
                            evaluate_rows(r.p, down.data(), other.data(), state.data(), nullptr).cost) /
                           (2 * kStep);
      EXPECT_NEAR(-slope, force[i], 1e-4 * (1 + std::abs(force[i]))) << "row " << i;
    }
  }
}

}  // namespace
}  // namespace sinew::test
