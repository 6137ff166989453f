#pragma once

#include "dynamics/contact_bodies.h"
#include "dynamics/jacobian.h"

// Passive contacts of flexes: springs along the normal, as part of the implicit elasticity, instead of constraint rows.

namespace sinew {

/// Contact::exclude of a passive contact.
inline constexpr int kPassiveContact = 4;

/// Whether a contact is passive: a flex with passive contacts, some part of which may move, touches another flex, or a
/// geom that cannot move.
inline bool is_passive(const Model& m, const Data& d, const Contact& c) {
  bool passive = false, moves = false;
  for (int side = 0; side < 2; ++side) {
    if (c.geom[side] >= 0 && m.body_weldid[m.geom_bodyid[c.geom[side]]] != 0) return false;
    passive |= c.geom[side] < 0 && m.flex_passive[c.flex[side]] != 0;
  }
  for (int side = 0; side < 2 && passive && !moves; ++side)
    for_each_contact_body(m, d, c, side, [&](int body, double) { moves |= m.body_weldid[body] != 0; });
  return passive && moves;
}

/// Stiffness of a passive contact: 5e7 times the smallest inertia of the vertices' bodies with three dofs that it may
/// move. As in MuJoCo 3.12.0 none where the vertices are interpolated.
inline double passive_stiffness(const Model& m, const Data& d, const Contact& c) {
  constexpr double kPerInertia = 5e7;
  double least = 0;
  const auto use = [&](int body) {
    if (body < 0 || m.body_dofnum[body] != 3) return;
    for (int dof = m.body_dofadr[body]; dof < m.body_dofadr[body] + 3; ++dof) {
      const double inertia = d.M[m.M_rowadr[dof] + m.M_rownnz[dof] - 1];
      if (inertia > 0 && (least == 0 || inertia < least)) least = inertia;
    }
  };
  for (int side = 0; side < 2; ++side) {
    if (c.geom[side] >= 0) continue;
    const FlexSide f(c, side);
    if (f.vert >= 0) {
      use(m.flex_vertbodyid[m.flex_vertadr[f.flex] + f.vert]);
    } else {
      for (int k = 0; k <= m.flex_dim[f.flex]; ++k) use(m.flex_vertbodyid[m.flex_vertadr[f.flex] + f.corners(m)[k]]);
    }
  }
  return kPerInertia * least;
}

/// visit(dof, d dist / d position) for the dofs by which one side moves the normal distance of a contact; a dof may
/// occur several times.
template <class Visit>
void for_each_normal_entry_of_side(const Model& m, const Data& d, const Contact& c, int side, Visit&& visit) {
  const Vec3<double> normal = Vec3<double>::load(c.frame.data()), pos = Vec3<double>::load(c.pos.data());
  for_each_contact_body(m, d, c, side, [&](int body, double weight) {
    const Vec3<double> offset = from_reference(m, d, pos, body), along = normal * (side == 0 ? -weight : weight);
    for (int dof = last_dof(m, body); dof >= 0; dof = m.dof_parentid[dof])
      visit(dof, dot(along, jacp_column(d, dof, offset)));
  });
}

template <class Visit>
void for_each_normal_entry(const Model& m, const Data& d, const Contact& c, Visit&& visit) {
  for (int side = 0; side < 2; ++side) for_each_normal_entry_of_side(m, d, c, side, visit);
}

}  // namespace sinew
