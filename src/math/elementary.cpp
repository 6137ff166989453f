#include "math/elementary.h"

#include <bit>
#include <cmath>
#include <limits>

#include "math/elementary_constants.h"
#include "math/two_part.h"

namespace sinew::elementary {
namespace {

using namespace detail;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr TwoPart kPi2{kPiParts[0], kPiParts[1]}, kHalfPi2{kHalfPiParts[0], kHalfPiParts[1]};

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
int exponent_of(double x) { return static_cast<int>(bits_of(x) >> 52 & 0x7ff) - 1023; }

/// 2ᵏ for the exponents of normal numbers.
double power_of_two(int k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

/// x 2ᵏ for 1/2 ≤ |x| ≤ 2 and |k| ≤ 1980, rounded once.
double scaled(double x, int k) {
  if (k > 1023) return x * 0x1p1000 * power_of_two(k - 1000);
  if (k < -1022) return x * 0x1p-960 * power_of_two(k + 960);
  return x * power_of_two(k);
}

/// The integer nearest to |x| < 2⁵¹.
double nearest(double x) {
  constexpr double kShift = 0x1.8p52;  // its last bit is worth one
  return (x + kShift) - kShift;
}

/// A polynomial with these coefficients from the constant on, by pairs, pairs of pairs and so on, so that several
/// operations are under way at once.
template <std::size_t N>
double polynomial(const double (&c)[N], double x) {
  double sum[N];
  for (std::size_t k = 0; k < N; ++k) sum[k] = c[k];
  for (std::size_t n = N; n > 1; n = (n + 1) / 2, x *= x) {
    for (std::size_t k = 0; k < n / 2; ++k) sum[k] = sum[2 * k] + x * sum[2 * k + 1];
    if (n % 2 == 1) sum[n / 2] = sum[n - 1];
  }
  return sum[0];
}

/// An angle less a multiple of π/2: |rest| ≤ π/4 (a little more after rounding), quadrant modulo 4.
struct Reduced {
  TwoPart rest;
  int quadrant;
};

/// For |x| ≥ 2²⁰: x = m 2ᵉ with an integer m of 53 bits. Of the bits of 2/π those that only add multiples of 4 to x 2/π
/// are skipped; the next 192, as an integer W, give x 2/π = m W 2⁻¹⁹⁰ modulo 4 with an error below 2⁻¹³⁷, while no
/// double comes closer to a multiple of π/2 than 2⁻⁶².
Reduced reduce_large(double x) {
  const int e = exponent_of(x) - 52;
  const std::uint64_t m = (bits_of(x) & 0xfffffffffffffull) | 0x10000000000000ull;
  constexpr int kWords = 6;
  const int first = e + 62, word = first / 32, shift = first % 32;
  std::uint32_t product[kWords] = {};  // m W modulo 2¹⁹², least significant word first
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = half == 0 ? m & 0xffffffffu : m >> 32;
    std::uint64_t carry = 0;
    for (int k = 0; k + half < kWords; ++k) {
      const int at = word + kWords - 1 - k;
      const std::uint64_t pair = static_cast<std::uint64_t>(kTwoOverPi[at]) << 32 | kTwoOverPi[at + 1];
      const std::uint64_t w = pair >> (32 - shift) & 0xffffffffu;
      const std::uint64_t sum = factor * w + product[k + half] + carry;
      product[k + half] = static_cast<std::uint32_t>(sum);
      carry = sum >> 32;
    }
  }
  int quadrant = static_cast<int>(product[kWords - 1] >> 30);
  product[kWords - 1] &= 0x3fffffffu;
  const bool above = product[kWords - 1] >= 0x20000000u;  // the fraction is at least 1/2: count down from the next one
  if (above) ++quadrant;
  TwoPart fraction{0, 0};
  double unit = 0x1p-30;
  for (int k = kWords - 1; k >= 0; --k, unit *= 0x1p-32) {
    // exact: 2⁻³⁰ units of the highest word are subtracted as one whole
    const double digit = static_cast<double>(product[k]) - (above && k == kWords - 1 ? 0x1p30 : 0);
    fraction = fraction + digit * unit;
  }
  TwoPart rest = fraction * kHalfPi2;
  if (std::signbit(x)) return {-rest, -quadrant & 3};
  return {rest, quadrant & 3};
}

Reduced reduce(double x) {
  if (std::abs(x) <= kQuarterPiParts[0]) return {{x, 0}, 0};
  if (!(std::abs(x) < 0x1p20)) return reduce_large(x);
  // k has 20 bits and the first three parts of π/2 have 33, so those products are exact
  const double k = nearest(x * kTwoOverPiRounded);
  const TwoPart a = exact_sum(x - k * kHalfPi[0], -k * kHalfPi[1]);
  const TwoPart b = exact_sum(a.high, -k * kHalfPi[2]);
  return {ordered_sum(b.high, a.low + b.low - k * kHalfPi[3]), static_cast<int>(k) & 3};
}

/// Sine and cosine of an angle with |y| ≤ π/4. The leading terms are exact products, so that results are the nearest
/// doubles but for one in some hundred.
TwoPart sine_of(TwoPart y, TwoPart square) {
  const double z = square.high;
  const TwoPart sixth = exact_product(z, kSixth[0]);
  const TwoPart cube = exact_product(y.high, sixth.high);
  const double low = sixth.low + (square.low * kSixth[0] + z * kSixth[1]);
  const double rest = y.low * (1 - 0.5 * z) - y.high * low + y.high * (z * (z * polynomial(kSine, z)));
  const TwoPart sum = ordered_sum(y.high, -cube.high);
  return ordered_sum(sum.high, sum.low + (rest - cube.low));
}

TwoPart cosine_of(TwoPart y, TwoPart square) {
  const double z = square.high;
  const TwoPart sum = ordered_sum(1, -0.5 * z);
  return ordered_sum(sum.high, sum.low + ((z * (z * polynomial(kCosine, z)) - y.high * y.low) - 0.5 * square.low));
}

double sine_in(const Reduced& r) {
  const TwoPart square = exact_product(r.rest.high, r.rest.high);
  const double s = ((r.quadrant & 1) != 0 ? cosine_of(r.rest, square) : sine_of(r.rest, square)).high;
  return (r.quadrant & 2) != 0 ? -s : s;
}

/// exp x = (high + low) 2ᵏ for |x| < 1100, with x = k ln 2 + r and exp r = 1 + r + r² P(r).
struct Exponential {
  TwoPart factor;
  int k;
};

Exponential exponential(TwoPart x) {
  const double k = nearest(x.high * kOneOverLog2);
  // k has 11 bits, the first two parts of ln 2 have 40
  const TwoPart a = exact_sum(x.high - k * kLog2[0], -k * kLog2[1]);
  const TwoPart r = ordered_sum(a.high, (a.low + x.low) - k * kLog2[2]);
  const TwoPart one = ordered_sum(1, r.high);
  const double tail = r.low + (r.low * r.high + r.high * r.high * polynomial(kExponential, r.high));
  return {ordered_sum(one.high, one.low + tail), static_cast<int>(k)};
}

/// The logarithm of the fraction of x = 2ᵏ m, √½ ≤ m < √2: ln m = 2 s + 2/3 s³ + 2/5 s⁵ + …, s = (m - 1)/(m + 1).
struct Logarithm {
  TwoPart of_fraction;
  int k;
};

/// For finite x > 0.
Logarithm logarithm(double x) {
  int k = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    k = -54;
  }
  constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcdull;
  const std::uint64_t above = bits_of(x) - kRootHalf;
  const auto whole = static_cast<std::int64_t>(above) >> 52;
  const double f = std::bit_cast<double>(bits_of(x) - (static_cast<std::uint64_t>(whole) << 52)) - 1;
  const TwoPart s = TwoPart{f, 0} / exact_sum(2, f);
  const TwoPart ss = s * s;
  const TwoPart two_fifths{kTwoFifths[0], kTwoFifths[1]}, two_thirds{kTwoThirds[0], kTwoThirds[1]};
  const double z = ss.high, rest = z * z * z * s.high * polynomial(kLogarithm, z);
  const TwoPart cubic = ss * s * (two_thirds + ss * two_fifths);
  return {TwoPart{2 * s.high, 2 * s.low} + (cubic + rest), k + static_cast<int>(whole)};
}

TwoPart natural(const Logarithm& l) {
  const TwoPart whole = ordered_sum(l.k * kLog2[0], l.k * kLog2[1]);
  return ordered_sum(whole.high, whole.low + l.k * kLog2[2]) + l.of_fraction;
}

/// Zero, negative numbers, infinity and NaN for the logarithms.
bool is_positive_finite(double x) { return x > 0 && x < kInfinity; }
double special_logarithm(double x) { return x == 0 ? -kInfinity : x < 0 ? kNone : x; }

/// Halves of a number with at most 27 bits each.
TwoPart halves(double x) {
  const double high = std::bit_cast<double>(bits_of(x) & ~0x3ffffffull);
  return {high, x - high};
}

/// atan(y/x) for 0 < y ≤ x, neither close to the limits of doubles: atan q = atan c + atan((q - c)/(1 + q c)) with the
/// nearest c = i/8.
TwoPart arctangent(double y, double x) {
  const int i = static_cast<int>(y / x * 8 + 0.5);
  TwoPart n{y, 0}, d{x, 0};
  if (i != 0) {
    const double c = i * 0.125;  // of 4 bits: its products with halves are exact
    const TwoPart xs = halves(x), ys = halves(y);
    const TwoPart partial = exact_sum(y, -c * xs.high);
    n = {partial.high - c * xs.low, 0};
    n.low = ((partial.high - n.high) - c * xs.low) + partial.low;
    d = ordered_sum(x, c * ys.high);
    d = ordered_sum(d.high, d.low + c * ys.low);
  }
  const double inverse = 1 / d.high, q = n.high * inverse;
  const TwoPart product = exact_product(q, d.high);
  const double rest = (((n.high - product.high) - product.low) + (n.low - q * d.low)) * inverse;
  const double z = q * q;
  const TwoPart sum = ordered_sum(kAngles[2 * i], q);
  return ordered_sum(sum.high, sum.low + (kAngles[2 * i + 1] + (rest + q * (z * polynomial(kArctangent, z)))));
}

/// What is added to x for its arcsine, |x| ≤ 1/2.
double arcsine_rest(double x, double z) { return x * (z * polynomial(kArcsine, z)); }

/// asin √((1 - x)/2), half the arccosine, for 1/2 ≤ x < 1. The root is a part of 26 bits, whose square is exact, and
/// the rest (z - part²)/(√z + part).
TwoPart half_arccosine(double x) {
  const double z = (1 - x) * 0.5, s = std::sqrt(z);
  const double part = std::bit_cast<double>(bits_of(s) & ~0x7ffffffull);
  return {part, (z - part * part) / (s + part) + arcsine_rest(s, z)};
}

/// sinh x for |x| ≤ 0.35.
TwoPart small_hyperbolic_sine(double x) {
  const double z = x * x;
  return ordered_sum(x, x * (z * polynomial(kHyperbolicSine, z)));
}

/// exp x and exp -x for 0 ≤ x ≤ 40.
struct BothExponentials {
  TwoPart plus, minus;
};

BothExponentials both_exponentials(double x) {
  const Exponential e = exponential({x, 0});
  const double unit = power_of_two(e.k);
  const TwoPart plus{e.factor.high * unit, e.factor.low * unit};
  return {plus, TwoPart{1, 0} / plus};
}

bool is_integer(double y) { return std::abs(y) >= 0x1p52 || nearest(y) == y; }
bool is_odd(double y) { return std::abs(y) < 0x1p53 && is_integer(y) && !is_integer(y / 2); }

}  // namespace

double sin(double x) {
  if (!std::isfinite(x)) return kNone;
  if (std::abs(x) < 0x1p-27) return x;  // also keeps the sign of zero
  return sine_in(reduce(x));
}

double cos(double x) {
  if (!std::isfinite(x)) return kNone;
  Reduced r = reduce(x);
  r.quadrant = (r.quadrant + 1) & 3;
  return sine_in(r);
}

SineCosine<double> sin_cos(double x) {
  if (!std::isfinite(x)) return {kNone, kNone};
  if (std::abs(x) < 0x1p-27) return {x, 1};
  const Reduced r = reduce(x);
  const TwoPart square = exact_product(r.rest.high, r.rest.high);
  const double s = sine_of(r.rest, square).high, c = cosine_of(r.rest, square).high;
  switch (r.quadrant) {
    case 0: return {s, c};
    case 1: return {c, -s};
    case 2: return {-s, -c};
    default: return {-c, s};
  }
}

double tan(double x) {
  if (!std::isfinite(x)) return kNone;
  if (std::abs(x) < 0x1p-27) return x;
  const auto [y, quadrant] = reduce(x);
  const TwoPart square = exact_product(y.high, y.high), s = sine_of(y, square), c = cosine_of(y, square);
  return (quadrant & 1) != 0 ? (-c / s).high : (s / c).high;
}

double asin(double x) {
  const double a = std::abs(x);
  if (!(a <= 1)) return kNone;
  if (a < 0x1p-27) return x;
  if (a <= 0.5) return x + arcsine_rest(x, x * x);
  if (a == 1) return std::copysign(kHalfPi2.high, x);
  const TwoPart half = half_arccosine(a), sum = ordered_sum(kHalfPi2.high, -2 * half.high);
  return std::copysign(sum.high + (sum.low + (kHalfPi2.low - 2 * half.low)), x);
}

double acos(double x) {
  const double a = std::abs(x);
  if (!(a <= 1)) return kNone;
  if (a <= 0.5) {
    const TwoPart sum = ordered_sum(kHalfPi2.high, -x);
    return sum.high + (sum.low + (kHalfPi2.low - arcsine_rest(x, x * x)));
  }
  if (a == 1) return x < 0 ? kPi2.high : 0;
  const TwoPart half = half_arccosine(a);
  if (x > 0) return 2 * (half.high + half.low);
  const TwoPart sum = ordered_sum(kPi2.high, -2 * half.high);
  return sum.high + (sum.low + (kPi2.low - 2 * half.low));
}

double atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return kNone;
  double ax = std::abs(x), ay = std::abs(y);
  const bool left = std::signbit(x), steep = ay > ax;
  TwoPart angle;  // between the axis that is nearer and the ray
  if (ay == 0 || (std::isinf(ax) && !std::isinf(ay))) {
    angle = {0, 0};
  } else if (std::isinf(ax)) {
    angle = {kQuarterPiParts[0], kQuarterPiParts[1]};
  } else {
    double small = steep ? ax : ay, large = steep ? ay : ax;
    if (small < 0x1p-60 * large || std::isinf(large)) {
      angle = {small / large, 0};
    } else {
      if (large > 0x1p500) small *= 0x1p-600, large *= 0x1p-600;
      if (large < 0x1p-400) small *= 0x1p600, large *= 0x1p600;
      angle = arctangent(small, large);
    }
  }
  if (steep) {
    angle = kHalfPi2 + (left ? angle : -angle);
  } else if (left) {
    angle = kPi2 + -angle;
  }
  return std::copysign(angle.high, y);
}

double atan(double x) { return atan2(x, 1); }

double exp(double x) {
  if (!(std::abs(x) < 1000)) return std::isnan(x) ? x : x > 0 ? kInfinity : 0;
  const auto [factor, k] = exponential({x, 0});
  return scaled(factor.high, k);
}

double log(double x) { return is_positive_finite(x) ? natural(logarithm(x)).high : special_logarithm(x); }

double log2(double x) {
  if (!is_positive_finite(x)) return special_logarithm(x);
  const auto [of_fraction, k] = logarithm(x);
  return (TwoPart{static_cast<double>(k), 0} + of_fraction * TwoPart{kInverseLog2[0], kInverseLog2[1]}).high;
}

double log10(double x) {
  if (!is_positive_finite(x)) return special_logarithm(x);
  return (natural(logarithm(x)) * TwoPart{kInverseLog10[0], kInverseLog10[1]}).high;
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNone;
  const double a = std::abs(x);
  if (std::isinf(y)) return a == 1 ? 1 : (a > 1) == (y > 0) ? kInfinity : 0;
  const double sign = std::signbit(x) && is_odd(y) ? -1 : 1;
  if (a == 0 || a == kInfinity) return sign * ((a == 0) == (y > 0) ? 0 : kInfinity);
  if (x < 0 && !is_integer(y)) return kNone;
  if (a == 1) return sign;
  if (std::abs(y) > 0x1p64) return sign * ((a > 1) == (y > 0) ? kInfinity : 0);
  if (std::abs(y) < 0x1p-65) return 1;
  const TwoPart exponent = natural(logarithm(a)) * y;
  if (!(std::abs(exponent.high) < 1000)) return sign * (exponent.high > 0 ? kInfinity : 0);
  const auto [factor, k] = exponential(exponent);
  return sign * scaled(factor.high, k);
}

double sinh(double x) {
  const double a = std::abs(x);
  if (a < 0x1p-27 || !std::isfinite(x)) return x;
  if (a <= 0.35) return small_hyperbolic_sine(x).high;
  if (a > 1000) return std::copysign(kInfinity, x);
  if (a > 40) {
    const auto [factor, k] = exponential({a, 0});
    return std::copysign(scaled(factor.high, k - 1), x);
  }
  const auto [plus, minus] = both_exponentials(a);
  return std::copysign(0.5 * (plus + -minus).high, x);
}

double cosh(double x) {
  const double a = std::abs(x);
  if (!(a <= 1000)) return a > 1000 ? kInfinity : x;
  if (a > 40) {
    const auto [factor, k] = exponential({a, 0});
    return scaled(factor.high, k - 1);
  }
  const auto [plus, minus] = both_exponentials(a);
  return 0.5 * (plus + minus).high;
}

double tanh(double x) {
  const double a = std::abs(x);
  if (a < 0x1p-27 || std::isnan(x)) return x;
  if (a > 22) return std::copysign(1, x);
  if (a <= 0.35) {
    const TwoPart s = small_hyperbolic_sine(x);
    return (s / root(s * s + 1.0)).high;
  }
  const auto [plus, minus] = both_exponentials(a);
  return std::copysign(((plus + -minus) / (plus + minus)).high, x);
}

double cbrt(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  double a = std::abs(x);
  int k = 0;
  if (a < 0x1p-1022) {
    a *= 0x1p54;
    k = -54;
  }
  const int e = exponent_of(a), third = (e + 1200) / 3 - 400;
  a *= power_of_two(-3 * third / 2) * power_of_two(-3 * third - -3 * third / 2);  // 1 ≤ a < 8
  double y = 0.75 + a / 5;
  for (int i = 0; i < 5; ++i) y -= (y * y * y - a) / (3 * (y * y));  // the error is squared each time
  const TwoPart cube = exact_product(y, y) * y;
  y += ((a - cube.high) - cube.low) / (3 * (y * y));
  return std::copysign(y * power_of_two(third + k / 3), x);
}

double hypot(double x, double y) {
  double a = std::abs(x), b = std::abs(y);
  if (std::isinf(a) || std::isinf(b)) return kInfinity;
  if (std::isnan(a) || std::isnan(b)) return kNone;
  if (a < b) {
    const double larger = b;
    b = a;
    a = larger;
  }
  if (b <= a * 0x1p-60) return a + b;
  const double unit = a > 0x1p500 ? 0x1p600 : a < 0x1p-400 ? 0x1p-600 : 1;
  a /= unit;
  b /= unit;
  return root(exact_product(a, a) + exact_product(b, b)).high * unit;
}

}  // namespace sinew::elementary
