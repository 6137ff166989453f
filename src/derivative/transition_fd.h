#pragma once

#include "sinew/derivatives.h"

namespace sinew {

/// The sides to which an argument is perturbed.
struct Nudges {
  bool forward, backward;
};

/// Of a control: it stays in its range, beyond which the step clamps it.
Nudges control_nudges(const Model& m, const Data& d, int control, const TransitionOptions& options);

/// Differences of the step by positions alone: the first nv columns of A and C, in matrices that have their sizes.
void difference_positions(const Model& m, const Data& d, const TransitionOptions& options, Transition& out);

}  // namespace sinew
