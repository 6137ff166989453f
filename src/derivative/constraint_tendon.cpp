#include <algorithm>

#include "constraint/kinds.h"
#include "derivative/constraint.h"
#include "derivative/smooth.h"
#include "derivative/sparse_row.h"
#include "dynamics/com.h"
#include "dynamics/kinematics.h"
#include "dynamics/tendon.h"
#include "model/equality_kinds.h"

namespace sinew {
namespace {

/// Some row involves a tendon whose Jacobian is not constant.
bool spatial_rows(const Model& m, const Data& d) {
  for (int row = 0; row < d.nefc; ++row) {
    const int id = d.efc_id[row];
    switch (static_cast<ConstraintKind>(d.efc_type[row])) {
      case ConstraintKind::Equality:
        if (equality_kind(m, id).objects != EqualityObjects::Tendons) break;
        if (is_spatial(m, m.eq_obj1id[id]) || (m.eq_obj2id[id] >= 0 && is_spatial(m, m.eq_obj2id[id]))) return true;
        break;
      case ConstraintKind::FrictionTendon:
      case ConstraintKind::LimitTendon:
        if (is_spatial(m, id)) return true;
        break;
      default: break;
    }
  }
  return false;
}

}  // namespace

/// ∂ten_J/∂q from the tendon paths with dual numbers, four dofs at a time.
void ConstraintColumns::tendon_hessians(const Model& m, const Data& d, DerivativeState& s) {
  has_tendon_hessian_ = spatial_rows(m, d);
  if (!has_tendon_hessian_) return;
  tendon_hessian_.reset(static_cast<int>(m.nJten), static_cast<int>(m.nv));
  BasicData<Dual4>& x = dual_world(m, d, s);
  sweep_positions(m, d, x, [&](int first, int n) {
    kinematics(m, x);
    com_position(m, x);
    tendon_paths(m, x);
    for (int i = 0; i < m.nJten; ++i)
      for (int l = 0; l < n; ++l) tendon_hessian_(i, first + l) = x.ten_J[i].slope[l];
  });
}

}  // namespace sinew
