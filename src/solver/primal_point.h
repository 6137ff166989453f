#pragma once

#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "math/pack.h"
#include "solver/cost.h"
#include "solver/line_search.h"
#include "solver/start.h"

namespace sinew {

SINEW_INLINE double norm(const double* x, int n) { return std::sqrt(dot(x, x, n)); }

/// The current point of a primal solver: a, cost and gradient there, and the last search direction. `update` evaluates
/// the rows and the gradient M a - f - Jᵀ force.
template <class System>
class PrimalPoint {
 public:
  SINEW_INLINE PrimalPoint(System& system, const SolverOptions& options, const Start& start, Solution& x, Arena& arena)
      : system(system),
        p(system.problem()),
        options(options),
        start(start),
        x(x),
        arena(arena),
        scratch(arena),
        n(p.M.n) {
    double* memory = scratch.take<double>(static_cast<std::size_t>(5) * n + 3 * p.nefc);
    for (double** array : {&Ma, &grad, &z, &search, &Mv}) {
      *array = memory;
      memory += n;
    }
    jar = memory;
    Jv = jar + p.nefc;
    moved = Jv + p.nefc;
    moved_state = scratch.take<int>(p.nefc);
    if (start.Ma)
      copy_numbers(start.Ma, n, Ma);
    else
      system.multiply_inertia(x.acc, Ma);
    if (start.jar) {
      copy_numbers(start.jar, p.nefc, jar);
      return;
    }
    system.multiply_rows(x.acc, jar);
    in_packs(p.nefc,
             [&]<class T>(int i) SINEW_INLINED { store_as(jar + i, load_as<T>(jar + i) - load_as<T>(p.aref + i)); });
  }

  /// Uses what is already known of the rows at the start.
  SINEW_INLINE void begin(double* cone_hessian) {
    if (!start.evaluated) {
      std::fill_n(x.state, p.nefc, -1);
      return update(cone_hessian);
    }
    rows = start.rows;
    find_gradient();
  }

  SINEW_INLINE void update(double* cone_hessian) {
    rows = evaluate_rows(p, jar, x.force, x.state, cone_hessian);
    find_gradient();
  }

  SINEW_INLINE void find_gradient() {
    system.multiply_rows_transposed(x.force, x.frc_constraint);
    in_packs(n, [&]<class T>(int i) SINEW_INLINED {
      store_as(grad + i, load_as<T>(Ma + i) - load_as<T>(p.frc_smooth + i) - load_as<T>(x.frc_constraint + i));
    });
    gradient_norm = p.scale * norm(grad, n);
  }

  /// max(0, ½ scale grad · z): the decrease predicted by the quadratic model that z comes from. NaN propagates: it must
  /// not be mistaken for convergence.
  SINEW_INLINE double expected_decrease() const {
    const double decrease = 0.5 * p.scale * dot(grad, z, n);
    return decrease < 0 ? 0.0 : decrease;
  }

  /// z = M⁻¹ grad
  SINEW_INLINE void precondition() {
    copy_numbers(grad, n, z);
    system.solve_inertia(z);
  }

  /// Computes the products with the new direction `search`.
  SINEW_INLINE void aim() {
    system.multiply_inertia(search, Mv);
    system.multiply_rows(search, Jv);
  }

  /// Takes the full Newton step if no row changes state on the way: the cost is then a parabola, and the step ends at
  /// its minimum. Otherwise returns false without moving, and a line search is needed; the forces are then those at the
  /// end of the step.
  SINEW_INLINE bool take_whole_step() {
    if (rows.ncone > 0) return false;
    in_packs(p.nefc,
             [&]<class T>(int i) SINEW_INLINED { store_as(moved + i, load_as<T>(jar + i) + load_as<T>(Jv + i)); });
    std::copy_n(x.state, p.nefc, moved_state);
    const RowCost there = evaluate_rows(p, moved, x.force, moved_state, nullptr);
    if (there.nchange > 0) return false;
    // grad is free: it holds the smooth part of the gradient there
    const double length = norm(search, n), slope0 = dot(search, grad, n);
    in_packs(n, [&]<class T>(int i) SINEW_INLINED {
      store_as(grad + i, load_as<T>(Ma + i) - load_as<T>(p.frc_smooth + i) + load_as<T>(Mv + i));
    });
    const double slope = dot(search, grad, n) - dot(Jv, x.force, p.nefc);
    const double flat = options.tolerance * options.ls_tolerance * length / p.scale;
    if (!(std::abs(slope) < flat && slope0 + slope < 0)) return false;

    rows = there;
    step = {.alpha = 1, .decrease = -0.5 * (slope0 + slope), .slope = std::abs(slope) * p.scale / length, .neval = 1};
    add_scaled(x.acc, search, 1, n);
    add_scaled(Ma, Mv, 1, n);
    std::swap(jar, moved);
    find_gradient();
    return true;
  }

  /// Line search along `search`; false if it found no decrease.
  SINEW_INLINE bool search_line() {
    step = line_search(p, options, {x.acc, search, Ma, Mv, jar, Jv}, arena);
    x.lost_precision |= step.lost_precision;
    if (step.alpha == 0) return false;
    add_scaled(x.acc, search, step.alpha, n);
    add_scaled(Ma, Mv, step.alpha, n);
    add_scaled(jar, Jv, step.alpha, p.nefc);
    return true;
  }

  /// Records the iteration; true if progress is below the tolerance.
  bool finish_iteration(int nupdate) {
    const double improvement = p.scale * step.decrease;
    if (x.niter < static_cast<int>(x.stat.size()))
      x.stat[x.niter] = {improvement, gradient_norm, step.slope, rows.nactive, rows.nchange, step.neval, nupdate};
    ++x.niter;
    return (improvement > 0 && improvement < options.tolerance) || gradient_norm < options.tolerance;
  }

  System& system;
  const ConstraintProblem& p;
  const SolverOptions& options;
  const Start& start;
  Solution& x;
  Arena& arena;
  Scratch scratch;
  int n;
  double *Ma, *grad, *z, *search, *Mv, *jar, *Jv, *moved;
  int* moved_state;
  RowCost rows;
  Step step;
  double gradient_norm = 0;
};

/// Newton's method from x.acc.
template <class System>
SINEW_INLINE void iterate_newton(System& system, const SolverOptions& options, const Start& start, Solution& x,
                                 Arena& arena) {
  PrimalPoint at(system, options, start, x, arena);
  x.niter = 0;
  double* cone_hessian = start.cone_hessian;
  if (at.p.elliptic && !cone_hessian) cone_hessian = at.scratch.template take<double>(kConeHessian * at.p.cones.size());
  at.begin(cone_hessian);
  if (at.gradient_norm < options.tolerance) {
    at.precondition();
    if (at.expected_decrease() < options.tolerance) return;
  }

  system.prepare_factor(at.scratch);
  bool current = false;  // the factor matches the current states
  while (true) {
    if (!current) system.factor(x.state, cone_hessian);
    copy_numbers(at.grad, at.n, at.z);
    system.solve(at.z);
    const bool flat = x.niter > 0 || at.gradient_norm < options.tolerance;
    if (flat && at.expected_decrease() < options.tolerance) break;
    if (x.niter >= options.iterations) break;

    in_packs(at.n, [&]<class T>(int i) SINEW_INLINED { store_as(at.search + i, -load_as<T>(at.z + i)); });
    at.aim();
    const int ncone = at.rows.ncone;
    if (!at.take_whole_step()) {
      const bool moved = at.search_line();
      at.update(cone_hessian);
      if (!moved) break;
    }
    current = at.rows.ncurved == 0 && at.rows.ncone == 0 && ncone == 0;
    if (at.finish_iteration(at.rows.ncurved + at.rows.ncone)) break;
  }
}

}  // namespace sinew
