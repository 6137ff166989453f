#pragma once

#include "sinew/data.h"

// Which bodies and geoms may collide at all, whatever their poses.

namespace sinew {

/// What bodies_may_collide needs to know about the state: nothing sleeps unless the flag is on and some tree does.
struct SleepView {
  const int* body_awake = nullptr;  // -1 static, 0 asleep, 1 awake; null: nothing sleeps

  bool asleep(int body) const { return body_awake && body_awake[body] == 0; }
  bool awake(int body) const { return !body_awake || body_awake[body] == 1; }
};

SleepView sleep_view(const Model& m, const Data& d);

inline bool masks_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
}

inline bool body_is_collidable(const Model& m, int body) {
  return m.body_geomnum[body] > 0 && (m.body_contype[body] != 0 || m.body_conaffinity[body] != 0);
}

/// Not welded together, at least one of them moves, not parent and child, not both asleep, masks match.
inline bool bodies_may_collide(const Model& m, const SleepView& sleep, int a, int b) {
  if (!masks_match(m.body_contype[a], m.body_conaffinity[a], m.body_contype[b], m.body_conaffinity[b])) return false;
  const int weld_a = m.body_weldid[a], weld_b = m.body_weldid[b];
  if (weld_a == weld_b) return false;
  if (m.body_dofnum[weld_a] == 0 && m.body_dofnum[weld_b] == 0) return false;
  if (sleep.body_awake) {
    const bool a_sleeps = sleep.asleep(a), b_sleeps = sleep.asleep(b);
    if ((a_sleeps && b_sleeps) || (a_sleeps && weld_b == 0) || (b_sleeps && weld_a == 0)) return false;
  }
  if (weld_a != 0 && weld_b != 0 && !m.opt.disabled(kDisableFilterparent)) {
    const int parent_a = m.body_weldid[m.body_parentid[weld_a]], parent_b = m.body_weldid[m.body_parentid[weld_b]];
    if (weld_a == parent_b || weld_b == parent_a) return false;
  }
  return true;
}

inline bool geoms_may_collide(const Model& m, int a, int b) {
  return masks_match(m.geom_contype[a], m.geom_conaffinity[a], m.geom_contype[b], m.geom_conaffinity[b]);
}

}  // namespace sinew
