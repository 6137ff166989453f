#include "base/arena.h"
#include "dynamics/qderiv.h"
#include "sim/advance.h"
#include "sim/integrator_matrix.h"
#include "sim/integrator_table.h"

// Implicit in the velocity, one Newton step:
//   (M - h D) a = qfrc,   D = ∂(qfrc_passive + qfrc_actuator - qfrc_bias)/∂qvel.
// D is not symmetric, hence the LU factor.

namespace sinew {

/// M - h D in the pattern of D. M is stored as its lower triangle, which lacks some entries of D's pattern.
void implicit_matrix(const Model& m, Data& d, double* matrix) {
  velocity_derivative(m, d, /*with_bias=*/true);
  for (int k = 0; k < m.nD; ++k) matrix[k] = (m.mapM2D[k] >= 0 ? d.M[m.mapM2D[k]] : 0) - m.opt.timestep * d.qDeriv[k];
}

void integrate_implicit(const Model& m, Data& d) {
  if (flexes_are_implicit(m, d)) return advance(m, d, d.act_dot.data(), d.qacc.data());
  implicit_matrix(m, d, d.qLU.data());
  Scratch scratch(d.scratch());
  d.warning[static_cast<std::size_t>(Warning::Inertia)].number +=
      factor_tree_lu(pattern_of_D(m), d.qLU.data(), scratch.take<int>(m.nv));

  double* a = scratch.take<double>(m.nv);
  for (int i = 0; i < m.nv; ++i) a[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  solve_tree_lu(pattern_of_D(m), d.qLU.data(), a);
  advance(m, d, d.act_dot.data(), a);
}

bool implicit_discrete_force(const Model& m, Data& d, const double* a, double* force) {
  if (flexes_are_implicit(m, d)) return false;
  Scratch scratch(d.scratch());
  double* matrix = scratch.take<double>(m.nD);
  implicit_matrix(m, d, matrix);
  for (int i = 0; i < m.nv; ++i) {
    const int row = m.D_rowadr[i];
    force[i] = 0;
    for (int k = row; k < row + m.D_rownnz[i]; ++k) force[i] += matrix[k] * a[m.D_colind[k]];
  }
  return true;
}

}  // namespace sinew
