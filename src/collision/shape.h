#pragma once

#include "math/mat3.h"
#include "math/vec3.h"
#include "sinew/data.h"
#include "sinew/model.h"

namespace sinew {

class Arena;

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

/// A geom as seen by the pair functions: kind, sizes and world pose.
struct Shape {
  GeomType type = GeomType::Sphere;
  Vec3d pos;          // m, center
  Mat3d mat;          // columns: the geom's axes in world axes
  Vec3d size;         // m, as in geom_size
  double rbound = 0;  // m, bounding sphere about pos; 0: unbounded
  int data = -1;      // mesh or height field in the model
  int geom = -1;      // the geom itself; -1 for a shape that is not in the model
};

/// Geom `geom` at its pose in d.
inline Shape shape_of(const Model& m, const Data& d, int geom) {
  Shape s;
  s.type = static_cast<GeomType>(m.geom_type[geom]);
  s.pos = Vec3d::load(&d.geom_xpos[3 * geom]);
  s.mat = Mat3d::load(&d.geom_xmat[9 * geom]);
  s.size = Vec3d::load(&m.geom_size[3 * geom]);
  s.rbound = m.geom_rbound[geom];
  s.data = m.geom_dataid[geom];
  s.geom = geom;
  return s;
}

/// Two geoms in the order of a contact: the lower type first.
struct GeomPair {
  int first, second;
};

/// Geoms of the same type stay as given.
inline GeomPair ordered_by_type(const Model& m, int a, int b) {
  return m.geom_type[a] > m.geom_type[b] ? GeomPair{b, a} : GeomPair{a, b};
}

/// Result of a pair function: the midpoint between the surfaces, and the normal from the first to the second shape.
struct ContactPoint {
  double dist = 0;  // m, negative: penetration
  Vec3d pos;        // m, world frame
  Vec3d normal;
  Vec3d tangent;  // preferred first tangent, need not be orthogonal; zero: no preference
};

/// Inputs of pair functions other than the two shapes: mesh and height field arrays, options, scratch memory.
struct PairContext {
  const Model& model;
  Arena& scratch;
  double ccd_tolerance = 0;  // m; 0: the model's
  int ccd_iterations = 0;    // 0: the model's
};

/// Contacts of two shapes whose distance is at most `margin`, into `out`, which has space for the maximum in the pair's
/// row. The first shape's type is not above the second's. Returns their number; 0 if a pose is not finite.
using PairFunction = int (*)(const PairContext& context, const Shape& a, const Shape& b, double margin,
                             ContactPoint* out);

}  // namespace sinew
