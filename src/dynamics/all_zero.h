#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

namespace sinew {

/// Whether all numbers are 0 or -0. The model's flags (flg_gravcomp …) may be outdated after an edit.
inline bool all_zero(std::span<const double> numbers) {
  std::uint64_t bits = 0;
  for (const double x : numbers) bits |= std::bit_cast<std::uint64_t>(x) << 1;  // drops the sign
  return bits == 0;
}
template <class Real>
bool all_zero(std::span<const Real> numbers) {
  return std::ranges::all_of(numbers, [](const Real& x) { return x == Real(0); });
}

}  // namespace sinew
