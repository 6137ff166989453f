#pragma once

#include "math/vec3.h"

namespace sinew {

/// A 3x3 matrix, row-major as in Model and Data.
template <class Real>
struct Mat3 {
  Real m[9] = {};

  template <class Source>
  static Mat3 load(const Source* p) {
    Mat3 a;
    for (int i = 0; i < 9; ++i) a.m[i] = Real(p[i]);
    return a;
  }
  void store(Real* p) const {
    for (int i = 0; i < 9; ++i) p[i] = m[i];
  }
  static Mat3 identity() {
    Mat3 a;
    a.m[0] = a.m[4] = a.m[8] = Real(1);
    return a;
  }
  static Mat3 from_columns(const Vec3<Real>& x, const Vec3<Real>& y, const Vec3<Real>& z) {
    Mat3 a;
    for (int i = 0; i < 3; ++i) {
      a.m[3 * i] = x[i];
      a.m[3 * i + 1] = y[i];
      a.m[3 * i + 2] = z[i];
    }
    return a;
  }

  Real& operator()(int row, int col) { return m[3 * row + col]; }
  const Real& operator()(int row, int col) const { return m[3 * row + col]; }
  Vec3<Real> row(int i) const { return {m[3 * i], m[3 * i + 1], m[3 * i + 2]}; }
  Vec3<Real> column(int j) const { return {m[j], m[3 + j], m[6 + j]}; }

  Mat3& operator+=(const Mat3& b) {
    for (int i = 0; i < 9; ++i) m[i] += b.m[i];
    return *this;
  }
  friend Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
  friend Mat3 operator-(const Mat3& a, const Mat3& b) { return a + b * Real(-1); }
  friend Mat3 operator*(Mat3 a, const Real& s) {
    for (Real& x : a.m) x *= s;
    return a;
  }
  friend Vec3<Real> operator*(const Mat3& a, const Vec3<Real>& v) {
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
  }
  friend Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) c(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
    return c;
  }
};

/// transpose(a) * v, without forming the transpose.
template <class Real>
Vec3<Real> mul_transposed(const Mat3<Real>& a, const Vec3<Real>& v) {
  return {a.m[0] * v.x + a.m[3] * v.y + a.m[6] * v.z, a.m[1] * v.x + a.m[4] * v.y + a.m[7] * v.z,
          a.m[2] * v.x + a.m[5] * v.y + a.m[8] * v.z};
}

template <class Real>
Mat3<Real> transpose(const Mat3<Real>& a) {
  Mat3<Real> t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t(i, j) = a(j, i);
  return t;
}

/// diag(v).
template <class Real>
Mat3<Real> diagonal(const Vec3<Real>& v) {
  Mat3<Real> a;
  a.m[0] = v.x;
  a.m[4] = v.y;
  a.m[8] = v.z;
  return a;
}

/// u vᵀ.
template <class Real>
Mat3<Real> outer(const Vec3<Real>& u, const Vec3<Real>& v) {
  return Mat3<Real>::from_columns(u * v.x, u * v.y, u * v.z);
}

/// The matrix of v x (.).
template <class Real>
Mat3<Real> cross_matrix(const Vec3<Real>& v) {
  Mat3<Real> a;
  a.m[1] = -v.z;
  a.m[2] = v.y;
  a.m[3] = v.z;
  a.m[5] = -v.x;
  a.m[6] = -v.y;
  a.m[7] = v.x;
  return a;
}

}  // namespace sinew
