#pragma once

#include "sinew/data.h"

namespace sinew {

/// All forces except constraint forces, and the resulting acceleration.
/// Reads: qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, xipos, cdof, subtree_com, qLD, qLDiagInv,
/// M, efm_active, nefmdof, efm_*, ncon, contact.exclude, warning, body_awake, tree_awake, and for sleeping trees
/// qfrc_smooth.
/// Writes: qfrc_smooth, qacc_smooth, warning.
/// qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + Σ_b J_bᵀ xfrc_b;
/// qacc_smooth = M⁻¹ qfrc_smooth, with implicit flexes (M + K)⁻¹ (qfrc_smooth + efm_c).
template <class Real>
void smooth_acceleration(const Model& m, BasicData<Real>& d);

/// qfrc += Σ_b J_bᵀ xfrc_applied_b, each force at its body's center of mass.
template <class Real>
void add_applied_body_forces(const Model& m, const BasicData<Real>& d, Real* qfrc);

}  // namespace sinew
