#pragma once

#include "base/arena.h"
#include "solver/evaluate.h"
#include "solver/solve.h"

namespace sinew {

class TileSystem;

/// Starting point of a solver, with the quantities known there.
struct Start {
  const double* Ma = nullptr;   // M acc, null if unknown
  const double* jar = nullptr;  // J acc - aref, likewise
  bool evaluated = false;       // rows, x.force, x.state and cone_hessian are valid for this point
  RowCost rows;
  double* cone_hessian = nullptr;  // kConeHessian entries per elliptic cone
};

/// The cheaper of two starts, `warm` (null: none) and acc_smooth: ½ (M w - f)·(w - M⁻¹ f) + s(J w - aref) against s(b).
/// Sets x.b = J acc_smooth - aref and x.acc (PGS: x.force). `tiles` is null or the same problem. `whole`: the problem
/// will not be split, so that the evaluated rows can be reused.
Start choose_start(const ConstraintProblem& p, const TileSystem* tiles, const SolverOptions& options,
                   const double* warm, bool whole, const Solution& x, Scratch& scratch, Arena& arena);

}  // namespace sinew
