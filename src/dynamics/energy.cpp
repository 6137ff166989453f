#include "dynamics/energy.h"

#include "base/arena.h"
#include "dynamics/inertia.h"
#include "dynamics/joint_table.h"
#include "dynamics/passive.h"
#include "math/dual.h"

namespace sinew {
namespace {

template <class Real>
Real joint_spring_energy(const Model& m, const BasicData<Real>& d, int jnt) {
  const SpringLaw law = joint_spring(m, jnt);
  if (law.none()) return Real(0);
  const int qposadr = m.jnt_qposadr[jnt];
  return visit_joint(joint_type(m, jnt), [&](auto kind) -> Real {
    return kind.spring_energy(law, static_cast<const Real*>(&d.qpos[qposadr]), &m.qpos_spring[qposadr]);
  });
}

/// Springs of sleeping trees are not counted, as in MuJoCo.
template <class Real>
bool tree_takes_part(const Model& m, const BasicData<Real>& d, int tree) {
  return tree < 0 || !m.opt.enabled(kEnableSleep) || d.tree_awake[tree] != 0;
}

template <class Real>
bool tendon_takes_part(const Model& m, const BasicData<Real>& d, int tendon) {
  if (m.tendon_treenum[tendon] == 0 || m.tendon_treenum[tendon] > 2) return true;
  const int* tree = &m.tendon_treeid[2 * tendon];
  return tree_takes_part(m, d, tree[0]) || (m.tendon_treenum[tendon] == 2 && tree_takes_part(m, d, tree[1]));
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
    for (int jnt = 0; jnt < m.njnt; ++jnt)
      if (tree_takes_part(m, d, m.body_treeid[m.jnt_bodyid[jnt]])) sum += joint_spring_energy(m, d, jnt);
    for (int t = 0; t < m.ntendon; ++t)
      if (tendon_takes_part(m, d, t)) sum += tendon_spring(m, t).energy(tendon_stretch(m, d, t));
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

template void potential_energy(const Model&, BasicData<Dual4>&);
template void kinetic_energy(const Model&, BasicData<Dual4>&);

}  // namespace sinew
