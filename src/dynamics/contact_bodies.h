#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/flex_grid.h"
#include "math/vec3.h"
#include "sinew/data.h"

// The bodies on the two sides of a contact. A geom moves with its body. A point of a flex moves with the mean of
// several bodies: those of the element's vertices, or of the nodes from which the vertices are interpolated.

namespace sinew {

/// One side of a contact that belongs to a flex.
struct FlexSide {
  int flex, elem, vert;  // elem or vert is -1
  int other_vert;        // vertex of the same flex on the other side, -1: none

  FlexSide(const Contact& c, int side)
      : flex(c.flex[side]),
        elem(c.elem[side]),
        vert(c.vert[side]),
        other_vert(c.flex[1 - side] == c.flex[side] ? c.vert[1 - side] : -1) {}

  /// Vertices of the element, counted from the flex's first.
  const int* corners(const Model& m) const {
    return m.flex_elem.data() + m.flex_elemdataadr[flex] + (m.flex_dim[flex] + 1) * elem;
  }
};

/// Weights of an element's corners at the point of a contact, by the inverse distance; they add up to one. A vertex on
/// the other side of the contact has none.
inline std::array<double, 4> corner_weights(const Model& m, const Data& d, const Contact& c, const FlexSide& side) {
  std::array<double, 4> weight = {};
  const Vec3<double> pos = Vec3<double>::load(c.pos.data());
  const int* corner = side.corners(m);
  double sum = 0;
  for (int k = 0; k <= m.flex_dim[side.flex]; ++k) {
    if (corner[k] == side.other_vert) continue;
    const Vec3<double> x = Vec3<double>::load(&d.flexvert_xpos[3 * (m.flex_vertadr[side.flex] + corner[k])]);
    weight[k] = 1 / std::max(kMinVal, norm(pos - x));
    sum += weight[k];
  }
  if (!(sum > 0)) {  // far away, or not a number: no corner is nearest
    sum = 0;
    for (int k = 0; k <= m.flex_dim[side.flex]; ++k) sum += weight[k] = corner[k] == side.other_vert ? 0 : 1;
  }
  for (double& w : weight) w /= sum;
  return weight;
}

/// visit(node, weight) for the nodes that move a point of an interpolated flex, given in the grid's box scaled to 0..1.
/// Weights below 1e-5, negative ones included, are dropped as in MuJoCo: with order 2 the rest does not add up to one.
template <class Visit>
void for_each_contact_node(const Model& m, int flex, const double* point, Visit&& visit) {
  constexpr double kLeast = 1e-5;
  const FlexGrid grid(m, flex);
  grid.for_each_support(point, [&](int node, double weight) {
    if (!(weight >= kLeast)) return;
    const int k = node % grid.nodes[2], j = node / grid.nodes[2] % grid.nodes[1];
    const int i = node / (grid.nodes[2] * grid.nodes[1]);
    if (grid.follows(i, j, k))
      grid.for_each_leader(i, j, k, [&](int leader, double share) { visit(grid.first + leader, weight * share); });
    else
      visit(grid.first + node, weight);
  });
}

/// visit(body, weight) for the bodies that move one side of a contact at contact.pos; a body may occur several times.
template <class Visit>
void for_each_contact_body(const Model& m, const Data& d, const Contact& c, int side, Visit&& visit) {
  if (c.geom[side] >= 0) return visit(m.geom_bodyid[c.geom[side]], 1.0);
  const FlexSide f(c, side);
  const int first = m.flex_vertadr[f.flex], dim = m.flex_dim[f.flex];
  const bool interpolated = m.flex_interp[f.flex] != 0;
  double point[3] = {};
  if (f.vert >= 0) {
    if (!interpolated) return visit(m.flex_vertbodyid[first + f.vert], 1.0);
    std::copy_n(&m.flex_vert0[3 * (first + f.vert)], 3, point);
  } else {
    const std::array<double, 4> weight = corner_weights(m, d, c, f);
    const int* corner = f.corners(m);
    for (int k = 0; k <= dim; ++k) {
      if (weight[k] == 0) continue;
      if (!interpolated) {
        visit(m.flex_vertbodyid[first + corner[k]], weight[k]);
        continue;
      }
      for (int a = 0; a < 3; ++a) point[a] += weight[k] * m.flex_vert0[3 * (first + corner[k]) + a];
    }
  }
  if (interpolated)
    for_each_contact_node(m, f.flex, point, [&](int node, double weight) { visit(m.flex_nodebodyid[node], weight); });
}

/// A single body moves this side: a geom's, or a vertex's that is not interpolated.
inline bool side_is_one_body(const Model& m, const Contact& c, int side) {
  return c.geom[side] >= 0 || (c.vert[side] >= 0 && m.flex_interp[c.flex[side]] == 0);
}

/// The body by which sensors and sleep know this side: a geom's, a vertex's, that of an element's first vertex, or of
/// an interpolated flex's first node.
inline int contact_body(const Model& m, const Contact& c, int side) {
  if (c.geom[side] >= 0) return m.geom_bodyid[c.geom[side]];
  const FlexSide f(c, side);
  if (m.flex_interp[f.flex] != 0) return m.flex_nodebodyid[m.flex_nodeadr[f.flex]];
  return m.flex_vertbodyid[m.flex_vertadr[f.flex] + (f.vert >= 0 ? f.vert : f.corners(m)[0])];
}

/// Whether a side names a geom of the model, or an element or a vertex of one of its flexes.
inline bool side_exists(const Model& m, const Contact& c, int side) {
  const auto within = [](int i, std::int64_t n) { return i >= 0 && i < n; };
  if (c.geom[side] >= 0) return within(c.geom[side], m.ngeom);
  const int flex = c.flex[side];
  if (!within(flex, m.nflex)) return false;
  if (c.vert[side] >= 0) return within(c.vert[side], m.flex_vertnum[flex]);
  return within(c.elem[side], m.flex_elemnum[flex]);
}

}  // namespace sinew
