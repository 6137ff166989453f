#pragma once

#include <algorithm>

#include "sinew/constants.h"

// Solver parameters of a contact between two geoms of equal priority.

namespace sinew {

/// Weight of the first geom.
inline double mix_weight(double solmix1, double solmix2) {
  if (solmix1 >= kMinVal && solmix2 >= kMinVal) return solmix1 / (solmix1 + solmix2);
  if (solmix1 < kMinVal && solmix2 < kMinVal) return 0.5;
  return solmix1 < kMinVal ? 0 : 1;
}

/// Time constant and damping ratio are mixed; of (negated) stiffness and damping, the stiffer is used.
inline void mix_solref(double weight, const double* a, const double* b, double* out) {
  const bool standard = a[0] > 0 && b[0] > 0;
  for (int i = 0; i < 2; ++i) out[i] = standard ? weight * a[i] + (1 - weight) * b[i] : std::min(a[i], b[i]);
}

inline void mix_solimp(double weight, const double* a, const double* b, double* out) {
  for (int i = 0; i < 5; ++i) out[i] = weight * a[i] + (1 - weight) * b[i];
}

}  // namespace sinew
