#include <algorithm>

#include "compile/assemble.h"
#include "model/objects.h"
#include "model/transmission_kinds.h"

// Which actuators and tendons touch which trees, and which trees may therefore fall asleep.

namespace sinew::compiling {
namespace {

bool reflects(const Model& m, int a) {
  return m.actuator_damping[a] != 0 || m.actuator_armature[a] != 0 || m.actuator_dampingpoly[kNumPoly * a] != 0 ||
         m.actuator_dampingpoly[kNumPoly * a + 1] != 0;
}

bool has_spring_or_damper(const Model& m, int t) {
  const double* k = &m.tendon_stiffnesspoly[kNumPoly * t];
  const double* d = &m.tendon_dampingpoly[kNumPoly * t];
  return m.tendon_stiffness[t] != 0 || m.tendon_damping[t] != 0 || k[0] != 0 || k[1] != 0 || d[0] != 0 || d[1] != 0;
}

/// Trees that the path of a tendon touches, in the order of the path.
std::vector<int> tendon_trees(const Model& m, int t) {
  std::vector<int> out;
  for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
    const int body = wrapped_body(m, w), tree = body < 0 ? -1 : m.body_treeid[body];
    if (tree >= 0 && std::find(out.begin(), out.end(), tree) == out.end()) out.push_back(tree);
  }
  return out;
}

/// The trees that an actuator acts on; with two sites only the first counts.
std::vector<int> actuated_trees(const Model& m, int a) {
  const int id = m.actuator_trnid[2 * a];
  if (drives_tendon(m, a)) return tendon_trees(m, id);
  return {m.body_treeid[body_of(m, actuator_target(m, a), id)]};
}

/// Whether a tendon keeps the trees it touches awake.
bool keeps_awake(const Model& m, int t) {
  return m.tendon_treenum[t] > 2 ||
         (m.tendon_treenum[t] == 2 && (has_spring_or_damper(m, t) || m.tendon_actuatorid[t] != -1));
}

}  // namespace

void link_actuators(Model& m) {
  m.jnt_actuatorid.assign(m.njnt, -1);
  m.tendon_actuatorid.assign(m.ntendon, -1);
  for (int a = 0; a < m.nactuator; ++a) {
    if (!reflects(m, a)) continue;
    if (!transmission_kind(m, a).follows_target) continue;
    const auto only = (drives_tendon(m, a) ? m.tendon_actuatorid : m.jnt_actuatorid)[m.actuator_trnid[2 * a]];
    only = only == -1 ? a : -2;
  }
  for (int t = 0; t < m.ntendon; ++t) {
    const std::vector<int> trees = tendon_trees(m, t);
    m.tendon_treenum[t] = static_cast<int>(trees.size());
    for (std::size_t k = 0; k < 2; ++k) m.tendon_treeid[2 * t + k] = k < trees.size() ? trees[k] : -1;
  }
}

void set_sleep_policies(Context& context) {
  Model& m = context.model;
  for (const BodyNode* body : context.tree.bodies) {
    if (body->in->sleep == SleepPolicy::Auto) continue;
    const int dof = m.body_dofadr[body->id];
    if (dof < 0 || m.dof_parentid[dof] >= 0) {
      context.report.error(place("body", *body->in), "sleep", "is only valid on the first moving body of a tree");
    } else {
      m.tree_sleep_policy[m.dof_treeid[dof]] = static_cast<int>(body->in->sleep);
    }
  }
  const auto never = static_cast<int>(SleepPolicy::AutoNever), automatic = static_cast<int>(SleepPolicy::Auto);
  const auto keep_awake = [&](const std::vector<int>& trees) {
    for (const int tree : trees)
      if (tree >= 0 && m.tree_sleep_policy[tree] == automatic) m.tree_sleep_policy[tree] = never;
  };
  for (int a = 0; a < m.nactuator; ++a) keep_awake(actuated_trees(m, a));
  for (int t = 0; t < m.ntendon; ++t) {
    if (!keeps_awake(m, t)) continue;
    const std::vector<int> trees = tendon_trees(m, t);
    keep_awake(trees);
    for (const int tree : trees) {
      const auto policy = static_cast<SleepPolicy>(m.tree_sleep_policy[tree]);
      if (policy != SleepPolicy::Allowed && policy != SleepPolicy::Init) continue;
      const BodyNode& body = *context.tree.bodies[m.tree_bodyadr[tree]];
      context.report.error(place("body", *body.in), "sleep",
                           m.tendon_treenum[t] > 2
                               ? "it cannot sleep: a tendon spans more than two trees"
                               : "it cannot sleep: a tendon with stiffness or damping connects it to another tree");
    }
  }
  for (int f = 0; f < m.nflex; ++f) {  // without an equality nothing would wake its trees together
    if (m.flex_edgeequality[f] != 0) continue;
    std::vector<int> trees;
    for (int v = m.flex_vertadr[f]; v < m.flex_vertadr[f] + m.flex_vertnum[f]; ++v)
      if (m.flex_vertbodyid[v] >= 0) trees.push_back(m.body_treeid[m.flex_vertbodyid[v]]);
    for (int n = 0; n < m.flex_nodenum[f]; ++n)
      trees.push_back(m.body_treeid[m.flex_nodebodyid[m.flex_nodeadr[f] + n]]);
    keep_awake(trees);
  }
  for (int& policy : m.tree_sleep_policy.edit())
    if (policy == automatic) policy = static_cast<int>(SleepPolicy::AutoAllowed);
}

}  // namespace sinew::compiling
