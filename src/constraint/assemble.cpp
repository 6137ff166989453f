#include "constraint/assemble.h"

#include <algorithm>

#include "base/checked.h"
#include "constraint/contact_rows.h"
#include "constraint/diagonal.h"
#include "constraint/equality.h"
#include "constraint/friction_loss.h"
#include "constraint/impedance.h"
#include "constraint/limit.h"
#include "constraint/row_builder.h"

namespace sinew {

void build_constraints(const Model& m, Data& d) {
  clear_rows(d);
  std::ranges::fill(d.tendon_efcadr, -1);
  if (m.opt.disabled(kDisableConstraint) || m.nv == 0) {
    for (int c = 0; c < d.ncon; ++c) d.contact[c].efc_address = -1;
    return;
  }
  RowBuilder rows(m, d);
  add_equalities(rows);
  d.ne = d.nefc;
  add_friction_loss(rows);
  d.nf = d.nefc - d.ne;
  add_limits(rows);
  d.nl = d.nefc - d.ne - d.nf;
  add_contacts(rows);
  if constexpr (kAddressSanitizer) d.grow_rows();  // to the exact sizes

  Scratch scratch(d.scratch());
  double* diagonal = scratch.take<double>(d.nefc);
  approximate_diagonal(m, d, diagonal);
  regularize_rows(m, d, diagonal);
}

void project_constraints(const Model& m, Data& d) {
  if (!m.opt.enabled(kEnableDiagexact) || d.nefc == 0) return;
  Scratch scratch(d.scratch());
  double* diagonal = scratch.take<double>(d.nefc);
  exact_diagonal(m, d, diagonal);
  regularize_rows(m, d, diagonal);
}

}  // namespace sinew
