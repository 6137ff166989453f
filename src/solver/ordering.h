#pragma once

#include "base/arena.h"
#include "solver/problem.h"

namespace sinew {

/// How the Hessian M + Jᵀ W J is cut into dense panels: dofs are grouped into nodes (branches of the kinematic trees),
/// the nodes are put into an order of elimination that keeps the fill-in small, and each node knows the later nodes
/// that its rows of the factor reach.
struct Elimination {
  struct Node {
    int begin = 0;   // first dof, in the order of elimination
    int width = 0;   // number of dofs
    int nreach = 0;  // later nodes that the node's rows reach, ascending
    int* reach = nullptr;
    int* offset = nullptr;  // column of each reached node inside the panel
    int ncol = 0;           // width and the widths of the reached nodes
  };
  int n = 0;
  int nnode = 0;
  Node* node = nullptr;
  int* node_of = nullptr;  // node of a dof, by its place in the order
  int* place = nullptr;    // dof → place in the order of elimination
  bool identity = true;    // one dense node, places are the dofs themselves
};

Elimination plan_elimination(const ConstraintProblem& p, Scratch& scratch);

}  // namespace sinew
