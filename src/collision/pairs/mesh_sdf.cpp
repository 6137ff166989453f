#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "collision/halton.h"
#include "collision/pair_table.h"
#include "collision/pairs/field_frame.h"
#include "collision/pairs/flex_element.h"
#include "collision/pairs/pairs.h"
#include "geometry/signed_distance.h"

// A mesh, or the triangles of a flex, against a signed distance field: for every triangle that may overlap the field,
// the deepest point by Frank-Wolfe descent from a few starting points. All in the field's frame.

namespace sinew {
namespace {

struct Triangle {
  Vec3d v[3];
};

/// The ball through four points; false if they are coplanar.
bool circumscribed(const Triangle& t, const Vec3d& apex, Vec3d& center, double& radius) {
  const Vec3d a = t.v[1] - t.v[0], b = t.v[2] - t.v[0], c = apex - t.v[0];
  const double volume = 2 * dot(a, cross(b, c));
  if (std::abs(volume) < kMinVal) return false;
  const Vec3d to_center = (cross(b, c) * dot(a, a) + cross(c, a) * dot(b, b) + cross(a, b) * dot(c, c)) * (1 / volume);
  center = t.v[0] + to_center;
  radius = norm(to_center);
  return true;
}

/// Whether the triangle may overlap the field.
bool may_reach(const DistanceField& field, const Triangle& t) {
  constexpr double kFlat = 0.1;
  const Vec3d center = (t.v[0] + t.v[1] + t.v[2]) * (1.0 / 3.0);
  const double at_center = field.value(center), height = -at_center / 10;
  const Vec3d ab = t.v[1] - t.v[0], ac = t.v[2] - t.v[0], bc = t.v[2] - t.v[1];
  Vec3d normal = cross(ab, ac);
  const double area = std::max(0.5 * norm(normal), kMinVal);
  const double flat_radius = norm(ab) * norm(ac) * norm(bc) / (4 * area);
  if (std::abs(height) < kFlat) return at_center < flat_radius;
  normalize(normal);
  Vec3d middle;
  double radius;
  if (!circumscribed(t, center - normal * height, middle, radius)) return at_center < flat_radius;
  return field.value(middle) < radius;
}

/// Towards the triangle's deepest point: shrinking steps to the corner favored by the gradient.
Vec3d deepest_point(const DistanceField& field, const Triangle& t, Vec3d x, int steps) {
  for (int step = 0; step < steps; ++step) {
    const Vec3d g = field.gradient(x);
    int best = 0;
    for (int k = 1; k < 3; ++k)
      if (dot(g, t.v[k]) < dot(g, t.v[best])) best = k;
    x += (t.v[best] - x) * (2.0 / (step + 2));
  }
  return x;
}

/// Starting point s of a descent, spread over the triangle.
Vec3d start_in(const Triangle& t, int s) {
  double u = radical_inverse(s, 2), v = radical_inverse(s, 3);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  return t.v[0] * (1 - u - v) + t.v[1] * u + t.v[2] * v;
}

class MeshAgainstField {
 public:
  MeshAgainstField(const PairContext& context, const Shape& mesh, const Shape& field, Vec3d* found, ContactPoint* out)
      : m_(context.model),
        shape_(field),
        field_(field_of(context.model, field)),
        found_(found),
        out_(out),
        mesh_(mesh.data),
        local_(between(field, mesh)) {}

  int run() {
    constexpr int kDeepest = 128;
    const int root = m_.mesh_bvhadr[mesh_];
    if (m_.mesh_bvhnum[mesh_] == 0) return 0;
    int stack[kDeepest], depth = 0;
    stack[depth++] = 0;
    while (depth > 0 && candidates_ < kMaxContactsHfield) {
      const int node = root + stack[--depth];
      const double* box = &m_.bvh_aabb[6 * static_cast<std::size_t>(node)];
      if (!(field_.value(local_(Vec3d::load(box))) < norm(Vec3d::load(box + 3)))) continue;
      if (m_.bvh_nodeid[node] >= 0) {
        visit_face(m_.bvh_nodeid[node]);
        continue;
      }
      for (int side = 0; side < 2; ++side)
        if (m_.bvh_child[2 * node + side] >= 0 && depth < kDeepest) stack[depth++] = m_.bvh_child[2 * node + side];
    }
    return count_;
  }

 private:
  void visit_face(int face) {
    const int* corner = &m_.mesh_face[3 * static_cast<std::size_t>(m_.mesh_faceadr[mesh_] + face)];
    Triangle t;
    for (int k = 0; k < 3; ++k)
      t.v[k] = local_(Vec3d::load(&m_.mesh_vert[3 * static_cast<std::size_t>(m_.mesh_vertadr[mesh_] + corner[k])]));
    if (!may_reach(field_, t)) return;
    const int starts = std::max(1, m_.opt.sdf_initpoints);
    for (int s = 1; s <= starts && candidates_ < kMaxContactsHfield; ++s) {
      const Vec3d x = deepest_point(field_, t, start_in(t, s), m_.opt.sdf_iterations);
      const double dist = field_.value(x);
      if (!(dist < 0)) continue;
      ++candidates_;
      add(x, dist);
    }
  }

  void add(const Vec3d& x, double dist) {
    if (std::any_of(found_, found_ + count_, [&](const Vec3d& old) { return norm(old - x) < kMinVal; })) return;
    Vec3d inward = -field_.gradient(x);
    if (normalize(inward) < kMinVal) return;
    store_field_contact(shape_, x, inward, dist, out_[count_]);
    found_[count_++] = x;
  }

  const Model& m_;
  const Shape& shape_;
  DistanceField field_;
  Vec3d* found_;
  ContactPoint* out_;
  int mesh_;
  Transform local_;  // mesh frame to field frame
  int candidates_ = 0, count_ = 0;
};

/// The triangles of a flex. Each has one contact, at its deepest point; its normal is the field's gradient: out of the
/// first shape, the field. Its radius and the margin are not used, as in MuJoCo.
class FlexAgainstField {
 public:
  FlexAgainstField(const PairContext& context, const Data& d, const Shape& field, int flex, Vec3d* found, int* elem,
                   ContactPoint* out)
      : m_(context.model),
        d_(d),
        shape_(field),
        field_(field_of(context.model, field)),
        flex_(flex),
        found_(found),
        elem_(elem),
        out_(out),
        local_(between(field, upright())) {}

  /// In the order of the flex's tree, whose boxes are known if the midphase is enabled.
  int run() {
    constexpr int kDeepest = 128;
    const int root = m_.flex_bvhadr[flex_], dynamic = root - static_cast<int>(m_.nbvhstatic);
    const bool boxes = !m_.opt.disabled(kDisableMidphase);
    if (m_.flex_bvhnum[flex_] == 0) return 0;
    int stack[kDeepest], depth = 0;
    stack[depth++] = 0;
    while (depth > 0 && candidates_ < kMaxContactsElement) {
      const int node = stack[--depth];
      const double* box = &d_.bvh_aabb_dyn[6 * static_cast<std::size_t>(dynamic + node)];
      if (boxes && !(field_.value(local_(Vec3d::load(box))) < norm(Vec3d::load(box + 3)))) continue;
      if (m_.bvh_nodeid[root + node] >= 0) {
        visit(m_.bvh_nodeid[root + node]);
        continue;
      }
      for (int side = 0; side < 2; ++side) {
        const int child = m_.bvh_child[2 * (root + node) + side];
        if (child >= 0 && depth < kDeepest) stack[depth++] = child;
      }
    }
    return count_;
  }

 private:
  static Shape upright() {
    Shape world;
    for (int k = 0; k < 3; ++k) world.mat.m[4 * k] = 1;
    return world;
  }

  void visit(int elem) {
    const FlexElement element = flex_element(m_, d_, flex_, elem);
    Triangle t;
    for (int k = 0; k < 3; ++k) t.v[k] = local_(element.corner[k]);
    if (!may_reach(field_, t)) return;
    Vec3d deepest;
    double least = 0;
    for (int s = 1; s <= std::max(1, m_.opt.sdf_initpoints); ++s) {
      const Vec3d x = deepest_point(field_, t, start_in(t, s), m_.opt.sdf_iterations);
      const double dist = field_.value(x);
      if (!(dist < least)) continue;
      least = dist;
      deepest = x;
    }
    if (!(least < 0)) return;
    ++candidates_;
    if (std::any_of(found_, found_ + count_, [&](const Vec3d& old) { return norm(old - deepest) < kMinVal; })) return;
    Vec3d outward = field_.gradient(deepest);
    if (normalize(outward) < kMinVal) return;
    store_field_contact(shape_, deepest, outward, least, out_[count_]);
    elem_[count_] = elem;
    found_[count_++] = deepest;
  }

  const Model& m_;
  const Data& d_;
  const Shape& shape_;
  DistanceField field_;
  int flex_;
  Vec3d* found_;
  int* elem_;
  ContactPoint* out_;
  Transform local_;  // world to field frame
  int candidates_ = 0, count_ = 0;
};

}  // namespace

int collide_mesh_sdf(const PairContext& context, const Shape& a, const Shape& b, double, ContactPoint* out) {
  Scratch scratch(context.scratch);
  return MeshAgainstField(context, a, b, scratch.take<Vec3d>(kMaxContactsHfield), out).run();
}

int collide_sdf_triangles(const PairContext& context, const Data& d, const Shape& field, int flex, int* elem,
                          ContactPoint* out) {
  Scratch scratch(context.scratch);
  return FlexAgainstField(context, d, field, flex, scratch.take<Vec3d>(kMaxContactsElement), elem, out).run();
}

}  // namespace sinew
