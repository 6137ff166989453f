#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arena.h"
#include "collision/ccd.h"
#include "collision/triangle.h"

// EPA: a polytope inside the Minkowski difference that contains the origin is expanded, vertex by vertex, at the face
// closest to the origin, until that face lies on the boundary of the difference. As in GJK the order of operations is
// part of the contract.

namespace sinew {
namespace {

constexpr double kOnFace2 = 1e-30;  // squared distance below which the origin lies on a face
constexpr double kVisible = 1e-15;

struct Face {
  int v[3];    // vertices, in order
  int adj[3];  // faces across the edges v0v1, v1v2, v2v0
  Vec3d q;     // projection of the origin on the face's plane
  double d2;   // |q|²
  int slot;    // index in the candidate list; or one of:
  static constexpr int kNoCandidate = -1, kDeleted = -2;
};

constexpr int next_edge(int edge) { return edge == 2 ? 0 : edge + 1; }

struct InitialFace {
  int v[3], adj[3];
};
constexpr InitialFace kTetrahedron[4] = {
    {{0, 1, 2}, {1, 3, 2}}, {{0, 3, 1}, {2, 3, 0}}, {{0, 2, 3}, {0, 3, 1}}, {{3, 2, 1}, {2, 0, 1}}};
constexpr InitialFace kOverTriangle[6] = {  // triangle 0 1 2, apexes 3 and 4
    {{3, 0, 1}, {1, 3, 2}}, {{3, 2, 0}, {2, 4, 0}}, {{3, 1, 2}, {0, 5, 1}},
    {{4, 1, 0}, {5, 0, 4}}, {{4, 0, 2}, {3, 1, 5}}, {{4, 2, 1}, {4, 2, 3}}};
constexpr InitialFace kAroundSegment[6] = {  // segment 0 1, three points 2 3 4 around it
    {{0, 2, 3}, {1, 3, 2}}, {{0, 4, 2}, {2, 4, 0}}, {{0, 3, 4}, {0, 5, 1}},
    {{1, 3, 2}, {5, 0, 4}}, {{1, 2, 4}, {3, 1, 5}}, {{1, 4, 3}, {4, 2, 3}}};

/// Origin and s are strictly on the same side of the plane a b c.
bool same_side(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& s) {
  const Vec3d n = cross(b - a, c - a);
  const double of_s = dot(n, s - a), of_origin = -dot(n, a);
  return (of_s > 0 && of_origin > 0) || (of_s < 0 && of_origin < 0);
}

/// Rotation by 120 degrees about d, with the constants of the reference.
Mat3d third_turn(const Vec3d& d) {
  constexpr double kSin = 0.86602540378, kCos = -0.5;
  const double n = norm(d);
  const double x = d.x / n, y = d.y / n, z = d.z / n;
  Mat3d r;
  r.m[0] = kCos + x * x * (1 - kCos);
  r.m[1] = x * y * (1 - kCos) - z * kSin;
  r.m[2] = x * z * (1 - kCos) + y * kSin;
  r.m[3] = y * x * (1 - kCos) + z * kSin;
  r.m[4] = kCos + y * y * (1 - kCos);
  r.m[5] = y * z * (1 - kCos) - x * kSin;
  r.m[6] = z * x * (1 - kCos) - y * kSin;
  r.m[7] = z * y * (1 - kCos) + x * kSin;
  r.m[8] = kCos + z * z * (1 - kCos);
  return r;
}

class Polytope {
 public:
  Polytope(Convex& o1, Convex& o2, int iterations, Scratch& scratch)
      : o1_(o1), o2_(o2), max_faces_(6 * iterations + 6) {
    verts_ = scratch.take<MinkowskiVertex>(iterations + 8);
    faces_ = scratch.take<Face>(max_faces_);
    candidate_ = scratch.take<int>(max_faces_);
    candidate_d2_ = scratch.take<double>(max_faces_);
    horizon_ = scratch.take<EdgeOf>(3 * max_faces_);
    to_cross_ = scratch.take<EdgeOf>(3 * max_faces_);
    max_faces_ -= 6;
  }

  bool start(const GjkState& state) {
    switch (state.count) {
      case 4: return start_tetrahedron(state.simplex);
      case 3: return start_triangle(state.simplex[0], state.simplex[1], state.simplex[2]);
      case 2: return start_segment(state.simplex[0], state.simplex[1]);
      default: return false;
    }
  }

  /// The nearest face of the difference, or null.
  const Face* expand(const CcdConfig& config);
  const MinkowskiVertex& vertex(int i) const { return verts_[i]; }

 private:
  /// An edge of a face, packed into one number.
  struct EdgeOf {
    int packed;
    EdgeOf(int face, int edge) : packed(face << 2 | edge) {}
    int face() const { return packed >> 2; }
    int edge() const { return packed & 3; }
  };

  bool start_tetrahedron(const MinkowskiVertex* s);
  bool start_triangle(MinkowskiVertex a, MinkowskiVertex b, MinkowskiVertex c);
  bool start_segment(const MinkowskiVertex& a, const MinkowskiVertex& b);
  bool on_triangle(const Vec3d& p) const;

  int add_support(const Vec3d& d, double length) {
    const Vec3d dir = length > kMinVal ? Vec3d{d.x / length, d.y / length, d.z / length} : Vec3d{1, 0, 0};
    minkowski_support(o1_, o2_, dir, verts_[nverts_]);
    return nverts_++;
  }
  double add_face(const InitialFace& initial);
  double measure(Face& f);
  void measure_two(Face& f, Face& g, const Vec3d& apex, const Vec3d& arm);
  void add_candidate(int f, double d2) {
    faces_[f].slot = ncandidates_;
    candidate_d2_[ncandidates_] = d2;
    candidate_[ncandidates_++] = f;
  }
  void add_all_candidates() {
    for (int f = 0; f < nfaces_; ++f) add_candidate(f, faces_[f].d2 >= 0 ? faces_[f].d2 : kNoDistance);
  }
  void remove_face(int f);
  int nearest_candidate() const;
  void find_horizon(int f, const Vec3d& w);
  bool close_horizon(int w, double lower2, double upper2);
  bool repeats(int w) const;

  Convex &o1_, &o2_;
  int max_faces_;
  MinkowskiVertex* verts_;
  Face* faces_;
  int* candidate_;
  double* candidate_d2_;
  EdgeOf *horizon_, *to_cross_;
  int nverts_ = 0, nfaces_ = 0, ncandidates_ = 0, nhorizon_ = 0;
  Vec3d center_;
};

/// Computes a new face's closest point to the origin. Returns the squared distance; 0: its plane is undefined.
double Polytope::measure(Face& f) {
  f.slot = Face::kNoCandidate;
  const Vec3d& first = verts_[f.v[0]].w;
  if (!project_origin(verts_[f.v[2]].w, verts_[f.v[1]].w, first, f.q)) {
    f.q = {};
    return f.d2 = 0;
  }
  if (dot(f.q, first - center_) < 0) f.q = -f.q;
  return f.d2 = dot(f.q, f.q);
}

double Polytope::add_face(const InitialFace& initial) {
  Face& f = faces_[nfaces_++];
  for (int i = 0; i < 3; ++i) {
    f.v[i] = initial.v[i];
    f.adj[i] = initial.adj[i];
  }
  return measure(f);
}

bool Polytope::start_tetrahedron(const MinkowskiVertex* s) {
  for (int i = 0; i < 4; ++i) verts_[i] = s[i];
  nverts_ = 4;
  center_ = (s[0].w + s[1].w + s[2].w + s[3].w) * 0.25;
  for (const InitialFace& f : kTetrahedron)
    if (add_face(f) < kOnFace2) return start_triangle(s[f.v[0]], s[f.v[1]], s[f.v[2]]);
  const Vec3d &a = s[0].w, &b = s[1].w, &c = s[2].w, &d = s[3].w;
  if (!same_side(a, b, c, d) || !same_side(b, c, d, a) || !same_side(c, d, a, b) || !same_side(d, a, b, c))
    return false;
  add_all_candidates();
  return true;
}

/// p is a convex combination of the first three vertices.
bool Polytope::on_triangle(const Vec3d& p) const {
  const Vec3d &a = verts_[0].w, &b = verts_[1].w, &c = verts_[2].w;
  double lambda[3];
  affine_coordinates(a, b, c, p, lambda);
  if (lambda[0] < 0 || lambda[1] < 0 || lambda[2] < 0) return false;
  return norm(a * lambda[0] + b * lambda[1] + c * lambda[2] - p) < kMinVal;
}

bool Polytope::start_triangle(MinkowskiVertex a, MinkowskiVertex b, MinkowskiVertex c) {
  nfaces_ = 0;
  center_ = (a.w + b.w + c.w) * (1.0 / 3.0);
  const Vec3d n = cross(b.w - a.w, c.w - a.w);
  const double length = norm(n);
  if (!(length >= kMinVal)) return false;
  verts_[0] = a;
  verts_[1] = b;
  verts_[2] = c;
  nverts_ = 4;
  add_support(-n, length);
  nverts_ = 3;
  add_support(n, length);
  nverts_ = 5;
  if (on_triangle(verts_[3].w) || on_triangle(verts_[4].w)) return false;
  for (const InitialFace& f : kOverTriangle)
    if (add_face(f) < kOnFace2) return false;
  add_all_candidates();
  return true;
}

bool Polytope::start_segment(const MinkowskiVertex& a, const MinkowskiVertex& b) {
  verts_[0] = a;
  verts_[1] = b;
  nverts_ = 2;
  center_ = (a.w + b.w) * 0.5;
  const Vec3d d = b.w - a.w;
  int axis = 0;
  double least = std::abs(d.x);
  for (int i = 1; i < 3; ++i)
    if (std::abs(d[i]) < least) {
      least = std::abs(d[i]);
      axis = i;
    }
  Vec3d e;
  e[axis] = 1;
  const Mat3d turn = third_turn(d);
  const Vec3d d1 = cross(e, d), d2 = turn * d1, d3 = turn * d2;
  add_support(d1, norm(d1));
  add_support(d2, norm(d2));
  add_support(d3, norm(d3));

  for (const InitialFace& f : kAroundSegment)
    if (add_face(f) < kOnFace2) return start_triangle(verts_[f.v[0]], verts_[f.v[1]], verts_[f.v[2]]);

  const Vec3d r2 = verts_[2].w - a.w, r3 = verts_[3].w - a.w, r4 = verts_[4].w - a.w;
  const double volume[3] = {det(r2, r3, d), det(r3, r4, d), det(r4, r2, d)};
  const bool all_up = volume[0] >= 0 && volume[1] >= 0 && volume[2] >= 0;
  const bool all_down = volume[0] <= 0 && volume[1] <= 0 && volume[2] <= 0;
  if (!all_up && !all_down) return false;
  add_all_candidates();
  return true;
}

void Polytope::remove_face(int f) {
  const int slot = faces_[f].slot;
  if (slot >= 0) {
    const int last = candidate_[--ncandidates_];
    candidate_[slot] = last;
    candidate_d2_[slot] = candidate_d2_[ncandidates_];
    faces_[last].slot = slot;
  }
  faces_[f].slot = Face::kDeleted;
}

int Polytope::nearest_candidate() const {
  constexpr int kLanes = 4;  // independent minima: shortens the dependency chain of the comparisons
  double lane[kLanes] = {kNoDistance, kNoDistance, kNoDistance, kNoDistance};
  int i = 0;
  for (; i + kLanes <= ncandidates_; i += kLanes)
    for (int k = 0; k < kLanes; ++k) lane[k] = lane[k] < candidate_d2_[i + k] ? lane[k] : candidate_d2_[i + k];
  for (; i < ncandidates_; ++i) lane[0] = lane[0] < candidate_d2_[i] ? lane[0] : candidate_d2_[i];
  const double least = std::min(std::min(lane[0], lane[1]), std::min(lane[2], lane[3]));
  if (!(least < kNoDistance)) return -1;
  for (int c = 0;; ++c)
    if (candidate_d2_[c] == least) return candidate_[c];
}

/// The loop of edges around the faces visible from w, starting at face f: depth first, in the order of the edges of
/// each face.
void Polytope::find_horizon(int f, const Vec3d& w) {
  int depth = 0;
  for (const int edge : {2, 1, 0}) to_cross_[depth++] = {f, edge};
  nhorizon_ = 0;
  remove_face(f);
  while (depth > 0) {
    const EdgeOf crossed = to_cross_[--depth];
    const Face& from = faces_[crossed.face()];
    const int across = from.adj[crossed.edge()], shared = from.v[next_edge(crossed.edge())];
    const Face& face = faces_[across];
    if (face.slot == Face::kDeleted) continue;
    const int entry = face.v[0] == shared ? 0 : face.v[1] == shared ? 1 : 2;
    if (!(dot(face.q, w) - face.d2 > kVisible)) {
      horizon_[nhorizon_++] = {across, entry};
      continue;
    }
    remove_face(across);
    to_cross_[depth++] = {across, next_edge(next_edge(entry))};
    to_cross_[depth++] = {across, next_edge(entry)};
  }
}

/// measure() for two faces at once, whose first vertex is the apex, at `arm` from the center.
void Polytope::measure_two(Face& f, Face& g, const Vec3d& apex, const Vec3d& arm) {
  const Vec3d* const second[2] = {&verts_[f.v[1]].w, &verts_[g.v[1]].w};
  const Vec3d* const third[2] = {&verts_[f.v[2]].w, &verts_[g.v[2]].w};
  Vec3d* const q[2] = {&f.q, &g.q};
  double* const d2[2] = {&f.d2, &g.d2};
  if (outward_projections(apex, arm, second, third, q, d2)) return;
  measure(f);
  measure(g);
}

/// A cone of faces from w to the horizon. False: one of them contains the origin.
bool Polytope::close_horizon(int w, double lower2, double upper2) {
  const int first = nfaces_, count = nhorizon_;
  Face* cone = faces_ + first;
  for (int i = 0; i < count; ++i) {
    const int face = horizon_[i].face(), edge = horizon_[i].edge();
    Face& rim = faces_[face];
    cone[i].v[0] = w;
    cone[i].v[1] = rim.v[next_edge(edge)];
    cone[i].v[2] = rim.v[edge];
    cone[i].adj[0] = first + i - 1;
    cone[i].adj[1] = face;
    cone[i].adj[2] = first + i + 1;
    cone[i].slot = Face::kNoCandidate;
    rim.adj[edge] = first + i;
  }
  cone[0].adj[0] = first + count - 1;
  cone[count - 1].adj[2] = first;
  nfaces_ += count;
  const Vec3d apex = verts_[w].w, arm = apex - center_;
  for (int i = 0; i < count; i += 2) measure_two(cone[i], cone[i + 1 < count ? i + 1 : i], apex, arm);
  for (int i = 0; i < count; ++i) {
    const double d2 = cone[i].d2;
    if (!(d2 > 0)) return false;
    if (d2 >= lower2 && d2 <= upper2) add_candidate(first + i, d2);
  }
  return true;
}

bool Polytope::repeats(int w) const {
  for (int i = 0; i < w; ++i)
    if (verts_[i].i1 == verts_[w].i1 && verts_[i].i2 == verts_[w].i2) return true;
  return false;
}

const Face* Polytope::expand(const CcdConfig& config) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kBelow = 1e-10;  // the first support point may not be farther than this below its own face
  const bool discrete = is_discrete(o1_, o2_);
  const double tolerance = discrete ? kMinVal : config.tolerance;
  double upper = kInfinity, upper2 = kInfinity;
  const Face *face = nullptr, *before = nullptr;
  for (int k = 0; k < config.iterations; ++k) {
    before = face;
    const int nearest = nearest_candidate();
    if (nearest < 0) return before;
    const double lower2 = faces_[nearest].d2;
    if (lower2 > upper2) return before;
    face = &faces_[nearest];
    if (lower2 <= 0) return face;

    const double lower = std::sqrt(lower2);
    const int w = add_support(face->q, lower);
    const Vec3d& point = verts_[w].w;
    const double reach = dot(face->q, point) / lower;
    if (reach < upper) {
      upper = reach;
      upper2 = reach * reach;
    }
    if (upper - lower < tolerance) return k == 0 && upper < lower - kBelow ? nullptr : face;
    if (discrete && repeats(w)) return face;

    find_horizon(nearest, point);
    if (nhorizon_ < 3) return nullptr;
    if (nhorizon_ > max_faces_ - nfaces_) return face;
    if (!close_horizon(w, lower2, upper2)) return nullptr;
    if (ncandidates_ == 0) return face;
  }
  return face;
}

}  // namespace

bool epa(Convex& o1, Convex& o2, const CcdConfig& config, GjkState& state, EpaFace& result, Arena& arena) {
  constexpr int kMostIterations = 1000;
  CcdConfig bounded = config;
  if (bounded.iterations > kMostIterations) bounded.iterations = kMostIterations;
  Scratch scratch(arena);
  Polytope polytope(o1, o2, bounded.iterations, scratch);
  state.dist = 0;
  if (!polytope.start(state)) return false;
  const Face* face = polytope.expand(bounded);
  if (!face) return false;

  for (int i = 0; i < 3; ++i) result.v[i] = polytope.vertex(face->v[i]);
  const MinkowskiVertex* v = result.v;
  double lambda[3];
  affine_coordinates(v[0].w, v[1].w, v[2].w, face->q, lambda);
  state.x1 = v[0].p1 * lambda[0] + v[1].p1 * lambda[1] + v[2].p1 * lambda[2];
  state.x2 = v[0].p2 * lambda[0] + v[1].p2 * lambda[1] + v[2].p2 * lambda[2];
  state.dist = -std::sqrt(face->d2);
  return state.dist <= 0;
}

}  // namespace sinew
