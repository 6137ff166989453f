#include "constraint/limit.h"

#include <algorithm>

#include "constraint/tendon_row.h"
#include "math/quat.h"
#include "model/joint_kinds.h"

namespace sinew {
namespace {

void set_limit(RowBuilder& rows, const RowBuilder::Block& block, double dist, double margin) {
  rows.d.efc_pos[block.row] = dist;
  rows.d.efc_margin[block.row] = margin;
}

/// add(dist, slope) for each end of the range closer than the margin; slope = d dist / d value.
template <class Add>
void check_range(const double* range, double value, double margin, Add&& add) {
  const double above_lower = value - range[0], below_upper = range[1] - value;
  if (above_lower < margin) add(above_lower, 1);
  if (below_upper < margin) add(below_upper, -1);
}

void add_interval_limits(RowBuilder& rows, int jnt) {
  const Model& m = rows.m;
  const double value = rows.d.qpos[m.jnt_qposadr[jnt]], margin = m.jnt_margin[jnt];
  check_range(&m.jnt_range[2 * jnt], value, margin, [&](double dist, double slope) {
    const auto block = rows.add_single(ConstraintKind::LimitJoint, jnt, m.jnt_dofadr[jnt], slope);
    set_limit(rows, block, dist, margin);
  });
}

void add_angle_limit(RowBuilder& rows, int jnt) {
  const Model& m = rows.m;
  Vec3<double> axis = log(normalized(Quat<double>::load(&rows.d.qpos[m.jnt_qposadr[jnt]])));
  const double angle = normalize(axis), margin = m.jnt_margin[jnt];
  const double dist = std::max(m.jnt_range[2 * jnt], m.jnt_range[2 * jnt + 1]) - angle;
  if (!(dist < margin)) return;
  for (int k = 0; k < 3; ++k) rows.columns()[k] = m.jnt_dofadr[jnt] + k;
  const auto block = rows.add(ConstraintKind::LimitJoint, jnt, 1, rows.columns(), 3);
  (-axis).store(block.J);
  set_limit(rows, block, dist, margin);
  rows.keep(block);
}

void add_tendon_limits(RowBuilder& rows, int tendon) {
  const Model& m = rows.m;
  const double value = rows.d.ten_length[tendon], margin = m.tendon_margin[tendon];
  check_range(&m.tendon_range[2 * tendon], value, margin, [&](double dist, double slope) {
    const auto block = add_tendon_row(rows, ConstraintKind::LimitTendon, tendon, slope);
    set_limit(rows, block, dist, margin);
    rows.keep(block);
  });
}

}  // namespace

void add_limits(RowBuilder& rows) {
  const Model& m = rows.m;
  if (m.opt.disabled(kDisableLimit)) return;
  const bool sleep = m.opt.enabled(kEnableSleep);
  for (int jnt = 0; jnt < m.njnt; ++jnt) {
    if (!m.jnt_limited[jnt] || (sleep && rows.d.body_awake[m.jnt_bodyid[jnt]] != 1)) continue;
    switch (joint_kind(m, jnt).limit) {
      case JointLimit::None: break;
      case JointLimit::Interval: add_interval_limits(rows, jnt); break;
      case JointLimit::Angle: add_angle_limit(rows, jnt); break;
    }
  }
  for (int tendon = 0; tendon < m.ntendon; ++tendon)
    if (m.tendon_limited[tendon]) add_tendon_limits(rows, tendon);
}

}  // namespace sinew
