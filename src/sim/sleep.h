#pragma once

#include <span>

#include "sinew/data.h"

// Sleeping (option flag sleep): a tree whose state has been at rest for some steps is taken out of the simulation until
// something touches it. tree_asleep[t] is negative while the tree is awake: from kFullyAwake it counts quiet steps up
// to -1. Trees that fall asleep together form a cycle: tree_asleep is then the next tree of the cycle.

namespace sinew {

inline constexpr int kMinAwake = 10;  // quiet steps before a tree falls asleep
inline constexpr int kFullyAwake = -(1 + kMinAwake);

/// Whether any tree sleeps (never where the option is off).
bool some_tree_sleeps(const Model& m, const Data& d);

/// Everything awake.
void wake_all(const Model& m, Data& d);

/// kinematics, and trees wake whose poses, velocities or applied forces the user changed.
/// Reads: as kinematics, tree_asleep, xpos, xquat, qvel, qfrc_applied, xfrc_applied.
/// Writes: as kinematics, tree_asleep, tree_awake, body_awake.
void kinematics_and_waking(const Model& m, Data& d);

/// collide, then what is touched by something awake wakes: through tendon limits, contacts (collide runs again) and
/// equality constraints.
/// Reads: as collide, ten_length, eq_active, tree_asleep. Writes: as collide, tree_asleep, tree_awake, body_awake.
void collide_and_waking(const Model& m, Data& d);

/// Counts quiet steps and lets trees fall asleep; true where one did. Its velocity and acceleration are zero then, and
/// body_awake still tells who took part in this step: update_awake follows.
/// Reads: tree_asleep, qvel, qfrc_applied, xfrc_applied, nefc, nisland, tree_island, map_itree2tree, island_itreeadr,
/// island_ntree.
/// Writes: tree_asleep, qvel, qacc.
bool fall_asleep(const Model& m, Data& d);

/// Who takes part in the step.
/// Reads: tree_asleep. Writes: tree_awake, body_awake.
void update_awake(const Model& m, Data& d);

/// For trees with the policy init: after a forward pass they are put to sleep. False where one could not.
bool put_initial_trees_to_sleep(const Model& m, Data& d);

/// Brings a world, whose state and inputs are set, to recorded sleep: everything is evaluated awake, then these trees
/// sleep with the results of that evaluation.
void restore_sleep(const Model& m, Data& d, std::span<const int> tree_asleep);

}  // namespace sinew
