#include <algorithm>
#include <cmath>

#include "collision/pairs/pairs.h"

// Two boxes by separating axes. Of the 15 axes (3 + 3 face normals, 9 edge products) the one with the largest
// separation is used: an edge pair gives one contact; a face is the reference against which the other box's most
// opposed face is clipped, and each remaining vertex within the margin is a contact.

namespace sinew {
namespace {

constexpr int kMaxPolygon = 12;  // 4 vertices, and one more for each of the 4 clipping planes, with some slack

constexpr int next(int i) { return i == 2 ? 0 : i + 1; }
constexpr int after_next(int i) { return i == 0 ? 2 : i - 1; }

/// Both boxes in the frame of a: M = R_aᵀ R_b, P the center of b; Q the center of a in the frame of b.
struct Setting {
  double M[3][3], absM[3][3];
  double P[3], Q[3];
  double sa[3], sb[3];
  double margin, tolerance;
};

Setting make_setting(const Shape& a, const Shape& b, double margin) {
  Setting w;
  const Vec3d offset = b.pos - a.pos;
  mul_transposed(a.mat, offset).store(w.P);
  mul_transposed(b.mat, -offset).store(w.Q);
  a.size.store(w.sa);
  b.size.store(w.sb);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      w.M[i][j] = a.mat.m[i] * b.mat.m[j] + a.mat.m[3 + i] * b.mat.m[3 + j] + a.mat.m[6 + i] * b.mat.m[6 + j];
      w.absM[i][j] = std::abs(w.M[i][j]);
    }
  w.margin = margin;
  w.tolerance = margin + 1e-13 * (w.sa[0] + w.sa[1] + w.sa[2] + w.sb[0] + w.sb[1] + w.sb[2]);
  return w;
}

/// The chosen axis: 0-2 a face of a, 3-5 a face of b, 6 + 3 i + j the product of edge i of a and edge j of b.
struct Axis {
  int code = -1;
  double separation = -kMaxVal;
  double edge[3] = {};  // code >= 6: the unit axis in the frame of a
};

/// False: the boxes are farther apart than the margin.
bool best_face(const Setting& w, Axis& best) {
  for (int i = 0; i < 3; ++i) {
    const double sep =
        std::abs(w.P[i]) - w.sa[i] - (w.absM[i][0] * w.sb[0] + w.absM[i][1] * w.sb[1] + w.absM[i][2] * w.sb[2]);
    if (!(sep <= w.tolerance)) return false;
    if (sep > best.separation) best = {i, sep, {}};
  }
  for (int j = 0; j < 3; ++j) {
    const double sep =
        std::abs(w.Q[j]) - w.sb[j] - (w.absM[0][j] * w.sa[0] + w.absM[1][j] * w.sa[1] + w.absM[2][j] * w.sa[2]);
    if (!(sep <= w.tolerance)) return false;
    if (sep > best.separation) best = {3 + j, sep, {}};
  }
  return true;
}

/// Edge products; one is preferred to the best face only if it separates clearly more.
bool best_edge(const Setting& w, Axis& best) {
  constexpr double kParallel = 1e-16;  // squared sine below which two edges are parallel
  constexpr double kBias = 1e-6;
  const double face_separation = best.separation;
  for (int i = 0; i < 3; ++i) {
    const int i1 = next(i), i2 = after_next(i);
    for (int j = 0; j < 3; ++j) {
      // x = e_i × M e_j has no component i
      double x1 = -w.M[i2][j], x2 = w.M[i1][j];
      const double length2 = x1 * x1 + x2 * x2;
      if (length2 < kParallel) continue;
      const double inv = 1 / std::sqrt(length2);
      x1 *= inv;
      x2 *= inv;
      const int j1 = next(j), j2 = after_next(j);
      const double y1 = w.M[i1][j1] * x1 + w.M[i2][j1] * x2, y2 = w.M[i1][j2] * x1 + w.M[i2][j2] * x2;
      const double sep = std::abs(x1 * w.P[i1] + x2 * w.P[i2]) - (std::abs(x1) * w.sa[i1] + std::abs(x2) * w.sa[i2]) -
                         (std::abs(y1) * w.sb[j1] + std::abs(y2) * w.sb[j2]);
      if (!(sep <= w.tolerance)) return false;
      if (sep - kBias * std::abs(sep) > best.separation && sep > face_separation) {
        best.code = 6 + 3 * i + j;
        best.separation = sep;
        best.edge[i] = 0;
        best.edge[i1] = x1;
        best.edge[i2] = x2;
      }
    }
  }
  return true;
}

/// An edge axis that is almost a face normal and hardly better is replaced by the face: more contacts, less jitter.
bool prefer_face(const Setting& w, const Axis& face, const Axis& edge) {
  double cosine = 0;
  for (int k = 0; k < 3; ++k)
    cosine += edge.edge[k] * (face.code < 3 ? (k == face.code ? 1.0 : 0.0) : w.M[k][face.code - 3]);
  return std::abs(cosine) > 0.99 && edge.separation < face.separation + 0.05 * std::abs(face.separation) + kMinVal;
}

/// A zero component of the axis makes two edges ambiguous: this one is tried with both signs.
int ambiguous(const double* axis, int i) {
  constexpr double kZero = 1e-9;
  if (std::abs(axis[next(i)]) < kZero) return next(i);
  if (std::abs(axis[after_next(i)]) < kZero) return after_next(i);
  return -1;
}

/// Closest points of edge i of a through c1 and edge j of b through c2, in the frame of a.
void nearest_on_edges(const Setting& w, int i, int j, const double* c1, const double* c2, double* w1, double* w2) {
  const double d2[3] = {w.M[0][j], w.M[1][j], w.M[2][j]};
  const double E[3] = {c2[0] - c1[0], c2[1] - c1[1], c2[2] - c1[2]};
  const double g = d2[i], den = 1 - g * g;
  const double along = d2[0] * E[0] + d2[1] * E[1] + d2[2] * E[2];
  double s = den < kMinVal ? 0 : (E[i] - g * along) / den;
  s = clip(s, -w.sa[i], w.sa[i]);
  const double t = clip(g * s - along, -w.sb[j], w.sb[j]);
  s = clip(E[i] + g * t, -w.sa[i], w.sa[i]);
  for (int k = 0; k < 3; ++k) {
    w1[k] = c1[k] + (k == i ? s : 0);
    w2[k] = c2[k] + t * d2[k];
  }
}

int edge_contact(const Setting& w, const Shape& a, const Axis& axis, ContactPoint* out) {
  const int i = (axis.code - 6) / 3, j = (axis.code - 6) % 3;
  double x[3] = {axis.edge[0], axis.edge[1], axis.edge[2]};
  if (x[0] * w.P[0] + x[1] * w.P[1] + x[2] * w.P[2] < 0)
    for (double& c : x) c = -c;
  double y[3], ca[3], cb[3];
  for (int k = 0; k < 3; ++k) y[k] = w.M[0][k] * x[0] + w.M[1][k] * x[1] + w.M[2][k] * x[2];
  for (int k = 0; k < 3; ++k) {
    ca[k] = k == i ? 0 : x[k] >= 0 ? w.sa[k] : -w.sa[k];
    cb[k] = k == j ? 0 : y[k] >= 0 ? -w.sb[k] : w.sb[k];
  }

  const int flip_a = ambiguous(x, i), flip_b = ambiguous(y, j);
  double best1[3] = {}, best2[3] = {}, least = -1;
  for (int fa = 0; fa < (flip_a < 0 ? 1 : 2); ++fa) {
    for (int fb = 0; fb < (flip_b < 0 ? 1 : 2); ++fb) {
      double c1[3] = {ca[0], ca[1], ca[2]}, l2[3] = {cb[0], cb[1], cb[2]}, c2[3], w1[3], w2[3];
      if (fa) c1[flip_a] = -c1[flip_a];
      if (fb) l2[flip_b] = -l2[flip_b];
      for (int k = 0; k < 3; ++k) c2[k] = w.M[k][0] * l2[0] + w.M[k][1] * l2[1] + w.M[k][2] * l2[2] + w.P[k];
      nearest_on_edges(w, i, j, c1, c2, w1, w2);
      double gap2 = 0;
      for (int k = 0; k < 3; ++k) gap2 += (w2[k] - w1[k]) * (w2[k] - w1[k]);
      if (least >= 0 && !(gap2 < least)) continue;
      least = gap2;
      std::copy_n(w1, 3, best1);
      std::copy_n(w2, 3, best2);
    }
  }
  double dist = 0;
  for (int k = 0; k < 3; ++k) dist += (best2[k] - best1[k]) * x[k];
  if (!(dist <= w.tolerance)) return 0;
  const Vec3d middle = {0.5 * (best1[0] + best2[0]), 0.5 * (best1[1] + best2[1]), 0.5 * (best1[2] + best2[2])};
  out->dist = dist;
  out->pos = a.pos + a.mat * middle;
  out->normal = a.mat * Vec3d{x[0], x[1], x[2]};
  out->tangent = {};
  return 1;
}

/// A vertex of the incident face above the reference face: x, y in its plane, z the height above it.
struct Vertex {
  double x, y, z;
};

/// Clips the polygon to  side * coordinate <= limit.
template <double Vertex::*coordinate>
int clip_polygon(Vertex* polygon, int count, double side, double limit) {
  double d[kMaxPolygon];
  bool cut = false;
  for (int i = 0; i < count; ++i) {
    d[i] = side * polygon[i].*coordinate - limit;
    cut |= d[i] > 0;
  }
  if (!cut) return count;
  Vertex kept[kMaxPolygon];
  int n = 0;
  for (int i = 0; i < count; ++i) {
    const int j = i + 1 < count ? i + 1 : 0;
    if (n + 2 > kMaxPolygon) break;
    if (d[i] <= 0) kept[n++] = polygon[i];
    if ((d[i] < 0 && d[j] > 0) || (d[i] > 0 && d[j] < 0)) {
      const double t = d[i] / (d[i] - d[j]);
      const Vertex &p = polygon[i], &q = polygon[j];
      kept[n++] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
    }
  }
  std::copy_n(kept, n, polygon);
  return n;
}

/// The reference box's face and the other box's face opposite to it, in the reference frame.
struct FacePair {
  int k, q;           // axis of the reference face, axis of the incident face
  double sign, side;  // which of the two faces along k, along q
  double O[3];        // incident center
  double I[3][3];     // incident axes in columns
  const double *sr, *si;
};

FacePair face_pair(const Setting& w, int code) {
  FacePair f;
  const bool a_is_reference = code < 3;
  f.k = code % 3;
  f.sr = a_is_reference ? w.sa : w.sb;
  f.si = a_is_reference ? w.sb : w.sa;
  std::copy_n(a_is_reference ? w.P : w.Q, 3, f.O);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) f.I[r][c] = a_is_reference ? w.M[r][c] : w.M[c][r];
  f.sign = f.O[f.k] >= 0 ? 1 : -1;
  f.q = 0;
  for (int c = 1; c < 3; ++c)
    if (std::abs(f.I[f.k][c]) > std::abs(f.I[f.k][f.q])) f.q = c;
  f.side = f.sign * f.I[f.k][f.q] > 0 ? -1 : 1;
  return f;
}

int incident_polygon(const FacePair& f, Vertex* polygon) {
  const int rows[3] = {next(f.k), after_next(f.k), f.k};
  const int U = next(f.q), V = after_next(f.q);
  double C[3], dU[3], dV[3];
  for (int r = 0; r < 3; ++r) {
    const int row = rows[r];
    C[r] = f.O[row] + f.side * f.si[f.q] * f.I[row][f.q];
    dU[r] = f.si[U] * f.I[row][U];
    dV[r] = f.si[V] * f.I[row][V];
  }
  C[2] = f.sign * C[2] - f.sr[f.k];
  dU[2] *= f.sign;
  dV[2] *= f.sign;
  polygon[0] = {C[0] + dU[0] + dV[0], C[1] + dU[1] + dV[1], C[2] + dU[2] + dV[2]};
  polygon[1] = {C[0] - dU[0] + dV[0], C[1] - dU[1] + dV[1], C[2] - dU[2] + dV[2]};
  polygon[2] = {C[0] - dU[0] - dV[0], C[1] - dU[1] - dV[1], C[2] - dU[2] - dV[2]};
  polygon[3] = {C[0] + dU[0] - dV[0], C[1] + dU[1] - dV[1], C[2] + dU[2] - dV[2]};
  return 4;
}

int face_contacts(const Setting& w, const Shape& reference, int code, ContactPoint* out) {
  constexpr int kMost = 8;
  const FacePair f = face_pair(w, code);
  const int X = next(f.k), Y = after_next(f.k);
  const double sx = f.sr[X], sy = f.sr[Y];
  Vertex polygon[kMaxPolygon];
  int count = incident_polygon(f, polygon);
  count = clip_polygon<&Vertex::x>(polygon, count, 1, sx);
  count = clip_polygon<&Vertex::x>(polygon, count, -1, sx);
  count = clip_polygon<&Vertex::y>(polygon, count, 1, sy);
  count = clip_polygon<&Vertex::y>(polygon, count, -1, sy);

  const double same2 = 1e-14 * (sx * sx + sy * sy);
  const Vec3d normal = reference.mat.column(f.k) * (code < 3 ? f.sign : -f.sign);
  int accepted[kMost], n = 0;
  for (int i = 0; i < count && n < kMost; ++i) {
    const Vertex& v = polygon[i];
    if (!(v.z <= w.margin)) continue;
    bool repeated = false;
    for (int j = 0; j < n && !repeated; ++j) {
      const double dx = v.x - polygon[accepted[j]].x, dy = v.y - polygon[accepted[j]].y;
      repeated = dx * dx + dy * dy < same2;
    }
    if (repeated) continue;
    double local[3];
    local[X] = v.x;
    local[Y] = v.y;
    local[f.k] = f.sign * (f.sr[f.k] + 0.5 * v.z);
    out[n].dist = v.z;
    out[n].pos = reference.pos + reference.mat * Vec3d{local[0], local[1], local[2]};
    out[n].normal = normal;
    out[n].tangent = {};
    accepted[n++] = i;
  }
  return n;
}

}  // namespace

int collide_box_box(const PairContext&, const Shape& a, const Shape& b, double margin, ContactPoint* out) {
  const Setting w = make_setting(a, b, margin);
  Axis face;
  if (!best_face(w, face)) return 0;
  Axis best = face;
  if (!best_edge(w, best)) return 0;
  if (best.code >= 6 && !prefer_face(w, face, best)) return edge_contact(w, a, best, out);
  return face_contacts(w, face.code < 3 ? a : b, face.code, out);
}

}  // namespace sinew
