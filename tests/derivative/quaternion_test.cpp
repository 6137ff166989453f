#include <gtest/gtest.h>

#include "derivative/golden.h"
#include "math/dual.h"

namespace sinew {
namespace {

using namespace test;

template <std::size_t N>
std::span<const double, N> fixed(const std::vector<double>& v) {
  return std::span<const double, N>(v.data(), N);
}
template <std::size_t N>
std::vector<double> values(const std::array<double, N>& a) {
  return {a.begin(), a.end()};
}

TEST(QuatDerivative, IntegrateMatchesMuJoCo) {
  for (const auto& [entry] : golden("quat_integrate")) {
    const QuatIntegrateDerivative out = d_quat_integrate(fixed<3>(numbers(entry, "vel")), entry.at("scale"));
    expect_close(values(out.by_quat), numbers(entry, "by_quat"), 1e-14);
    expect_close(values(out.by_vel), numbers(entry, "by_vel"), 1e-14);
    expect_close(values(out.by_scale), numbers(entry, "by_scale"), 1e-14);
  }
}

TEST(QuatDerivative, SubtractMatchesMuJoCo) {
  for (const auto& [entry] : golden("sub_quat")) {
    const SubQuatDerivative out = d_sub_quat(fixed<4>(numbers(entry, "a")), fixed<4>(numbers(entry, "b")));
    expect_close(values(out.by_a), numbers(entry, "by_a"), 1e-14);
    expect_close(values(out.by_b), numbers(entry, "by_b"), 1e-14);
  }
}

using Real = Dual<3>;

Vec3<Real> unit_slopes() {
  Vec3<Real> v = {Real(0), Real(0), Real(0)};
  for (int k = 0; k < 3; ++k) v[k].slope[k] = 1;
  return v;
}

/// The derivative of a rotation along its tangent: of the rotation vector from its value to itself.
std::vector<double> tangent(const Quat<Real>& q) {
  const Quat<Real> at = {Real(q.w.value), Real(q.x.value), Real(q.y.value), Real(q.z.value)};
  const Vec3<Real> r = subtract(q, at);
  std::vector<double> out(9);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) out[std::size_t(3 * i + k)] = r[i].slope[k];
  return out;
}

TEST(QuatDerivative, IntegrateMatchesDualNumbers) {
  const Quat<Real> q = normalized(Quat<Real>{Real(0.5), Real(-0.3), Real(0.7), Real(0.2)});
  for (double size : {0.0, 1e-3, 0.031, 0.032, 0.5, 3.0}) {
    const std::vector<double> v = {0.6 * size, -0.64 * size, 0.48 * size};
    const Vec3<Real> w = Vec3<Real>::load(v.data());
    const QuatIntegrateDerivative out = d_quat_integrate(fixed<3>(v), 1);
    expect_close(values(out.by_quat), tangent(q * exp(unit_slopes()) * exp(w)), 1e-13);
    expect_close(values(out.by_vel), tangent(q * exp(w + unit_slopes())), 1e-12);
  }
}

TEST(QuatDerivative, SubtractMatchesDualNumbers) {
  const Quat<Real> b = normalized(Quat<Real>{Real(0.5), Real(-0.3), Real(0.7), Real(0.2)});
  for (double size : {0.0, 1e-3, 0.5, 3.0}) {
    const Vec3<Real> r = {Real(0.6 * size), Real(-0.64 * size), Real(0.48 * size)};
    const Quat<Real> a = b * exp(r);
    double qa[4], qb[4];
    for (int k = 0; k < 4; ++k) {
      qa[k] = (k == 0 ? a.w : a.vec()[k - 1]).value;
      qb[k] = (k == 0 ? b.w : b.vec()[k - 1]).value;
    }
    const SubQuatDerivative out = d_sub_quat(qa, qb);
    const Vec3<Real> by_a = subtract(a * exp(unit_slopes()), b), by_b = subtract(a, b * exp(unit_slopes()));
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(out.by_a[std::size_t(3 * i + k)], by_a[i].slope[k], 1e-12);
        EXPECT_NEAR(out.by_b[std::size_t(3 * i + k)], by_b[i].slope[k], 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
