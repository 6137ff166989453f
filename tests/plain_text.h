#pragma once

#include <cstring>

// What the kernels' plain texts share: the order of a sum, which is part of its bits.

namespace sinew::test {

/// Σ_i term(i) as packs of four sum it: four partial sums over the whole packs, pairs of them, then the rest.
template <class Term>
double packed_sum(int n, const Term& term) {
  double lane[4] = {}, rest = 0;
  const int whole = n / 4 * 4;
  for (int i = 0; i < whole; ++i) lane[i % 4] += term(i);
  for (int i = whole; i < n; ++i) rest += term(i);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + rest;
}

/// Σ_i term(i) over i < n that are padded with zeros to whole packs.
template <class Term>
double padded_sum(int n, const Term& term) {
  double lane[4] = {};
  for (int i = 0; i < n; ++i) lane[i % 4] += term(i);
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/// The same bits; a zero may have either sign, since products with the zeros of padding are added or left out.
inline bool same_bits(double a, double b) { return (a == 0 && b == 0) || std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace sinew::test
