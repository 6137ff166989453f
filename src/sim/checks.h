#pragma once

#include "sinew/data.h"

// Handling of a diverged state: x is bad if it is NaN or |x| > kMaxVal. The first bad index of an array is counted as a
// warning; with autoreset (the default) the world is reset to its initial state.

namespace sinew {

/// Counts the first bad number of qpos; everything is written only if the world is reset.
/// Reads: qpos, warning. Writes: *.
void check_positions(const Model& m, Data& d);
/// Counts the first bad number of qvel; everything is written only if the world is reset.
/// Reads: qvel, warning. Writes: *.
void check_velocities(const Model& m, Data& d);
/// Counts the first bad number of qacc. After a reset, everything is recomputed: the step continues from the initial
/// state.
/// Reads: qacc, warning. Writes: *.
void check_accelerations(const Model& m, Data& d);

}  // namespace sinew
