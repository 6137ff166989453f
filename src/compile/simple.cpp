#include <cmath>

#include "compile/assemble.h"
#include "math/rigid.h"
#include "model/joint_kinds.h"
#include "model/objects.h"

// Frames that coincide, and bodies whose block of M is constant: shortcuts for the simulation.

namespace sinew::compiling {
namespace {

constexpr double kSameFrame = 1e-6;

bool same(const double* a, const double* b, int n) {
  for (int i = 0; i < n; ++i)
    if (!(std::abs(a[i] - b[i]) < kSameFrame)) return false;
  return true;
}
bool same_quat(const double* a, const double* b) {  // q and -q are the same orientation
  const double minus[4] = {-b[0], -b[1], -b[2], -b[3]};
  return same(a, b, 4) || same(a, minus, 4);
}

constexpr double kZero[3] = {0, 0, 0};
constexpr double kIdentity[4] = {1, 0, 0, 0};

SameFrame same_frame(const Model& m, int body, const double* pos, const double* quat) {
  const double* ipos = &m.body_ipos[3 * body];
  const double* iquat = &m.body_iquat[4 * body];
  const bool unrotated = same_quat(quat, kIdentity), principal = same_quat(quat, iquat);
  if (unrotated && same(pos, kZero, 3)) return SameFrame::Body;
  if (unrotated) return SameFrame::BodyRot;
  if (principal && same(pos, ipos, 3)) return SameFrame::Inertia;
  return principal ? SameFrame::InertiaRot : SameFrame::None;
}

void set_same_frames(Model& m) {
  for (int b = 0; b < m.nbody; ++b) {
    const bool unrotated = same_quat(&m.body_iquat[4 * b], kIdentity);
    const bool at_origin = same(&m.body_ipos[3 * b], kZero, 3);
    const SameFrame frame = !unrotated ? SameFrame::None : at_origin ? SameFrame::Body : SameFrame::BodyRot;
    m.body_sameframe[b] = static_cast<std::uint8_t>(frame);
  }
  for (int g = 0; g < m.ngeom; ++g)
    m.geom_sameframe[g] =
        static_cast<std::uint8_t>(same_frame(m, m.geom_bodyid[g], &m.geom_pos[3 * g], &m.geom_quat[4 * g]));
  for (int s = 0; s < m.nsite; ++s)
    m.site_sameframe[s] =
        static_cast<std::uint8_t>(same_frame(m, m.site_bodyid[s], &m.site_pos[3 * s], &m.site_quat[4 * s]));
}

bool along_one_axis(const double* axis) {
  int components = 0;
  for (int k = 0; k < 3; ++k) components += std::abs(axis[k]) > kCompileEps;
  return components == 1;
}

/// Whether the joints of a body leave its block of M diagonal and constant; 2 if none of them rotates it.
std::uint8_t simple_joints(const Model& m, int b) {
  bool rotates = false;
  for (int n = 0; n < m.body_jntnum[b]; ++n) {
    const int j = m.body_jntadr[b] + n;
    const JointKind& kind = joint_kind(m, j);
    const bool askew = kind.is_scalar() && !along_one_axis(&m.jnt_axis[3 * j]);
    if (rotates || !same(&m.jnt_pos[3 * j], kZero, 3) || askew) return 0;
    rotates = kind.rotations() > 0;
  }
  if (rotates) return 1;
  return m.body_dofnum[b] > 0 ? 2 : 1;
}

}  // namespace

void find_simple_bodies(Model& m, const std::vector<bool>& allowed) {
  set_same_frames(m);
  for (int b = 0; b < m.nbody; ++b) {
    const int parent = m.body_parentid[b];
    const bool fixed_parent = parent == 0 || (m.body_parentid[parent] == 0 && m.body_dofnum[parent] == 0);
    const bool candidate = m.body_sameframe[b] == static_cast<int>(SameFrame::Body) && fixed_parent && allowed[b];
    m.body_simple[b] = candidate ? simple_joints(m, b) : 0;
    if (parent > 0) m.body_simple[parent] = 0;
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.tendon_armature[t] == 0) continue;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
      const bool joint = static_cast<WrapType>(m.wrap_type[w]) == WrapType::Joint;  // M stays diagonal
      if (const int body = wrapped_body(m, w); body >= 0 && !joint) m.body_simple[body] = 0;
    }
  }
  int run = 0;
  for (int i = static_cast<int>(m.nv) - 1; i >= 0; --i) {
    run = m.body_simple[m.dof_bodyid[i]] ? run + 1 : 0;
    m.dof_simplenum[i] = run;
  }
}

}  // namespace sinew::compiling
