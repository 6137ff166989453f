#include <algorithm>
#include <cmath>

#include "base/arena.h"
#include "collision/ccd.h"

// Several contacts of two boxes or meshes from EPA's face. The face's three vertices identify the feature of each
// object: a vertex (1 distinct vertex), an edge (2) or a face (3). Two opposing faces of the objects, or an edge and
// the face it lies in, are clipped against each other.

namespace sinew {
namespace {

constexpr double kOpposed = -0.996;  // cosine of two face normals
constexpr double kFacing = 0.996;    // cosine of a face normal and the contact direction
constexpr double kInFace = 0.0888;   // sine of the angle between an edge and a face
constexpr double kInside = 1e-15;

/// The feature of an object in contact.
struct FeatureOf {
  int dim = 0;  // number of distinct vertices
  int id[3] = {};
  Vec3d point[3];
};

FeatureOf feature_of(const EpaFace& face, int MinkowskiVertex::*id, Vec3d MinkowskiVertex::*point) {
  FeatureOf f;
  for (int i = 0; i < 3; ++i) {
    f.id[i] = face.v[i].*id;
    f.point[i] = face.v[i].*point;
  }
  if (f.id[0] == f.id[1] && f.id[0] == f.id[2]) {
    f.dim = 1;
  } else if (f.id[0] == f.id[1]) {
    f.id[1] = f.id[2];
    f.point[1] = f.point[2];
    f.dim = 2;
  } else {
    f.dim = f.id[2] == f.id[0] || f.id[2] == f.id[1] ? 2 : 3;
  }
  return f;
}

/// Faces of an object that contain its feature: world normal and face id.
struct FaceList {
  Vec3d* normal;
  int* face;  // box: 2 axis + (0: positive side, 1: negative); mesh: polygon of the mesh
  int count = 0;

  void add(const Vec3d& n, int f) {
    normal[count] = n;
    face[count++] = f;
  }
};

/// Edges that start at a feature: unit direction and far end. The near end is the feature's first point.
struct EdgeList {
  Vec3d* direction;
  Vec3d* end;
  int count = 0;

  void add(const Vec3d& from, const Vec3d& to) {
    Vec3d d = to - from;
    normalize(d);
    direction[count] = d;
    end[count++] = to;
  }
};

/// Polygons of a mesh vertex, as indices of the mesh's polygons.
struct PolygonsOf {
  const int* begin;
  int count;
};

PolygonsOf polygons_of(const Model& m, int mesh, int vertex) {
  const int v = m.mesh_vertadr[mesh] + vertex;
  return {m.mesh_polymap.data() + m.mesh_polymapadr[v], m.mesh_polymapnum[v]};
}

bool contains(const PolygonsOf& list, int polygon) {
  return std::find(list.begin, list.begin + list.count, polygon) != list.begin + list.count;
}

void box_faces(const Convex& o, const FeatureOf& f, const Vec3d& dir, FaceList& out) {
  int set = 7, clear = 7;  // bits shared by all vertices of the feature
  for (int i = 0; i < f.dim; ++i) {
    set &= f.id[i];
    clear &= ~f.id[i];
  }
  const int shared = set | clear;
  const int shares = (shared & 1) + (shared >> 1 & 1) + (shared >> 2 & 1);
  const auto add_axis = [&](int axis, bool positive) {
    const Vec3d n = o.mat.column(axis);
    out.add(positive ? n : -n, 2 * axis + (positive ? 0 : 1));
  };
  if (shares == 4 - f.dim) {
    for (int axis = 0; axis < 3; ++axis)
      if (shared >> axis & 1) add_axis(axis, set >> axis & 1);
    return;
  }
  Vec3d local = mul_transposed(o.mat, dir);
  normalize(local);
  for (int axis = 0; axis < 3; ++axis)
    for (const bool positive : {true, false})
      if ((positive ? local[axis] : -local[axis]) > kFacing) return add_axis(axis, positive);
}

void mesh_faces(const Model& m, const Convex& o, const FeatureOf& f, FaceList& out) {
  const PolygonsOf first = polygons_of(m, o.mesh, f.id[0]);
  const auto add_polygon = [&](int polygon) {
    const double* n = &m.mesh_polynormal[3 * static_cast<std::size_t>(m.mesh_polyadr[o.mesh] + polygon)];
    out.add(o.mat * Vec3d::load(n), polygon);
  };
  if (f.dim == 1) {
    for (int i = 0; i < first.count; ++i) add_polygon(first.begin[i]);
    return;
  }
  int shared[2], count = 0;
  const PolygonsOf second = polygons_of(m, o.mesh, f.id[1]);
  for (int i = 0; i < first.count && count < 2; ++i)
    if (contains(second, first.begin[i])) shared[count++] = first.begin[i];
  if (f.dim == 2) {
    for (int i = 0; i < count; ++i) add_polygon(shared[i]);
    return;
  }
  const PolygonsOf third = polygons_of(m, o.mesh, f.id[2]);
  for (int i = 0; i < count; ++i)
    if (contains(third, shared[i])) return add_polygon(shared[i]);
}

Vec3d box_corner(const Convex& o, int bits) {
  const Vec3d local = {bits & 1 ? o.size.x : -o.size.x, bits & 2 ? o.size.y : -o.size.y,
                       bits & 4 ? o.size.z : -o.size.z};
  return o.mat * local + o.pos;
}

void edges_of(const Model& m, const Convex& o, const FeatureOf& f, EdgeList& out) {
  if (f.dim == 2) return out.add(f.point[0], f.point[1]);
  if (o.kind == ConvexKind::Box) {
    for (int axis = 0; axis < 3; ++axis) out.add(f.point[0], box_corner(o, f.id[0] ^ 1 << axis));
    return;
  }
  const PolygonsOf list = polygons_of(m, o.mesh, f.id[0]);
  for (int i = 0; i < list.count; ++i) {
    const int polygon = m.mesh_polyadr[o.mesh] + list.begin[i];
    const int* v = &m.mesh_polyvert[m.mesh_polyvertadr[polygon]];
    const int n = m.mesh_polyvertnum[polygon];
    for (int k = 0; k < n; ++k)
      if (v[k] == f.id[0]) {
        out.add(f.point[0], o.mat * o.hull.vertex(v[k == 0 ? n - 1 : k - 1]) + o.pos);
        break;
      }
  }
}

/// The corners of each face of a box as sign bits (x 1, y 2, z 4), in cyclic order.
constexpr int kBoxFace[6][4] = {{7, 3, 1, 5}, {2, 6, 4, 0}, {2, 3, 7, 6}, {4, 5, 1, 0}, {6, 7, 5, 4}, {3, 2, 0, 1}};

int face_polygon(const Model& m, const Convex& o, int face, Vec3d* out) {
  if (o.kind == ConvexKind::Box) {
    for (int i = 0; i < 4; ++i) out[i] = box_corner(o, kBoxFace[face][i]);
    return 4;
  }
  const int polygon = m.mesh_polyadr[o.mesh] + face;
  const int n = m.mesh_polyvertnum[polygon];
  const int* v = &m.mesh_polyvert[m.mesh_polyvertadr[polygon]];
  for (int i = 0; i < n; ++i) out[i] = o.mat * o.hull.vertex(v[n - 1 - i]) + o.pos;
  return n;
}

double quad_area(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return 0.5 * norm(cross(d - a, b - d) + cross(c - b, a - c));
}

/// Four vertices of a convex polygon that span a large area, by four indices moving around it.
void largest_quadrilateral(const Vec3d* p, int n, int out[4]) {
  const auto next = [n](int i) { return i + 1 < n ? i + 1 : 0; };
  int b = 1, c = 2, d = 3;
  double most = quad_area(p[0], p[b], p[c], p[d]);
  const auto record = [&](int a, double area) {
    most = area;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
  };
  record(0, most);
  for (int a = 0; a < n; ++a) {
    for (double area; (area = quad_area(p[a], p[b], p[c], p[next(d)])) > most;) {
      d = next(d);
      record(a, area);
      while ((area = quad_area(p[a], p[b], p[next(c)], p[d])) > most) {
        c = next(c);
        record(a, area);
      }
      while ((area = quad_area(p[a], p[next(b)], p[c], p[d])) > most) {
        b = next(b);
        record(a, area);
      }
    }
    if (b != a) continue;
    b = next(b);
    if (c != b) continue;
    c = next(c);
    if (d == c) d = next(d);
  }
}

/// The subject polygon or edge, clipped by the prism over a face. Witnesses are projected along -direction.
struct Clip {
  const Vec3d* face;
  int face_count;
  Vec3d normal;    // of the face
  Vec3d* subject;  // space for `capacity`; overwritten
  Vec3d* spare;
  int subject_count;
  int capacity;
  Vec3d direction;
};

/// Clips the subject by the plane through an edge of the face, along its normal.
int clip_by_edge(const Clip& c, const Vec3d& from, const Vec3d& to, int count) {
  Vec3d plane = cross(to - from, (from + c.normal) - from);
  normalize(plane);
  const double offset = dot(plane, from);
  int n = 0;
  for (int i = 0; i < count && n + 2 <= c.capacity; ++i) {
    const Vec3d &p = c.subject[i], &q = c.subject[i + 1 < count ? i + 1 : 0];
    const bool p_in = dot(plane, p - from) > -kInside, q_in = dot(plane, q - from) > -kInside;
    if (!p_in && !q_in) continue;
    if (p_in != q_in) {
      const Vec3d along = q - p;
      const double rate = dot(plane, along);
      const double t = rate != 0 ? (offset - dot(plane, p)) / rate : -1;
      if (t >= 0 && t <= 1) c.spare[n++] = p + along * t;
    }
    if (q_in) c.spare[n++] = q;
  }
  std::copy_n(c.spare, n, c.subject);
  return n;
}

/// The two most distant of n points.
void farthest_two(const Vec3d* p, int n, int out[2]) {
  double most = -1;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const double d2 = dot(p[j] - p[i], p[j] - p[i]);
      if (d2 > most) {
        most = d2;
        out[0] = i;
        out[1] = j;
      }
    }
}

void clip(const Clip& c, CcdResult& result) {
  int count = c.subject_count;
  for (int e = 0; e < c.face_count; ++e)
    count = clip_by_edge(c, c.face[e], c.face[e + 1 < c.face_count ? e + 1 : 0], count);
  int below = 0;
  for (int i = 0; i < count; ++i)
    if (dot(c.normal, c.subject[i] - c.face[0]) <= 0) c.subject[below++] = c.subject[i];
  if (below == 0) return;

  int kept[kMaxWitness] = {0, 1, 2, 3};
  int n = std::min(below, kMaxWitness);
  if (below > kMaxWitness) {
    largest_quadrilateral(c.subject, below, kept);
  } else if (c.subject_count == 2 && below > 2) {
    farthest_two(c.subject, below, kept);
    n = 2;
  }
  result.count = n;
  result.dist = 0;
  for (int i = 0; i < n; ++i) {
    const Vec3d& x = c.subject[kept[i]];
    const double depth = std::abs(dot(c.normal, x - c.face[0]));
    result.x1[i] = x - c.direction * depth;
    result.x2[i] = x;
    result.dist = std::min(result.dist, -depth);
  }
}

/// Edges of one object against the faces of the other: uses the first edge that lies in a face.
bool match_edge(const FaceList& faces, const EdgeList& edges, int& face, int& edge) {
  for (face = 0; face < faces.count; ++face)
    for (edge = 0; edge < edges.count; ++edge)
      if (std::abs(dot(edges.direction[edge], faces.normal[face])) < kInFace) return true;
  return false;
}

}  // namespace

void clip_features(const Model& m, const Touch& touch, CcdResult& result, Arena& arena) {
  const Convex *o1 = &touch.o1, *o2 = &touch.o2;
  const auto has_faces = [&](const Convex& o) { return o.kind != ConvexKind::Mesh || m.mesh_polynum[o.mesh] > 0; };
  if (!has_faces(*o1) || !has_faces(*o2)) return;

  // enough for any feature: the polygons of a vertex, the vertices of a polygon, and those added by clipping
  const int most = static_cast<int>(std::max<std::int64_t>({m.npolygonmax, m.nmeshdegmax, 8}));
  Scratch scratch(arena);
  const auto faces_of = [&](const Convex& o, const FeatureOf& f, const Vec3d& dir) {
    FaceList list{scratch.take<Vec3d>(most), scratch.take<int>(most)};
    o.kind == ConvexKind::Box ? box_faces(o, f, dir, list) : mesh_faces(m, o, f, list);
    return list;
  };
  const Vec3d dir = result.x2[0] - result.x1[0];
  const FeatureOf f1 = feature_of(touch.face, &MinkowskiVertex::i1, &MinkowskiVertex::p1);
  const FeatureOf f2 = feature_of(touch.face, &MinkowskiVertex::i2, &MinkowskiVertex::p2);
  const FaceList n1 = faces_of(*o1, f1, -dir), n2 = faces_of(*o2, f2, dir);

  Clip c;
  c.capacity = 4 * most + 8;
  Vec3d* face = scratch.take<Vec3d>(most);
  c.face = face;
  c.subject = scratch.take<Vec3d>(c.capacity);
  c.spare = scratch.take<Vec3d>(c.capacity);

  for (int i = 0; i < n1.count; ++i)
    for (int j = 0; j < n2.count; ++j)
      if (dot(n1.normal[i], n2.normal[j]) < kOpposed) {
        c.face_count = face_polygon(m, *o1, n1.face[i], face);
        c.normal = n1.normal[i];
        c.subject_count = face_polygon(m, *o2, n2.face[j], c.subject);
        c.direction = n2.normal[j];
        return clip(c, result);
      }

  const bool edge_of_first = f1.dim < 3 && f1.dim <= f2.dim;
  if (!edge_of_first && f2.dim >= 3) return;
  const Convex &with_edge = edge_of_first ? *o1 : *o2, &with_face = edge_of_first ? *o2 : *o1;
  const FeatureOf& feature = edge_of_first ? f1 : f2;
  const FaceList& faces = edge_of_first ? n2 : n1;
  EdgeList edges{scratch.take<Vec3d>(most), scratch.take<Vec3d>(most)};
  edges_of(m, with_edge, feature, edges);
  int i, j;
  if (!match_edge(faces, edges, i, j)) return;
  c.face_count = face_polygon(m, with_face, faces.face[i], face);
  c.normal = faces.normal[i];
  c.subject[0] = feature.point[0];
  c.subject[1] = edges.end[j];
  c.subject_count = 2;
  c.direction = -faces.normal[i];
  const int before = result.count;
  result.count = 0;
  clip(c, result);
  if (result.count == 0) {
    result.count = before;
  } else if (edge_of_first) {
    for (int k = 0; k < result.count; ++k) std::swap(result.x1[k], result.x2[k]);
  }
}

}  // namespace sinew
