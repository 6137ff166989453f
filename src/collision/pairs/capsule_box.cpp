#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "collision/pairs/pairs.h"

// A capsule against a box. In the box frame: p the capsule's center, h its half axis, e its unit axis. First the
// feature of the box closest to the segment p + t h, t in [-1, 1]; then, from that feature alone, a second contact
// point of the segment; both become balls against the box.

namespace sinew {
namespace {

enum class Feature { None, FaceEnd, EdgeInterior, Corner };
enum Clamp { kLow, kFree, kHigh };

/// The problem in the box frame.
struct Setting {
  double p[3], e[3], h[3], s[3];
  double half;    // length of h
  int direction;  // bit k: h_k > 0
};

/// The closest feature.
struct Nearest {
  Feature feature = Feature::None;
  double best = std::numeric_limits<double>::infinity();  // squared distance
  double t = 0;                                           // position on the segment
  int end = 0;                                            // FaceEnd: -1 or +1
  int face = -1;     // FaceEnd: the axis along which the end is outside; -1: inside
  int corner = 0;    // sign bits of the corner, or of the edge's low corner
  int edge = 0;      // axis of the edge
  double along = 0;  // EdgeInterior: position on the edge, in [-1, 1]
};

void try_end(const Setting& w, int end, Nearest& n) {
  int outside = 0, face = -1;
  double d2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double q = w.p[k] + end * w.h[k];
    const double over = q > w.s[k] ? q - w.s[k] : q < -w.s[k] ? q + w.s[k] : 0;
    if (over == 0) continue;
    ++outside;
    face = k;
    d2 += over * over;
  }
  if (outside > 1 || !(d2 < n.best)) return;
  n.best = d2;
  n.t = end;
  n.end = end;
  n.face = face;
  n.feature = Feature::FaceEnd;
}

/// The edge along axis j whose low corner has the sign bits i: closest points of two segments, as for two capsules.
void try_edge(const Setting& w, int j, int i, Nearest& n) {
  double d[3], c[3];
  for (int k = 0; k < 3; ++k) {
    c[k] = k == j ? 0 : (i >> k & 1) ? w.s[k] : -w.s[k];
    d[k] = c[k] - w.p[k];
  }
  const double ma = w.s[j] * w.s[j], mb = -w.s[j] * w.h[j], mc = w.half * w.half;
  const double u = -w.s[j] * d[j], v = w.h[0] * d[0] + w.h[1] * d[1] + w.h[2] * d[2];
  const double det = ma * mc - mb * mb;
  if (are_parallel(det, ma, mc)) return;

  double x1 = (mc * u - mb * v) / det, x2 = (ma * v - mb * u) / det;
  Clamp clamp = kFree;
  const auto clamp_x1 = [&] {
    if (x1 > 1) {
      x1 = 1;
      clamp = kHigh;
    } else if (x1 < -1) {
      x1 = -1;
      clamp = kLow;
    }
  };
  clamp_x1();
  if (clamp == kHigh) x2 = (v - mb) / mc;
  if (clamp == kLow) x2 = (v + mb) / mc;
  if (x2 > 1) {
    x2 = 1;
    x1 = (u - mb) / ma;
    clamp_x1();
  } else if (x2 < -1) {
    x2 = -1;
    x1 = (u + mb) / ma;
    clamp_x1();
  }
  double d2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double gap = d[k] + (k == j ? w.s[j] * x1 : 0) - w.h[k] * x2;
    d2 += gap * gap;
  }
  if (!(d2 < n.best - kMinVal)) return;
  n.best = d2;
  n.t = x2;
  n.along = x1;
  n.corner = i | (clamp == kHigh ? 1 << j : 0);
  n.edge = j;
  n.feature = clamp == kFree ? Feature::EdgeInterior : Feature::Corner;
}

Nearest nearest_feature(const Setting& w) {
  Nearest n;
  try_end(w, -1, n);
  try_end(w, 1, n);
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 8; ++i)
      if (!(i >> j & 1)) try_edge(w, j, i, n);
  return n;
}

// Each of the following gives the offset along the segment from the first to the second point, if there is one.

std::optional<double> second_at_corner(const Setting& w, const Nearest& n) {
  int k = w.direction ^ n.corner;
  if (k == 0 || k == 7) return std::nullopt;
  double mul = 1, to_end = 1 - n.t, to_start = 1 + n.t;
  if (k != 1 && k != 2 && k != 4) {
    mul = -1;
    k = 7 - k;
    std::swap(to_end, to_start);
  }
  const int ax = k == 1 ? 0 : k == 2 ? 1 : 2, ax1 = (ax + 1) % 3, ax2 = (ax + 2) % 3;
  if (w.e[ax] * w.e[ax] > 0.5) return mul * std::min(to_end, 2 * w.s[ax] / std::abs(w.h[ax]));
  double reach = to_start;
  reach = std::min(reach, 2 * w.s[ax1] / std::abs(w.h[ax1]));
  reach = std::min(reach, 2 * w.s[ax2] / std::abs(w.h[ax2]));
  return -mul * reach;
}

std::optional<double> second_on_edge(const Setting& w, const Nearest& n) {
  const int k = (w.direction ^ n.corner) & ~(1 << n.edge);
  if (k != 1 && k != 2 && k != 4) return std::nullopt;
  const int ax = n.edge;
  int ax1 = (ax + 1) % 3;
  if (std::abs(w.e[ax1]) > std::abs(w.e[(ax + 2) % 3])) ax1 = (ax + 2) % 3;
  const int ax2 = 3 - ax - ax1;  // the steeper of the two axes across the edge
  const bool forward = k >> ax2 & 1;
  const double mul = forward ? 1 : -1;
  double reach = forward ? 1 - n.t : 1 + n.t;
  reach = std::min(reach, 2 * w.s[ax2] / std::abs(w.h[ax2]));
  const double left = ((w.direction >> ax & 1) != 0) == forward ? 1 - n.along : 1 + n.along;
  return mul * std::min(reach, w.s[ax] * left / std::abs(w.h[ax]));
}

std::optional<double> second_over_face(const Setting& w, const Nearest& n) {
  if (n.face < 0) return std::nullopt;
  const double mul = n.end < 0 ? 1 : -1;
  double reach = 2;
  for (int k = 0; k < 3; ++k) {
    if (k == n.face) continue;
    const double q = w.p[k] - mul * w.h[k];
    for (const double side : {1.0, -1.0}) {
      const double x = (side * w.s[k] - q) / w.h[k] * mul;
      if (x > 0 && x < reach) reach = x;
    }
  }
  return reach * mul;
}

std::optional<double> second_point(const Setting& w, const Nearest& n) {
  switch (n.feature) {
    case Feature::Corner: return second_at_corner(w, n);
    case Feature::EdgeInterior: return second_on_edge(w, n);
    case Feature::FaceEnd: return second_over_face(w, n);
    default: return std::nullopt;
  }
}

}  // namespace

int collide_capsule_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const double radius = a.size.x, half = a.size.y;
  const Vec3d p = mul_transposed(b.mat, a.pos - b.pos);
  const Vec3d e = mul_transposed(b.mat, a.mat.column(2));
  Setting w;
  p.store(w.p);
  e.store(w.e);
  b.size.store(w.s);
  w.half = half;
  w.direction = 0;
  for (int k = 0; k < 3; ++k) {
    w.h[k] = w.e[k] * half;
    if (w.h[k] > 0) w.direction |= 1 << k;
  }

  const Nearest n = nearest_feature(w);
  if (n.feature == Feature::None) return 0;
  const std::optional<double> offset = second_point(w, n);

  const Vec3d h = e * half;
  const auto ball_at = [&](double t) { return Ball{b.mat * (p + h * t) + b.pos, radius}; };
  int count = collide_ball_box(ball_at(n.t), b, margin, out);
  if (offset) count += collide_ball_box(ball_at(n.t + *offset), b, margin, out + count);
  return count;
}

}  // namespace sinew
