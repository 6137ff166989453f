#include "dynamics/qderiv.h"

#include <algorithm>
#include <type_traits>

#include "base/arena.h"
#include "dynamics/fluid.h"
#include "dynamics/joint_table.h"
#include "dynamics/passive.h"
#include "dynamics/qderiv_parts.h"
#include "math/dual.h"

namespace sinew {
namespace detail {

template <class Real>
void add_outer_product(const Model& m, BasicData<Real>& d, const Real& b, int n, const int* columns, const Real* row) {
  for (int r = 0; r < n; ++r) {
    int p = m.D_rowadr[columns[r]];
    const int end = p + m.D_rownnz[columns[r]];
    for (int c = 0; c < n; ++c) {
      while (p < end && m.D_colind[p] < columns[c]) ++p;
      if (p < end && m.D_colind[p] == columns[c]) d.qDeriv[p] += b * row[r] * row[c];
    }
  }
}

}  // namespace detail

namespace {

/// coupling[body] -= B with B s = I (s ×m v) + s ×f (I v) + v ×f (I s): the change of the inertial force when the
/// body's velocity v changes by s and all its descendants move along.
template <class Real, class Coupling>
void subtract_inertial_coupling(const Model& m, const BasicData<Real>& d, Coupling* coupling) {
  for (int body = 1; body < m.nbody; ++body) {
    // with I = (J, h, mass), v = (w, u) and I v = (n, f) the map depends on the angular part only:
    // tw = [w] J - J [w] - [h][u] - [u][h] - [n],  fw = -2 [f]
    // J is symmetric, so with A = J [w], whose rows are J_i × w, the first two are -(A + Aᵀ); the next two are
    // 2 (h·u) - h uᵀ - u hᵀ
    const Real* i = &d.cinert[10 * body];
    const Motion<Real> v = Motion<Real>::load(&d.cvel[6 * body]);
    const Force<Real> momentum = mul_inertia(i, v);
    Mat3<Real> J;
    J.m[0] = i[0], J.m[4] = i[1], J.m[8] = i[2];
    J.m[1] = J.m[3] = i[3], J.m[2] = J.m[6] = i[4], J.m[5] = J.m[7] = i[5];
    const Vec3<Real> h = Vec3<Real>::load(i + 6), &u = v.v, &n = momentum.t;
    const Vec3<Real> A[3] = {cross(J.row(0), v.w), cross(J.row(1), v.w), cross(J.row(2), v.w)};
    const Real hu = dot(h, u);
    const Real xy = A[0].y + A[1].x + h.x * u.y + u.x * h.y, xz = A[0].z + A[2].x + h.x * u.z + u.x * h.z;
    const Real yz = A[1].z + A[2].y + h.y * u.z + u.y * h.z;
    Mat3<Real>& tw = coupling[body].tw;
    tw.m[0] += Real(2) * (A[0].x + h.x * u.x - hu);
    tw.m[4] += Real(2) * (A[1].y + h.y * u.y - hu);
    tw.m[8] += Real(2) * (A[2].z + h.z * u.z - hu);
    tw.m[1] += xy - n.z;
    tw.m[3] += xy + n.z;
    tw.m[2] += xz + n.y;
    tw.m[6] += xz - n.y;
    tw.m[5] += yz - n.x;
    tw.m[7] += yz + n.x;
    coupling[body].fw += cross_matrix(momentum.f * Real(2));
  }
}

template <class Real>
void add_damper_derivative(const Model& m, BasicData<Real>& d) {
  for (int dof = 0; dof < m.nv; ++dof) {
    const DamperLaw law = dof_damper(m, dof);
    if (!law.none()) d.qDeriv[m.D_rowadr[dof] + m.D_diag[dof]] -= law.slope(d.qvel[dof]);
  }
  for (int t = 0; t < m.ntendon; ++t) {
    const DamperLaw law = tendon_damper(m, t);
    if (law.none()) continue;
    const int adr = m.ten_J_rowadr[t];
    detail::add_outer_product<Real>(m, d, -law.slope(d.ten_velocity[t]), m.ten_J_rownnz[t], m.ten_J_colind.data() + adr,
                                    d.ten_J.data() + adr);
  }
}

/// Acceleration of every descendant body per unit velocity of one dof: ∂cacc_b/∂q̇_j = rate_j + cdof_j ×m cvel_b with
/// rate_j = cdof_dot_j + v ×m cdof_j, v the velocity after the joint. Zero for the translations of a free joint, which
/// move the whole tree uniformly.
template <class Real>
void axis_rates(const Model& m, const BasicData<Real>& d, Real* rates) {
  for (int body = 1; body < m.nbody; ++body) {
    Motion<Real> v = Motion<Real>::load(&d.cvel[6 * m.body_parentid[body]]);
    const int first = m.body_jntadr[body];
    for (int jnt = first; jnt < first + m.body_jntnum[body]; ++jnt) {
      const int dof = m.jnt_dofadr[jnt];
      visit_joint(joint_type(m, jnt), [&](auto kind) {
        for (int k = dof; k < dof + kind.nv; ++k) v += Motion<Real>::load(&d.cdof[6 * k]) * d.qvel[k];
        for (int k = dof; k < dof + kind.nv; ++k) {
          const Motion<Real> axis = Motion<Real>::load(&d.cdof[6 * k]);
          const bool translation = std::is_same_v<decltype(kind), FreeJoint> && k < dof + 3;
          const Motion<Real> rate =
              translation ? Motion<Real>{} : Motion<Real>::load(&d.cdof_dot[6 * k]) + cross_motion(v, axis);
          rate.store(rates + 6 * k);
        }
      });
    }
  }
}

/// qDeriv += projection of the bodies' couplings on the motion axes, minus that of the composite inertias on the axis
/// rates (if given). Only common descendants contribute, so for dofs i, j on one chain D_ij = cdof_i · (C_b cdof_j -
/// crb_b rate_j), with b the body of the dof farther from the root.
template <class Real, class Coupling>
void project_coupling(const Model& m, BasicData<Real>& d, const Coupling* coupling, const Real* rates) {
  Scratch scratch(d.scratch());
  Real* caused = scratch.take<Real>(std::size_t(6 * m.nv));  // C cdof_j - crb rate_j
  for (int dof = 0; dof < m.nv; ++dof) {
    const int body = m.dof_bodyid[dof];
    Force<Real> f = coupling[body] * Motion<Real>::load(&d.cdof[6 * dof]);
    if (rates) f -= mul_inertia(&d.crb[10 * body], Motion<Real>::load(rates + 6 * dof));
    f.store(caused + 6 * dof);
  }
  for (int dof = 0; dof < m.nv; ++dof) {
    const int body = m.dof_bodyid[dof], adr = m.D_rowadr[dof], diag = adr + m.D_diag[dof];
    const Motion<Real> axis = Motion<Real>::load(&d.cdof[6 * dof]);
    const Force<Real> felt = mul_transposed(coupling[body], axis);
    const Force<Real> inertia = rates ? mul_inertia(&d.crb[10 * body], axis) : Force<Real>{};
    for (int p = adr; p <= diag; ++p) {
      const int source = m.D_colind[p];
      d.qDeriv[p] += dot(Motion<Real>::load(&d.cdof[6 * source]), felt);
      if (rates) d.qDeriv[p] -= dot(Motion<Real>::load(rates + 6 * source), inertia);
    }
    for (int p = diag + 1; p < adr + m.D_rownnz[dof]; ++p)
      d.qDeriv[p] += dot(axis, Force<Real>::load(caused + 6 * m.D_colind[p]));
  }
}

/// The part of the derivative that is computed per body: inertia (with_bias) and fluid. Coupling selects the part of
/// the bodies' motion that the forces depend on: all of it, or the rotation only.
template <class Coupling, class Real>
void add_body_derivative(const Model& m, BasicData<Real>& d, bool with_bias) {
  Scratch scratch(d.scratch());
  auto* coupling = scratch.take<Coupling>(std::size_t(m.nbody));
  std::fill_n(coupling, m.nbody, Coupling{});
  if constexpr (std::is_same_v<Coupling, MotionToForce<Real>>) detail::add_fluid_coupling(m, d, !with_bias, coupling);
  Real* rates = nullptr;
  if (with_bias) {
    subtract_inertial_coupling(m, d, coupling);
    rates = scratch.take<Real>(std::size_t(6 * m.nv));
    axis_rates(m, d, rates);
  }
  // leaf to root: a dof moves all its descendants
  for (int body = int(m.nbody) - 1; body > 0; --body)
    if (const int parent = m.body_parentid[body]; parent > 0) coupling[parent] += coupling[body];
  project_coupling(m, d, coupling, rates);
}

/// D -= damping Jᵀ J for each edge of a flex with edge damping.
void add_edge_damping(const Model& m, Data& d) {
  for (int f = 0; f < m.nflex; ++f) {
    const double damping = m.flex_edgedamping[f];
    if (damping == 0 || m.flex_rigid[f] || m.flex_interp[f] != 0) continue;
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      const int start = m.flexedge_J_rowadr[e];
      if (!m.flexedge_rigid[e])
        detail::add_outer_product(m, d, -damping, m.flexedge_J_rownnz[e], m.flexedge_J_colind.data() + start,
                                  d.flexedge_J.data() + start);
    }
  }
}

}  // namespace

template <class Real>
void velocity_derivative(const Model& m, BasicData<Real>& d, bool with_bias) {
  std::fill(d.qDeriv.begin(), d.qDeriv.end(), Real(0));
  detail::add_actuator_derivative(m, d);
  const bool passive = !m.opt.disabled(kDisableSpring) || !m.opt.disabled(kDisableDamper);
  if (!m.opt.disabled(kDisableDamper)) {
    add_damper_derivative(m, d);
    if constexpr (std::is_same_v<Real, double>)
      if (m.nflex > 0) add_edge_damping(m, d);
  }

  if (passive && has_fluid(m)) {
    add_body_derivative<MotionToForce<Real>>(m, d, with_bias);
  } else if (with_bias) {
    add_body_derivative<SpinToForce<Real>>(m, d, with_bias);
  }
}

bool is_standalone_free_body(const Model& m, int body) {
  return m.body_jntnum[body] == 1 && joint_kind(m, m.body_jntadr[body]).floating &&
         m.tree_dofnum[m.body_treeid[body]] == 6 && m.body_subtreemass[body] == m.body_mass[body];
}

template <class Real>
void free_body_bias_derivative(const Model& m, const BasicData<Real>& d, int body, Real* block) {
  const Mat3<Real> R = Mat3<Real>::load(&d.xmat[9 * body]), Ri = Mat3<Real>::load(&d.ximat[9 * body]);
  const Vec3<Real> offset = Vec3<Real>::load(&d.xipos[3 * body]) - Vec3<Real>::load(&d.xpos[3 * body]);
  const Vec3<Real> spin = R * Vec3<Real>::load(&d.qvel[m.body_dofadr[body] + 3]);
  const Mat3<Real> I = Ri * diagonal(Vec3<Real>::load(&m.body_inertia[3 * body])) * transpose(Ri);
  const Mat3<Real> s = cross_matrix(offset), w = cross_matrix(spin);
  const Real mass(m.body_mass[body]);
  const Mat3<Real> K = cross_matrix(cross(spin, offset)) + w * s;
  const Mat3<Real> C = s * K * -mass + w * I - cross_matrix(I * spin);
  const Mat3<Real> force = K * R * -mass, torque = transpose(R) * C * R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      block[6 * i + j] = block[6 * (i + 3) + j] = Real(0);
      block[6 * i + j + 3] = force(i, j);
      block[6 * (i + 3) + j + 3] = torque(i, j);
    }
  }
}

template void detail::add_outer_product(const Model&, BasicData<double>&, const double&, int, const int*,
                                        const double*);
template void detail::add_outer_product(const Model&, BasicData<Dual4>&, const Dual4&, int, const int*, const Dual4*);
template void velocity_derivative(const Model&, BasicData<double>&, bool);
template void velocity_derivative(const Model&, BasicData<Dual4>&, bool);
template void free_body_bias_derivative(const Model&, const BasicData<double>&, int, double*);

}  // namespace sinew
