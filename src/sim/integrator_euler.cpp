#include <algorithm>

#include "base/arena.h"
#include "dynamics/inertia.h"
#include "dynamics/passive.h"
#include "sim/advance.h"
#include "sim/integrator_matrix.h"
#include "sim/integrator_table.h"

// Semi-implicit Euler: the new velocity moves the positions. Damping of dofs is implicit in the velocity,
//   (M + h diag(B)) a = qfrc,   B = d(damper force)/dv = k + 2 p0 |v| + 3 p1 v²,
// which keeps stiff dampers stable; tendon dampers stay explicit.

namespace sinew {
namespace {

/// Some dof has damping that can be integrated implicitly. Negative damping alone does not count.
bool has_dof_damping(const Model& m) {
  for (int i = 0; i < m.nv; ++i) {
    if (m.dof_damping[i] > 0 || m.dof_dampingpoly[kNumPoly * i] != 0 || m.dof_dampingpoly[kNumPoly * i + 1] != 0 ||
        m.jnt_actuatorid[m.dof_jntid[i]] != -1)
      return true;
  }
  return false;
}

SINEW_INLINE double damping_slope(const Model& m, const Data& d, int dof) {
  return dof_damper(m, dof).slope(d.qvel[dof]);
}

int diagonal(const Model& m, int dof) { return m.M_rowadr[dof] + m.M_rownnz[dof] - 1; }

}  // namespace

bool euler_damps_implicitly(const Model& m) {
  return !m.opt.disabled(kDisableEulerdamp) && !m.opt.disabled(kDisableDamper) && has_dof_damping(m);
}

void euler_matrix(const Model& m, const Data& d, double* matrix) {
  std::ranges::copy(d.M, matrix);
  for (int i = 0; i < m.nv; ++i) matrix[diagonal(m, i)] += m.opt.timestep * damping_slope(m, d, i);
}

void integrate_euler(const Model& m, Data& d) {
  if (!euler_damps_implicitly(m)) {
    advance(m, d, d.act_dot.data(), d.qacc.data());
    return;
  }
  euler_matrix(m, d, d.qH.data());
  factor_tree_sparse(m, d.qH.data(), d.qHDiagInv.data());

  Scratch scratch(d.scratch());
  double* a = scratch.take<double>(m.nv);
  for (int i = 0; i < m.nv; ++i) a[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  solve_tree_sparse(m, d.qH.data(), d.qHDiagInv.data(), a);
  advance(m, d, d.act_dot.data(), a);
}

bool euler_discrete_force(const Model& m, Data& d, const double* a, double* force) {
  mul_tree_sparse(m, d.M.data(), a, force);
  // MuJoCo tests only the flag eulerdamp here, although its integrator also requires enabled dampers
  if (m.opt.disabled(kDisableEulerdamp) || !has_dof_damping(m)) return false;
  for (int i = 0; i < m.nv; ++i) force[i] += m.opt.timestep * damping_slope(m, d, i) * a[i];
  return true;
}

}  // namespace sinew
