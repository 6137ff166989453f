#include "collision/ccd.h"

#include <algorithm>

namespace sinew {
namespace {

/// Reduces a sphere or capsule to its core and returns its radius with its share of the margin; 0 for other shapes.
double take_core(Convex& o) {
  if (o.kind != ConvexKind::Sphere && o.kind != ConvexKind::Capsule) return 0;
  const double radius = o.size.x + 0.5 * o.margin;
  o.kind = o.kind == ConvexKind::Sphere ? ConvexKind::Point : ConvexKind::Segment;
  o.margin = 0;
  return radius;
}

void put_back(Convex& o, ConvexKind kind, double margin) {
  o.kind = kind;
  o.margin = margin;
}

bool is_round(const Convex& o) { return o.kind == ConvexKind::Sphere || o.kind == ConvexKind::Capsule; }

/// Round objects by their cores, for which GJK is exact unless they overlap. False: they do.
bool distance_of_cores(Convex& o1, Convex& o2, const CcdConfig& config, CcdResult& result) {
  const ConvexKind kind1 = o1.kind, kind2 = o2.kind;
  const double margin1 = o1.margin, margin2 = o2.margin;
  const double r1 = take_core(o1), r2 = take_core(o2);
  CcdConfig inner = config;
  inner.cutoff = config.cutoff + r1 + r2;
  GjkState state;
  state.x1 = o1.center();
  state.x2 = o2.center();
  gjk(o1, o2, inner, state);
  put_back(o1, kind1, margin1);
  put_back(o2, kind2, margin2);
  if (!(state.dist > config.tolerance)) return false;

  result.dist = kNoDistance;
  result.count = 0;
  if (state.dist == kNoDistance) return true;
  Vec3d normal = state.x2 - state.x1;
  normalize(normal);
  const double dist = state.dist - (r1 + r2);
  if (!(dist <= config.cutoff)) return true;
  result.dist = dist;
  result.count = 1;
  result.x1[0] = state.x1 + normal * r1;
  result.x2[0] = state.x2 - normal * r2;
  return true;
}

}  // namespace

Convex convex_of(const Model& m, const Shape& shape, double margin) {
  Convex o;
  switch (shape.type) {
    case GeomType::Sphere: o.kind = ConvexKind::Sphere; break;
    case GeomType::Capsule: o.kind = ConvexKind::Capsule; break;
    case GeomType::Ellipsoid: o.kind = ConvexKind::Ellipsoid; break;
    case GeomType::Cylinder: o.kind = ConvexKind::Cylinder; break;
    case GeomType::Box: o.kind = ConvexKind::Box; break;
    default:
      o.kind = ConvexKind::Mesh;
      o.hull = hull_of(m, shape.data);
      o.mesh = shape.data;
      break;
  }
  o.pos = shape.pos;
  o.mat = shape.mat;
  o.size = shape.size;
  o.margin = margin;
  return o;
}

CcdResult convex_distance(const Model& m, Convex& o1, Convex& o2, const CcdConfig& config, Arena& scratch) {
  CcdResult result;
  if ((is_round(o1) || is_round(o2)) && distance_of_cores(o1, o2, config, result)) return result;

  GjkState state;
  state.x1 = o1.center();
  state.x2 = o2.center();
  gjk(o1, o2, config, state);
  result.dist = state.dist;
  result.count = state.dist == kNoDistance ? 0 : 1;
  const bool touching = state.dist <= config.tolerance && state.count >= 2 && !state.separated;
  EpaFace face;
  const bool found = touching && epa(o1, o2, config, state, face, scratch);
  result.x1[0] = state.x1;
  result.x2[0] = state.x2;
  result.dist = state.dist;
  if (found && config.several) clip_features(m, {o1, o2, face}, result, scratch);
  return result;
}

}  // namespace sinew
