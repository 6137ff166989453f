#pragma once

#include "sinew/data.h"

// Which bodies and geoms may collide at all, regardless of their poses.

namespace sinew {

/// The sleep state for bodies_may_collide: nothing sleeps unless the flag is set and some tree sleeps.
struct SleepView {
  const int* body_awake = nullptr;  // -1 static, 0 asleep, 1 awake; null: nothing sleeps

  bool asleep(int body) const { return body_awake && body_awake[body] == 0; }
};

SleepView sleep_view(const Model& m, const Data& d);

inline bool masks_match(int contype1, int conaffinity1, int contype2, int conaffinity2) {
  return (contype1 & conaffinity2) != 0 || (contype2 & conaffinity1) != 0;
}

inline bool body_is_collidable(const Model& m, int body) {
  return m.body_geomnum[body] > 0 && (m.body_contype[body] != 0 || m.body_conaffinity[body] != 0);
}

inline bool geom_is_collidable(const Model& m, int geom) {
  return (m.geom_contype[geom] | m.geom_conaffinity[geom]) != 0;
}

struct BodyPair {
  int first, second;  // first < second
};

/// The data that determines whether a body may collide with another, contiguous in memory.
struct BodyFilter {
  int contype, conaffinity;
  int weld;    // its weld group
  int parent;  // the weld group of that group's parent
  int dofs;    // of the weld group
  int asleep;

  BodyFilter(const Model& m, const SleepView& sleep, int body)
      : contype(m.body_contype[body]),
        conaffinity(m.body_conaffinity[body]),
        weld(m.body_weldid[body]),
        parent(m.opt.disabled(kDisableFilterparent) || weld == 0 ? -1 : m.body_weldid[m.body_parentid[weld]]),
        dofs(m.body_dofnum[weld]),
        asleep(sleep.asleep(body)) {}
};

/// Masks match, not welded together, at least one of them moves, not parent and child (the world does not count as a
/// parent), not both asleep, nor one asleep and the other fixed to the world.
inline bool bodies_may_collide(const BodyFilter& a, const BodyFilter& b) {
  if (!masks_match(a.contype, a.conaffinity, b.contype, b.conaffinity)) return false;
  if (a.weld == b.weld || a.dofs + b.dofs == 0) return false;
  if ((a.asleep && (b.asleep || b.weld == 0)) || (b.asleep && a.weld == 0)) return false;
  const bool parent_of = b.weld != 0 && a.weld != 0 && (a.weld == b.parent || b.weld == a.parent);
  return !parent_of;
}

inline bool geoms_may_collide(const Model& m, int a, int b) {
  return masks_match(m.geom_contype[a], m.geom_conaffinity[a], m.geom_contype[b], m.geom_conaffinity[b]);
}

}  // namespace sinew
