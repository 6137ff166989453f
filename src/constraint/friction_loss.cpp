#include "constraint/friction_loss.h"

#include <algorithm>

#include "constraint/tendon_row.h"

namespace sinew {

void add_friction_loss(RowBuilder& rows) {
  const Model& m = rows.m;
  if (m.opt.disabled(kDisableFrictionloss)) return;
  const bool sleep = m.opt.enabled(kEnableSleep);
  for (int dof = 0; dof < m.nv; ++dof) {
    if (m.dof_frictionloss[dof] == 0 || (sleep && !rows.d.tree_awake[m.dof_treeid[dof]])) continue;
    const auto block = rows.add_single(ConstraintKind::FrictionDof, dof, dof, 1);
    rows.d.efc_frictionloss[block.row] = m.dof_frictionloss[dof];
  }
  for (int tendon = 0; tendon < m.ntendon; ++tendon) {
    if (m.tendon_frictionloss[tendon] <= 0) continue;
    const auto block = add_tendon_row(rows, ConstraintKind::FrictionTendon, tendon, 1);
    rows.d.efc_frictionloss[block.row] = m.tendon_frictionloss[tendon];
    rows.keep(block);
  }
}

}  // namespace sinew
