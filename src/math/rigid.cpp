#include "math/rigid.h"

#include <cctype>
#include <cmath>

#include "math/elementary.h"

namespace sinew::rigid {

double unit(Vec& v) {
  const double s = v.x * v.x + v.y * v.y + v.z * v.z;
  if (s < kCompileEps) return 0;
  const double n = std::sqrt(s);
  if (std::abs(n - 1) > kCompileEps) v = {v.x / n, v.y / n, v.z / n};
  return n;
}

double unit(Quat4& q) {
  const double s = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  if (s < kCompileEps) return 0;
  const double n = std::sqrt(s);
  if (std::abs(n - 1) > kCompileEps) q = {q.w / n, q.x / n, q.y / n, q.z / n};
  return n;
}

Quat4 turn(const Quat4& a, const Quat4& b) {
  Quat4 q = a * b;
  unit(q);
  return q;
}

Quat4 raw_quat_of(const Matrix3& r) {
  // the largest of the four components is found from the diagonal, the others from the off-diagonal sums
  Quat4 q;
  const double* m = r.m;
  if (m[0] + m[4] + m[8] > 0) {
    q.w = 0.5 * std::sqrt(1 + m[0] + m[4] + m[8]);
    q.x = 0.25 * (m[7] - m[5]) / q.w;
    q.y = 0.25 * (m[2] - m[6]) / q.w;
    q.z = 0.25 * (m[3] - m[1]) / q.w;
  } else if (m[0] > m[4] && m[0] > m[8]) {
    q.x = 0.5 * std::sqrt(1 + m[0] - m[4] - m[8]);
    q.w = 0.25 * (m[7] - m[5]) / q.x;
    q.y = 0.25 * (m[1] + m[3]) / q.x;
    q.z = 0.25 * (m[2] + m[6]) / q.x;
  } else if (m[4] > m[8]) {
    q.y = 0.5 * std::sqrt(1 - m[0] + m[4] - m[8]);
    q.w = 0.25 * (m[2] - m[6]) / q.y;
    q.x = 0.25 * (m[1] + m[3]) / q.y;
    q.z = 0.25 * (m[5] + m[7]) / q.y;
  } else {
    q.z = 0.5 * std::sqrt(1 - m[0] - m[4] + m[8]);
    q.w = 0.25 * (m[3] - m[1]) / q.z;
    q.x = 0.25 * (m[2] + m[6]) / q.z;
    q.y = 0.25 * (m[5] + m[7]) / q.z;
  }
  return q;
}

Quat4 quat_of(const Matrix3& r) {
  Quat4 q = raw_quat_of(r);
  unit(q);
  return q;
}

Quat4 quat_from_z(const Vec& v) {
  Vec axis = {-v.y, v.x, 0};  // z × v
  const double s = unit(axis);
  if (s < 1e-10) axis = {1, 0, 0};
  const double half = elementary::atan2(s, v.z) / 2;
  const auto [sine, cosine] = elementary::sin_cos(half);
  return {cosine, axis.x * sine, axis.y * sine, axis.z * sine};
}

Quat4 euler_rotation(std::string_view sequence, const Vec& angles) {
  Quat4 q;
  for (int i = 0; i < 3; ++i) {
    const char letter = sequence[i];
    const bool moving = std::islower(static_cast<unsigned char>(letter)) != 0;
    const auto [s, c] = elementary::sin_cos(angles[i] / 2);
    Quat4 e = {c, 0, 0, 0};
    const int axis = std::tolower(static_cast<unsigned char>(letter)) - 'x';
    (axis == 0 ? e.x : axis == 1 ? e.y : e.z) = s;
    q = moving ? turn(q, e) : turn(e, q);
  }
  unit(q);
  return q;
}

Pose compose(const Pose& frame, const Pose& child) {
  return {frame.pos + to_matrix(frame.quat) * child.pos, turn(frame.quat, child.quat)};
}

Pose inverse(const Pose& pose) {
  const Quat4 q = conjugate(pose.quat);
  return {-(to_matrix(q) * pose.pos), q};
}

}  // namespace sinew::rigid
