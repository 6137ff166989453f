#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/ccd.h"
#include "collision/triangle.h"

// GJK: the point of the Minkowski difference closest to the origin, by a sequence of simplices. The closest point of a
// simplex comes from signed volumes (Montanari, Petrinic, Barbieri 2017).
//
// For smooth shapes the iteration ends at a tolerance, so the sixth digit of the result depends on the path: the order
// of operations, strict or weak comparisons and which of several equal vertices is kept are all part of the contract.

namespace sinew {
namespace {

constexpr double kSame = 1e-15;      // norms closer than this are equal
constexpr double kResolved = 1e-14;  // relative gap between the distance and its lower bound: converged
constexpr double kTiny2 = 1e-30;     // squared length of a normal below which a face is degenerate
constexpr double kHuge2 = 1e20;

bool same_sign(double a, double b) { return (a > 0 && b > 0) || (a < 0 && b < 0); }

/// Weights of the point of the segment closest to the origin; outside the segment always the newer end.
void nearest_on_segment(const Vec3d& s1, const Vec3d& s2, double lambda[2]) {
  const Vec3d d = s2 - s1;
  const double scale = -(dot(s2, d) / dot(d, d));
  const Vec3d p = s2 + d * scale;
  int axis = 0;
  double mu = s1.x - s2.x;
  if (std::abs(s1.y - s2.y) >= std::abs(mu)) {
    mu = s1.y - s2.y;
    axis = 1;
  }
  if (std::abs(s1.z - s2.z) >= std::abs(mu)) {
    mu = s1.z - s2.z;
    axis = 2;
  }
  const double c1 = p[axis] - s2[axis], c2 = s1[axis] - p[axis];
  const bool inside = same_sign(mu, c1) && same_sign(mu, c2);
  lambda[0] = inside ? c1 / mu : 0;
  lambda[1] = inside ? c2 / mu : 1;
}

void nearest_on_triangle(const Vec3d& s1, const Vec3d& s2, const Vec3d& s3, double lambda[3]) {
  Vec3d p;
  if (!project_origin(s1, s2, s3, p)) {
    nearest_on_segment(s1, s2, lambda);
    lambda[2] = 0;
    return;
  }
  double area[3];
  const double whole = signed_areas(s1, s2, s3, p, area);
  const bool in[3] = {same_sign(whole, area[0]), same_sign(whole, area[1]), same_sign(whole, area[2])};
  if (in[0] && in[1] && in[2]) {
    for (int i = 0; i < 3; ++i) lambda[i] = area[i] / whole;
    return;
  }
  // the edges that have p on their outer side
  const Vec3d* s[3] = {&s1, &s2, &s3};
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 3; ++i) {
    if (in[i]) continue;
    const int j = i == 0 ? 1 : 0, k = i == 2 ? 1 : 2;
    double part[2];
    nearest_on_segment(*s[j], *s[k], part);
    const Vec3d x = *s[j] * part[0] + *s[k] * part[1];
    const double x2 = dot(x, x);
    if (i == 0 || x2 < least) {
      lambda[i] = 0;
      lambda[j] = part[0];
      lambda[k] = part[1];
      least = x2;
    }
  }
}

void nearest_on_tetrahedron(const MinkowskiVertex* s, double lambda[4]) {
  const Vec3d &s1 = s[0].w, &s2 = s[1].w, &s3 = s[2].w, &s4 = s[3].w;
  const double c[4] = {-det(s2, s3, s4), det(s1, s3, s4), -det(s1, s2, s4), det(s1, s2, s3)};
  const double whole = c[0] + c[1] + c[2] + c[3];
  bool in[4], inside = true;
  for (int i = 0; i < 4; ++i) inside &= in[i] = same_sign(whole, c[i]);
  if (inside) {
    for (int i = 0; i < 4; ++i) lambda[i] = c[i] / whole;
    return;
  }
  constexpr int kFace[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 4; ++i) {
    if (in[i]) continue;
    const int* f = kFace[i];
    double part[3] = {};
    nearest_on_triangle(s[f[0]].w, s[f[1]].w, s[f[2]].w, part);
    const Vec3d x = s[f[0]].w * part[0] + s[f[1]].w * part[1] + s[f[2]].w * part[2];
    const double x2 = dot(x, x);
    if (i == 0 || x2 < least) {
      lambda[i] = 0;
      for (int k = 0; k < 3; ++k) lambda[f[k]] = part[k];
      least = x2;
    }
  }
}

void nearest_on_simplex(const MinkowskiVertex* s, int n, double lambda[4]) {
  switch (n) {
    case 1: lambda[0] = 1; break;
    case 2: nearest_on_segment(s[0].w, s[1].w, lambda); break;
    case 3: nearest_on_triangle(s[0].w, s[1].w, s[2].w, lambda); break;
    default: nearest_on_tetrahedron(s, lambda); break;
  }
}

template <Vec3d MinkowskiVertex::*part>
Vec3d combine(const MinkowskiVertex* s, const double* lambda, int n) {
  Vec3d x = s[0].*part * lambda[0];
  for (int i = 1; i < n; ++i) x += s[i].*part * lambda[i];
  return x;
}

enum class Search { Apart, Inside, Undecided };

/// Moves a tetrahedron towards the origin, face by face, until it contains it or a face separates it. Only decides;
/// cheaper than distances while the objects are in contact.
Search search_tetrahedron(Convex& o1, Convex& o2, int most, GjkState& state, int& k) {
  constexpr int kFace[4][3] = {{2, 1, 3}, {0, 2, 3}, {1, 0, 3}, {0, 1, 2}};
  MinkowskiVertex s[4] = {state.simplex[0], state.simplex[1], state.simplex[2], state.simplex[3]};
  int order[4] = {0, 1, 2, 3};  // s by reference: swapping vertices swaps these
  for (; k < most; ++k) {
    Vec3d normal[4];
    double D[4];
    for (int i = 0; i < 4; ++i) {
      const Vec3d &a = s[order[kFace[i][0]]].w, &b = s[order[kFace[i][1]]].w, &c = s[order[kFace[i][2]]].w;
      normal[i] = cross(c - a, b - a);
      const double n2 = dot(normal[i], normal[i]);
      if (n2 > kTiny2 && n2 < kHuge2) {
        normal[i] *= 1 / std::sqrt(n2);
        D[i] = dot(normal[i], a);
      } else {
        D[i] = std::numeric_limits<double>::max();
      }
      if (D[i] == 0) return Search::Undecided;
    }
    const int i = D[0] < D[1] ? 0 : 1, j = D[2] < D[3] ? 2 : 3;
    const int worst = D[i] < D[j] ? i : j;
    if (D[worst] > 0) {
      for (int v = 0; v < 4; ++v) state.simplex[v] = s[order[v]];
      return Search::Inside;
    }
    minkowski_support(o1, o2, normal[worst], s[order[worst]]);
    if (dot(normal[worst], s[order[worst]].w) < 0) return Search::Apart;
    std::swap(order[(worst + 1) & 3], order[(worst + 2) & 3]);
  }
  return Search::Undecided;
}

}  // namespace

void gjk(Convex& o1, Convex& o2, const CcdConfig& config, GjkState& state) {
  const bool discrete = is_discrete(o1, o2), want_distance = config.cutoff > 0;
  const double least_gap = discrete ? 0 : 0.5 * config.tolerance * config.tolerance;
  // far from the origin the tolerance is below the resolution of the simplex, which would only become a sliver
  const double rounding = discrete ? 0 : kResolved;
  const double least_norm = discrete ? kMinVal : config.tolerance;
  const double cutoff2 = config.cutoff * config.cutoff;
  const bool bounded = want_distance && config.cutoff < kNoDistance;
  MinkowskiVertex* s = state.simplex;
  double lambda[4] = {1, 0, 0, 0};
  Vec3d x = state.x1 - state.x2;
  double before = 0, length = norm(x);
  bool try_search = !want_distance;
  int n = 0;
  state.separated = false;
  state.count = 0;
  state.dist = kNoDistance;

  for (int k = 0; k < config.iterations; ++k) {
    if (!(length >= least_norm) || std::abs(before - length) < kSame) break;
    before = length;
    minkowski_support(o1, o2, x * (-1 / length), s[n]);
    if (dot(x, x - s[n].w) < std::max(least_gap, rounding * length * length)) break;

    const double ahead = dot(x, s[n].w);
    if (ahead > 0 && (!want_distance || (bounded && ahead * ahead >= cutoff2 * (length * length)))) {
      state.separated = true;
      return;
    }
    if (n == 3 && try_search) {
      const Search found = search_tetrahedron(o1, o2, config.iterations, state, k);
      if (found != Search::Undecided) {
        state.separated = found == Search::Apart;
        state.count = state.separated ? 0 : 4;
        state.dist = state.separated ? kNoDistance : 0;
        return;
      }
      try_search = false;
    }
    nearest_on_simplex(s, n + 1, lambda);
    int kept = 0;
    for (int i = 0; i <= n; ++i) {
      if (lambda[i] == 0) continue;
      if (kept != i) s[kept] = s[i];
      lambda[kept++] = lambda[i];
    }
    n = kept;
    if (n == 0) return;  // only with non-finite poses
    x = combine<&MinkowskiVertex::w>(s, lambda, n);
    length = norm(x);
    if (n == 4) break;
  }
  if (!(length < kNoDistance)) return;

  state.count = n;
  if (n > 0) {
    state.x1 = combine<&MinkowskiVertex::p1>(s, lambda, n);
    state.x2 = combine<&MinkowskiVertex::p2>(s, lambda, n);
  }
  if (length > 0) {
    MinkowskiVertex last;
    minkowski_support(o1, o2, x * (-1 / length), last);
    state.separated = dot(x, last.w) > 0;
  }
  state.dist = n == 4 && !state.separated ? 0 : length;
}

}  // namespace sinew
