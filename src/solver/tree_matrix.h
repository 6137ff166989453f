#pragma once

#include "solver/problem.h"

namespace sinew {

/// y = M x
void multiply_tree(const TreeMatrix& M, const double* x, double* y);

/// x := M⁻¹ x, restricted to the dofs [begin, end) of whole trees.
void solve_tree(const TreeMatrix& M, double* x, int begin, int end);
inline void solve_tree(const TreeMatrix& M, double* x) { solve_tree(M, x, 0, M.n); }

/// One past the last dof of the tree that starts at `begin`: the next row without ancestors.
int tree_end(const TreeMatrix& M, int begin);

}  // namespace sinew
