#include "math/elementary.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>
#ifdef SINEW_HAS_MPFR
#include <mpfr.h>
#endif

namespace sinew {
namespace {

using Function = double (*)(double);
using Function2 = double (*)(double, double);
namespace own = elementary;

/// Arguments from a generator whose numbers are the same everywhere; std's distributions are not.
class Arguments {
 public:
  explicit Arguments(std::uint64_t seed) : bits_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits_() >> 11) * 0x1p-53);
  }
  double sign() { return (bits_() & 1) != 0 ? 1 : -1; }
  int choice(int count) { return static_cast<int>(bits_() % static_cast<unsigned>(count)); }
  /// Any finite double, by its bits: exponents are as frequent as they are many.
  double any() {
    for (;;) {
      const double x = std::bit_cast<double>(bits_());
      if (std::isfinite(x)) return x;
    }
  }
  double power(int low, int high) { return std::ldexp(uniform(1, 2), low + choice(high - low)) * sign(); }

  double angle() {
    switch (choice(5)) {
      case 0: return uniform(-0.8, 0.8);
      case 1: return uniform(-10, 10);
      case 2: return power(-40, 22);
      case 3: return std::nearbyint(power(0, 52)) * 0x1.921fb54442d18p+0;  // close to multiples of π/2
      default: return any();
    }
  }
  double cosine() {
    switch (choice(3)) {
      case 0: return uniform(-1, 1);
      case 1: return sign() * (1 - std::abs(power(-54, -1)));
      default: return power(-1073, -1);
    }
  }
  double exponent() {
    switch (choice(3)) {
      case 0: return uniform(-1, 1);
      case 1: return uniform(-750, 715);
      default: return power(-60, 10);
    }
  }
  double positive() {
    switch (choice(3)) {
      case 0: return uniform(0.5, 2);
      case 1: return 1 + power(-52, -1);
      default: return std::abs(any());
    }
  }

 private:
  std::mt19937_64 bits_;
};

struct Case {
  const char* name;
  Function function;
  double (Arguments::*argument)();
};

constexpr Case kCases[] = {{"sin", own::sin, &Arguments::angle},        {"cos", own::cos, &Arguments::angle},
                           {"tan", own::tan, &Arguments::angle},        {"asin", own::asin, &Arguments::cosine},
                           {"acos", own::acos, &Arguments::cosine},     {"atan", own::atan, &Arguments::angle},
                           {"exp", own::exp, &Arguments::exponent},     {"sinh", own::sinh, &Arguments::exponent},
                           {"cosh", own::cosh, &Arguments::exponent},   {"tanh", own::tanh, &Arguments::exponent},
                           {"log", own::log, &Arguments::positive},     {"log2", own::log2, &Arguments::positive},
                           {"log10", own::log10, &Arguments::positive}, {"cbrt", own::cbrt, &Arguments::any}};

struct Case2 {
  const char* name;
  Function2 function;
  void (*arguments)(Arguments&, double&, double&);
};

constexpr Case2 kCases2[] = {{"atan2", own::atan2,
                              [](Arguments& a, double& y, double& x) {
                                y = a.choice(2) == 0 ? a.uniform(-2, 2) : a.any();
                                x = a.choice(2) == 0 ? a.uniform(-2, 2) : a.any();
                                if (a.choice(3) == 0) x = y * a.power(-64, 64);
                              }},
                             {"hypot", own::hypot,
                              [](Arguments& a, double& x, double& y) {
                                x = a.choice(2) == 0 ? a.uniform(-2, 2) : a.any();
                                y = a.choice(2) == 0 ? a.uniform(-2, 2) : x * a.power(-64, 64);
                              }},
                             {"pow", own::pow, [](Arguments& a, double& x, double& y) {
                                x = a.choice(2) == 0 ? a.uniform(0, 3) : std::abs(a.any());
                                y = a.choice(2) == 0 ? a.uniform(-5, 5) : a.uniform(-1, 1) * 745 / own::log(x);
                              }}};

/// FNV-1a over the bits of numbers.
class Hash {
 public:
  void add(double x) {
    const auto bits = std::isnan(x) ? 0x7ff8000000000000ull : std::bit_cast<std::uint64_t>(x);
    for (int k = 0; k < 64; k += 8) value_ = (value_ ^ (bits >> k & 0xff)) * 0x100000001b3ull;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

/// Values of 20,000 arguments of each function, as obtained with GCC 12 at -O3 on x86-64: any other bits on any machine
/// are a defect.
TEST(Elementary, HasTheSameBitsEverywhere) {
  constexpr std::uint64_t kGolden[] = {0x4451822a3a7a1a58, 0xb582bf37345e9aff, 0xbfc622f45c00dc7e, 0x1b0060c29a89490c,
                                       0xa2e307c70c52c118, 0xbe81cb1dab8d55f8, 0xbcc43105037d53dc, 0x02c0d4fdf8fa9178,
                                       0x5c2031ce8bbdc411, 0xcf5474eb257b4328, 0xa3cfb0687527df90, 0x1dbc78705f72c3bc,
                                       0x22cec3074e59cc4b, 0x7fd011d47b421b43, 0xb08e37bac79a4a21, 0xcafbcf307adcae64,
                                       0x0daebe1c79ca36bf};
  std::size_t at = 0;
  for (const Case& c : kCases) {
    Arguments arguments(1);
    Hash hash;
    for (int i = 0; i < 20000; ++i) hash.add(c.function((arguments.*c.argument)()));
    EXPECT_EQ(hash.value(), kGolden[at++]) << c.name;
  }
  for (const Case2& c : kCases2) {
    Arguments arguments(1);
    Hash hash;
    for (int i = 0; i < 20000; ++i) {
      double x = 0, y = 0;
      c.arguments(arguments, x, y);
      hash.add(c.function(x, y));
    }
    EXPECT_EQ(hash.value(), kGolden[at++]) << c.name;
  }
}

TEST(Elementary, SineAndCosineTogetherHaveTheBitsOfEach) {
  Arguments arguments(2);
  for (int i = 0; i < 100000; ++i) {
    const double x = arguments.angle();
    const auto [s, c] = own::sin_cos(x);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(s), std::bit_cast<std::uint64_t>(own::sin(x))) << x;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(c), std::bit_cast<std::uint64_t>(own::cos(x))) << x;
  }
}

/// Equal in value, sign of zero and being a number.
void expect_same(double got, double want, const std::string& what) {
  EXPECT_TRUE((std::isnan(got) && std::isnan(want)) || (got == want && std::signbit(got) == std::signbit(want)))
      << what << ": " << got << " for " << want;
}

/// Zeros, infinities, NaN, the ends of domains and exact values: C's <cmath> defines them all.
TEST(Elementary, AgreesWithTheStandardInSpecialCases) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const double special[] = {
      0, 1, 2, 0.5, 3, 4, 1.5, inf, nan, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp+1023, 1e300, 1e-300, 0x1p52, 0x1p53};
  std::vector<double> numbers;
  for (const double x : special) numbers.insert(numbers.end(), {x, -x});
  const std::pair<Function, Function> pairs[] = {
      {own::sin, std::sin},   {own::cos, std::cos},     {own::tan, std::tan},   {own::asin, std::asin},
      {own::acos, std::acos}, {own::atan, std::atan},   {own::exp, std::exp},   {own::log, std::log},
      {own::log2, std::log2}, {own::log10, std::log10}, {own::sinh, std::sinh}, {own::cosh, std::cosh},
      {own::tanh, std::tanh}, {own::cbrt, std::cbrt}};
  for (std::size_t k = 0; k < std::size(pairs); ++k)
    for (const double x : {0., -0., inf, -inf, nan})
      expect_same(pairs[k].first(x), pairs[k].second(x),
                  std::string(kCases[k < 7 ? k : 0].name) + "(" + std::to_string(x) + ")");
  for (const double x : {2., -2., 1 + 0x1p-52, 1., -1.}) {
    expect_same(own::asin(x), std::asin(x), "asin");
    expect_same(own::acos(x), std::acos(x), "acos");
    expect_same(own::log(-std::abs(x)), nan, "log");
  }
  for (const double x : numbers)
    for (const double y : numbers) {
      const std::string text = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
      const double angle = std::atan2(x, y), power = std::pow(x, y);
      if (std::isnan(angle) || angle == 0 || std::isinf(x) || std::isinf(y))
        expect_same(own::atan2(x, y), angle, "atan2" + text);
      if (!std::isfinite(power) || power == 0 || (power == std::trunc(power) && std::abs(power) < 0x1p53))
        expect_same(own::pow(x, y), power, "pow" + text);
      if (std::isinf(x) || std::isinf(y) || std::isnan(x + y))
        expect_same(own::hypot(x, y), std::hypot(x, y), "hypot" + text);
    }
  for (int k = -1074; k < 1024; ++k) expect_same(own::log2(std::ldexp(1, k)), k, "log2");
  for (int k = 0; k <= 22; ++k) expect_same(own::log10(std::pow(10., k)), k, "log10");
  for (int k = -100; k <= 100; ++k) expect_same(own::cbrt(1. * k * k * k), k, "cbrt");
  expect_same(own::hypot(3, -4), 5, "hypot");
  expect_same(own::exp(710), inf, "exp");
  expect_same(own::exp(-746), 0, "exp");
  expect_same(own::cosh(711), inf, "cosh");
  expect_same(own::sinh(-711), -inf, "sinh");
  expect_same(own::tanh(-30), -1, "tanh");
}

#ifdef SINEW_HAS_MPFR
/// A number of 200 bits.
class Exact {
 public:
  explicit Exact(double x = 0) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact() { mpfr_clear(value_); }
  mpfr_ptr get() { return value_; }

  /// |this - x| in units in the last place of the nearest double; infinite where one of them is no number and the other
  /// is.
  double error(double x) {
    const double nearest = mpfr_get_d(value_, MPFR_RNDN);
    if (!std::isfinite(nearest) || !std::isfinite(x)) {
      const bool same = nearest == x || (std::isnan(nearest) && std::isnan(x));
      return same ? 0 : std::numeric_limits<double>::infinity();
    }
    Exact difference;
    mpfr_sub_d(difference.get(), value_, x, MPFR_RNDN);
    const int last = std::max(nearest == 0 ? -1022 : std::ilogb(nearest), -1022) - 52;
    mpfr_mul_2si(difference.get(), difference.get(), -last, MPFR_RNDN);
    return std::abs(mpfr_get_d(difference.get(), MPFR_RNDN));
  }

 private:
  mpfr_t value_;
};

/// Arguments per function; the environment can ask for more (10⁷ take some minutes).
int arguments_to_try() {
  const char* asked = std::getenv("SINEW_ARGUMENTS");
  return asked ? std::atoi(asked) : 10000;
}

TEST(Elementary, IsWithinOneUnitInTheLastPlace) {
  using Reference = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  constexpr Reference kReferences[] = {mpfr_sin,  mpfr_cos,  mpfr_tan,  mpfr_asin, mpfr_acos, mpfr_atan,  mpfr_exp,
                                       mpfr_sinh, mpfr_cosh, mpfr_tanh, mpfr_log,  mpfr_log2, mpfr_log10, mpfr_cbrt};
  for (std::size_t k = 0; k < std::size(kCases); ++k) {
    const Case& c = kCases[k];
    Arguments arguments(3);
    Exact value;
    double worst = 0, worst_at = 0;
    for (int i = 0; i < arguments_to_try(); ++i) {
      const double x = (arguments.*c.argument)();
      kReferences[k](value.get(), Exact(x).get(), MPFR_RNDN);
      const double error = value.error(c.function(x));
      if (error > worst) worst = error, worst_at = x;
    }
    RecordProperty(c.name, std::to_string(worst));
    EXPECT_LT(worst, 1) << c.name << " at " << std::hexfloat << worst_at;
  }
}

TEST(Elementary, IsWithinOneUnitInTheLastPlaceForTwoArguments) {
  using Reference = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
  constexpr Reference kReferences[] = {mpfr_atan2, mpfr_hypot, mpfr_pow};
  for (std::size_t k = 0; k < std::size(kCases2); ++k) {
    const Case2& c = kCases2[k];
    Arguments arguments(4);
    Exact value;
    double worst = 0, x0 = 0, y0 = 0;
    for (int i = 0; i < arguments_to_try(); ++i) {
      double x = 0, y = 0;
      c.arguments(arguments, x, y);
      kReferences[k](value.get(), Exact(x).get(), Exact(y).get(), MPFR_RNDN);
      const double error = value.error(c.function(x, y));
      if (error > worst) worst = error, x0 = x, y0 = y;
    }
    RecordProperty(c.name, std::to_string(worst));
    EXPECT_LT(worst, 1) << c.name << " at " << std::hexfloat << x0 << ", " << y0;
  }
}
#endif

}  // namespace
}  // namespace sinew
