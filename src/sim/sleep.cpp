#include "sim/sleep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/arena.h"
#include "collision/collide.h"
#include "constraint/assemble.h"
#include "dynamics/contact_bodies.h"
#include "dynamics/kinematics.h"
#include "model/equality_kinds.h"
#include "model/flex_bodies.h"
#include "sim/unchecked.h"

namespace sinew {
namespace {

bool asleep(const Data& d, int tree) { return tree >= 0 && d.tree_asleep[tree] >= 0; }

bool policy_forbids(const Model& m, int tree) {
  const auto policy = static_cast<SleepPolicy>(m.tree_sleep_policy[tree]);
  return policy == SleepPolicy::Never || policy == SleepPolicy::AutoNever;
}

/// All bytes zero: a negative zero means that the user wrote it.
bool untouched(const double* x, std::size_t n) {
  return std::all_of(x, x + n, [](double v) { return std::bit_cast<std::uint64_t>(v) == 0; });
}

bool is_pushed(const Model& m, const Data& d, int tree) {
  return !untouched(&d.xfrc_applied[6 * m.tree_bodyadr[tree]], 6 * m.tree_bodynum[tree]) ||
         !untouched(&d.qfrc_applied[m.tree_dofadr[tree]], m.tree_dofnum[tree]);
}

bool is_quiet(const Model& m, const Data& d, int tree) {
  const int begin = m.tree_dofadr[tree], end = begin + m.tree_dofnum[tree];
  if (m.opt.sleep_tolerance == 0) return untouched(&d.qvel[begin], m.tree_dofnum[tree]);
  double fastest = 0;
  for (int i = begin; i < end; ++i) fastest = std::max(fastest, m.dof_length[i] * std::abs(d.qvel[i]));
  return fastest < m.opt.sleep_tolerance;
}

/// Wakes a tree with its whole cycle, or resets the counter of an awake one.
void wake(Data& d, int tree, int value) {
  if (d.tree_asleep[tree] < 0) {
    d.tree_asleep[tree] = std::min(d.tree_asleep[tree], value);
    return;
  }
  for (int t = tree; d.tree_asleep[t] >= 0;) {
    const int next = d.tree_asleep[t];
    d.tree_asleep[t] = value;
    t = next;
  }
}

bool moves_by_mocap(const Model& m, int body) { return m.body_mocapid[m.body_rootid[body]] >= 0; }

/// Of two touching trees, an awake one wakes the other with its own counter.
bool wake_by_neighbor(Data& d, int tree1, int tree2) {
  if (tree1 < 0 || tree2 < 0 || asleep(d, tree1) == asleep(d, tree2)) return false;
  const int sleeper = asleep(d, tree1) ? tree1 : tree2, other = asleep(d, tree1) ? tree2 : tree1;
  wake(d, sleeper, d.tree_asleep[other]);
  return true;
}

void wake_by_tendon_limits(const Model& m, Data& d) {
  if (m.opt.disabled(kDisableLimit)) return;
  for (int t = 0; t < m.ntendon; ++t) {
    if (!m.tendon_limited[t] || m.tendon_treenum[t] != 2) continue;
    const double length = d.ten_length[t], margin = m.tendon_margin[t];
    const bool violated = length - m.tendon_range[2 * t] < margin || m.tendon_range[2 * t + 1] - length < margin;
    if (violated) wake_by_neighbor(d, m.tendon_treeid[2 * t], m.tendon_treeid[2 * t + 1]);
  }
}

bool wake_by_contacts(const Model& m, Data& d) {
  bool any = false;
  for (int c = 0; c < d.ncon; ++c) {
    const int body1 = contact_body(m, d.contact[c], 0), body2 = contact_body(m, d.contact[c], 1);
    const int tree1 = m.body_treeid[body1], tree2 = m.body_treeid[body2];
    for (const auto& [tree, other] : {std::pair(tree1, body2), std::pair(tree2, body1)}) {
      if (!asleep(d, tree) || !moves_by_mocap(m, other)) continue;
      wake(d, tree, kFullyAwake);
      any = true;
    }
    any |= wake_by_neighbor(d, tree1, tree2);
  }
  return any;
}

bool same_cycle(const Data& d, int tree1, int tree2) {
  for (int t = d.tree_asleep[tree1]; t != tree1; t = d.tree_asleep[t])
    if (t == tree2) return true;
  return tree1 == tree2;
}

/// All trees of a flex are awake if one of them is, with its counter.
void wake_flex(const Model& m, Data& d, int flex) {
  int awake = -1;
  some_flex_body(m, flex, [&](int body) {
    const int tree = m.body_treeid[body];
    if (tree >= 0 && !asleep(d, tree)) awake = tree;
    return awake >= 0;
  });
  if (awake < 0) return;
  some_flex_body(m, flex, [&](int body) {
    if (const int tree = m.body_treeid[body]; asleep(d, tree)) wake(d, tree, d.tree_asleep[awake]);
    return false;
  });
}

void wake_by_equalities(const Model& m, Data& d) {
  if (m.opt.disabled(kDisableEquality)) return;
  for (int eq = 0; eq < m.neq; ++eq) {
    if (!d.eq_active[eq]) continue;
    if (equality_kind(m, eq).holds_flex()) {
      wake_flex(m, d, m.eq_obj1id[eq]);
      continue;
    }
    const int body[2] = {equality_body(m, eq, 0), equality_body(m, eq, 1)};
    if (body[0] < 0 || body[1] < 0) continue;
    const int tree1 = m.body_treeid[body[0]], tree2 = m.body_treeid[body[1]];
    if (tree1 == tree2) continue;
    const bool awake1 = tree1 >= 0 ? !asleep(d, tree1) : moves_by_mocap(m, body[0]);
    const bool awake2 = tree2 >= 0 ? !asleep(d, tree2) : moves_by_mocap(m, body[1]);
    if (awake1 && asleep(d, tree2)) wake(d, tree2, kFullyAwake);
    if (awake2 && asleep(d, tree1)) wake(d, tree1, kFullyAwake);
    if (asleep(d, tree1) && asleep(d, tree2) && !same_cycle(d, tree1, tree2)) {
      wake(d, tree1, kFullyAwake);
      wake(d, tree2, kFullyAwake);
    }
  }
}

/// Puts trees to sleep as one cycle, in the order given.
void put_to_sleep(const Model& m, Data& d, const int* trees, int n) {
  for (int i = 0; i < n; ++i) {
    const int t = trees[i];
    d.tree_asleep[t] = trees[(i + 1) % n];
    for (int k = m.tree_dofadr[t]; k < m.tree_dofadr[t] + m.tree_dofnum[t]; ++k) d.qvel[k] = d.qacc[k] = 0;
  }
}

/// Islands whose trees are all ready, and single trees without constraints.
bool sleep_ready_trees(const Model& m, Data& d) {
  bool any = false;
  const auto ready = [&](int t) { return d.tree_asleep[t] == -1; };
  for (int k = 0; k < d.nisland; ++k) {
    const int* trees = &d.map_itree2tree[d.island_itreeadr[k]];
    if (!std::all_of(trees, trees + d.island_ntree[k], ready)) continue;
    put_to_sleep(m, d, trees, d.island_ntree[k]);
    any = true;
  }
  for (int t = 0; t < m.ntree; ++t) {
    if (!ready(t) || (d.nisland > 0 && d.tree_island[t] >= 0)) continue;
    put_to_sleep(m, d, &t, 1);
    any = true;
  }
  return any;
}

}  // namespace

bool some_tree_sleeps(const Model& m, const Data& d) {
  return m.opt.enabled(kEnableSleep) && std::ranges::any_of(d.tree_asleep, [](int next) { return next >= 0; });
}

void update_awake(const Model& m, Data& d) {
  for (int t = 0; t < m.ntree; ++t) d.tree_awake[t] = !asleep(d, t);
  for (int b = 0; b < m.nbody; ++b) {
    const int tree = m.body_treeid[b];
    d.body_awake[b] = tree >= 0 ? d.tree_awake[tree] : moves_by_mocap(m, b) ? 1 : -1;
  }
}

void wake_all(const Model& m, Data& d) {
  std::ranges::fill(d.tree_asleep, kFullyAwake);
  update_awake(m, d);
}

void kinematics_and_waking(const Model& m, Data& d) {
  if (!m.opt.enabled(kEnableSleep)) {
    if (std::ranges::any_of(d.tree_asleep, [](int next) { return next >= 0; })) wake_all(m, d);
    kinematics(m, d);
    return;
  }
  if (!some_tree_sleeps(m, d)) {
    kinematics(m, d);
    return;
  }
  Scratch scratch(d.scratch());
  double* xpos = scratch.take<double>(d.xpos.size());
  double* xquat = scratch.take<double>(d.xquat.size());
  std::ranges::copy(d.xpos, xpos);
  std::ranges::copy(d.xquat, xquat);
  kinematics(m, d);
  bool woke = false;
  for (int t = 0; t < m.ntree; ++t) {
    if (!asleep(d, t)) continue;
    const int body = m.tree_bodyadr[t], n = m.tree_bodynum[t];
    const bool moved = std::memcmp(xpos + 3 * body, &d.xpos[3 * body], 3 * n * sizeof(double)) != 0 ||
                       std::memcmp(xquat + 4 * body, &d.xquat[4 * body], 4 * n * sizeof(double)) != 0;
    const bool still = untouched(&d.qvel[m.tree_dofadr[t]], m.tree_dofnum[t]);
    if (!moved && still && !policy_forbids(m, t) && !is_pushed(m, d, t)) continue;
    wake(d, t, kFullyAwake);
    woke = true;
  }
  if (!woke) return;
  update_awake(m, d);
  kinematics(m, d);  // geoms and sites of sleeping trees were skipped
}

void collide_and_waking(const Model& m, Data& d) {
  const bool sleeping = some_tree_sleeps(m, d);
  if (sleeping) {
    wake_by_tendon_limits(m, d);
    update_awake(m, d);
  }
  collide(m, d);
  if (!sleeping) return;
  if (wake_by_contacts(m, d)) {
    update_awake(m, d);
    collide(m, d);
  }
  wake_by_equalities(m, d);
  update_awake(m, d);
}

bool fall_asleep(const Model& m, Data& d) {
  if (!m.opt.enabled(kEnableSleep)) return false;
  // without rows sorted by island, it is unknown which trees they connect: the counters do not advance
  if (m.opt.disabled(kDisableIsland) && d.nefc > 0) return false;
  for (int t = 0; t < m.ntree; ++t) {
    int& counter = d.tree_asleep[t];
    if (counter >= 0) continue;
    const bool may = !policy_forbids(m, t) && !is_pushed(m, d, t) && is_quiet(m, d, t);
    if (!may)
      counter = kFullyAwake;
    else if (counter < -1)
      ++counter;
  }
  return sleep_ready_trees(m, d);
}

bool put_initial_trees_to_sleep(const Model& m, Data& d) {
  const auto initial = [&](int t) { return m.tree_sleep_policy[t] == static_cast<int>(SleepPolicy::Init); };
  bool any = false;
  for (int t = 0; t < m.ntree; ++t) any |= initial(t);
  if (!m.opt.enabled(kEnableSleep) || !any) return true;
  unchecked::forward(m, d);
  for (int t = 0; t < m.ntree; ++t) d.tree_asleep[t] = initial(t) ? -1 : kFullyAwake;
  fall_asleep(m, d);
  update_awake(m, d);
  std::ranges::fill(d.qacc_smooth, 0.0);
  std::ranges::fill(d.qfrc_smooth, 0.0);
  clear_rows(d);
  for (int t = 0; t < m.ntree; ++t)
    if (initial(t) && !asleep(d, t)) return false;
  return true;
}

namespace {

/// Whether every position of each tree is the one set by reset.
std::vector<bool> trees_in_initial_position(const Model& m, const Data& d) {
  std::vector<bool> out(m.ntree, true);
  for (int j = 0; j < m.njnt; ++j) {
    const int tree = m.dof_treeid[m.jnt_dofadr[j]],
              end = j + 1 < m.njnt ? m.jnt_qposadr[j + 1] : static_cast<int>(m.nq);
    for (int i = m.jnt_qposadr[j]; i < end; ++i)
      if (d.qpos[i] != m.qpos0[i]) out[tree] = false;
  }
  return out;
}

}  // namespace

void restore_sleep(const Model& m, Data& d, std::span<const int> tree_asleep) {
  wake_all(m, d);
  const bool any = std::ranges::any_of(tree_asleep, [](int next) { return next >= 0; });
  if (any) unchecked::forward(m, d);
  std::ranges::copy(tree_asleep, d.tree_asleep.begin());
  update_awake(m, d);
  if (!any) return;
  const std::vector<bool> initial = trees_in_initial_position(m, d);
  for (int i = 0; i < m.nv; ++i) {
    const int tree = m.dof_treeid[i];
    if (!asleep(d, tree)) continue;
    d.qacc[i] = 0;
    // a tree that has slept since the reset was never accelerated
    const bool since_reset = m.tree_sleep_policy[tree] == static_cast<int>(SleepPolicy::Init) && initial[tree];
    if (since_reset) d.qacc_smooth[i] = d.qfrc_smooth[i] = 0;
  }
}

}  // namespace sinew
