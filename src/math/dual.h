#pragma once

#include <cmath>

#include "math/elementary.h"
#include "math/quat.h"

// Forward-mode differentiation: a number that carries its derivatives along N directions. A smooth stage instantiated
// for it computes what it computes for double, plus the directional derivatives of every number:
//   f(x + ε·dx) = f(x) + ε·f'(x) dx,   ε² = 0.

namespace sinew {

/// Derivatives along N directions. Pairs fill vector registers, which the compiler does not do by itself across so many
/// small functions (a fifth of the time).
template <int N>
struct Slopes {
  using Pair = double __attribute__((vector_size(16), aligned(8), may_alias));
  static constexpr int kPairs = (N + 1) / 2;
  Pair pair[kPairs];

  SINEW_INLINE double& operator[](int k) { return reinterpret_cast<double*>(pair)[k]; }
  SINEW_INLINE double operator[](int k) const { return reinterpret_cast<const double*>(pair)[k]; }

  /// f(k) for every pair.
  template <class Function>
  SINEW_INLINE static Slopes of(Function&& f) {
    Slopes r;
    for (int k = 0; k < kPairs; ++k) r.pair[k] = f(k);
    return r;
  }
};

template <int N>
struct Dual {
  static constexpr int directions = N;

  double value;
  Slopes<N> slope;

  Dual() = default;
  SINEW_INLINE Dual(double x) : value(x), slope{} {}  // NOLINT: a constant is a number without derivatives
  SINEW_INLINE Dual(double x, const Slopes<N>& s) : value(x), slope(s) {}

  /// The chain rule for a function of one number: y = f(value) with derivative dy there.
  SINEW_INLINE Dual chain(double y, double dy) const {
    return {y, Slopes<N>::of([&](int k) { return dy * slope.pair[k]; })};
  }

  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  SINEW_INLINE friend Dual operator+(const Dual& a) { return a; }
  SINEW_INLINE friend Dual operator-(const Dual& a) {
    return {-a.value, Slopes<N>::of([&](int k) { return -a.slope.pair[k]; })};
  }
  SINEW_INLINE friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, Slopes<N>::of([&](int k) { return a.slope.pair[k] + b.slope.pair[k]; })};
  }
  SINEW_INLINE friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, Slopes<N>::of([&](int k) { return a.slope.pair[k] - b.slope.pair[k]; })};
  }
  SINEW_INLINE friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value,
            Slopes<N>::of([&](int k) { return a.slope.pair[k] * b.value + a.value * b.slope.pair[k]; })};
  }
  SINEW_INLINE friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1 / b.value, y = a.value / b.value;
    return {y, Slopes<N>::of([&](int k) { return (a.slope.pair[k] - y * b.slope.pair[k]) * inverse; })};
  }

  /// Equal in value and derivatives: when a stage skips exact zeros, a value that merely happens to be zero here still
  /// contributes to the derivative.
  friend bool operator==(const Dual& a, const Dual& b) {
    for (int k = 0; k < N; ++k)
      if (a.slope[k] != b.slope[k]) return false;
    return a.value == b.value;
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }

  friend double value_of(const Dual& a) { return a.value; }
  /// At zero the mean of both sides, as with centered differences.
  friend Dual abs(const Dual& a) { return a.value < 0 ? -a : a.value > 0 ? a : Dual(a.value); }
  friend Dual round(const Dual& a) { return std::round(a.value); }
  friend Dual sin(const Dual& a) { return sin_cos(a).sin; }
  friend Dual cos(const Dual& a) { return sin_cos(a).cos; }
  friend elementary::SineCosine<Dual> sin_cos(const Dual& a) {
    const auto [s, c] = elementary::sin_cos(a.value);
    return {a.chain(s, c), a.chain(c, -s)};
  }
  friend Dual exp(const Dual& a) {
    const double y = elementary::exp(a.value);
    return a.chain(y, y);
  }
  friend Dual log(const Dual& a) { return a.chain(elementary::log(a.value), 1 / a.value); }
  friend Dual tanh(const Dual& a) {
    const double y = elementary::tanh(a.value);
    return a.chain(y, 1 - y * y);
  }
  /// √, asin and acos have no derivative at the end of their domain: it is taken as zero there, which is right for the
  /// lengths and angles that the stages multiply by something that also vanishes.
  friend Dual sqrt(const Dual& a) {
    const double y = std::sqrt(a.value);
    return a.chain(y, y > 0 ? 0.5 / y : 0);
  }
  friend Dual asin(const Dual& a) { return a.chain(elementary::asin(a.value), arc_slope(a.value)); }
  friend Dual acos(const Dual& a) { return a.chain(elementary::acos(a.value), -arc_slope(a.value)); }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double n = x.value * x.value + y.value * y.value, inverse = n > 0 ? 1 / n : 0;
    return {elementary::atan2(y.value, x.value),
            Slopes<N>::of([&](int k) { return (x.value * y.slope.pair[k] - y.value * x.slope.pair[k]) * inverse; })};
  }
  friend Dual pow(const Dual& a, double p) {
    return a.chain(elementary::pow(a.value, p), p == 0 ? 0 : p * elementary::pow(a.value, p - 1));
  }
  friend bool isfinite(const Dual& a) { return std::isfinite(a.value); }

 private:
  static double arc_slope(double x) {
    const double c = 1 - x * x;
    return c > 0 ? 1 / std::sqrt(c) : 0;
  }
};

/// The dual number for which the smooth stages are instantiated: four directions fill the vector registers.
using Dual4 = Dual<4>;

// Rotation vectors at zero. For double their direction does not matter there; a derivative needs the smooth form
//   exp: (cos(x/2), v sin(x/2)/x),   log: v · 2 atan(s/w)/s,   x = |v|, s = |vec(q)|.

template <int N>
Quat<Dual<N>> exp(const Vec3<Dual<N>>& v) {
  using Real = Dual<N>;
  const Real xx = dot(v, v);
  if (xx.value < 1e-6) {
    const Real s = Real(0.5) - xx / Real(48) * (Real(1) - xx / Real(80));
    return {Real(1) - xx / Real(8) * (Real(1) - xx / Real(48)), v.x * s, v.y * s, v.z * s};
  }
  const Real x = sqrt(xx);
  const auto [sine, c] = sin_cos(x * Real(0.5));
  const Real s = sine / x;
  return {c, v.x * s, v.y * s, v.z * s};
}

template <int N>
Vec3<Dual<N>> log(const Quat<Dual<N>>& q) {
  using Real = Dual<N>;
  const Vec3<Real> v = q.vec();
  const Real ss = dot(v, v), t = ss / (q.w * q.w);
  if (ss.value < 1e-6 && q.w.value != 0)
    return v * (Real(2) / q.w * (Real(1) - t * (Real(1. / 3) - t * (Real(0.2) - t * Real(1. / 7)))));
  const Real s = sqrt(ss);
  Real angle = Real(2) * atan2(s, q.w);
  if (angle > kPi) angle -= Real(2 * kPi);
  return v * (angle / s);
}

template <int N>
Quat<Dual<N>> rotation_in(const Vec3<Dual<N>>& w, double h) {
  return exp(w * Dual<N>(h));
}

}  // namespace sinew
