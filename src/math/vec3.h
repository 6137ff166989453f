#pragma once

#include "math/scalar.h"

namespace sinew {

/// Three numbers: a point, a direction, an angular velocity. Arrays of Model and Data hold them flat; load and store
/// move between the two.
template <class Real>
struct Vec3 {
  Real x{}, y{}, z{};

  Vec3() = default;
  Vec3(Real x_, Real y_, Real z_) : x(x_), y(y_), z(z_) {}
  template <class Other>
  explicit Vec3(const Vec3<Other>& v) : x(v.x), y(v.y), z(v.z) {}

  template <class Source>
  static Vec3 load(const Source* p) {
    return {Real(p[0]), Real(p[1]), Real(p[2])};
  }
  void store(Real* p) const {
    p[0] = x;
    p[1] = y;
    p[2] = z;
  }
  void add_to(Real* p) const {
    p[0] += x;
    p[1] += y;
    p[2] += z;
  }

  Real& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  const Real& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

  Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  Vec3& operator*=(const Real& s) { return *this = *this * s; }

  friend Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(const Vec3& a, const Real& s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Vec3 operator*(const Real& s, const Vec3& a) { return {a.x * s, a.y * s, a.z * s}; }
};

template <class Real>
Real dot(const Vec3<Real>& a, const Vec3<Real>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class Real>
Vec3<Real> cross(const Vec3<Real>& a, const Vec3<Real>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class Real>
Real norm(const Vec3<Real>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

/// Normalizes v and returns its former length; a vector shorter than kMinVal becomes (1, 0, 0).
template <class Real>
Real normalize(Vec3<Real>& v) {
  const Real n = norm(v);
  if (n < kMinVal) {
    v = {Real(1), Real(0), Real(0)};
  } else {
    const Real inv = Real(1) / n;
    v = v * inv;
  }
  return n;
}

}  // namespace sinew
