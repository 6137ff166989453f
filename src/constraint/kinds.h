#pragma once

#include "sinew/enums.h"
#include "sinew/model.h"

namespace sinew {

inline bool is_contact(ConstraintKind kind) { return kind >= ConstraintKind::ContactFrictionless; }
inline bool has_friction_cone(ConstraintKind kind) { return kind >= ConstraintKind::ContactPyramidal; }
inline bool is_dry_friction(ConstraintKind kind) {
  return kind == ConstraintKind::FrictionDof || kind == ConstraintKind::FrictionTendon;
}

/// Number of rows of a contact.
inline int contact_rows(int dim, bool elliptic) { return dim == 1 ? 1 : elliptic ? dim : 2 * (dim - 1); }

/// The option `jacobian`. Rows are stored sparse in both cases; the option decides which constraints count as empty:
/// dense drops those whose entries are all zero, sparse those without dofs.
inline bool uses_dense_jacobian(const Model& m) {
  constexpr int kSparseFrom = 60;  // as mj_isSparse of MuJoCo 3.12.0
  const auto kind = static_cast<JacobianKind>(m.opt.jacobian);
  return kind == JacobianKind::Dense || (kind == JacobianKind::Auto && m.nv < kSparseFrom);
}

}  // namespace sinew
