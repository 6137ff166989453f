#include "derivative/kept_factor.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/inertia.h"
#include "sim/advance.h"
#include "sim/integrator_matrix.h"

namespace sinew {

void integrate_with_kept_factor(const Model& m, Data& d) {
  const auto kind = static_cast<Integrator>(m.opt.integrator);
  Scratch scratch(d.scratch());
  double* a = scratch.take<double>(m.nv);
  for (int i = 0; i < m.nv; ++i) a[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  if (kind == Integrator::Implicit) {
    solve_tree_lu(pattern_of_D(m), d.qLU.data(), a);
  } else if (kind == Integrator::Euler && !euler_damps_implicitly(m)) {
    std::ranges::copy(d.qacc, a);
  } else {
    solve_tree_sparse(m, d.qH.data(), d.qHDiagInv.data(), a);
  }
  if (kind == Integrator::ImplicitFast) solve_free_bodies(m, d, a);
  advance(m, d, d.act_dot.data(), a);
}

}  // namespace sinew
