#include "render/shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sinew::render {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kConeRadius = 1.75f;  // of an arrow's head, relative to its shaft

/// Where a line is inside a convex body; empty if begin > end.
struct Inside {
  float begin = -std::numeric_limits<float>::infinity(), end = std::numeric_limits<float>::infinity();
  int first = 0, last = 0;  // sides

  bool empty() const { return !(begin <= end); }
  static Inside none() { return {1, 0, 0, 0}; }
};

Inside both(const Inside& a, const Inside& b) {
  Inside c = a;
  if (b.begin > c.begin) c.begin = b.begin, c.first = b.first;
  if (b.end < c.end) c.end = b.end, c.last = b.last;
  return c;
}

Inside in_slab(float o, float d, float low, float high, int low_side, int high_side) {
  if (d == 0) return o >= low && o <= high ? Inside{} : Inside::none();
  const float inv = 1 / d;
  const float a = (low - o) * inv, b = (high - o) * inv;
  return inv > 0 ? Inside{a, b, low_side, high_side} : Inside{b, a, high_side, low_side};
}

// The point nearest to the center first: differences of large squares would lose digits.
Inside in_sphere(const Vec& o, const Vec& d, float radius) {
  const float dd = dot(d, d), middle = -dot(o, d) / dd;
  const Vec nearest = o + d * middle;
  const float h2 = (radius * radius - dot(nearest, nearest)) / dd;
  if (!(h2 >= 0)) return Inside::none();
  const float h = std::sqrt(h2);
  return {middle - h, middle + h, kRound, kRound};
}

Inside in_tube(const Vec& o, const Vec& d, float radius) {
  const float dd = d.x * d.x + d.y * d.y;
  if (dd == 0) return o.x * o.x + o.y * o.y <= radius * radius ? Inside{} : Inside::none();
  const float middle = -(o.x * d.x + o.y * d.y) / dd;
  const float x = o.x + d.x * middle, y = o.y + d.y * middle;
  const float h2 = (radius * radius - x * x - y * y) / dd;
  if (!(h2 >= 0)) return Inside::none();
  const float h = std::sqrt(h2);
  return {middle - h, middle + h, kRound, kRound};
}

Inside in_cylinder(const Vec& o, const Vec& d, float radius, float low, float high) {
  const Inside tube = in_tube(o, d, radius);
  if (tube.empty()) return tube;
  return both(tube, in_slab(o.z, d.z, low, high, kBottom, kTop));
}

// A line that is in the capsule is in the endless tube, and leaves it through the side or through the ball at that end.
Inside in_capsule(const Vec& o, const Vec& d, float radius, float half) {
  Inside in = in_tube(o, d, radius);
  if (in.empty()) return in;
  const auto through = [&](float t, float sign) {
    const float z = o.z + d.z * t;
    if (std::fabs(z) <= half) return t;
    const Inside ball = in_sphere({o.x, o.y, o.z - std::copysign(half, z)}, d, radius);
    return ball.empty() ? sign * std::numeric_limits<float>::infinity() : sign > 0 ? ball.begin : ball.end;
  };
  in.begin = through(in.begin, 1);
  in.end = through(in.end, -1);
  return in;
}

/// From a disk at z = base to an apex.
Inside in_cone(const Vec& o, const Vec& d, float radius, float base, float apex) {
  // x² + y² = (k (z - apex))²
  const float k = radius / (apex - base), z = o.z - apex;
  const float a = d.x * d.x + d.y * d.y - k * k * d.z * d.z, b = o.x * d.x + o.y * d.y - k * k * z * d.z,
              c = o.x * o.x + o.y * o.y - k * k * z * z;
  Inside in = Inside::none();
  const auto add = [&](float t, int side) {
    if (in.empty()) {
      in = {t, t, side, side};
    } else {
      if (t < in.begin) in.begin = t, in.first = side;
      if (t > in.end) in.end = t, in.last = side;
    }
  };
  const auto add_side = [&](float t) {
    const float at = o.z + d.z * t;
    if (at >= std::min(base, apex) && at <= std::max(base, apex)) add(t, kRound);
  };
  const float disc = b * b - a * c;
  if (disc >= 0) {
    const float q = -(b + std::copysign(std::sqrt(disc), b));
    if (a != 0) add_side(q / a);
    if (q != 0) add_side(c / q);
  }
  if (d.z != 0) {
    const float t = (base - o.z) / d.z, x = o.x + d.x * t, y = o.y + d.y * t;
    if (x * x + y * y <= radius * radius) add(t, apex > base ? kBottom : kTop);
  }
  return in;
}

/// Calls visit(Inside) for each convex piece of a part.
template <class Visit>
void for_each_piece(const Part& p, const Vec& o, const Vec& d, Visit&& visit) {
  const Vec& s = p.size;
  switch (p.type) {
    case static_cast<int>(GeomType::Sphere):
    case static_cast<int>(GeomType::Ellipsoid):
      return visit(in_sphere({o.x / s.x, o.y / s.y, o.z / s.z}, {d.x / s.x, d.y / s.y, d.z / s.z}, 1));
    case static_cast<int>(GeomType::Capsule): return visit(in_capsule(o, d, (s.x + s.y) / 2, s.z));
    case static_cast<int>(GeomType::Cylinder): {
      // elliptic, if it is so
      const float flat = s.x / s.y;
      return visit(in_cylinder({o.x, o.y * flat, o.z}, {d.x, d.y * flat, d.z}, s.x, -s.z, s.z));
    }
    case static_cast<int>(GeomType::Box):
      return visit(both(both(in_slab(o.x, d.x, -s.x, s.x, 1, 0), in_slab(o.y, d.y, -s.y, s.y, 3, 2)),
                        in_slab(o.z, d.z, -s.z, s.z, 5, 4)));
    case kSceneArrow:
    case kSceneArrow1:
    case kSceneArrow2: {
      const float head = p.type == kSceneArrow1 ? s.x : kConeRadius * s.x;
      visit(in_cylinder(o, d, s.x, p.type == kSceneArrow2 ? -s.z / 3 : 0, s.z / 3));
      visit(in_cone(o, d, head, s.z / 3, s.z / 2));
      if (p.type == kSceneArrow2) visit(in_cone(o, d, head, -s.z / 3, -s.z / 2));
      return;
    }
    default: return;
  }
}

/// The nearest approach of a ray to a segment from a along `along`, if it is within half the width of the line.
bool near_segment(const Ray& ray, const Vec& o, const Vec& d, const Vec& a, const Vec& along, float pixels, float& t) {
  const Vec w = a - o;
  const float dd = dot(d, d), ad = dot(along, d), aa = dot(along, along), wd = dot(w, d), wa = dot(w, along);
  const float denominator = dd * aa - ad * ad;
  const float s = denominator > 0 ? std::clamp((wd * ad - wa * dd) / denominator, 0.f, 1.f) : 0;
  t = (wd + s * ad) / dd;
  const Vec apart = w + along * s - d * t;
  const float radius = 0.5f * pixels * (ray.orthographic ? ray.pixel : ray.pixel * t);
  return dot(apart, apart) < radius * radius;
}

bool intersect_lines(const Part& p, const Ray& ray, const Vec& o, const Vec& d, Hit& hit) {
  bool found = false;
  const auto try_segment = [&](const Vec& a, const Vec& along) {
    float t;
    if (near_segment(ray, o, d, a, along, p.line, t) && t > ray.near && t < hit.t) hit.t = t, found = true;
  };
  if (p.type == kSceneLine) {
    try_segment({}, {0, 0, p.size.z});
    return found;
  }
  for (int axis = 0; axis < 3; ++axis)
    for (int k = 0; k < 4; ++k) {
      Vec a = -p.size, along;
      if (k & 1) a[(axis + 1) % 3] = p.size[(axis + 1) % 3];
      if (k & 2) a[(axis + 2) % 3] = p.size[(axis + 2) % 3];
      along[axis] = 2 * p.size[axis];
      try_segment(a, along);
    }
  return found;
}

bool intersect_triangle(const Part& p, const Ray& ray, const Wire* wire, Hit& hit) {
  const Vec e1 = p.mat.column(0) * p.size.x, e2 = p.mat.column(1) * p.size.y;
  const Vec n = cross(ray.direction, e2);
  const float det = dot(e1, n);
  if (det == 0) return false;
  const Vec w = ray.origin - p.pos, q = cross(w, e1);
  const float u = dot(w, n) / det, v = dot(ray.direction, q) / det, t = dot(e2, q) / det;
  if (!(u >= 0 && v >= 0 && u + v <= 1 && t > ray.near && t < hit.t)) return false;
  if (wire && pixels_to_side({p.pos, p.pos + e1, p.pos + e2}, ray, t) > wire->width / 2) return false;
  hit.t = t;
  hit.u = u;
  hit.v = v;
  return true;
}

/// Whether a point of a shape without a mesh is on the side of one of its facets.
bool on_wire(const Part& part, const Ray& ray, const Wire& wire, const Hit& hit);

RTCRay embree_ray(const Vec& o, const Vec& d, float near, float far) {
  RTCRay r;
  r.org_x = o.x, r.org_y = o.y, r.org_z = o.z, r.tnear = near;
  r.dir_x = d.x, r.dir_y = d.y, r.dir_z = d.z, r.time = 0;
  r.tfar = far;
  r.mask = ~0u, r.id = 0, r.flags = 0;
  return r;
}

}  // namespace

bool intersect(const Part& part, const Ray& ray, bool cull, const Wire* wire, Hit& hit) {
  if (part.type == kSceneTriangle) return intersect_triangle(part, ray, wire, hit);
  const Vec o = mul_transposed(part.mat, ray.origin - part.pos), d = mul_transposed(part.mat, ray.direction);
  if (part.mesh) {
    if (!part.mesh->tree) return false;
    MeshQuery query;
    init_context(query.context);
    query.cull = cull && part.closed;
    Ray local;
    if (wire) {
      local = ray;
      local.origin = o;
      local.direction = d;
      local.dx = mul_transposed(part.mat, ray.dx);
      local.dy = mul_transposed(part.mat, ray.dy);
      query.wire = &local;
      query.width = wire->width;
    }
    RTCRayHit found;
    found.ray = embree_ray(o, d, ray.near, hit.t);
    found.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    if (!usable(found.ray)) return false;
    intersect(part.mesh->tree.get(), query.context, found);
    if (found.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    hit.t = found.ray.tfar;
    hit.triangle = found.hit.primID;
    hit.u = found.hit.u;
    hit.v = found.hit.v;
    return true;
  }
  if (part.line > 0) return intersect_lines(part, ray, o, d, hit);
  if (part.type == static_cast<int>(GeomType::Plane)) {
    if (d.z == 0 || (cull && part.opaque && d.z > 0)) return false;
    const float t = -o.z / d.z;
    if (!(t > ray.near && t < hit.t)) return false;
    if (!(std::fabs(o.x + d.x * t) <= part.size.x && std::fabs(o.y + d.y * t) <= part.size.y)) return false;
    Hit on_plane = hit;
    on_plane.t = t;
    if (wire && !on_wire(part, ray, *wire, on_plane)) return false;
    hit = on_plane;
    return true;
  }
  bool found = false;
  for_each_piece(part, o, d, [&](const Inside& in) {
    if (in.empty()) return;
    const auto take = [&](float t, int side) {
      if (!(t > ray.near && t < hit.t)) return;
      Hit next = hit;
      next.t = t;
      next.side = side;
      if (wire && !on_wire(part, ray, *wire, next)) return;
      hit = next;
      found = true;
    };
    take(in.begin, in.first);
    if (!cull && in.begin <= ray.near) take(in.end, in.last);
  });
  return found;
}

bool blocks(const Part& part, const Ray& ray) {
  if (part.mesh) {
    if (!part.mesh->tree) return false;
    const Vec o = mul_transposed(part.mat, ray.origin - part.pos), d = mul_transposed(part.mat, ray.direction);
    MeshQuery query;
    init_context(query.context);
    RTCRay r = embree_ray(o, d, ray.near, ray.far);
    if (!usable(r)) return false;
    occluded(part.mesh->tree.get(), query.context, r);
    return r.tfar < 0;
  }
  Hit hit;
  hit.t = ray.far;
  return intersect(part, ray, false, nullptr, hit);
}

Normals normals_at(const Part& part, const Hit& hit, const Vec& point) {
  const auto unit = [](Vec v) {
    normalize(v);
    return v;
  };
  const auto same = [&](const Vec& local) {
    const Vec n = unit(part.mat * local);
    return Normals{n, n};
  };
  const auto axis = [&](int i, bool negative) {
    const Vec n = negative ? -part.mat.column(i) : part.mat.column(i);
    return Normals{n, n};
  };
  if (part.type == kSceneTriangle) {
    const Vec n = unit(cross(part.mat.column(0), part.mat.column(1)));
    return {n, n};
  }
  if (part.mesh) {
    const Vec flat = unit(part.mat * part.mesh->face_normal(hit.triangle));
    if (part.mesh->normal.empty()) return {flat, flat};
    const float* n = &part.mesh->normal[9 * std::size_t{hit.triangle}];
    const Vec mixed = Vec::load(n) * (1 - hit.u - hit.v) + Vec::load(n + 3) * hit.u + Vec::load(n + 6) * hit.v;
    return {flat, unit(part.mat * mixed)};
  }
  const Vec p = mul_transposed(part.mat, point - part.pos);
  const Vec& s = part.size;
  switch (part.type) {
    case static_cast<int>(GeomType::Sphere):
    case static_cast<int>(GeomType::Ellipsoid): return same({p.x / (s.x * s.x), p.y / (s.y * s.y), p.z / (s.z * s.z)});
    case static_cast<int>(GeomType::Capsule): return same({p.x, p.y, p.z - std::clamp(p.z, -s.z, s.z)});
    case static_cast<int>(GeomType::Cylinder): {
      if (hit.side != kRound) return axis(2, hit.side != kTop);
      const float flat = s.x / s.y;
      return same({p.x, p.y * flat * flat, 0});
    }
    case static_cast<int>(GeomType::Box): return axis(hit.side / 2, hit.side % 2);
    case kSceneArrow:
    case kSceneArrow1:
    case kSceneArrow2: {
      if (hit.side != kRound) return axis(2, hit.side != kTop);
      const float z = std::fabs(p.z);
      if (z <= s.z / 3) return same({p.x, p.y, 0});
      const float k = (part.type == kSceneArrow1 ? 1 : kConeRadius) * s.x / (s.z / 6);
      return same({p.x, p.y, std::copysign(k * std::hypot(p.x, p.y), p.z)});
    }
    default: return axis(2, false);
  }
}

void set_bounds(Part& part, float width) {
  Vec low = -part.size, high = part.size;
  if (part.mesh) {
    low = part.mesh->low;
    high = part.mesh->high;
  }
  const float s = part.size.x;
  switch (part.type) {
    case static_cast<int>(GeomType::Plane): low.z = high.z = 0; break;
    case static_cast<int>(GeomType::Capsule): {
      const float radius = (part.size.x + part.size.y) / 2;
      high = {radius, radius, part.size.z + radius};
      low = -high;
      break;
    }
    case kSceneArrow:
    case kSceneArrow1:
    case kSceneArrow2:
      high = {kConeRadius * s, kConeRadius * s, part.size.z / 2};
      low = {-high.x, -high.y, part.type == kSceneArrow2 ? -high.z : 0};
      break;
    case kSceneLine: low = {}, high = {0, 0, part.size.z}; break;
    case kSceneTriangle: low = {}, high = {part.size.x, part.size.y, 0}; break;
    default: break;
  }
  const Vec center = (low + high) * 0.5f, half = (high - low) * 0.5f;
  const Vec middle = part.pos + part.mat * center;
  for (int i = 0; i < 3; ++i) {
    const float reach =
        std::fabs(part.mat(i, 0)) * half.x + std::fabs(part.mat(i, 1)) * half.y + std::fabs(part.mat(i, 2)) * half.z;
    // room for rounding
    const float slack = width + 1e-5f * (reach + std::fabs(middle[i])) + 1e-6f;
    part.low[i] = middle[i] - reach - slack;
    part.high[i] = middle[i] + reach + slack;
  }
}

// Textures: a mapping from points of the surface to coordinates, and its change from pixel to pixel.

namespace {

struct Uv {
  float u = 0, v = 0;
};

/// Coordinates of shapes that have their own: spheres, boxes, cylinders and so on.
Uv own_coordinates(const Part& part, const Hit& hit, const Vec& p) {
  const Vec& s = part.size;
  const auto azimuth = [](float x, float y) {
    const float a = std::atan2(y, x) / (2 * kPi);
    return a < 0 ? a + 1 : a;
  };
  const auto map01 = [](float x) { return 0.5f + 0.5f * x; };
  switch (part.type) {
    case static_cast<int>(GeomType::Plane):
      return {part.infinite[0] ? p.x / 2 : (p.x + s.x) / (2 * s.x),
              part.infinite[1] ? -p.y / 2 : 1 - (p.y + s.y) / (2 * s.y)};
    case static_cast<int>(GeomType::Sphere):
    case static_cast<int>(GeomType::Ellipsoid): {
      const Vec q = {p.x / s.x, p.y / s.y, p.z / s.z};
      return {azimuth(q.x, q.y), 0.5f - std::asin(std::clamp(q.z, -1.f, 1.f)) / kPi};
    }
    case static_cast<int>(GeomType::Capsule): {
      if (std::fabs(p.z) <= s.z) return {azimuth(p.x, p.y), (1 - p.z / s.z) / 2};
      const float radius = (s.x + s.y) / 2;
      const float elevation = std::asin(std::clamp((p.z - std::copysign(s.z, p.z)) / radius, -1.f, 1.f));
      return {azimuth(p.x, p.y), p.z > 0 ? 1 - 2 * elevation / kPi : -2 * elevation / kPi};
    }
    case static_cast<int>(GeomType::Cylinder):
      if (hit.side != kRound) return {map01(p.x / s.x), map01(p.y / s.y)};
      return {azimuth(p.x / s.x, p.y / s.y), (1 - p.z / s.z) / 2};
    case static_cast<int>(GeomType::Box):
      switch (hit.side / 2) {
        case 0: return {map01(p.y / s.y), 1 - map01(p.z / s.z)};
        case 1: return {map01(p.x / s.x), 1 - map01(p.z / s.z)};
        default: return {map01(p.x / s.x), 1 - map01(p.y / s.y)};
      }
    default: return {azimuth(p.x, p.y), s.x > 0 ? std::hypot(p.x, p.y) / s.x : 0};
  }
}

/// Barycentric coordinates of a point near the triangle that was hit.
Uv barycentric(const std::array<Vec, 3>& corner, const Vec& p) {
  const Vec e1 = corner[1] - corner[0], e2 = corner[2] - corner[0];
  const Vec n = cross(e1, e2), w = p - corner[0];
  const float nn = dot(n, n);
  if (nn == 0) return {};
  return {dot(cross(w, e2), n) / nn, dot(cross(e1, w), n) / nn};
}

/// A point in the frame of the part, and those that the neighboring pixels show of the plane through it.
struct Footprint {
  Vec p, px, py;
  Footprint(const Part& part, const Ray& ray, float t, const Vec& point, const Vec& normal)
      : p(mul_transposed(part.mat, point - part.pos)),
        px(p + mul_transposed(part.mat, ray.footprint(t, ray.dx, normal))),
        py(p + mul_transposed(part.mat, ray.footprint(t, ray.dy, normal))) {}
};

bool on_wire(const Part& part, const Ray& ray, const Wire& wire, const Hit& hit) {
  const Vec point = ray.at(hit.t), &s = part.size;
  const Footprint at(part, ray, hit.t, point, normals_at(part, hit, point).surface);
  const bool plane = part.type == static_cast<int>(GeomType::Plane);
  const bool flat = plane || part.type == static_cast<int>(GeomType::Box);
  const auto map = [&](const Vec& q) -> Uv {
    if (plane) return {wire.quads * (0.5f + 0.5f * q.x / s.x), wire.quads * (0.5f + 0.5f * q.y / s.y)};
    if (!flat && hit.side != kRound)
      return {wire.slices * std::atan2(q.y, q.x) / (2 * kPi), std::hypot(q.x, q.y) / s.x};
    const Uv own = own_coordinates(part, hit, q);
    return {own.u * (flat ? wire.quads : wire.slices), own.v * (flat ? wire.quads : wire.stacks)};
  };
  const Uv c = map(at.p), x = map(at.px), y = map(at.py);
  const auto near_line = [&](float value, float dx, float dy) {
    return std::fabs(value - std::round(value)) <= wire.width / 2 * std::sqrt(dx * dx + dy * dy);
  };
  const auto change = [&](float d) { return flat ? d : d - wire.slices * std::round(d / wire.slices); };  // at the seam
  return near_line(c.u, change(x.u - c.u), change(y.u - c.u)) || near_line(c.v, x.v - c.v, y.v - c.v);
}

}  // namespace

float pixels_to_side(const std::array<Vec, 3>& corner, const Ray& ray, float t) {
  Vec normal = cross(corner[1] - corner[0], corner[2] - corner[0]);
  normalize(normal);
  const Vec p = ray.at(t);
  const Uv c = barycentric(corner, p), x = barycentric(corner, p + ray.footprint(t, ray.dx, normal)),
           y = barycentric(corner, p + ray.footprint(t, ray.dy, normal));
  const auto pixels = [](float value, float dx, float dy) {
    const float slope = std::sqrt(dx * dx + dy * dy);
    return slope > 0 ? std::fabs(value) / slope : 0;
  };
  const float u = pixels(c.u, x.u - c.u, y.u - c.u), v = pixels(c.v, x.v - c.v, y.v - c.v);
  return std::min({u, v, pixels(1 - c.u - c.v, x.u - c.u + x.v - c.v, y.u - c.u + y.v - c.v)});
}

Rgba texel(const Part& part, const Ray& ray, const Hit& hit, const Vec& point, const Vec& normal) {
  const SceneGeom& g = *part.geom;
  const auto [p, px, py] = Footprint(part, ray, hit.t, point, normal);
  const Vec& s = part.size;
  const bool explicit_mesh = part.mesh && g.texcoord && !part.mesh->texcoord.empty();

  if (part.texture->is_cube() && !explicit_mesh) {
    const auto direction = [&](Vec q) {
      if (part.mesh) return g.texuniform ? Vec{q.x * g.size[0], q.y * g.size[1], q.z * g.size[2]} : q;
      if (part.type == static_cast<int>(GeomType::Capsule) && std::fabs(q.z) > s.z) {
        const float radius = (s.x + s.y) / 2;
        q = {q.x / radius, q.y / radius, (q.z - std::copysign(s.z, q.z)) / radius};
      } else {
        q = {q.x / s.x, q.y / s.y, q.z / s.z};
      }
      if (g.texuniform) q = {q.x * s.x, q.y * s.y, q.z * s.z};
      return q;
    };
    const Vec at = direction(p);
    return part.texture->at(at, direction(px) - at, direction(py) - at);
  }

  const float rep[2] = {g.texrepeat[0] > 0 ? g.texrepeat[0] : 1, g.texrepeat[1] > 0 ? g.texrepeat[1] : 1};
  const auto scale = [&](int k) {
    return rep[k] * (g.texuniform && g.size[static_cast<std::size_t>(k)] > 0 ? g.size[static_cast<std::size_t>(k)] : 1);
  };
  const auto map = [&](const Vec& q) -> Uv {
    if (explicit_mesh) {
      const Uv b = barycentric(part.mesh->corners(hit.triangle), q);
      const float* c = &part.mesh->texcoord[6 * std::size_t{hit.triangle}];
      const float a = 1 - b.u - b.v;
      return {(c[0] * a + c[2] * b.u + c[4] * b.v) * scale(0), (c[1] * a + c[3] * b.u + c[5] * b.v) * scale(1)};
    }
    if (part.mesh) {
      const auto k = [&](int i) {
        const float size = g.size[static_cast<std::size_t>(i)];
        return g.texuniform || !(size > 0) ? rep[i] : rep[i] / size;
      };
      return {0.5f * k(0) * q.x - 0.5f, -0.5f * k(1) * q.y - 0.5f};
    }
    if (part.type == kSceneTriangle) return {hit.u * scale(0), hit.v * scale(1)};
    const Uv own = own_coordinates(part, hit, q);
    return {own.u * scale(0) - (part.infinite[0] ? 0.5f : 0), own.v * scale(1) - (part.infinite[1] ? 0.5f : 0)};
  };
  const Uv c = map(p), x = map(px), y = map(py);
  // across the seam of a round shape the coordinate jumps by its repeat
  const auto change = [&](float d) {
    const float jump = scale(0);
    return part.mesh || part.type == static_cast<int>(GeomType::Plane) ? d : d - jump * std::round(d / jump);
  };
  return part.texture->at(c.u, c.v, change(x.u - c.u), x.v - c.v, change(y.u - c.u), y.v - c.v);
}

}  // namespace sinew::render
