#pragma once

#include <span>

#include "base/arena.h"
#include "sinew/solver_stat.h"
#include "solver/problem.h"

// The interface of this folder: takes a problem and computes forces, states, acceleration and statistics. Besides this
// header, evaluate.h evaluates a problem at a given acceleration, and rows.h multiplies with J; everything else is
// private (tests/lint/include_order.py).

namespace sinew {

enum class SolverMethod : int { PGS, CG, Newton };  // MuJoCo's values

struct SolverOptions {
  SolverMethod method = SolverMethod::Newton;
  double tolerance = 1e-8;
  double ls_tolerance = 0.01;
  double noslip_tolerance = 1e-6;
  int iterations = 100;
  int ls_iterations = 50;
  int noslip_iterations = 0;
};

/// PGS and noslip end with forces and frc_constraint: the caller computes acc = acc_smooth + M⁻¹ frc_constraint.
inline bool ends_with_forces(const SolverOptions& options) {
  return options.method == SolverMethod::PGS || options.noslip_iterations > 0;
}

/// Statistics of a solution.
struct SolverReport {
  std::span<SolverStat> stat;   // owned by the caller; iterations beyond its end are not recorded
  int niter = 0;                // iterations done, including those of noslip
  bool lost_precision = false;  // a curvature that must be positive was not
};

/// The result. The caller owns the arrays.
struct Solution : SolverReport {
  double* acc = nullptr;             // n
  double* frc_constraint = nullptr;  // n: Jᵀ force
  double* force = nullptr;           // nefc
  int* state = nullptr;              // nefc, as RowState
  double* b = nullptr;               // nefc: J acc_smooth - aref; not changed by solve_from
};

/// Solves a problem. Starts at `warm`, the last step's acceleration, if that costs no more than acc_smooth; null: at
/// acc_smooth.
void solve_problem(const ConstraintProblem& p, const SolverOptions& options, const double* warm, Solution& x,
                   Arena& arena);

/// Solves a problem from x.acc; PGS from x.force.
void solve_from(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena);

/// A problem that shares no dof and no row with the other parts of its world.
struct ProblemPart {
  ConstraintProblem problem;
  const int* dofs = nullptr;  // its dofs in the numbering of the whole problem
  const int* rows = nullptr;  // its rows
};

/// Solves a problem that splits into parts. The start is chosen for the whole problem, as in solve_problem.
class PartwiseSolver {
 public:
  /// x belongs to the whole problem; values of x.acc on dofs of no part are not changed by `solve`.
  PartwiseSolver(const ConstraintProblem& whole, const SolverOptions& options, const double* warm, const Solution& x,
                 Arena& arena);

  /// Solves one part and stores its result in the arrays of the whole problem.
  void solve(const ProblemPart& part, SolverReport& report);

  /// To be called after the last part.
  void finish();

 private:
  const ConstraintProblem& whole_;
  const SolverOptions& options_;
  Solution x_;
  Arena& arena_;
  Scratch scratch_;
  const double* Ma_ = nullptr;   // at the start: M acc, null if unknown
  const double* jar_ = nullptr;  // J acc - aref
};

}  // namespace sinew
