#include "dynamics/energy.h"

#include "base/arena.h"
#include "dynamics/awake.h"
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

/// Springs along the edges of a flex of segments; as in MuJoCo, other elasticity of flexes is not counted.
double edge_spring_energy(const Model& m, const Data& d, int flex) {
  const double stiffness = m.flex_edgestiffness[flex];
  if (stiffness == 0 || m.flex_rigid[flex] || m.flex_dim[flex] != 1) return 0;
  const Awake awake(m, d);
  const auto moves = [&](int v) { return awake.body(m.flex_vertbodyid[m.flex_vertadr[flex] + v]); };
  double sum = 0;
  for (int e = m.flex_edgeadr[flex]; e < m.flex_edgeadr[flex] + m.flex_edgenum[flex]; ++e) {
    if (m.flexedge_rigid[e] || m.flex_interp[flex] != 0 ||
        !(moves(m.flex_edge[2 * e]) || moves(m.flex_edge[2 * e + 1])))
      continue;
    const double x = m.flexedge_length0[e] - d.flexedge_length[e];
    sum += 0.5 * stiffness * x * x;
  }
  return sum;
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
    if constexpr (std::is_same_v<Real, double>)
      for (int f = 0; f < m.nflex; ++f) sum += edge_spring_energy(m, d, f);
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
