#pragma once

#include <span>

#include "sinew/data.h"

// Sleeping (option flag sleep): a tree whose state has been at rest for some steps is skipped by the simulation until
// something touches it. tree_asleep[t] is negative while the tree is awake: from kFullyAwake it counts steps at rest up
// to -1. Trees that fall asleep together form a cycle: tree_asleep is then the next tree of the cycle.

namespace sinew {

inline constexpr int kMinAwake = 10;  // steps at rest before a tree falls asleep
inline constexpr int kFullyAwake = -(1 + kMinAwake);

/// Whether any tree sleeps (never if the option is off).
bool some_tree_sleeps(const Model& m, const Data& d);

/// Everything awake.
void wake_all(const Model& m, Data& d);

/// kinematics; wakes trees whose poses, velocities or applied forces the user changed.
/// Reads: as kinematics, tree_asleep, xpos, xquat, qvel, qfrc_applied, xfrc_applied.
/// Writes: as kinematics, tree_asleep, tree_awake, body_awake.
void kinematics_and_waking(const Model& m, Data& d);

/// collide, then wakes trees touched by awake ones: through tendon limits, contacts (collide runs again) and equality
/// constraints.
/// Reads: as collide, ten_length, eq_active, tree_asleep. Writes: as collide, tree_asleep, tree_awake, body_awake.
void collide_and_waking(const Model& m, Data& d);

/// Counts steps at rest and lets trees fall asleep; true if one did. Its velocity and acceleration are then zero, and
/// body_awake still shows what was awake in this step: update_awake follows.
/// Reads: tree_asleep, qvel, qfrc_applied, xfrc_applied, nefc, nisland, tree_island, map_itree2tree, island_itreeadr,
/// island_ntree.
/// Writes: tree_asleep, qvel, qacc.
bool fall_asleep(const Model& m, Data& d);

/// Updates which trees and bodies are awake.
/// Reads: tree_asleep. Writes: tree_awake, body_awake.
void update_awake(const Model& m, Data& d);

/// For trees with the policy init: after a forward pass they are put to sleep. False if one could not be.
bool put_initial_trees_to_sleep(const Model& m, Data& d);

/// Restores recorded sleep in a world whose state and inputs are set: everything is evaluated awake, then these trees
/// sleep with the results of that evaluation.
void restore_sleep(const Model& m, Data& d, std::span<const int> tree_asleep);

}  // namespace sinew
