#include <algorithm>
#include <cmath>
#include <span>

#include "collision/frame.h"
#include "geometry/ray.h"
#include "sinew/query.h"

namespace sinew {
namespace {

class FlexRay {
 public:
  FlexRay(const Model& m, const Data& d, int flex, const Ray& ray)
      : m_(m), x_(d.flexvert_xpos.data() + 3 * m.flex_vertadr[flex]), flex_(flex), ray_(ray) {}

  FlexHit run(const FlexParts& parts) {
    if (!meets_bounds()) return {};
    const bool solid = m_.flex_dim[flex_] > 1;
    if (parts.edge || (solid && parts.skin))
      edges();
    else if (parts.vert)
      vertices();
    if (solid && (parts.face || parts.skin)) faces(parts);
    return hit_;
  }

 private:
  Vec3d vertex(int v) const { return Vec3d::load(x_ + 3 * static_cast<std::size_t>(v)); }

  bool meets_bounds() const {
    constexpr double kFar = 1e300;
    Vec3d lo = {kFar, kFar, kFar}, hi = -lo;
    for (int v = 0; v < m_.flex_vertnum[flex_]; ++v) {
      for (int k = 0; k < 3; ++k) {
        lo[k] = std::min(lo[k], vertex(v)[k]);
        hi[k] = std::max(hi[k], vertex(v)[k]);
      }
    }
    double box[6];
    for (int k = 0; k < 3; ++k) {
      box[k] = 0.5 * (lo[k] + hi[k]);
      box[3 + k] = 0.5 * (hi[k] - lo[k]) + m_.flex_radius[flex_];
    }
    return ray_meets_box(box, ray_, -1);
  }

  /// The nearest of the vertices to the hit; of the first two equally near the last one, of three the first one.
  void take(const RaySurface& surface, const Mat3d& mat, std::span<const int> of) {
    if (!surface.hit() || (hit_.dist >= 0 && !(surface.x < hit_.dist))) return;
    hit_.dist = surface.x;
    (mat * surface.normal).store(hit_.normal.data());
    const Vec3d at = ray_.at(surface.x);
    const auto distance2 = [&](int v) { return dot(vertex(v) - at, vertex(v) - at); };
    hit_.vert = of[0];
    for (const int v : of.subspan(1)) {
      const double now = distance2(hit_.vert), other = distance2(v);
      if (other < now || (of.size() == 2 && other == now)) hit_.vert = v;
    }
  }

  RaySurface shape(RaySurface (*rays)(const RayTarget&, const Ray&), const Vec3d& size, const Vec3d& pos,
                   const Mat3d& mat) const {
    return rays({size}, {mul_transposed(mat, ray_.point - pos), mul_transposed(mat, ray_.dir)});
  }

  void vertices() {
    for (int v = 0; v < m_.flex_vertnum[flex_]; ++v)
      take(shape(rays::sphere, {m_.flex_radius[flex_], 0, 0}, vertex(v), Mat3d::identity()), Mat3d::identity(),
           {&v, 1});
  }

  void edges() {
    const int first = m_.flex_edgeadr[flex_];
    for (int e = first; e < first + m_.flex_edgenum[flex_]; ++e) {
      const int ends[2] = {m_.flex_edge[2 * e], m_.flex_edge[2 * e + 1]};
      const Vec3d a = vertex(ends[0]), b = vertex(ends[1]);
      Vec3d axis = b - a;
      const double half = 0.5 * normalize(axis);
      const Mat3d rows = contact_frame(axis, {});  // the axis becomes z
      const Mat3d mat = Mat3d::from_columns(rows.row(1), rows.row(2), rows.row(0));
      take(shape(rays::capsule, {m_.flex_radius[flex_], half, 0}, (a + b) * 0.5, mat), mat, ends);
    }
  }

  void triangle(const int* elem, const int (&corner)[3]) {
    const int ids[3] = {elem[corner[0]], elem[corner[1]], elem[corner[2]]};
    take(ray_triangle(vertex(ids[0]), vertex(ids[1]), vertex(ids[2]), ray_), Mat3d::identity(), ids);
  }

  void faces(const FlexParts& parts) {
    constexpr int kFace[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    const int dim = m_.flex_dim[flex_];
    const int* elem = m_.flex_elem.data() + m_.flex_elemdataadr[flex_];
    for (int e = 0; e < m_.flex_elemnum[flex_]; ++e, elem += dim + 1) {
      const int layer = m_.flex_elemlayer[m_.flex_elemadr[flex_] + e];
      if (dim == 2)
        triangle(elem, kFace[0]);
      else if (layer == (parts.skin ? 0 : parts.layer))
        for (const auto& face : kFace) triangle(elem, face);
    }
  }

  const Model& m_;
  const double* x_;
  int flex_;
  Ray ray_;
  FlexHit hit_;
};

}  // namespace

FlexHit ray_flex(const Model& m, const Data& d, int flex, const double point[3], const double vec[3],
                 const FlexParts& parts) {
  const Ray ray = {Vec3d::load(point), Vec3d::load(vec)};
  if (!(norm(ray.dir) >= kMinVal)) return {};
  return FlexRay(m, d, flex, ray).run(parts);
}

}  // namespace sinew
