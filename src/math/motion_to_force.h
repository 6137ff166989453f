#pragma once

#include "math/spatial.h"

namespace sinew {

/// A linear map from motion to force at the same point, such as damping: [t; f] = [[tw, tv], [fw, fv]] [w; v].
template <class Real>
struct MotionToForce {
  Mat3<Real> tw, tv, fw, fv;

  MotionToForce& operator+=(const MotionToForce& b) {
    tw += b.tw;
    tv += b.tv;
    fw += b.fw;
    fv += b.fv;
    return *this;
  }
  friend Force<Real> operator*(const MotionToForce& a, const Motion<Real>& s) {
    return {a.tw * s.w + a.tv * s.v, a.fw * s.w + a.fv * s.v};
  }
};

/// aᵀ s: the component of the force along s, as a force to be paired with the motion that causes it.
template <class Real>
Force<Real> mul_transposed(const MotionToForce<Real>& a, const Motion<Real>& s) {
  return {mul_transposed(a.tw, s.w) + mul_transposed(a.fw, s.v), mul_transposed(a.tv, s.w) + mul_transposed(a.fv, s.v)};
}

/// A map of the same kind for forces that depend on the rotation alone, such as those of inertia: tv and fv are zero.
template <class Real>
struct SpinToForce {
  Mat3<Real> tw, fw;

  SpinToForce& operator+=(const SpinToForce& b) {
    tw += b.tw;
    fw += b.fw;
    return *this;
  }
  friend Force<Real> operator*(const SpinToForce& a, const Motion<Real>& s) { return {a.tw * s.w, a.fw * s.w}; }
};

template <class Real>
Force<Real> mul_transposed(const SpinToForce<Real>& a, const Motion<Real>& s) {
  return {mul_transposed(a.tw, s.w) + mul_transposed(a.fw, s.v), {}};
}

template <class Real>
MotionToForce<Real> symmetrized(const MotionToForce<Real>& a) {
  const Mat3<Real> tv = (a.tv + transpose(a.fw)) * Real(0.5);
  return {(a.tw + transpose(a.tw)) * Real(0.5), tv, transpose(tv), (a.fv + transpose(a.fv)) * Real(0.5)};
}

/// The same map in world axes; R rotates from its own axes to the world's.
template <class Real>
MotionToForce<Real> rotated(const MotionToForce<Real>& a, const Mat3<Real>& R) {
  const Mat3<Real> Rt = transpose(R);
  return {R * a.tw * Rt, R * a.tv * Rt, R * a.fw * Rt, R * a.fv * Rt};
}

/// The same map at another point: with o = p_from - p_to, v_from = v_to - o × w and t_to = t_from + o × f.
template <class Real>
MotionToForce<Real> moved(const MotionToForce<Real>& a, const Vec3<Real>& p_from, const Vec3<Real>& p_to) {
  const Mat3<Real> o = cross_matrix(p_from - p_to);
  const Mat3<Real> fw = a.fw - a.fv * o;
  return {a.tw - a.tv * o + o * fw, a.tv + o * a.fv, fw, a.fv};
}

}  // namespace sinew
