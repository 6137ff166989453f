#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "collision/shape.h"
#include "math/quat.h"

// Random primitives for tests of properties that hold for all of them.

namespace sinew {

class RandomShapes {
 public:
  explicit RandomShapes(unsigned seed) : random_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random_); }
  Vec3d vector() { return {normal_(random_), normal_(random_), normal_(random_)}; }
  Vec3d unit() {
    Vec3d v = vector();
    normalize(v);
    return v;
  }
  Mat3d rotation() {
    return to_matrix(normalized(Quat<double>{normal_(random_), normal_(random_), normal_(random_), normal_(random_)}));
  }

  /// A randomly rotated primitive at the origin, with sizes from 0.05 to 0.2 times `scale`.
  Shape shape(GeomType type, double scale = 1) {
    Shape s;
    s.type = type;
    s.mat = rotation();
    s.size = {scale * uniform(.05, .2), scale * uniform(.05, .2), scale * uniform(.05, .2)};
    set_rbound(s);
    return s;
  }
  static void set_rbound(Shape& s) {
    switch (s.type) {
      case GeomType::Plane: s.rbound = 0; break;
      case GeomType::Sphere: s.rbound = s.size.x; break;
      case GeomType::Capsule: s.rbound = s.size.x + s.size.y; break;
      case GeomType::Ellipsoid: s.rbound = std::max({s.size.x, s.size.y, s.size.z}); break;
      case GeomType::Cylinder: s.rbound = std::hypot(s.size.x, s.size.y); break;
      default: s.rbound = norm(s.size); break;
    }
  }

 private:
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
};

inline constexpr GeomType kPrimitives[] = {GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder,
                                           GeomType::Box};
inline constexpr const char* kTypeName[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                            "cylinder", "box",    "mesh",   "sdf"};
inline const char* name_of(GeomType type) { return kTypeName[static_cast<int>(type)]; }

/// check(a, b) for every pair of these types.
template <std::size_t n, class Check>
void for_all_pairs(const GeomType (&types)[n], Check&& check) {
  for (const GeomType a : types)
    for (const GeomType b : types)
      if (a <= b) {
        SCOPED_TRACE(std::string(name_of(a)) + " and " + name_of(b));
        check(a, b);
      }
}

}  // namespace sinew
