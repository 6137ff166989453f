#pragma once

namespace sinew {

/// What one iteration of the constraint solver did.
struct SolverStat {
  double improvement = 0;  // scaled reduction of the cost
  double gradient = 0;     // scaled norm of the gradient (primal solvers)
  double lineslope = 0;    // slope at the chosen point of the line search, relative to the search direction
  int nactive = 0;         // rows that are not satisfied
  int nchange = 0;         // rows whose state changed
  int neval = 0;           // evaluations of the line search
  int nupdate = 0;         // rows whose curvature changed
};

}  // namespace sinew
