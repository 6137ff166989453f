#pragma once

#include "sinew/data.h"

// What a step does about a state that has left the numbers: x is bad if it is NaN or |x| > kMaxVal. The first bad index
// of an array is counted as a warning; with autoreset (the default) the world starts again from its initial state.

namespace sinew {

/// Counts the first bad number of qpos; everything is written only where the world starts again.
/// Reads: qpos, warning. Writes: *.
void check_positions(const Model& m, Data& d);
/// Counts the first bad number of qvel; everything is written only where the world starts again.
/// Reads: qvel, warning. Writes: *.
void check_velocities(const Model& m, Data& d);
/// Counts the first bad number of qacc. After a reset, everything is computed again: the step goes on from the initial
/// state.
/// Reads: qacc, warning. Writes: *.
void check_accelerations(const Model& m, Data& d);

}  // namespace sinew
