#pragma once

#include <type_traits>

#include "math/dual.h"
#include "math/pack.h"
#include "sinew/data.h"

/// Defines the stage `name(m, d)` from its body, a template on the scalar: a kernel if the scalar is double, the plain
/// template for dual numbers. A macro, because target_clones does not apply to templates.
#define SINEW_STAGE_WITH_KERNEL(name, text)                                     \
  namespace {                                                                   \
  SINEW_FLAT_KERNEL void name##_kernel(const Model& m, Data& d) { text(m, d); } \
  }                                                                             \
  template <class Real>                                                         \
  void name(const Model& m, BasicData<Real>& d) {                               \
    if constexpr (std::is_same_v<Real, double>)                                 \
      name##_kernel(m, d);                                                      \
    else                                                                        \
      text(m, d);                                                               \
  }                                                                             \
  template void name(const Model&, BasicData<double>&);                         \
  template void name(const Model&, BasicData<Dual4>&)
