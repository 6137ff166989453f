#include "dynamics/energy.h"

#include "base/arena.h"
#include "dynamics/inertia.h"
#include "dynamics/passive.h"
#include "math/quat.h"

namespace sinew {
namespace {

/// Energy of one joint's spring. The quaternion is taken as it is, not normalized.
template <class Real>
Real spring_energy(const Model& m, const BasicData<Real>& d, int jnt) {
  const Coefficients stiffness = joint_stiffness(m, jnt);
  if (stiffness.zero()) return Real(0);
  const Real* q = &d.qpos[m.jnt_qposadr[jnt]];
  const double* rest = &m.qpos_spring[m.jnt_qposadr[jnt]];
  const auto rotation = [&](int at) { return norm(subtract(Quat<Real>::load(q + at), Quat<Real>::load(rest + at))); };
  switch (JointType(m.jnt_type[jnt])) {
    case JointType::Free:
      return stiffness.energy(norm(Vec3<Real>::load(q) - Vec3<Real>::load(rest))) + stiffness.energy(rotation(3));
    case JointType::Ball:
      return stiffness.energy(rotation(0));
    case JointType::Slide:
    case JointType::Hinge:
      break;
  }
  return stiffness.energy(q[0] - Real(rest[0]));
}

}  // namespace

template <class Real>
void potential_energy(const Model& m, BasicData<Real>& d) {
  Real sum(0);
  if (!m.opt.disabled(kDisableGravity)) {
    const Vec3<Real> gravity = Vec3<Real>::load(m.opt.gravity.data());
    for (int b = 1; b < m.nbody; ++b) sum -= Real(m.body_mass[b]) * dot(gravity, Vec3<Real>::load(&d.xipos[3 * b]));
  }
  if (!m.opt.disabled(kDisableSpring)) {
    for (int jnt = 0; jnt < m.njnt; ++jnt) sum += spring_energy(m, d, jnt);
    for (int t = 0; t < m.ntendon; ++t) sum += tendon_stiffness(m, t).energy(tendon_stretch(m, d, t));
  }
  d.energy[0] = sum;
}

template <class Real>
void kinetic_energy(const Model& m, BasicData<Real>& d) {
  Scratch scratch(d.scratch());
  Real* momentum = scratch.take<Real>(std::size_t(m.nv));
  mul_tree_sparse(m, d.M.data(), d.qvel.data(), momentum);
  Real sum(0);
  for (int dof = 0; dof < m.nv; ++dof) sum += d.qvel[dof] * momentum[dof];
  d.energy[1] = Real(0.5) * sum;
}

template void potential_energy(const Model&, BasicData<double>&);
template void kinetic_energy(const Model&, BasicData<double>&);

}  // namespace sinew
