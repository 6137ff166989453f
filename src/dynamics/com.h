#pragma once

#include "sinew/data.h"

namespace sinew {

/// Centres of mass, and inertias and motion axes referred to the centre of mass c of the body's kinematic tree.
/// reads   Model: body_*, jnt_*      Data: xpos, xmat, xipos, ximat, xanchor, xaxis
/// writes  Data: subtree_com, cinert, cdof          needs  kinematics
/// cinert = R diag(I) Rᵀ + m (r·r 1 - r rᵀ), m r, m with r = xipos - c.
template <class Real>
void com_position(const Model& m, BasicData<Real>& d);

}  // namespace sinew
