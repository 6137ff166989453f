#pragma once

#include "sinew/data.h"

namespace sinew {

/// Centers of mass, and inertias and motion axes referred to the center of mass c of the body's kinematic tree.
/// Reads: xmat, xipos, ximat, xanchor, xaxis. Writes: subtree_com, cinert, cdof.
/// cinert = R diag(I) Rᵀ + m (r·r 1 - r rᵀ), m r, m with r = xipos - c.
template <class Real>
void com_position(const Model& m, BasicData<Real>& d);

}  // namespace sinew
