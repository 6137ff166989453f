#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// Partition of the Hessian M + Jᵀ W J into dense panels: dofs are grouped into nodes (branches of the kinematic
/// trees), nodes are ordered for elimination with little fill-in, and each node lists the later nodes that its rows of
/// the factor reach.
struct Elimination {
  struct Node {
    int begin = 0;   // first dof, in elimination order
    int width = 0;   // number of dofs
    int nreach = 0;  // later nodes that the node's rows reach, ascending
    int* reach = nullptr;
    int* offset = nullptr;  // column of each reached node inside the panel
    int ncol = 0;           // width plus the widths of the reached nodes
  };
  int n = 0;
  int nnode = 0;
  Node* node = nullptr;
  int* node_of = nullptr;  // node of a dof, by its place in the elimination order
  int* place = nullptr;    // dof → place in the elimination order
  bool identity = true;    // one dense node, places are the dofs themselves
};

Elimination plan_elimination(const ConstraintProblem& p, Scratch& scratch);

}  // namespace sinew
