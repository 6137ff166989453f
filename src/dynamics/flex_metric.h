#pragma once

#include "base/arena.h"
#include "math/stiffness_matrix.h"
#include "sinew/data.h"

// Implicit elasticity: with an implicit integrator the flexes' stiffness K and its damping enter the equation of motion
// as (M + (h² + h damping) K) a = f - h K v, which keeps stiff flexes stable at large steps.

namespace sinew {

/// Whether the elasticity of flexes is implicit: M + K replaces M. MuJoCo's conditions: solver CG, an implicit
/// integrator, pyramidal cones, no sleeping, and some flex that is elastic or has passive contacts.
bool uses_flex_metric(const Model& m);

/// K, the force efm_c = -h K qvel (its K without damping), and the inverse blocks of M + K.
/// Reads: qvel, M, xpos, xmat, cdof, subtree_com, flexvert_xpos, flexedge_length, ncon,
/// contact.pos, contact.frame, contact.geom, contact.flex, contact.elem, contact.vert, contact.exclude.
/// Writes: efm_active, nefmK, nefmdof, nefmL, efm_*.
void flex_metric(const Model& m, Data& d);

/// The matrix that flex_metric has written.
StiffnessMatrix stiffness_matrix(const Model& m, const Data& d);

/// x := (M + K)⁻¹ x by conjugate gradients, to a residual of opt.tolerance relative to x, in at most opt.iterations.
void solve_flex_metric(const Model& m, Data& d, double* x);

}  // namespace sinew
