#include "dynamics/tendon.h"

#include "dynamics/jacobian.h"
#include "dynamics/wrap.h"
#include "math/dual.h"

namespace sinew {
namespace {

inline WrapType wrap_type(const Model& m, int j) { return static_cast<WrapType>(m.wrap_type[j]); }

constexpr int kSitePoint = -1;    // wrap_obj of a site
constexpr int kPulleyPoint = -2;  // wrap_obj of a pulley

/// A point of the path, and the body it is attached to.
template <class Real>
struct PathPoint {
  Vec3<Real> pos;
  int body = 0;
  int obj = kSitePoint;
};

/// Length, Jacobian row and path points of one tendon during the traversal.
template <class Real>
class TendonPath {
 public:
  TendonPath(const Model& m, BasicData<Real>& d, int tendon)
      : m_(m),
        d_(d),
        colind_(m.ten_J_colind.data() + m.ten_J_rowadr[tendon]),
        nnz_(m.ten_J_rownnz[tendon]),
        row_(d.ten_J.data() + m.ten_J_rowadr[tendon]) {
    for (int k = 0; k < nnz_; ++k) row_[k] = Real(0);
  }

  Real length() const { return length_; }

  void add_joint(int jnt, double coef) {
    const int dof = m_.jnt_dofadr[jnt];
    length_ += coef * d_.qpos[m_.jnt_qposadr[jnt]];
    int k = 0;
    while (colind_[k] != dof) ++k;
    row_[k] += Real(coef);
  }

  /// A branch after a pulley is divided by its divisor.
  void add_length(const Real& length, double divisor) { length_ += shared(length, divisor); }

  /// A straight segment and its dL/dq: along the string, the end's velocity minus the start's. If both points are on
  /// one body, or a dof moves both, the distance does not change.
  void add_segment(const PathPoint<Real>& start, const PathPoint<Real>& end, double divisor) {
    Vec3<Real> u = end.pos - start.pos;
    add_length(normalize(u), divisor);
    if (start.body == end.body) return;
    const Vec3<Real> start_offset = from_reference(m_, d_, start.pos, start.body);
    const Vec3<Real> end_offset = from_reference(m_, d_, end.pos, end.body);
    int k = nnz_ - 1;
    for_each_dof_between(m_, end.body, start.body, [&](int dof, bool moves_end) {
      while (colind_[k] != dof) --k;
      const Real along = dot(u, jacp_column(d_, dof, moves_end ? end_offset : start_offset));
      row_[k] += shared(moves_end ? along : -along, divisor);
    });
  }

 private:
  static Real shared(const Real& x, double divisor) { return divisor == 1 ? x : x / divisor; }

  const Model& m_;
  BasicData<Real>& d_;
  const int* colind_;
  int nnz_;
  Real* row_;
  Real length_{};
};

template <class Real>
PathPoint<Real> site_point(const Model& m, const BasicData<Real>& d, int site) {
  return {Vec3<Real>::load(&d.site_xpos[3 * site]), m.site_bodyid[site], kSitePoint};
}

template <class Real>
WrapObstacle<Real> obstacle(const Model& m, const BasicData<Real>& d, int j) {
  const int geom = m.wrap_objid[j];
  const int side = static_cast<int>(m.wrap_prm[j]);  // an integer; -1: none
  return {wrap_type(m, j) == WrapType::Cylinder, Real(m.geom_size[3 * geom]), &d.geom_xpos[3 * geom],
          &d.geom_xmat[9 * geom], side >= 0 ? &d.site_xpos[3 * side] : nullptr};
}

template <class Real>
void walk_spatial(const Model& m, BasicData<Real>& d, int tendon, TendonPath<Real>& path, int& npoint) {
  const auto write_point = [&](const PathPoint<Real>& point) {
    point.pos.store(&d.wrap_xpos[3 * npoint]);
    d.wrap_obj[npoint++] = point.obj;
  };
  double divisor = 1;
  const int last = m.tendon_adr[tendon] + m.tendon_num[tendon] - 1;
  for (int j = m.tendon_adr[tendon]; j < last;) {
    if (wrap_type(m, j) == WrapType::Pulley) {
      divisor = m.wrap_prm[j++];
      write_point({{}, 0, kPulleyPoint});
      continue;
    }
    if (wrap_type(m, j + 1) == WrapType::Pulley) {
      ++j;
      continue;
    }
    // a site, optionally a geom, then a site
    const bool around = wrap_type(m, j + 1) != WrapType::Site;
    const PathPoint<Real> start = site_point(m, d, m.wrap_objid[j]);
    const PathPoint<Real> end = site_point(m, d, m.wrap_objid[around ? j + 2 : j + 1]);
    write_point(start);
    WrapContact<Real> contact;
    if (around && wrap_string(obstacle(m, d, j + 1), start.pos, end.pos, contact)) {
      const int geom = m.wrap_objid[j + 1], body = m.geom_bodyid[geom];
      const PathPoint<Real> enter = {contact.enter, body, geom}, leave = {contact.leave, body, geom};
      path.add_length(contact.arc, divisor);
      path.add_segment(start, enter, divisor);
      path.add_segment(leave, end, divisor);
      write_point(enter);
      write_point(leave);
    } else {
      path.add_segment(start, end, divisor);
    }
    j += around ? 2 : 1;
    if (j == last || wrap_type(m, j + 1) == WrapType::Pulley) write_point(end);
  }
}

}  // namespace

template <class Real>
void tendon_paths(const Model& m, BasicData<Real>& d) {
  int npoint = 0;
  for (int t = 0; t < m.ntendon; ++t) {
    TendonPath<Real> path(m, d, t);
    const int adr = m.tendon_adr[t];
    d.ten_wrapadr[t] = npoint;
    if (wrap_type(m, adr) == WrapType::Joint) {
      for (int j = adr; j < adr + m.tendon_num[t]; ++j) path.add_joint(m.wrap_objid[j], m.wrap_prm[j]);
    } else {
      walk_spatial(m, d, t, path, npoint);
    }
    d.ten_length[t] = path.length();
    d.ten_wrapnum[t] = npoint - d.ten_wrapadr[t];
  }
}

template void tendon_paths(const Model&, BasicData<double>&);

template void tendon_paths(const Model&, BasicData<Dual4>&);

}  // namespace sinew
