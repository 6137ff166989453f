#pragma once

#include "sinew/data.h"

namespace sinew {

/// Flexes: vertices, boxes of elements and of the trees above them, lengths of edges, strain at vertices.
/// Reads: xpos, xmat, cdof, subtree_com.
/// Writes: flexvert_xpos, flexelem_aabb, bvh_aabb_dyn, flexedge_length, flexedge_J, flexvert_length, flexvert_J.
/// A vertex is fixed in its body, or interpolated from nodes that are. With u the unit vector along an edge from vertex
/// 1 to 2, d length/dq = uᵀ (J_2 - J_1). The strain of a vertex with deformation gradient F, which fits the edges
/// around it best, is √mass (tr FᵀF - 2, det FᵀF - 1).
void flex_positions(const Model& m, Data& d);

/// flexedge_velocity = flexedge_J q̇.
/// Reads: qvel, flexedge_J. Writes: flexedge_velocity.
void flex_velocities(const Model& m, Data& d);

/// Some force or constraint acts along the edges of a flex, so flexedge_J is computed.
inline bool uses_edges(const Model& m, int flex) {
  return m.flex_edgeequality[flex] == 1 || m.flex_edgestiffness[flex] != 0 || m.flex_edgedamping[flex] != 0 ||
         m.flex_damping[flex] != 0;
}

}  // namespace sinew
