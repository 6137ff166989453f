#pragma once

#include "base/arena.h"
#include "solver/evaluate.h"
#include "solver/solve.h"

namespace sinew {

class TileSystem;

/// Where the solver of one problem starts, with what is known there.
struct Start {
  const double* Ma = nullptr;   // M acc, null where it is not known
  const double* jar = nullptr;  // J acc - aref, likewise
  bool evaluated = false;       // rows, x.force, x.state and cone_hessian belong to it
  RowCost rows;
  double* cone_hessian = nullptr;  // kConeHessian numbers for each elliptic cone
};

/// The cheaper of two starts, `warm` (null: there is none) and acc_smooth: ½ (M w - f)·(w - M⁻¹ f) + s(J w - aref)
/// against s(b). Sets x.b = J acc_smooth - aref, and x.acc, for PGS x.force instead. `tiles` is null or the same
/// problem. `whole`: the problem will be solved at once, so that what the rows were evaluated to is of use.
Start choose_start(const ConstraintProblem& p, const TileSystem* tiles, const SolverOptions& options,
                   const double* warm, bool whole, const Solution& x, Scratch& scratch, Arena& arena);

}  // namespace sinew
