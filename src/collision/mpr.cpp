#include "collision/mpr.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// A ray leads from an inner point v0 of the Minkowski difference to the origin. The portal is a triangle v1 v2 v3 of
// support points through which this ray passes; it is moved outwards until it lies on the surface. If the origin is
// then behind it, the objects overlap.

namespace sinew {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr int kMostRounds = 1000;  // rounding may make a portal cycle

bool is_zero(double x) { return std::abs(x) < kEps; }
bool is_zero(const Vec3d& v) { return is_zero(v.x) && is_zero(v.y) && is_zero(v.z); }
bool positive(double x) { return !is_zero(x) && x > 0; }
bool negative(double x) { return !is_zero(x) && x < 0; }

Vec3d unit(const Vec3d& v) { return v * (1 / norm(v)); }

double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The farthest vertex of a mesh along `dir`, in its frame: hill climbing from the last result.
Vec3d farthest_vertex(Convex& o, const Vec3d& dir) {
  const HullView& hull = o.hull;
  if (!hull.graph || hull.nvert < kClimbFrom) {
    o.vertex = hull.scan(dir, -1);
  } else {
    o.hull_index = hull.climb_from(dir, std::max(o.hull_index, 0));
    o.vertex = hull.global_id(o.hull_index);
  }
  return hull.vertex(o.vertex);
}

/// The farthest point in direction `dir`. The same as Convex::support() except for rounding and ties: if a portal lies
/// on flat faces, its direction has several equally far points, and the last digit determines the path of the search.
/// So this follows the reference's older support functions: all in the local frame, including the margin, and the
/// middle of an edge or face if a component of the direction is zero.
Vec3d portal_support(Convex& o, const Vec3d& dir) {
  if (o.kind == ConvexKind::Prism || o.kind == ConvexKind::Element) return o.support(dir);
  const Vec3d l = mul_transposed(o.mat, dir), &size = o.size;
  Vec3d x;
  switch (o.kind) {
    case ConvexKind::Sphere: x = l * size.x; break;
    case ConvexKind::Capsule: x = Vec3d{l.x * size.x, l.y * size.x, l.z * size.x + sign(l.z) * size.y}; break;
    case ConvexKind::Ellipsoid:
      x = {l.x * size.x, l.y * size.y, l.z * size.z};
      normalize(x);
      x = {x.x * size.x, x.y * size.y, x.z * size.z};
      break;
    case ConvexKind::Cylinder: {
      const double n = std::sqrt(l.x * l.x + l.y * l.y);
      if (n > kMinVal) x = {l.x / n * size.x, l.y / n * size.x, 0};
      x.z = sign(l.z) * size.y;
      break;
    }
    case ConvexKind::Box: x = {sign(l.x) * size.x, sign(l.y) * size.y, sign(l.z) * size.z}; break;
    default: x = farthest_vertex(o, l); break;
  }
  if (o.margin > 0) x += l * (0.5 * o.margin);
  return o.mat * x + o.pos;
}

enum class Start { Apart, Touch, Segment, Portal };

class Portal {
 public:
  Portal(Convex& o1, Convex& o2, double tolerance, int iterations)
      : o1_(o1), o2_(o2), tolerance_(tolerance), iterations_(iterations) {}

  Penetration run() {
    Penetration out;
    switch (discover()) {
      case Start::Apart: return out;
      case Start::Touch: return touching();
      case Start::Segment: return on_segment();
      case Start::Portal: break;
    }
    if (!refine()) return out;
    return penetration();
  }

 private:
  void support(const Vec3d& dir, MinkowskiVertex& v) {
    v.p1 = portal_support(o1_, dir);
    v.p2 = portal_support(o2_, -dir);
    v.w = v.p1 - v.p2;
  }
  Vec3d portal_dir() const { return unit(cross(v_[2].w - v_[1].w, v_[3].w - v_[1].w)); }
  Vec3d side_dir() const { return unit(cross(v_[1].w - v_[0].w, v_[2].w - v_[0].w)); }

  /// A first portal around the ray from v0 to the origin.
  Start discover() {
    v_[0].p1 = o1_.center();
    v_[0].p2 = o2_.center();
    v_[0].w = v_[0].p1 - v_[0].p2;
    if (is_zero(v_[0].w)) v_[0].w.x += 10 * kEps;  // concentric: any ray works

    Vec3d dir = unit(-v_[0].w);
    support(dir, v_[1]);
    if (!positive(dot(v_[1].w, dir))) return Start::Apart;
    dir = cross(v_[0].w, v_[1].w);
    if (is_zero(dot(dir, dir))) return is_zero(v_[1].w) ? Start::Touch : Start::Segment;
    dir = unit(dir);
    support(dir, v_[2]);
    if (!positive(dot(v_[2].w, dir))) return Start::Apart;

    dir = side_dir();
    if (dot(dir, v_[0].w) > 0) {  // the portal faces away from v0
      std::swap(v_[1], v_[2]);
      dir = -dir;
    }
    for (int round = 0; round < kMostRounds; ++round) {
      support(dir, v_[3]);
      if (!positive(dot(v_[3].w, dir))) return Start::Apart;
      if (negative(dot(cross(v_[1].w, v_[3].w), v_[0].w))) {
        v_[2] = v_[3];
      } else if (negative(dot(cross(v_[3].w, v_[2].w), v_[0].w))) {
        v_[1] = v_[3];
      } else {
        return Start::Portal;
      }
      dir = side_dir();
    }
    return Start::Apart;
  }

  /// Moves the portal outwards until the origin is behind it; false: it never is.
  bool refine() {
    for (int round = 0; round < kMostRounds; ++round) {
      const Vec3d dir = portal_dir();
      if (!negative(dot(dir, v_[1].w))) return true;
      MinkowskiVertex v4;
      support(dir, v4);
      if (negative(dot(v4.w, dir)) || on_surface(v4, dir)) return false;
      expand(v4);
    }
    return false;
  }

  /// The new support point is hardly beyond the portal.
  bool on_surface(const MinkowskiVertex& v4, const Vec3d& dir) const {
    const double reach = dot(v4.w, dir);
    const double gap = std::min({reach - dot(v_[1].w, dir), reach - dot(v_[2].w, dir), reach - dot(v_[3].w, dir)});
    return gap < tolerance_ || std::abs(gap - tolerance_) < kEps * std::max(1.0, std::abs(gap));
  }

  /// Of the three portals that v4 forms with the old one's edges, selects the one the ray passes through.
  void expand(const MinkowskiVertex& v4) {
    const Vec3d across = cross(v4.w, v_[0].w);
    if (dot(v_[1].w, across) > 0) {
      v_[dot(v_[2].w, across) > 0 ? 1 : 3] = v4;
    } else {
      v_[dot(v_[3].w, across) > 0 ? 2 : 1] = v4;
    }
  }

  Penetration penetration() {
    for (int round = 0;; ++round) {
      const Vec3d dir = portal_dir();
      MinkowskiVertex v4;
      support(dir, v4);
      if (!on_surface(v4, dir) && round <= iterations_) {
        expand(v4);
        continue;
      }
      const Vec3d nearest = nearest_of_portal();
      Penetration out;
      out.found = true;
      out.depth = norm(nearest);
      out.dir = is_zero(out.depth) ? dir : unit(nearest);
      out.pos = middle(dir);
      return out;
    }
  }

  /// The point of the portal closest to the origin.
  Vec3d nearest_of_portal() const {
    const Vec3d &a = v_[1].w, &b = v_[2].w, &c = v_[3].w;
    // a + s (b - a) + t (c - a) with the smallest norm, inside the triangle or else on an edge
    const Vec3d d1 = b - a, d2 = c - a;
    const double v = dot(d1, d1), w = dot(d2, d2), p = dot(a, d1), q = dot(a, d2), r = dot(d1, d2);
    // a sliver by the absolute criterion of the reference has no interior: the depth is that of an edge
    const double area2 = w * v - r * r;
    const double s = is_zero(area2) ? -1 : (q * r - w * p) / area2, t = is_zero(area2) ? -1 : (-s * r - q) / w;
    const auto within = [](double x) { return (is_zero(x) || x > 0) && (std::abs(x - 1) < kEps || x < 1); };
    if (within(s) && within(t) && (std::abs(t + s - 1) < kEps || t + s < 1)) return a + d1 * s + d2 * t;
    Vec3d best = nearest_of_segment(a, b);
    for (const Vec3d& x : {nearest_of_segment(a, c), nearest_of_segment(b, c)})
      if (dot(x, x) < dot(best, best)) best = x;
    return best;
  }
  static Vec3d nearest_of_segment(const Vec3d& a, const Vec3d& b) {
    const Vec3d d = b - a;
    const double t = -dot(a, d) / dot(d, d);
    return t <= 0 || is_zero(t) ? a : t > 1 || std::abs(t - 1) < kEps ? b : a + d * t;
  }

  /// Contact position: weights of the tetrahedron v0 .. v3 at the origin, applied to both objects' points.
  Vec3d middle(const Vec3d& dir) const {
    const Vec3d &a = v_[0].w, &b = v_[1].w, &c = v_[2].w, &e = v_[3].w;
    double weight[4] = {dot(cross(b, c), e), dot(cross(e, c), a), dot(cross(a, b), e), dot(cross(c, b), a)};
    double sum = weight[0] + weight[1] + weight[2] + weight[3];
    if (!positive(sum)) {
      weight[0] = 0;
      weight[1] = dot(cross(c, e), dir);
      weight[2] = dot(cross(e, b), dir);
      weight[3] = dot(cross(b, c), dir);
      sum = weight[1] + weight[2] + weight[3];
    }
    Vec3d p1, p2;
    for (int i = 0; i < 4; ++i) {
      p1 += v_[i].p1 * weight[i];
      p2 += v_[i].p2 * weight[i];
    }
    return (p1 * (1 / sum) + p2 * (1 / sum)) * 0.5;
  }

  Penetration touching() const { return {true, 0, {}, (v_[1].p1 + v_[1].p2) * 0.5}; }
  Penetration on_segment() const { return {true, norm(v_[1].w), unit(v_[1].w), (v_[1].p1 + v_[1].p2) * 0.5}; }

  Convex &o1_, &o2_;
  double tolerance_;
  int iterations_;
  MinkowskiVertex v_[4];
};

}  // namespace

Penetration portal_penetration(Convex& o1, Convex& o2, double tolerance, int iterations) {
  return Portal(o1, o2, tolerance, iterations).run();
}

}  // namespace sinew
