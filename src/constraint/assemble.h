#pragma once

#include "sinew/data.h"

namespace sinew {

/// No rows and no islands.
inline void clear_rows(Data& d) { d.ne = d.nf = d.nl = d.nefc = d.nJ = d.nisland = d.nidof = 0; }

/// All constraint rows at the current position: equality, dry friction, limits, contacts, in this order. Grows the row
/// arrays if they are too small.
/// Reads: qpos, xpos, xquat, xmat, cdof, subtree_com, ten_length, ten_J, flexvert_xpos, flexvert_length, flexvert_J,
/// flexedge_length, flexedge_J, body_awake, eq_active, ncon, contact.dist, contact.pos, contact.frame,
/// contact.includemargin, contact.friction, contact.solref, contact.solreffriction, contact.solimp, contact.dim,
/// contact.geom, contact.flex, contact.elem, contact.vert, contact.exclude. Writes: ne, nf, nl, nefc, nJ, nisland,
/// nidof, efc_type, efc_id, efc_J*, efc_pos, efc_margin, efc_frictionloss, efc_diagA, efc_KBIP, efc_D, efc_R,
/// tendon_efcadr, contact.efc_address, contact.exclude, contact.mu.
void build_constraints(const Model& m, Data& d);

/// If the flag diagexact is set: regularizers from the exact diagonal of J M⁻¹ Jᵀ instead of its approximation.
/// Reads: nefc, efc_J*, qLD, qLDiagInv, as regularize_rows. Writes: as regularize_rows.
void project_constraints(const Model& m, Data& d);

}  // namespace sinew
