#pragma once

#include <cmath>

// Numbers of about 106 bits as unevaluated sums of two doubles: high is the nearest double to the sum. The formulas are
// the classic ones of Dekker and Knuth and need no fused multiply-add.

namespace sinew::elementary::detail {

struct TwoPart {
  double high, low;
};

/// a + b, exactly, if |a| ≥ |b| or a = 0.
inline TwoPart ordered_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

/// a + b, exactly.
inline TwoPart exact_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

/// a · b, exactly unless it over- or underflows: each factor is cut into halves of 26 bits.
inline TwoPart exact_product(double a, double b) {
  constexpr double kCut = 0x1p27 + 1;
  const double ta = kCut * a, tb = kCut * b;
  const double a1 = ta - (ta - a), b1 = tb - (tb - b), a2 = a - a1, b2 = b - b1;
  const double p = a * b;
  return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

inline TwoPart operator-(TwoPart a) { return {-a.high, -a.low}; }

inline TwoPart operator+(TwoPart a, double b) {
  const TwoPart s = exact_sum(a.high, b);
  return ordered_sum(s.high, s.low + a.low);
}

inline TwoPart operator+(TwoPart a, TwoPart b) {
  const TwoPart s = exact_sum(a.high, b.high), t = exact_sum(a.low, b.low);
  const TwoPart u = ordered_sum(s.high, s.low + t.high);
  return ordered_sum(u.high, u.low + t.low);
}

inline TwoPart operator*(TwoPart a, double b) {
  const TwoPart p = exact_product(a.high, b);
  return ordered_sum(p.high, p.low + a.low * b);
}

inline TwoPart operator*(TwoPart a, TwoPart b) {
  const TwoPart p = exact_product(a.high, b.high);
  return ordered_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

inline TwoPart operator/(TwoPart a, TwoPart b) {
  const double q = a.high / b.high;
  const TwoPart r = exact_product(q, b.high);
  return ordered_sum(q, (((a.high - r.high) - r.low) + a.low - q * b.low) / b.high);
}

/// √x for x > 0.
inline TwoPart root(TwoPart x) {
  const double r = std::sqrt(x.high);
  const TwoPart square = exact_product(r, r);
  return ordered_sum(r, (((x.high - square.high) - square.low) + x.low) / (2 * r));
}

}  // namespace sinew::elementary::detail
