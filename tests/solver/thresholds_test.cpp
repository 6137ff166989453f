#include <gtest/gtest.h>

#include "solved.h"
#include "solver/dual.h"
#include "solver/tiles.h"

// Where the solver changes its way of working the results do not: below, at and above every threshold they are those of
// the other way, to rounding. (Each way is held to the bits of its plain text in kernels_test.cpp.)

namespace sinew::test {
namespace {

bool in_tiles(const RandomProblem& r) {
  Arena arena;
  Scratch scratch(arena);
  return TileSystem::cut(r.p, scratch).has_value();
}

void expect_the_result_of_panels(const RandomProblem& r) {
  Arena arena;
  const Solved chosen = run(r, newton, {.tolerance = 1e-26}, arena);
  const Solved panels = run(r, newton_on_panels, {.tolerance = 1e-26}, arena);
  EXPECT_LT((chosen.acc - panels.acc).norm(), 1e-9 * (1 + panels.acc.norm()));
  EXPECT_LT((chosen.force - panels.force).norm(), 1e-9 * (1 + panels.force.norm()));
  EXPECT_EQ(chosen.state, panels.state);
}

class Thresholds : public testing::TestWithParam<bool> {};

TEST_P(Thresholds, OneTreeIsCutIntoTilesWhateverItsFillInUpTo40Dofs) {
  static_assert(4 * kDenseTiles == 40);
  for (int n = 36; n <= 46; ++n) {
    SCOPED_TRACE(std::to_string(n) + " dofs");
    // one branch: all tiles of the triangle are there
    const RandomProblem r({.trees = {n}, .equality = 20, .contact = 20, .elliptic = GetParam(), .branch = 0}, 60 + n);
    EXPECT_EQ(in_tiles(r), n <= 40);
    expect_the_result_of_panels(r);
  }
}

TEST_P(Thresholds, TheSearchForTilesThatAreThereBeginsBeyond12Dofs) {
  static_assert(4 * kWholeTiles == 12);
  for (int n = 1; n <= 20; ++n) {
    SCOPED_TRACE(std::to_string(n) + " dofs");
    // dofs that stand alone, so that most tiles are not there
    const RandomProblem r({.trees = std::vector<int>(n, 1), .contact = 2, .elliptic = GetParam()}, 80 + n);
    EXPECT_TRUE(in_tiles(r));
    expect_the_result_of_panels(r);
  }
}

TEST_P(Thresholds, ManyDofsAreCutIntoTilesWhereTheFillInIsSmallUpTo256) {
  static_assert(4 * kMostTiles == 256);
  for (const int n : {252, 255, 256, 257, 260}) {
    SCOPED_TRACE(std::to_string(n) + " dofs");
    std::vector<int> trees(n / 4, 4);
    if (n % 4 > 0) trees.push_back(n % 4);
    const RandomProblem r(
        {.trees = trees, .equality = 1, .friction = 20, .limit = 20, .contact = 6, .elliptic = GetParam()}, 100 + n);
    EXPECT_EQ(in_tiles(r), n <= 256);
    expect_the_result_of_panels(r);
  }
}

TEST_P(Thresholds, ProductsPerTileRowDecideBetween40And256Dofs) {
  static_assert(kMostProducts == 16);
  // branches that nothing joins: w tile rows of a branch take (w - 1) w (w + 1) / 6 products
  struct Case {
    std::vector<int> trees;
    bool tiles;
  };
  for (const Case& c : {Case{{36, 36}, true},         // 240 of 288
                        Case{{40, 40, 4}, true},      // 330 of 336
                        Case{{40, 40, 40, 4}, true},  // 495 of 496
                        Case{{40, 40, 40}, false},    // 495 of 480
                        Case{{40, 40}, false},        // 330 of 320
                        Case{{44, 40, 4}, false}}) {  // 385 of 352
    SCOPED_TRACE(testing::PrintToString(c.trees));
    const RandomProblem r({.trees = c.trees,
                           .equality = 0,
                           .friction = 10,
                           .limit = 40,
                           .contact = 0,
                           .elliptic = GetParam(),
                           .branch = 0},
                          7);
    EXPECT_EQ(in_tiles(r), c.tiles);
    expect_the_result_of_panels(r);
  }
}

TEST_P(Thresholds, TheDualMatrixIsFormedUpTo64Rows) {
  static_assert(kFormedRows == 64);
  Arena arena;
  for (int nefc = 58; nefc <= 70; ++nefc) {
    SCOPED_TRACE(std::to_string(nefc) + " rows");
    Shape shape = {.trees = {9, 5, 4}, .equality = 3, .friction = 4, .contact = 8, .elliptic = GetParam()};
    shape.pressed = true;
    shape.limit = 0;
    shape.limit = nefc - RandomProblem(shape, 1).p.nefc;
    const RandomProblem r(shape, 200 + nefc);
    ASSERT_EQ(r.p.nefc, nefc);
    const Eigen::MatrixXd A = r.J * r.M.llt().solve(r.J.transpose());
    const Eigen::VectorXd f = Eigen::VectorXd::LinSpaced(nefc, -1, 2);
    Scratch scratch(arena);
    DualOperator dual(r.p, scratch, arena);
    EXPECT_EQ(dual.is_formed(), nefc <= 64);
    dual.set_forces(f.data());
    for (int i = 0; i < nefc; ++i) {
      EXPECT_NEAR(dual.times_force(i), A.row(i).dot(f), 1e-11 * (1 + A.norm()));
      EXPECT_NEAR(dual.diagonal(i), A(i, i), 1e-11 * (1 + A.norm()));
    }
    for (const RowBlock& b : r.blocks)
      for (int i = b.row; i < b.row + b.nrow; ++i)
        for (int k = b.row; k < b.row + b.nrow; ++k) EXPECT_NEAR(dual.entry(i, k), A(i, k), 1e-11 * (1 + A.norm()));
    const Solved exact = run(r, newton, {.tolerance = 1e-26}, arena);
    const Solved pgs = run(r, gauss_seidel, {.tolerance = 1e-16, .iterations = 20000}, arena);
    EXPECT_LT((pgs.force - exact.force).norm() / (1 + exact.force.norm()), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Cones, Thresholds, testing::Bool(),
                         [](const auto& info) { return info.param ? "Elliptic" : "Pyramidal"; });

}  // namespace
}  // namespace sinew::test
