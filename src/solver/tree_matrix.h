#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// y = M x
void multiply_tree(const TreeMatrix& M, const double* x, double* y);

/// x := M⁻¹ x, restricted to the dofs [begin, end) of whole trees.
void solve_tree(const TreeMatrix& M, double* x, int begin, int end);
inline void solve_tree(const TreeMatrix& M, double* x) { solve_tree(M, x, 0, M.n); }

/// out = (M + K) v
inline void multiply_inertia(const ConstraintProblem& p, const double* v, double* out) {
  multiply_tree(p.M, v, out);
  if (p.K) add_product(*p.K, v, out);
}
/// x := M⁻¹ x, with K an approximation of (M + K)⁻¹ x.
inline void solve_inertia(const ConstraintProblem& p, double* x, Arena& arena) {
  if (!p.K) return solve_tree(p.M, x);
  Scratch scratch(arena);
  double* room = scratch.take<double>(room_to_precondition(*p.K));
  precondition(*p.K, x, room, [&](double* y) { solve_tree(p.M, y); });
}

/// One past the last dof of the tree that starts at `begin`: the next row without ancestors.
int tree_end(const TreeMatrix& M, int begin);

}  // namespace sinew
