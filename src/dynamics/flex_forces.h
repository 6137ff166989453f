#pragma once

#include "sinew/data.h"

namespace sinew {

/// Elastic forces of flexes: stretch, bending and edge springs into qfrc_spring, their damping into qfrc_damper.
/// Reads: qvel, xpos, xmat, cdof, cvel, subtree_com, flexvert_xpos, flexedge_length, flexedge_velocity, flexedge_J,
/// body_awake, tree_awake, qfrc_spring, qfrc_damper.
/// Writes: qfrc_spring, qfrc_damper.
void flex_forces(const Model& m, Data& d);

/// Passive contacts: -k dist along the normal, into qfrc_spring. As in MuJoCo they attract where dist is positive,
/// inside of the margin.
/// Reads: M, cdof, subtree_com, flexvert_xpos, ncon, contact.dist, contact.pos, contact.frame, contact.geom,
/// contact.flex, contact.elem, contact.vert, contact.exclude, qfrc_spring. Writes: qfrc_spring.
void passive_contact_forces(const Model& m, Data& d);

/// Triangles or tetrahedra of the flex resist stretching, each by its own 21 numbers.
inline bool has_stretch(const Model& m, int flex) {
  return m.flex_dim[flex] > 1 && !m.flex_rigid[flex] && m.flex_interp[flex] == 0 && m.flex_stiffnessadr[flex] >= 0 &&
         m.flex_stiffness[m.flex_stiffnessadr[flex]] != 0;
}
/// Pairs of triangles resist bending.
inline bool has_bending(const Model& m, int flex) {
  return m.flex_dim[flex] == 2 && !m.flex_rigid[flex] && m.flex_interp[flex] == 0 && m.flex_bendingadr[flex] >= 0;
}
/// The cells of an interpolated flex are elastic. As in MuJoCo 3.12.0 the first number decides: it is zero if the first
/// cell is empty, and always zero for shells. With flexstrain the numbers are not a stiffness.
inline bool has_elastic_cells(const Model& m, int flex) {
  return m.flex_dim[flex] > 1 && !m.flex_rigid[flex] && m.flex_interp[flex] != 0 && m.flex_edgeequality[flex] != 3 &&
         m.flex_stiffnessadr[flex] >= 0 && m.flex_stiffness[m.flex_stiffnessadr[flex]] != 0;
}
/// Neighboring faces of a shell resist bending.
inline bool has_shell_bending(const Model& m, int flex) {
  return m.flex_dim[flex] > 1 && !m.flex_rigid[flex] && m.flex_interp[flex] < 0 && m.flex_bendingadr[flex] >= 0;
}

/// The two corners of each edge of an element: triangles, tetrahedra.
inline constexpr int kTriangleEdges[3][2] = {{1, 2}, {2, 0}, {0, 1}};
inline constexpr int kTetrahedronEdges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};

/// Numbers per element in flex_stiffness, and per edge in flex_bending; numbers per pair of faces of a shell.
inline constexpr int kStretchNumbers = 21, kBendNumbers = 17, kShellBendNumbers = 10;

/// First dof of a body with exactly three, the only ones on which bending acts; otherwise -1.
inline int three_dofs(const Model& m, int body) { return m.body_dofnum[body] == 3 ? m.body_dofadr[body] : -1; }

}  // namespace sinew
