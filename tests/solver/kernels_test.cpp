#include <gtest/gtest.h>

#include "plain_text.h"
#include "solved.h"
#include "solver/block_system.h"
#include "solver/cost.h"
#include "solver/pgs_sweeps.h"
#include "solver/primal_point.h"
#include "solver/rows.h"
#include "solver/tiles.h"

// Every kernel of src/solver against its plain text (plain_text.h), bit by bit, for all sizes from none past each place
// where the kernel does something else: whole packs, four rows at a time, whole tiles, a search for the tiles that are
// there. The program exists twice, with the kernels for this machine and with those for any (test_solver_portable).

namespace sinew::test {
namespace {

testing::AssertionResult same(const double* a, const double* b, int n) {
  for (int i = 0; i < n; ++i)
    if (!same_bits(a[i], b[i])) return testing::AssertionFailure() << "number " << i << ": " << a[i] << ", " << b[i];
  return testing::AssertionSuccess();
}
testing::AssertionResult same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " and " << b.size() << " numbers";
  return same(a.data(), b.data(), static_cast<int>(a.size()));
}

Eigen::VectorXd random_vector(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

/// Problems with n dofs and more and more rows of each kind.
Shape shape_of(int n, int rows, bool elliptic, unsigned seed) {
  std::mt19937 random(seed);
  Shape shape;
  for (int left = n; left > 0;) {
    const int size = std::min<int>(left, 1 + static_cast<int>(random() % 12));
    shape.trees.push_back(size);
    left -= size;
  }
  shape.equality = rows / 2;
  shape.friction = rows;
  shape.limit = rows;
  shape.contact = rows;
  shape.elliptic = elliptic;
  shape.empty = 0.1;
  return shape;
}

/// As shape_of, for every number of dofs up to `most`.
template <class Check>
void for_each_problem(int most, const Check& check) {
  for (int n = 0; n <= most; ++n)
    for (const bool elliptic : {false, true})
      for (const int rows : {n % 3, 3 + n % 8}) {
        const unsigned seed = 5000 + 20 * n + 2 * rows + elliptic;
        SCOPED_TRACE(std::to_string(n) + " dofs, seed " + std::to_string(seed) + (elliptic ? ", elliptic" : ""));
        check(RandomProblem(shape_of(n, rows, elliptic, seed), seed));
        if (testing::Test::HasFailure()) return;
      }
}

struct Point {
  Eigen::VectorXd jar, force;
  std::vector<int> state;
  std::vector<double> cone_hessian;
};

Point point_at(const RandomProblem& r, const Eigen::VectorXd& acc) {
  Point at;
  at.jar = r.J * acc - r.aref;
  at.force.resize(r.p.nefc);
  at.state.assign(r.p.nefc, -1);
  at.cone_hessian.resize(kConeHessian * r.cones.size());
  evaluate_rows(r.p, at.jar.data(), at.force.data(), at.state.data(), at.cone_hessian.data());
  return at;
}

TEST(Kernels, ProductsWithRowsHaveTheBitsOfTheirPlainText) {
  Arena arena;
  for (int nnz = 0; nnz <= 21; ++nnz)
    for (int nrow = 1; nrow <= 13; ++nrow) {
      SCOPED_TRACE(std::to_string(nrow) + " rows of " + std::to_string(nnz));
      const int n = 2 * nnz + 2, nefc = nrow + 2;
      const Eigen::VectorXd J = random_vector(nefc * nnz + 4, nnz), v = random_vector(n, 7 * nnz + nrow);
      Eigen::VectorXd f = random_vector(nefc, nnz + nrow);
      std::vector<int> col(nnz);
      for (int k = 0; k < nnz; ++k) col[k] = 2 * k + nrow % 2;
      // the block between two others on the same columns
      const RowBlock blocks[] = {{0, 1, nnz, col.data(), J.data()},
                                 {1, nrow, nnz, col.data(), J.data() + nnz},
                                 {nrow + 1, 1, nnz, col.data(), J.data() + (nrow + 1) * nnz}};
      Eigen::VectorXd Jv(nefc), Jf(n);
      multiply_rows(blocks, v.data(), Jv.data(), arena);
      ASSERT_TRUE(same(Jv, plain::multiply_rows(blocks, v.data(), nefc)));
      for (const bool pushed : {true, false}) {
        if (!pushed) f.segment(1, nrow).setZero();
        multiply_rows_transposed(blocks, f.data(), Jf.data(), n, arena);
        ASSERT_TRUE(same(Jf, plain::multiply_rows_transposed(blocks, f.data(), n)));
      }
    }
  multiply_rows({}, nullptr, nullptr, arena);
}

TEST(Kernels, CostsOfRowsHaveTheBitsOfTheirPlainText) {
  for (const bool elliptic : {false, true})
    for (int rows = 0; rows <= 22; ++rows)
      for (const double scale : {0.1, 1.0, 5.0}) {
        SCOPED_TRACE(std::to_string(rows) + " rows of each kind" + (elliptic ? ", elliptic" : ""));
        Shape shape = shape_of(9, rows, elliptic, rows);
        if (rows % 4 == 1) shape.limit = 0;
        if (rows % 4 == 2) shape.friction = 0;
        const RandomProblem r(shape, 900 + rows);
        const Eigen::VectorXd acc = scale * random_vector(9, rows);
        const Point at = point_at(r, acc);
        const plain::Rows rows_at = plain::evaluate_rows(r.p, at.jar.data());
        ASSERT_TRUE(same(at.force, rows_at.force));
        ASSERT_EQ(at.state, rows_at.state);
        for (std::size_t c = 0; elliptic && c < r.cones.size(); ++c) {
          if (at.state[r.cones[c].row] != kCone) continue;
          const double *H = &at.cone_hessian[kConeHessian * c], *plain = &rows_at.cone_hessian[kConeHessian * c];
          ASSERT_TRUE(same(H, plain, r.cones[c].dim * r.cones[c].dim));
        }
        std::vector<int> state = at.state;
        Eigen::VectorXd force(r.p.nefc);
        const RowCost again = evaluate_rows(r.p, at.jar.data(), force.data(), state.data(), nullptr);
        ASSERT_TRUE(same_bits(again.cost, rows_at.cost));
        ASSERT_TRUE(same_bits(row_cost(r.p, at.jar.data()), rows_at.cost));
        ASSERT_EQ(again.nchange + again.ncurved, 0);
        ASSERT_EQ(again.nactive, r.p.nefc - std::ranges::count(state, kSatisfied));
        ASSERT_EQ(again.ncone, std::ranges::count(state, kCone));
      }
}

TEST(Kernels, TheCostAlongARayHasTheBitsOfItsPlainText) {
  Arena arena;
  for_each_problem(25, [&](const RandomProblem& r) {
    const int n = r.p.M.n;
    const Eigen::VectorXd acc = r.smooth_acc, search = random_vector(n, r.p.nefc);
    const Eigen::VectorXd Ma = r.M * acc, Mv = r.M * search, jar = r.J * acc - r.aref, Jv = r.J * search;
    const SearchRay ray = {acc.data(), search.data(), Ma.data(), Mv.data(), jar.data(), Jv.data()};
    Scratch scratch(arena);
    RayCost cost(r.p, ray, scratch);
    for (const double alpha : {0.0, 1e-3, 0.3, 1.0, 4.0, -2.0}) {
      const RayPoint x = cost.at(alpha), y = plain::ray_cost_at(r.p, ray, alpha);
      const double got[] = {x.alpha, x.phi, x.d1, x.d2}, want[] = {y.alpha, y.phi, y.d1, y.d2};
      ASSERT_TRUE(same(got, want, 4)) << "alpha " << alpha;
    }
  });
}

TEST(Kernels, TilesHaveTheBitsOfTheirPlainText) {
  Arena arena;
  for_each_problem(48, [&](const RandomProblem& r) {
    Scratch scratch(arena);
    std::optional<TileSystem> cut = TileSystem::cut(r.p, scratch);
    if (!cut) {
      ASSERT_TRUE(r.p.M.n == 0 || r.p.M.n > 4 * kDenseTiles);
      return;
    }
    plain::Tiles tiles(r);
    const int n = r.p.M.n, size = tiles.problem().M.n;
    const Eigen::VectorXd v = tiles.pad(r.smooth_acc), w = tiles.pad(random_vector(n, n));
    Eigen::VectorXd a(size), b(size), c(r.p.nefc), d(r.p.nefc), e(r.p.nefc);
    ASSERT_EQ(cut->problem().M.n, size);
    cut->multiply_inertia(v.data(), a.data());
    tiles.multiply_inertia(v.data(), b.data());
    ASSERT_TRUE(same(a, b)) << "M v";
    ASSERT_TRUE(same(cut->inertia_times(r.smooth_acc.data(), scratch), b.data(), n)) << "M v";
    cut->multiply_rows(v.data(), c.data());
    tiles.multiply_rows(v.data(), d.data());
    ASSERT_TRUE(same(c, d)) << "J v";
    cut->row_accelerations(r.smooth_acc.data(), c.data(), scratch);
    d -= r.aref;
    ASSERT_TRUE(same(c, d)) << "J v - aref";
    const double* const both[] = {w.data(), v.data()};
    double* const results[] = {e.data(), c.data()};
    cut->row_accelerations(both, results, scratch);
    ASSERT_TRUE(same(c, d)) << "J v - aref of two";
    tiles.multiply_rows(w.data(), d.data());
    d -= r.aref;
    ASSERT_TRUE(same(e, d)) << "J v - aref of two";
    cut->multiply_rows_transposed(r.aref.data(), a.data());
    tiles.multiply_rows_transposed(r.aref.data(), b.data());
    ASSERT_TRUE(same(a, b)) << "Jᵀ f";

    const Point at = point_at(r, r.smooth_acc);
    cut->prepare_factor(scratch);
    cut->factor(at.state.data(), at.cone_hessian.data());
    tiles.factor(at.state.data(), at.cone_hessian.data());
    a = b = w;
    cut->solve(a.data());
    tiles.solve(b.data());
    ASSERT_TRUE(same(a, b)) << "H⁻¹ x";
  });
}

TEST(Kernels, NewtonOnTilesHasTheBitsOfItsPlainText) {
  Arena arena;
  for_each_problem(44, [&](const RandomProblem& r) {
    Scratch scratch(arena);
    std::optional<TileSystem> cut = TileSystem::cut(r.p, scratch);
    if (!cut) return;
    const Solved got = run(r, newton, {.tolerance = 1e-14}, arena);
    plain::Tiles tiles(r);
    const int size = tiles.problem().M.n;
    Eigen::VectorXd acc = tiles.pad(r.smooth_acc), frc(size), force(r.p.nefc);
    std::vector<int> state(r.p.nefc);
    std::vector<SolverStat> stat(200);
    Solution x;
    x.acc = acc.data();
    x.frc_constraint = frc.data();
    x.force = force.data();
    x.state = state.data();
    x.stat = stat;
    iterate_newton(tiles, {.tolerance = 1e-14}, {}, x, arena);
    ASSERT_EQ(got.niter, x.niter);
    ASSERT_TRUE(same(got.acc, acc.head(r.p.M.n)));
    ASSERT_TRUE(same(got.frc, frc.head(r.p.M.n)));
    ASSERT_TRUE(same(got.force, force));
    ASSERT_EQ(got.state, state);
    for (int i = 0; i < x.niter; ++i) {
      const SolverStat &a = got.stat[i], &b = stat[i];
      const double numbers[] = {a.improvement, a.gradient, a.lineslope},
                   plain[] = {b.improvement, b.gradient, b.lineslope};
      ASSERT_TRUE(same(numbers, plain, 3)) << "iteration " << i;
    }
  });
}

TEST(Kernels, PanelsHaveTheBitsOfTheirPlainText) {
  Arena arena;
  for_each_problem(50, [&](const RandomProblem& r) {
    if (r.p.M.n == 0) return;
    Scratch scratch(arena);
    const Point at = point_at(r, r.smooth_acc);
    Hessian hessian(r.p, scratch);
    plain::Panels panels(r, scratch);
    hessian.factor(at.state.data(), at.cone_hessian.data());
    panels.factor(at.state.data(), at.cone_hessian.data());
    Eigen::VectorXd a = random_vector(r.p.M.n, r.p.nefc), b = a;
    hessian.solve(a.data());
    panels.solve(b.data());
    ASSERT_TRUE(same(a, b));
  });
}

TEST(Kernels, PanelsOfOneBranchHaveTheBitsOfTheirPlainText) {
  Arena arena;
  for (int n = 1; n <= 40; ++n) {
    SCOPED_TRACE(std::to_string(n) + " dofs");
    const RandomProblem r({.trees = {n}, .contact = n / 3, .elliptic = n % 2 == 0, .branch = 0}, n);
    Scratch scratch(arena);
    const Point at = point_at(r, r.smooth_acc);
    Hessian hessian(r.p, scratch);
    plain::Panels panels(r, scratch);
    hessian.factor(at.state.data(), at.cone_hessian.data());
    panels.factor(at.state.data(), at.cone_hessian.data());
    Eigen::VectorXd a = random_vector(n, n), b = a;
    hessian.solve(a.data());
    panels.solve(b.data());
    ASSERT_TRUE(same(a, b));
  }
}

TEST(Kernels, TheDualMatrixHasTheBitsOfItsPlainText) {
  Arena arena;
  int formed = 0;
  for_each_problem(30, [&](const RandomProblem& r) {
    const int nefc = r.p.nefc;
    if (nefc > kFormedRows) return;
    ++formed;
    Scratch scratch(arena);
    DualOperator dual(r.p, scratch, arena);
    plain::Dual text(r);
    const Eigen::VectorXd f = random_vector(nefc, nefc);
    dual.set_forces(f.data());
    text.set_forces(f.data());
    if (nefc > 0) {
      dual.change_force(nefc / 2, 0.7);
      text.change_force(nefc / 2, 0.7);
    }
    ASSERT_TRUE(same(dual.b(), text.b(), nefc));
    for (int i = 0; i < nefc; ++i) {
      ASSERT_TRUE(same_bits(dual.diagonal(i), text.diagonal(i)));
      ASSERT_TRUE(same_bits(dual.times_force(i), text.times_force(i)));
      for (int k = 0; k < nefc; ++k) ASSERT_TRUE(same_bits(dual.entry(i, k), text.entry(i, k))) << i << ", " << k;
    }
  });
  EXPECT_GT(formed, 60);
}

TEST(Kernels, GaussSeidelHasTheBitsOfItsPlainText) {
  Arena arena;
  for_each_problem(20, [&](const RandomProblem& r) {
    if (r.p.nefc > kFormedRows) return;
    const SolverOptions options = {.tolerance = 1e-12, .iterations = 30};
    const Solved got = run(r, gauss_seidel, options, arena);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(r.p.nefc);
    std::vector<int> state(r.p.nefc);
    std::vector<SolverStat> stat(200);
    Solution x;
    x.force = force.data();
    x.state = state.data();
    x.stat = stat;
    Scratch scratch(arena);
    plain::Dual dual(r);
    iterate_pgs(dual, r.p, options, x, scratch);
    ASSERT_EQ(got.niter, x.niter);
    ASSERT_TRUE(same(got.force, force));
    ASSERT_EQ(got.state, state);
    for (int i = 0; i < x.niter; ++i) ASSERT_TRUE(same_bits(got.stat[i].improvement, stat[i].improvement));
  });
}

}  // namespace
}  // namespace sinew::test
