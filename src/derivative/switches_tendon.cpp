#include <algorithm>
#include <cmath>

#include "derivative/sparse_row.h"
#include "derivative/switches.h"
#include "dynamics/passive.h"
#include "math/mat3.h"

// Lengths at which a tendon's spring starts to act or its limit gets a row, and paths that start to touch an obstacle.

namespace sinew {
namespace {

using Vector = Vec3<double>;

double most_entry(const SparseRow& j) {
  double most = 0;
  for (int k = 0; k < j.n; ++k) most = std::max(most, std::abs(j.value[k]));
  return most;
}

/// The straight line between two sites is tangent to the obstacle between them.
bool grazes(const SwitchSearch& search, int wrap) {
  const Model& m = search.m;
  const Data& d = search.d;
  const int sites[2] = {m.wrap_objid[wrap - 1], m.wrap_objid[wrap + 1]}, geom = m.wrap_objid[wrap];
  const Mat3<double> mat = Mat3<double>::load(&d.geom_xmat[9 * geom]);
  const Vector center = Vector::load(&d.geom_xpos[3 * geom]);
  Vector end[2];
  double rate = 0;
  for (const int k : {0, 1}) {
    const Vector site = Vector::load(&d.site_xpos[3 * sites[k]]);
    end[k] = mul_transposed(mat, site - center);
    if (m.wrap_type[wrap] == static_cast<int>(WrapType::Cylinder)) end[k].z = 0;
    rate += most_speed(m, d, m.site_bodyid[sites[k]], site, 0) + most_speed(m, d, m.geom_bodyid[geom], site, 0);
  }
  const Vector line = end[1] - end[0];
  const double length2 = dot(line, line);
  if (length2 < kMinVal) return false;
  const double distance = norm(end[0] + line * std::clamp(-dot(end[0], line) / length2, 0.0, 1.0));
  return search.within(distance - m.geom_size[3 * geom], rate);
}

bool is_obstacle(const Model& m, int wrap) {
  const auto type = static_cast<WrapType>(m.wrap_type[wrap]);
  return type == WrapType::Sphere || type == WrapType::Cylinder;
}

}  // namespace

void find_tendon_switches(const SwitchSearch& search) {
  const Model& m = search.m;
  const bool springs = !m.opt.disabled(kDisableSpring);
  const bool limits = !m.opt.disabled(kDisableConstraint) && !m.opt.disabled(kDisableLimit);
  for (int t = 0; t < m.ntendon; ++t) {
    const double length = search.d.ten_length[t], rate = most_entry(tendon_row(m, search.d, t));
    const double *rest = &m.tendon_lengthspring[2 * t], *range = &m.tendon_range[2 * t];
    const auto near = [&](double bound) { return search.within(length - bound, rate); };
    if (springs && rest[0] != rest[1] && !tendon_spring(m, t).none() && (near(rest[0]) || near(rest[1])))
      search.add(SwitchKind::TendonSpring, t);
    if (limits && m.tendon_limited[t] && (near(range[0] + m.tendon_margin[t]) || near(range[1] - m.tendon_margin[t])))
      search.add(SwitchKind::TendonLimit, t);
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w)
      if (is_obstacle(m, w) && grazes(search, w)) search.add(SwitchKind::TendonWrap, t, m.wrap_objid[w]);
  }
}

}  // namespace sinew
