#pragma once

#include "sinew/data.h"

namespace sinew {

/// Tendon lengths, their Jacobians, and the points along their paths.
/// Reads: qpos, site_xpos, geom_xpos, geom_xmat, cdof, subtree_com.
/// Writes: ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos.
/// fixed: L = Σ coef q. spatial: L = Σ |segments and arcs| / divisor, dL/dq = Σ uᵀ (J_end - J_start) / divisor: the
/// tangent points on a wrapping geom are treated as fixed to that geom, as the arc length is stationary in them.
template <class Real>
void tendon_paths(const Model& m, BasicData<Real>& d);

}  // namespace sinew
