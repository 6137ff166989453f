#pragma once

#include <cstdint>
#include <span>

#include "sinew/constants.h"
#include "sinew/solver_stat.h"

// The convex problem that constraint dynamics poses at one instant, without bodies, joints or contacts:
//
//   minimize over a:   ½ (M a − f)·(a − M⁻¹ f) + s(J a − a_ref),      f = smooth force
//
// s sums a cost over the rows: quadratic for equalities, Huber for dry friction, a half parabola for limits and
// pyramid edges, and the dual-cone cost for elliptic contacts. The force of a row is −ds/djar, jar = J a − a_ref.

namespace sinew {

/// M with the sparsity of a kinematic forest: row i holds the columns of its ancestors, ascending, and the diagonal
/// last. `factor` and `diag_inv` hold M = Lᵀ D L.
struct TreeMatrix {
  int n = 0;
  const int* rownnz = nullptr;
  const int* rowadr = nullptr;
  const int* colind = nullptr;
  const double* value = nullptr;
  const double* factor = nullptr;
  const double* diag_inv = nullptr;
};

/// Consecutive rows of J that have the same columns (ascending); values row by row.
struct RowBlock {
  int row = 0;
  int nrow = 0;
  int nnz = 0;
  const int* col = nullptr;
  const double* J = nullptr;
};

/// A contact with friction: dim rows of an elliptic cone, or 2 (dim - 1) edges of a pyramid.
struct FrictionCone {
  int row = 0;
  int nrow = 0;
  int dim = 0;                       // 3, 4 or 6
  double mu = 0;                     // friction of the regularized cone
  const double* friction = nullptr;  // dim - 1 coefficients
};

/// Rows stand in the order equality (ne), friction (nf), then limits and contacts.
struct ConstraintProblem {
  TreeMatrix M;
  std::span<const RowBlock> blocks;
  std::span<const FrictionCone> cones;
  bool elliptic = false;  // the cones' kind
  int nefc = 0;
  int ne = 0;
  int nf = 0;
  const double* D = nullptr;
  const double* R = nullptr;
  const double* aref = nullptr;
  const double* frictionloss = nullptr;
  const double* frc_smooth = nullptr;
  const double* acc_smooth = nullptr;
  double scale = 1;  // makes costs and gradients comparable with the tolerance
};

struct SolverOptions {
  double tolerance = 1e-8;
  double ls_tolerance = 0.01;
  double noslip_tolerance = 1e-6;
  int iterations = 100;
  int ls_iterations = 50;
  int noslip_iterations = 0;
};

/// What a row's cost is doing at the current point; MuJoCo's numbers.
enum RowState : int { kSatisfied, kQuadratic, kLinearNeg, kLinearPos, kCone };

struct RowCost;

/// Where a solver reads its start and leaves its result.
struct Solution {
  double* acc = nullptr;             // n; start and result of the primal solvers
  const double* Ma = nullptr;        // n, M acc at the start where it is known, else null
  const double* jar = nullptr;       // nefc, J acc - aref at the start where it is known, else null
  const RowCost* rows = nullptr;     // where force, state and cone_hessian belong to the start already, else null
  double* cone_hessian = nullptr;    // 36 numbers for each elliptic cone, with `rows`
  double* force = nullptr;           // nefc; start and result of the dual solvers
  int* state = nullptr;              // nefc
  double* frc_constraint = nullptr;  // n: Jᵀ force
  std::span<SolverStat> stat;        // iterations beyond its end are not recorded
  int niter = 0;                     // iterations done; noslip adds its own
  bool lost_precision = false;       // a curvature that must be positive was not
};

}  // namespace sinew
