#include <cmath>

#include "math/elementary.h"
#include "math/quat.h"
#include "sinew/derivatives.h"

// Derivatives of the two maps between rotations and rotation vectors, in the tangent space of quaternions: q becomes
// q exp(dq). Sola, Deray, Atchuthan: A micro Lie theory for state estimation in robotics, section on SO(3).

namespace sinew {
namespace {

template <class Array>
void store(const Mat3<double>& a, Array& out) {
  for (int k = 0; k < 9; ++k) out[static_cast<std::size_t>(k)] = a.m[k];
}

}  // namespace

QuatIntegrateDerivative d_quat_integrate(std::span<const double, 3> vel, double scale) {
  // with s = scale vel, x = |s|:  by_quat = exp(-[s]),  by_vel = the right Jacobian of SO(3) at s:
  //   by_quat = cos x 1 - b [s] + c s sᵀ,  by_vel = b 1 - c [s] + d s sᵀ,
  //   b = sin x / x,  c = (1 - cos x) / x²,  d = (x - sin x) / x³
  const Vec3<double> v = Vec3<double>::load(vel.data()), s = v * scale;
  const double xx = dot(s, s), x = std::sqrt(xx);
  double b, c, d;
  if (x <= 1. / 32) {
    b = 1 - xx / 6 * (1 - xx / 20 * (1 - xx / 42));
    c = (1 - xx / 12 * (1 - xx / 30 * (1 - xx / 56))) / 2;
    d = (1 - xx / 20 * (1 - xx / 42 * (1 - xx / 72))) / 6;
  } else {
    b = elementary::sin(x) / x;
    c = (1 - elementary::cos(x)) / xx;
    d = (1 - b) / xx;
  }
  const Mat3<double> one = Mat3<double>::identity(), cross = cross_matrix(s), square = outer(s, s);
  const Mat3<double> by_vel = one * b - cross * c + square * d;
  QuatIntegrateDerivative result;
  store(one * elementary::cos(x) - cross * b + square * c, result.by_quat);
  store(by_vel, result.by_vel);
  (by_vel * v).store(result.by_scale.data());
  return result;
}

SubQuatDerivative d_sub_quat(std::span<const double, 4> a, std::span<const double, 4> b) {
  // with r = θ k the rotation vector:  by_a = 1 + θ/2 [k] + (1 - θ/2 / tan(θ/2)) [k]²,  by_b = -by_aᵀ
  Vec3<double> k = subtract(Quat<double>::load(a.data()), Quat<double>::load(b.data()));
  const double half = normalize(k) / 2;
  const double curved = half < 6e-8 ? 0 : 1 - half / elementary::tan(half);
  const Mat3<double> K = cross_matrix(k);
  const Mat3<double> by_a = Mat3<double>::identity() + K * half + K * K * curved;
  SubQuatDerivative result;
  store(by_a, result.by_a);
  store(transpose(by_a) * -1.0, result.by_b);
  return result;
}

}  // namespace sinew
