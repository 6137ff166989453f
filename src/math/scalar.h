#pragma once

#include <cmath>

#include "sinew/constants.h"

// Scalar functions that the smooth stages call on their scalar type Real. For double they are libm's; a dual number or
// a pack of lanes has its own overloads, found by argument-dependent lookup.

// For the few math functions that stages call in their innermost loops. They take and return small structs, which a
// call would pass through memory; left to itself the compiler finds some of them too long to inline (GCC 12: 25 % of
// kinematics).
#define SINEW_INLINE [[gnu::always_inline]] inline

namespace sinew {

inline double value_of(double x) { return x; }

/// condition ? a : b. Smooth stages may branch on the model, but on the state only through this.
template <class Real>
Real select(bool condition, const Real& a, const Real& b) {
  return condition ? a : b;
}

/// x < lo: lo, x > hi: hi, else x (so NaN stays NaN).
template <class Real>
Real clip(const Real& x, double lo, double hi) {
  if (x < lo) return Real(lo);
  if (x > hi) return Real(hi);
  return x;
}

template <class Real>
Real maximum(const Real& a, const Real& b) {
  return a > b ? a : b;
}

}  // namespace sinew
