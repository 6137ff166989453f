#pragma once

#include <span>

#include "base/arena.h"
#include "sinew/solver_stat.h"
#include "solver/problem.h"

// The door of this folder: a problem goes in; forces, states, acceleration and statistics come out. Whoever only wants
// a problem solved needs no other header. evaluate.h asks what a problem is at a given acceleration, rows.h multiplies
// with J; everything else is private (tests/lint/include_order.py).

namespace sinew {

enum class SolverMethod : int { PGS, CG, Newton };  // MuJoCo's numbers

struct SolverOptions {
  SolverMethod method = SolverMethod::Newton;
  double tolerance = 1e-8;
  double ls_tolerance = 0.01;
  double noslip_tolerance = 1e-6;
  int iterations = 100;
  int ls_iterations = 50;
  int noslip_iterations = 0;
};

/// PGS and noslip end with forces: frc_constraint belongs to them, acc does not. It is acc_smooth + M⁻¹ frc_constraint.
inline bool ends_with_forces(const SolverOptions& options) {
  return options.method == SolverMethod::PGS || options.noslip_iterations > 0;
}

/// What is told of a solution beside its numbers.
struct SolverReport {
  std::span<SolverStat> stat;   // the caller's; iterations beyond its end are not recorded
  int niter = 0;                // iterations done; noslip adds its own
  bool lost_precision = false;  // a curvature that must be positive was not
};

/// Where the result goes. The arrays are the caller's.
struct Solution : SolverReport {
  double* acc = nullptr;             // n
  double* frc_constraint = nullptr;  // n: Jᵀ force
  double* force = nullptr;           // nefc
  int* state = nullptr;              // nefc, as RowState
  double* b = nullptr;               // nefc: J acc_smooth - aref; solve_from leaves it alone
};

/// Solves a problem. Starts at `warm`, the last step's acceleration, if that costs no more than acc_smooth; null: at
/// acc_smooth.
void solve_problem(const ConstraintProblem& p, const SolverOptions& options, const double* warm, Solution& x,
                   Arena& arena);

/// Solves a problem from x.acc; PGS from x.force.
void solve_from(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena);

/// A problem that shares no dof and no row with the others of its world.
struct ProblemPart {
  ConstraintProblem problem;
  const int* dofs = nullptr;  // its dofs in the numbering of the whole
  const int* rows = nullptr;  // its rows
};

/// Solves a problem that falls into parts. The start is chosen for the whole, as solve_problem does it.
class PartwiseSolver {
 public:
  /// x is the whole's; what x.acc holds on dofs of no part when this returns stays there.
  PartwiseSolver(const ConstraintProblem& whole, const SolverOptions& options, const double* warm, const Solution& x,
                 Arena& arena);

  /// Solves one part and puts its result into the whole's arrays.
  void solve(const ProblemPart& part, SolverReport& report);

  /// After the last part.
  void finish();

 private:
  const ConstraintProblem& whole_;
  const SolverOptions& options_;
  Solution x_;
  Arena& arena_;
  Scratch scratch_;
  const double* Ma_ = nullptr;   // at the start: M acc, null where it is not known
  const double* jar_ = nullptr;  // J acc - aref
};

}  // namespace sinew
