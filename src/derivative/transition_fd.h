#pragma once

#include "sinew/derivatives.h"

namespace sinew {

/// The directions in which an argument is perturbed.
struct Nudges {
  bool forward, backward;
};

/// For a control: it stays in its range, since the step clamps it outside.
Nudges control_nudges(const Model& m, const Data& d, int control, const TransitionOptions& options);

/// Differences of the step by positions alone: the first nv columns of A and C, in matrices of the right sizes.
void difference_positions(const Model& m, const Data& d, const TransitionOptions& options, Transition& out);

}  // namespace sinew
