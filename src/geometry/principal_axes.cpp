#include "geometry/principal_axes.h"

#include <utility>

namespace sinew {
namespace {

constexpr double kEigenEps = 1e-12;
constexpr int kMaxRotations = 500;
constexpr double kQuarterTurn = 0.707106781186548;  // MuJoCo's 15 digits of sqrt(1/2): the last bits matter

Quat<double> about_axis(int axis, double w, double s) {
  return {w, axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

}  // namespace

Quat<double> compile_normalized(const Quat<double>& q) {
  const double squared = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (squared < kCompileEps) return q;
  const double n = std::sqrt(squared);
  if (std::abs(n - 1) <= kCompileEps) return q;
  return {q.w / n, q.x / n, q.y / n, q.z / n};
}

PrincipalAxes principal_axes(const Mat3<double>& a) {
  PrincipalAxes out;
  Quat<double>& q = out.axes;
  for (int iteration = 0; iteration < kMaxRotations; ++iteration) {
    const Mat3<double> r = to_matrix(q);
    const Mat3<double> d = (transpose(r) * a) * r;
    out.moment = {d(0, 0), d(1, 1), d(2, 2)};

    // the largest off-diagonal entry (row, col) is rotated away, about the remaining axis
    int row = 1, col = 2, axis = 0;
    const double d01 = std::abs(d(0, 1)), d02 = std::abs(d(0, 2)), d12 = std::abs(d(1, 2));
    if (d01 > d02 && d01 > d12) {
      row = 0, col = 1, axis = 2;
    } else if (d02 > d12) {
      row = 0, col = 2, axis = 1;
    }
    if (std::abs(d(row, col)) < kEigenEps) break;

    const double tau = (d(col, col) - d(row, row)) / (2 * d(row, col));
    const double t = tau >= 0 ? 1 / (tau + std::sqrt(1 + tau * tau)) : -1 / (-tau + std::sqrt(1 + tau * tau));
    const double c = 1 / std::sqrt(1 + t * t);
    if (c > 1 - kEigenEps) break;
    double s = std::sqrt(0.5 - 0.5 * c);  // sine of half the angle
    if (tau >= 0) s = -s;
    if (axis == 1) s = -s;
    const Quat<double> turn = compile_normalized(about_axis(axis, std::sqrt(1 - s * s), s));
    q = compile_normalized(q * turn);
  }

  for (const int j : {0, 1, 0}) {
    if (out.moment[j] + kEigenEps < out.moment[j + 1]) {
      std::swap(out.moment[j], out.moment[j + 1]);
      q = compile_normalized(q * compile_normalized(about_axis((j + 2) % 3, kQuarterTurn, kQuarterTurn)));
    }
  }
  return out;
}

}  // namespace sinew
