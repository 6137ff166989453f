#pragma once

#include <array>
#include <cstdint>

#include "math/mat3.h"
#include "render/assets.h"
#include "sinew/scene.h"

namespace sinew::render {

using Mat = Mat3<float>;

/// Points origin + t direction. From a camera the direction advances 1 m along the axis of view, so t is the depth.
struct Ray {
  Vec origin, direction;
  Vec dx, dy;  // to the rays of the neighboring pixels: of the direction or, orthographic, the origin
  bool orthographic = false;
  float near = 0, far = 0;  // range of t
  Vec eye;                  // where highlights are seen from
  float pixel = 0;          // height of a pixel at t = 1; orthographic: at any t

  Vec at(float t) const { return origin + direction * t; }
  /// From the point at t to those of the neighboring pixels on the plane through it with this normal.
  Vec footprint(float t, const Vec& step, const Vec& normal) const {
    const Vec apart = orthographic ? step : step * t;
    const float slope = dot(normal, direction);
    return slope == 0 ? apart : apart - direction * (dot(normal, apart) / slope);
  }
};

/// Sides of shapes that have edges; the rest have side 0.
enum Side : int {
  kRound = 0,
  kTop = 1,
  kBottom = 2
};  // cylinders, capsules, arrows; boxes: 2 axis + (negative ? 1 : 0)

/// Where a ray meets a shape.
struct Hit {
  int part = -1;  // of the frame, -1: none
  int side = 0;
  std::uint32_t triangle = 0;
  float u = 0, v = 0;  // barycentric
  float t = 0;
};

/// A geom of the scene, ready for rays.
struct Part {
  const SceneGeom* geom = nullptr;
  int type = kSceneNone;
  Vec pos, size;   // half sizes; infinite planes: finite ones
  Mat mat;         // columns: axes of the geom
  Vec low, high;   // bounds in the world
  float line = 0;  // pixels, width of lines
  const Mesh* mesh = nullptr;
  const Texture* texture = nullptr;
  bool infinite[2] = {false, false};
  bool closed = true;  // has no visible inside: faces seen from behind are left out
  bool opaque = true;
  bool caster = true;  // of shadows
  bool lit = true;
  bool convex = true;
  float alpha = 1;
  float reflectance = 0;
};

/// How wireframes are drawn: numbers of facets of round and flat shapes, and the width of lines in pixels.
struct Wire {
  float slices = 0, stacks = 0, quads = 0;
  float width = 1;
};

/// Finds the nearest point of the part within the ray's range, nearer than `hit.t`. `cull`: not faces seen from behind.
/// `wire`: only edges of facets, if not null.
bool intersect(const Part& part, const Ray& ray, bool cull, const Wire* wire, Hit& hit);
/// How far, in pixels, the point at t is from the nearest side of a triangle that it is in.
float pixels_to_side(const std::array<Vec, 3>& corner, const Ray& ray, float t);
/// Whether the part blocks the ray anywhere in its range.
bool blocks(const Part& part, const Ray& ray);

/// Normals at a hit, unit length, in the world: of the surface, and the one that shading uses.
struct Normals {
  Vec surface, shading;
};
Normals normals_at(const Part& part, const Hit& hit, const Vec& point);

/// Color of the part's texture there.
Rgba texel(const Part& part, const Ray& ray, const Hit& hit, const Vec& point, const Vec& normal);

/// Sets the bounds of a part from its type, size and pose. `width`: of lines, in m.
void set_bounds(Part& part, float width);

}  // namespace sinew::render
