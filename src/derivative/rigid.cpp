#include "derivative/rigid.h"

#include "model/joint_kinds.h"

namespace sinew {
namespace {

using Twist = Motion<double>;
using Wrench = Force<double>;

Twist axis(const Data& d, int dof) { return Twist::load(&d.cdof[6 * dof]); }

/// visit(first dof, end) for each group of a body's dofs, in the order in which they move it.
template <class Visit>
void for_each_group(const Model& m, const std::vector<int>& group, int body, Visit&& visit) {
  const int end = m.body_dofadr[body] + m.body_dofnum[body];
  for (int k = m.body_dofadr[body]; k < end;) {
    const int first = k;
    while (k < end && group[k] == first) ++k;
    visit(first, k);
  }
}

}  // namespace

void axis_groups(const Model& m, std::vector<int>& group) {
  group.resize(m.nv);
  for (int j = 0; j < m.njnt; ++j) {
    const JointKind& kind = joint_kind(m, j);
    const int first = m.jnt_dofadr[j];
    for (int k = 0; k < kind.nv; ++k)
      group[first + k] = first + (kind.has_quaternion() && k > kind.translations ? kind.translations : k);
  }
}

void CarriedMotion::compute(const Model& m, const Data& d, const std::vector<int>& group, const double* x) {
  body.resize(m.nbody);
  before.resize(m.nv);
  body[0] = {};
  for (int b = 1; b < m.nbody; ++b) {
    Twist sum = body[m.body_parentid[b]];
    for_each_group(m, group, b, [&](int first, int end) {
      for (int k = first; k < end; ++k) before[k] = sum;
      for (int k = first; k < end; ++k) sum += axis(d, k) * x[k];
    });
    body[b] = sum;
  }
}

void RigidSweep::compute(const Model& m, const Data& d, const std::vector<int>& group, const MotionCase& motion) {
  group_ = &group;
  moving_ = motion.qvel != nullptr;
  velocity_.resize(m.nbody);
  acceleration_.resize(m.nbody);
  force_.resize(m.nbody);
  external_.assign(m.nbody, {});
  coupling_.resize(m.nbody);
  psi_.resize(m.nv);
  alpha_.resize(m.nv);
  beta_.resize(m.nv);
  carry_motion(m, d, motion);
  sum_forces(m, d);
}

void RigidSweep::carry_motion(const Model& m, const Data& d, const MotionCase& motion) {
  velocity_[0] = acceleration_[0] = {};
  if (motion.gravity && !m.opt.disabled(kDisableGravity))
    acceleration_[0].v = -Vec3<double>::load(m.opt.gravity.data());
  for (int b = 1; b < m.nbody; ++b) {
    Twist V = velocity_[m.body_parentid[b]], A = acceleration_[m.body_parentid[b]];
    for_each_group(m, *group_, b, [&](int first, int end) {
      const Twist V0 = V, A0 = A;
      for (int k = first; k < end; ++k) {
        const Twist S = axis(d, k);
        psi_[k] = cross_motion(V0, S);
        alpha_[k] = cross_motion(A0, S) + cross_motion(V0, psi_[k]);
        if (motion.qacc) A += S * motion.qacc[k];
        if (moving_) A += psi_[k] * motion.qvel[k], V += S * motion.qvel[k];
      }
      for (int k = first; k < end; ++k) beta_[k] = psi_[k] + cross_motion(V, axis(d, k));
    });
    velocity_[b] = V;
    acceleration_[b] = A;
  }
}

void RigidSweep::sum_forces(const Model& m, const Data& d) {
  force_[0] = {};
  coupling_[0] = {};
  for (int b = 1; b < m.nbody; ++b) {
    const double* i = &d.cinert[10 * b];
    const Twist& v = velocity_[b];
    force_[b] = mul_inertia(i, acceleration_[b]);
    coupling_[b] = {};
    if (!moving_) continue;
    const Wrench momentum = mul_inertia(i, v);
    force_[b] += cross_force(v, momentum);
    // turn = [w] J - J [w] - [h][u] - [u][h] - [n] with I = (J, h, mass), v = (w, u), I v = (n, f)
    Mat3<double> J;
    J.m[0] = i[0], J.m[4] = i[1], J.m[8] = i[2];
    J.m[1] = J.m[3] = i[3], J.m[2] = J.m[6] = i[4], J.m[5] = J.m[7] = i[5];
    const Mat3<double> wJ = cross_matrix(v.w) * J;
    const Vec3<double> h = Vec3<double>::load(i + 6);
    // [w] J - J [w] = [w] J + ([w] J)ᵀ;  [h][u] + [u][h] = u hᵀ + h uᵀ - 2 (u·h) 1
    const Mat3<double> uh = outer(v.v, h);
    Mat3<double> turn = wJ + transpose(wJ) - uh - transpose(uh) - cross_matrix(momentum.t);
    const double twice = 2 * dot(v.v, h);
    turn.m[0] += twice, turn.m[4] += twice, turn.m[8] += twice;
    coupling_[b] = {turn, momentum.f};
  }
  for (int b = static_cast<int>(m.nbody) - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent == 0) continue;
    force_[parent] += force_[b];
    if (!moving_) continue;
    coupling_[parent].turn += coupling_[b].turn;
    coupling_[parent].momentum += coupling_[b].momentum;
  }
}

void RigidSweep::add_position_derivative(const Model& m, const Data& d, double scale, Matrix& out, int first) {
  for (int b = static_cast<int>(m.nbody) - 1; b > 0; --b)
    if (const int parent = m.body_parentid[b]; parent > 0) external_[parent] += external_[b];
  for (int i = 0; i < m.nv; ++i) {
    const int b = m.dof_bodyid[i];
    const double* inertia = &d.crb[10 * b];
    const Coupling& B = coupling_[b];
    const Twist S = axis(d, i);
    const auto apply = [&](const Twist& s) { return Wrench{B.turn * s.w, cross(B.momentum, s.w) * -2.0}; };
    // effect of a change of dof i on the force behind it, and of dofs before it on this row
    const Wrench own = mul_inertia(inertia, alpha_[i]) + apply(psi_[i]);
    const Wrench carried = own + cross_force(S, force_[b]);
    const Wrench felt = mul_inertia(inertia, S);
    const Vec3<double> felt_psi = mul_transposed(B.turn, S.w) - cross(S.v, B.momentum) * 2.0;
    const Wrench turned = cross_force(S, external_[b]);
    double* row = out.row(i) + first;
    row[i] += scale * dot(S, own);
    for (int k = m.dof_parentid[i]; k >= 0; k = m.dof_parentid[k]) {
      const bool together = (*group_)[k] == (*group_)[i];
      const Twist Sk = axis(d, k);
      row[k] += scale * (dot(alpha_[k], felt) + dot(psi_[k].w, felt_psi) - dot(Sk, turned));
      double above = dot(Sk, together ? own : carried);
      // within a group each dof rotates the other's axis
      if (together) above -= dot(cross_motion(S, Sk), external_[b]);
      out(k, first + i) += scale * above;
    }
  }
}

void RigidSweep::add_velocity_derivative(const Model& m, const Data& d, double scale, Matrix& out, int first) {
  for (int i = 0; i < m.nv; ++i) {
    const int b = m.dof_bodyid[i];
    const double* inertia = &d.crb[10 * b];
    const Coupling& B = coupling_[b];
    const Twist S = axis(d, i);
    const Wrench own = mul_inertia(inertia, beta_[i]) + Wrench{B.turn * S.w, cross(B.momentum, S.w) * -2.0};
    const Wrench felt = mul_inertia(inertia, S);
    const Vec3<double> felt_axis = mul_transposed(B.turn, S.w) - cross(S.v, B.momentum) * 2.0;
    double* row = out.row(i) + first;
    row[i] += scale * dot(S, own);
    for (int k = m.dof_parentid[i]; k >= 0; k = m.dof_parentid[k]) {
      const Twist Sk = axis(d, k);
      row[k] += scale * (dot(beta_[k], felt) + dot(Sk.w, felt_axis));
      out(k, first + i) += scale * dot(Sk, own);
    }
  }
}

}  // namespace sinew
