#include "dynamics/transmission.h"

#include <algorithm>

#include "base/arena.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "math/dual.h"

namespace sinew {
namespace {

inline constexpr int kMaxOutputs = 3;

/// Writes consecutive moment rows. Chains of dofs are walked from the leaf up, so their entries come in descending
/// order; finish() reverses them.
template <class Real>
class MomentRows {
 public:
  explicit MomentRows(BasicData<Real>& d)
      : colind_(d.moment_colind.data()),
        moment_(d.actuator_moment.data()),
        rowadr_(d.moment_rowadr.data()),
        rownnz_(d.moment_rownnz.data()) {}

  void begin(int output) {
    output_ = output;
    start_ = next_;
  }
  void add(int dof, const Real& moment) {
    colind_[next_] = dof;
    moment_[next_++] = moment;
  }
  /// A row with a single entry.
  void add_row(int output, int dof, const Real& moment) {
    rowadr_[output] = next_;
    rownnz_[output] = 1;
    add(dof, moment);
  }
  void add_nonzero(int dof, const Real& moment) {
    if (moment != Real(0)) add(dof, moment);
  }
  void finish(bool descending) {
    if (descending) {
      std::reverse(colind_ + start_, colind_ + next_);
      std::reverse(moment_ + start_, moment_ + next_);
    }
    rowadr_[output_] = start_;
    rownnz_[output_] = next_ - start_;
  }

 private:
  int* colind_;
  Real* moment_;
  int* rowadr_;
  int* rownnz_;
  int output_ = 0;
  int start_ = 0;
  int next_ = 0;
};

/// One actuator of the model and its first output.
struct Drive {
  int id;
  int output;
  int target;     // joint, tendon, site or body
  int reference;  // refsite or slider site; -1: none
  const double* gear;
};

template <class Real>
struct SitePose {
  SitePose(const Model& m, const BasicData<Real>& d, int site)
      : pos(Vec3<Real>::load(&d.site_xpos[3 * site])),
        mat(Mat3<Real>::load(&d.site_xmat[9 * site])),
        body(m.site_bodyid[site]),
        offset(from_reference(m, d, pos, body)) {
    // MuJoCo 3.12.0 multiplies in this order, which gives the site's orientation only if the two commute
    quat = Quat<Real>::load(&m.site_quat[4 * site]) * Quat<Real>::load(&d.xquat[4 * body]);
  }

  Vec3<Real> pos;
  Mat3<Real> mat;
  int body;
  Vec3<Real> offset;
  Quat<Real> quat;
};

template <class Real>
void drive_joint(const Model& m, BasicData<Real>& d, const Drive& a, bool in_parent, MomentRows<Real>& rows) {
  const JointKind& kind = joint_kind(m, a.target);
  const int dof = m.jnt_dofadr[a.target];
  const Real* q = &d.qpos[m.jnt_qposadr[a.target]];
  if (kind.is_scalar()) {
    d.actuator_length[a.output] = a.gear[0] * q[0];
    rows.add_row(a.output, dof, Real(a.gear[0]));
  } else {
    rows.begin(a.output);
    const int turn = kind.translations;  // start of the rotation in position, dofs and gear
    const Quat<Real> quat = normalized(Quat<Real>::load(q + turn));
    Vec3<Real> axis = Vec3<Real>::load(a.gear + turn);
    if (in_parent) axis = rotate(conjugate(quat), axis);
    d.actuator_length[a.output] = kind.floating ? Real(0) : dot(log(quat), axis);
    for (int k = 0; k < turn; ++k) rows.add(dof + k, Real(a.gear[k]));
    for (int k = 0; k < 3; ++k) rows.add(dof + turn + k, axis[k]);
    rows.finish(false);
  }
}

/// A rod of length r from the crank to a slider moving along the z axis of its site. With v from the slider site to
/// the crank and a the axis: length = v·a - √((v·a)² + r² - v·v), the nearer of the two solutions.
template <class Real>
void drive_slider_crank(const Model& m, BasicData<Real>& d, const Drive& a, MomentRows<Real>& rows) {
  using std::sqrt;
  const SitePose<Real> crank(m, d, a.target), slider(m, d, a.reference);
  const double rod = m.actuator_cranklength[a.id];
  const Vec3<Real> axis = slider.mat.column(2);
  const Vec3<Real> v = crank.pos - slider.pos;
  const Real av = dot(v, axis);
  const Real det = av * av + rod * rod - dot(v, v);
  Real length = av;
  Vec3<Real> dl_dv = axis, dl_da = v;
  if (det > 0) {  // else the rod does not reach the axis: use the nearest point
    const Real root = sqrt(det);
    length = av - root;
    dl_dv = axis * (Real(1) - av / root) + v * (Real(1) / root);
    dl_da = v * (Real(1) - av / root);
  }
  d.actuator_length[a.output] = length * a.gear[0];
  rows.begin(a.output);
  for_each_dof_of_either(m, crank.body, slider.body, [&](int dof, bool moves_crank, bool moves_slider) {
    Vec3<Real> dv, da;
    if (moves_crank) dv = jacp_column(d, dof, crank.offset);
    if (moves_slider) {
      dv -= jacp_column(d, dof, slider.offset);
      da = cross(jacr_column(d, dof), axis);
    }
    rows.add_nonzero(dof, (dot(dl_da, da) + dot(dl_dv, dv)) * a.gear[0]);
  });
  rows.finish(true);
}

template <class Real>
void drive_tendon(const Model& m, BasicData<Real>& d, const Drive& a, MomentRows<Real>& rows) {
  const int adr = m.ten_J_rowadr[a.target];
  d.actuator_length[a.output] = d.ten_length[a.target] * a.gear[0];
  rows.begin(a.output);
  for (int k = adr; k < adr + m.ten_J_rownnz[a.target]; ++k) rows.add(m.ten_J_colind[k], d.ten_J[k] * a.gear[0]);
  rows.finish(false);
}

/// A wrench in the frame of the site.
template <class Real>
void drive_site(const Model& m, BasicData<Real>& d, const Drive& a, MomentRows<Real>& rows) {
  const SitePose<Real> site(m, d, a.target);
  const Vec3<Real> force = site.mat * Vec3<Real>::load(a.gear);
  const Vec3<Real> torque = site.mat * Vec3<Real>::load(a.gear + 3);
  d.actuator_length[a.output] = Real(0);
  rows.begin(a.output);
  for (int i = last_dof(m, site.body); i >= 0; i = m.dof_parentid[i])
    rows.add_nonzero(i, dot(jacp_column(d, i, site.offset), force) + dot(jacr_column(d, i), torque));
  rows.finish(true);
}

bool any_nonzero(const double* v) { return v[0] != 0 || v[1] != 0 || v[2] != 0; }

/// A wrench between two sites, in the frame of the reference site; common dofs do not contribute. The length is the
/// site's position and rotation in that frame, weighted by the gears.
template <class Real>
void drive_site_relative(const Model& m, BasicData<Real>& d, const Drive& a, MomentRows<Real>& rows) {
  const SitePose<Real> site(m, d, a.target), ref(m, d, a.reference);
  const bool translates = any_nonzero(a.gear), turns = any_nonzero(a.gear + 3);
  const Vec3<Real> gear_force = Vec3<Real>::load(a.gear), gear_torque = Vec3<Real>::load(a.gear + 3);
  Real length(0);
  if (translates) length += dot(gear_force, mul_transposed(ref.mat, site.pos - ref.pos));
  if (turns) length += dot(gear_torque, subtract(site.quat, ref.quat));
  d.actuator_length[a.output] = length;

  const Vec3<Real> force = ref.mat * gear_force, torque = ref.mat * gear_torque;
  rows.begin(a.output);
  for_each_dof_between(m, site.body, ref.body, [&](int dof, bool moves_site) {
    Real moment(0);
    if (translates) moment += dot(jacp_column(d, dof, moves_site ? site.offset : ref.offset), force);
    if (turns) moment += dot(jacr_column(d, dof), torque);
    rows.add_nonzero(dof, moves_site ? moment : -moment);
  });
  rows.finish(true);
}

/// Adhesion along the normals of a body's contacts, averaged over them; contacts within the gap count.
template <class Real>
void drive_body(const Model& m, BasicData<Real>& d, const Drive& a, MomentRows<Real>& rows) {
  constexpr int kInGap = 1;
  Scratch scratch(d.scratch());
  Real* sum = scratch.zeros<Real>(static_cast<std::size_t>(m.nv));
  int count = 0;
  for (int c = 0; c < d.ncon; ++c) {
    const Contact& contact = d.contact[c];
    if (contact.geom[0] < 0 || contact.geom[1] < 0 || contact.exclude > kInGap) continue;
    const int body1 = m.geom_bodyid[contact.geom[0]], body2 = m.geom_bodyid[contact.geom[1]];
    if (body1 != a.target && body2 != a.target) continue;
    ++count;
    const Vec3<Real> pos = Vec3<Real>::load(contact.pos.data()), normal = Vec3<Real>::load(contact.frame.data());
    const Vec3<Real> offset1 = from_reference(m, d, pos, body1), offset2 = from_reference(m, d, pos, body2);
    for_each_dof_of_either(m, body1, body2, [&](int dof, bool moves1, bool moves2) {
      if (moves2) sum[dof] += dot(normal, jacp_column(d, dof, offset2));
      if (moves1) sum[dof] -= dot(normal, jacp_column(d, dof, offset1));
    });
  }
  d.actuator_length[a.output] = Real(0);
  rows.begin(a.output);
  for (int i = 0; count > 0 && i < m.nv; ++i) rows.add_nonzero(i, -sum[i] / double(count));
  rows.finish(false);
}

/// Orientation: three outputs, the rotation vector of a ball joint or of a site relative to another. Gears are ignored.
template <class Real>
void drive_orientation(const Model& m, BasicData<Real>& d, const Drive& a, MomentRows<Real>& rows) {
  if (a.reference < 0) {
    const Quat<Real> quat = normalized(Quat<Real>::load(&d.qpos[m.jnt_qposadr[a.target]]));
    log(quat).store(&d.actuator_length[a.output]);
    for (int k = 0; k < kMaxOutputs; ++k) rows.add_row(a.output + k, m.jnt_dofadr[a.target] + k, Real(1));
    return;
  }
  const SitePose<Real> site(m, d, a.target), ref(m, d, a.reference);
  subtract(site.quat, ref.quat).store(&d.actuator_length[a.output]);
  for (int k = 0; k < kMaxOutputs; ++k) {
    const Vec3<Real> axis = site.mat.column(k);
    rows.begin(a.output + k);
    for_each_dof_between(m, site.body, ref.body, [&](int dof, bool moves_site) {
      const Real moment = dot(jacr_column(d, dof), axis);
      rows.add_nonzero(dof, moves_site ? moment : -moment);
    });
    rows.finish(true);
  }
}

}  // namespace

template <class Real>
void transmission(const Model& m, BasicData<Real>& d) {
  MomentRows<Real> rows(d);
  for (int i = 0; i < m.nactuator; ++i) {
    const int output = m.actuator_outadr[i];
    const Drive a{i, output, m.actuator_trnid[2 * i], m.actuator_trnid[2 * i + 1], &m.actuator_gear[6 * output]};
    switch (static_cast<TrnType>(m.actuator_trntype[i])) {
      case TrnType::Joint: drive_joint(m, d, a, false, rows); break;
      case TrnType::JointInParent: drive_joint(m, d, a, true, rows); break;
      case TrnType::SliderCrank: drive_slider_crank(m, d, a, rows); break;
      case TrnType::Tendon: drive_tendon(m, d, a, rows); break;
      case TrnType::Site: a.reference < 0 ? drive_site(m, d, a, rows) : drive_site_relative(m, d, a, rows); break;
      case TrnType::Body: drive_body(m, d, a, rows); break;
      case TrnType::So3: drive_orientation(m, d, a, rows); break;
      case TrnType::Undefined: break;
    }
  }
}

template void transmission(const Model&, BasicData<double>&);

template void transmission(const Model&, BasicData<Dual4>&);

}  // namespace sinew
