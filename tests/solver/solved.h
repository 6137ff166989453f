#pragma once

#include "random_problem.h"
#include "solver/primal.h"
#include "solver/solve.h"

namespace sinew::test {

struct Solved {
  Eigen::VectorXd acc, force, frc;
  std::vector<int> state;
  std::vector<SolverStat> stat;
  int niter = 0;
};

using Method = void (*)(const ConstraintProblem&, const SolverOptions&, Solution&, Arena&);

template <SolverMethod method>
void solve_by(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  SolverOptions own = options;
  own.method = method;
  solve_from(p, own, x, arena);
}
inline constexpr Method newton = solve_by<SolverMethod::Newton>;
inline constexpr Method conjugate_gradients = solve_by<SolverMethod::CG>;
inline constexpr Method gauss_seidel = solve_by<SolverMethod::PGS>;

/// Newton's method as it works on problems that are not cut into tiles.
inline void newton_on_panels(const ConstraintProblem& p, const SolverOptions& options, Solution& x, Arena& arena) {
  solve_newton(p, options, {}, x, arena);
}

inline Solved run(const RandomProblem& r, Method method, const SolverOptions& options, Arena& arena) {
  Solved s;
  s.acc = r.smooth_acc;
  s.force = Eigen::VectorXd::Zero(r.p.nefc);
  s.frc = Eigen::VectorXd::Zero(r.p.M.n);
  s.state.assign(r.p.nefc, 0);
  s.stat.resize(200);
  Solution x;
  x.acc = s.acc.data();
  x.force = s.force.data();
  x.state = s.state.data();
  x.frc_constraint = s.frc.data();
  x.stat = s.stat;
  method(r.p, options, x, arena);
  s.niter = x.niter;
  return s;
}

/// M a = f + Jᵀ force(a): the optimality condition, with forces computed independently.
inline double kkt_error(const RandomProblem& r, const Eigen::VectorXd& acc) {
  const Eigen::VectorXd gap = r.M * acc - r.smooth_force - r.J.transpose() * forces_at(r, acc);
  return gap.norm() / (1 + r.smooth_force.norm());
}

}  // namespace sinew::test
