#include "collision/touching.h"

#include "geometry/principal_axes.h"

namespace sinew {
namespace {

bool merely_touch(const Box& a, const Box& b) {
  double scale = 0;
  for (int k = 0; k < 3; ++k) scale = std::max(scale, std::abs(a.lo[k]) + std::abs(b.hi[k]));
  return overlap_depth(a, b) <= TouchingRule::kHairs * scale;
}

}  // namespace

bool TouchingRule::drops(const BodyPair& bodies, const Box& a, const Box& b) {
  if (!merely_touch(a, b)) return false;
  if (!known_) find_axis();
  return static_cast<float>(interval(bodies.first).hi) <= static_cast<float>(interval(bodies.second).lo);
}

void TouchingRule::find_axis() {
  Vec3d mean;
  int n = 0;
  const int first = m_.body_geomnum[0];
  for (int g = first; g < m_.ngeom; ++g, ++n) mean += Vec3d::load(&d_.geom_xpos[3 * g]);
  mean *= 1.0 / std::max(n, 1);
  Mat3d covariance;
  for (int g = first; g < m_.ngeom; ++g) {
    const Vec3d x = Vec3d::load(&d_.geom_xpos[3 * g]) - mean;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) covariance(i, j) += x[i] * x[j] / n;
  }
  axis_ = to_matrix(principal_axes(covariance).axes).row(0);
  known_ = true;
}

/// The body's extent along the axis: for each geom the intersection of its ball and its box.
TouchingRule::Interval TouchingRule::interval(int body) const {
  Interval all = {1e300, -1e300};
  const int first = m_.body_geomadr[body];
  for (int g = first; g < first + m_.body_geomnum[body]; ++g) {
    if (!geom_is_collidable(m_, g)) continue;
    const Vec3d pos = Vec3d::load(&d_.geom_xpos[3 * g]);
    const Mat3d mat = Mat3d::load(&d_.geom_xmat[9 * g]);
    const double* box = &m_.geom_aabb[6 * static_cast<std::size_t>(g)];
    const double center = dot(axis_, pos), box_center = dot(axis_, mat * Vec3d::load(box) + pos);
    const Vec3d local = mul_transposed(mat, axis_);
    const double half = std::abs(local.x) * box[3] + std::abs(local.y) * box[4] + std::abs(local.z) * box[5];
    const double reach = geom_reach(m_, g);
    all.lo = std::min(all.lo, std::max(center - m_.geom_rbound[g], box_center - half) - reach);
    all.hi = std::max(all.hi, std::min(center + m_.geom_rbound[g], box_center + half) + reach);
  }
  return all;
}

}  // namespace sinew
