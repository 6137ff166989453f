#pragma once

#include <span>

#include "math/stiffness_matrix.h"
#include "sinew/constants.h"

// The convex problem of constraint dynamics at one instant, without bodies, joints or contacts:
//
//   minimize over a:   ½ (M a − f)·(a − M⁻¹ f) + s(J a − a_ref),      f = smooth force
//
// Conjugate gradients also solve it with M + K in place of M, K the implicit elasticity of flexes.
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

/// Row order: equality (ne), friction (nf), then limits and contacts.
struct ConstraintProblem {
  TreeMatrix M;
  const StiffnessMatrix* K = nullptr;  // added to M; null: none. Only for conjugate gradients
  std::span<const RowBlock> blocks;
  std::span<const FrictionCone> cones;
  bool elliptic = false;  // kind of all cones
  int nefc = 0;
  int ne = 0;
  int nf = 0;
  const double* D = nullptr;
  const double* R = nullptr;
  const double* aref = nullptr;
  const double* frictionloss = nullptr;
  const double* frc_smooth = nullptr;
  const double* acc_smooth = nullptr;
  double scale = 1;       // makes costs and gradients comparable with the tolerance
  double dual_scale = 1;  // the same for the solvers that work on forces
};

/// Region of a row's cost at the current point; MuJoCo's values.
enum RowState : int { kSatisfied, kQuadratic, kLinearNeg, kLinearPos, kCone };

/// Size of the storage for an elliptic cone's Hessian: dim x dim entries are used.
inline constexpr int kConeHessian = 36;

}  // namespace sinew
