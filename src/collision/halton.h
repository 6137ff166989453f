#pragma once

namespace sinew {

/// Element `index` of the Halton sequence in a prime base: the radical inverse of the index, in [0, 1).
inline double radical_inverse(int index, int base) {
  double sum = 0, digit = 1;
  for (; index > 0; index /= base) {
    digit /= base;
    sum += digit * (index % base);
  }
  return sum;
}

}  // namespace sinew
