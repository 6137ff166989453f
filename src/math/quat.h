#pragma once

#include "math/elementary.h"
#include "math/mat3.h"

namespace sinew {

/// A quaternion (w, x, y, z); as a rotation it takes local to world: world = R(q) local.
template <class Real>
struct Quat {
  Real w = Real(1), x = Real(0), y = Real(0), z = Real(0);

  Quat() = default;
  Quat(Real w_, Real x_, Real y_, Real z_) : w(w_), x(x_), y(y_), z(z_) {}

  template <class Source>
  static Quat load(const Source* p) {
    return {Real(p[0]), Real(p[1]), Real(p[2]), Real(p[3])};
  }
  void store(Real* p) const {
    p[0] = w;
    p[1] = x;
    p[2] = y;
    p[3] = z;
  }
  Vec3<Real> vec() const { return {x, y, z}; }

  /// Hamilton product, not normalized.
  friend Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
};

template <class Real>
Quat<Real> conjugate(const Quat<Real>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

/// Makes q a unit quaternion: shorter than kMinVal becomes the identity, a norm within kMinVal of 1 stays as it is.
template <class Real>
void normalize(Quat<Real>& q) {
  using std::abs;
  using std::sqrt;
  const Real squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (abs(squared - Real(1)) <= kMinVal) return;  // the norm is then twice as close to 1: no root needed
  const Real n = sqrt(squared);
  if (n < kMinVal) {
    q = Quat<Real>();
  } else if (abs(n - Real(1)) > kMinVal) {
    const Real inv = Real(1) / n;
    q = {q.w * inv, q.x * inv, q.y * inv, q.z * inv};
  }
}

template <class Real>
Quat<Real> normalized(Quat<Real> q) {
  normalize(q);
  return q;
}

/// Rotation by `angle` about `axis` (a unit vector; it is not normalized here). An angle of exactly 0: identity.
template <class Real>
Quat<Real> axis_angle(const Vec3<Real>& axis, const Real& angle) {
  using elementary::sin_cos;
  if (angle == Real(0)) return {};
  const auto [s, c] = sin_cos(angle * Real(0.5));
  return {c, axis.x * s, axis.y * s, axis.z * s};
}

/// R(q) by the quadratic form w²+x²-y²-z² …, which is exact for the identity and does not normalize.
template <class Real>
SINEW_INLINE Mat3<Real> to_matrix(const Quat<Real>& q) {
  Mat3<Real> a;
  const Real ww = q.w * q.w, xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const Real wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const Real xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  a.m[0] = ww + xx - yy - zz;
  a.m[4] = ww - xx + yy - zz;
  a.m[8] = ww - xx - yy + zz;
  a.m[1] = Real(2) * (xy - wz);
  a.m[2] = Real(2) * (xz + wy);
  a.m[3] = Real(2) * (xy + wz);
  a.m[5] = Real(2) * (yz - wx);
  a.m[6] = Real(2) * (xz - wy);
  a.m[7] = Real(2) * (yz + wx);
  return a;
}

/// R(q) v.
template <class Real>
SINEW_INLINE Vec3<Real> rotate(const Quat<Real>& q, const Vec3<Real>& v) {
  // v + 2 (w u x v + u x (u x v)), u = (x, y, z)
  const Vec3<Real> u = q.vec();
  const Vec3<Real> t = {q.w * v.x + u.y * v.z - u.z * v.y, q.w * v.y + u.z * v.x - u.x * v.z,
                        q.w * v.z + u.x * v.y - u.y * v.x};
  const Vec3<Real> c = cross(u, t);
  return {v.x + Real(2) * c.x, v.y + Real(2) * c.y, v.z + Real(2) * c.z};
}

/// Rotation vector of q (axis times angle, angle in (-pi, pi]).
template <class Real>
Vec3<Real> log(const Quat<Real>& q) {
  using elementary::atan2;
  Vec3<Real> axis = q.vec();
  const Real s = normalize(axis);
  Real angle = Real(2) * atan2(s, q.w);
  if (angle > kPi) angle = angle - Real(2 * kPi);
  return axis * angle;
}

/// The quaternion of a rotation vector.
template <class Real>
Quat<Real> exp(const Vec3<Real>& v) {
  Vec3<Real> axis = v;
  const Real angle = normalize(axis);
  if (angle < kMinVal) return {};
  return axis_angle(axis, angle);
}

/// The rotation vector that takes b to a, in b's frame.
template <class Real>
Vec3<Real> subtract(const Quat<Real>& a, const Quat<Real>& b) {
  return log(conjugate(b) * a);
}

/// The rotation by angular velocity w over a time h.
template <class Real>
Quat<Real> rotation_in(const Vec3<Real>& w, double h) {
  Vec3<Real> axis = w;
  const Real speed = normalize(axis);
  return axis_angle(axis, speed * Real(h));
}

/// q after rotating with angular velocity w (body frame) for a time h.
template <class Real>
Quat<Real> integrate(const Quat<Real>& q, const Vec3<Real>& w, double h) {
  return normalized(q) * rotation_in(w, h);
}

}  // namespace sinew
