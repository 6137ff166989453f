#pragma once

#include "collision/convex.h"
#include "collision/shape.h"

// Elements of flexes as seen by the pair functions: segments, triangles and tetrahedra with a radius.

namespace sinew {

struct FlexElement {
  int dim = 0;        // dim + 1 corners
  double radius = 0;  // m
  Vec3d corner[4];    // m, world frame
  Vec3d center;       // of the element's box
};

/// Element `elem` of a flex, counted from its first.
inline FlexElement flex_element(const Model& m, const Data& d, int flex, int elem) {
  FlexElement e;
  e.dim = m.flex_dim[flex];
  e.radius = m.flex_radius[flex];
  const int* vert = m.flex_elem.data() + m.flex_elemdataadr[flex] + (e.dim + 1) * elem;
  for (int k = 0; k <= e.dim; ++k)
    e.corner[k] = Vec3d::load(&d.flexvert_xpos[3 * static_cast<std::size_t>(m.flex_vertadr[flex] + vert[k])]);
  e.center = Vec3d::load(&d.flexelem_aabb[6 * static_cast<std::size_t>(m.flex_elemadr[flex] + elem)]);
  return e;
}

/// The convex object of an element, inflated by its radius and margin / 2. It refers to the element's corners.
inline Convex convex_of(const FlexElement& e, double margin) {
  Convex o;
  o.kind = ConvexKind::Element;
  o.pos = e.center;
  o.size.x = e.radius;
  o.margin = margin;
  o.prism = e.corner;
  o.corners = e.dim + 1;
  return o;
}

/// Maximum number of contacts of a geom and an element: a height field's.
inline constexpr int kMaxContactsElement = 50;

/// Contacts of a geom, neither a plane nor a distance field, with an element.
int collide_geom_element(const PairContext& context, const Shape& geom, const FlexElement& element, double margin,
                         ContactPoint* out);
/// Prisms of a height field.
int collide_hfield_element(const PairContext& context, const Shape& field, const FlexElement& element, double margin,
                           ContactPoint* out);
/// Two elements; at most two contacts.
int collide_elements(const PairContext& context, const FlexElement& a, const FlexElement& b, double margin,
                     ContactPoint* out);
/// A vertex of the radius of its flex against a segment or triangle; at most one contact.
int collide_vertex_element(const PairContext& context, const Vec3d& vertex, const FlexElement& element,
                           ContactPoint* out);
/// Corner i of a tetrahedron against the opposite face: one contact if it is nearer to the face than two radii.
int collide_corner_face(const FlexElement& element, int corner, ContactPoint* out);

/// An sdf geom against the triangles of a flex: at most kMaxContactsElement contacts, each with its element.
int collide_sdf_triangles(const PairContext& context, const Data& d, const Shape& field, int flex, int* elem,
                          ContactPoint* out);

}  // namespace sinew
