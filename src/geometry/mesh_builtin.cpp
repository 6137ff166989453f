#include "geometry/mesh_builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "math/elementary.h"
#include "math/vec3.h"

// Vertex and face orders are those that MuJoCo 3.12.0 generates: hull, polygons and inertia follow from them.

namespace sinew {
namespace {

using Vec = Vec3<double>;

void add_vertex(MeshSource& mesh, const Vec& v) {
  for (const double x : {v.x, v.y, v.z}) mesh.vertex.push_back(static_cast<float>(x));
}

void add_face(MeshSource& mesh, int a, int b, int c) { mesh.face.insert(mesh.face.end(), {a, b, c}); }

double signed_power(double x, double exponent) { return std::copysign(elementary::pow(std::abs(x), exponent), x); }

/// Splits every triangle into four; midpoints are shared and projected onto the unit sphere in float32.
void subdivide(MeshSource& mesh) {
  std::map<std::pair<int, int>, int> midpoints;
  auto midpoint = [&](int a, int b) {
    const auto key = std::minmax(a, b);
    if (const auto it = midpoints.find(key); it != midpoints.end()) return it->second;
    std::array<float, 3> p{};
    float squared = 0;
    for (int k = 0; k < 3; ++k) {
      p[k] = (mesh.vertex[3 * a + k] + mesh.vertex[3 * b + k]) / 2;
      squared += p[k] * p[k];
    }
    const float length = std::sqrt(squared);
    for (float& x : p) x /= length;
    const int index = static_cast<int>(mesh.vertex.size() / 3);
    mesh.vertex.insert(mesh.vertex.end(), p.begin(), p.end());
    midpoints.emplace(key, index);
    return index;
  };
  const std::vector<int> old = std::exchange(mesh.face, {});
  for (std::size_t i = 0; i < old.size(); i += 3) {
    const int a = old[i], b = old[i + 1], c = old[i + 2];
    const int ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    add_face(mesh, a, ab, ca);
    add_face(mesh, b, bc, ab);
    add_face(mesh, c, ca, bc);
    add_face(mesh, ab, bc, ca);
  }
}

MeshSource make_sphere(int levels) {
  MeshSource mesh;
  const double phi = static_cast<float>((1 + std::sqrt(5.0)) / 2);
  const Vec corners[12] = {{-1, phi, 0},  {1, phi, 0},  {-1, -phi, 0}, {1, -phi, 0}, {0, -1, phi},  {0, 1, phi},
                           {0, -1, -phi}, {0, 1, -phi}, {phi, 0, -1},  {phi, 0, 1},  {-phi, 0, -1}, {-phi, 0, 1}};
  const double length = std::sqrt(1 + phi * phi);
  for (const Vec& v : corners) add_vertex(mesh, {v.x / length, v.y / length, v.z / length});
  constexpr int kFaces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                 {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                 {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (const auto& f : kFaces) add_face(mesh, f[0], f[1], f[2]);
  for (int i = 0; i < levels; ++i) subdivide(mesh);
  return mesh;
}

MeshSource make_hemisphere(int res) {
  MeshSource mesh;
  const Vec pole = {0, 0, 1};
  const Vec equator[4] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  add_vertex(mesh, pole);
  for (int row = 0; row <= res; ++row) {
    const double f = static_cast<double>(row + 1) / (res + 1);
    for (int side = 0; side < 4; ++side) {
      const Vec start = pole + (equator[side] - pole) * f;
      const Vec end = pole + (equator[(side + 1) % 4] - pole) * f;
      for (int i = 0; i <= row; ++i) {
        Vec p = start + (end - start) * (static_cast<double>(i) / (row + 1));
        normalize(p);
        add_vertex(mesh, p);
      }
    }
  }
  add_vertex(mesh, {0, 0, 0});
  const int center = static_cast<int>(mesh.vertex.size() / 3) - 1;

  for (int k = 0; k < 4; ++k) add_face(mesh, 0, 1 + k, 1 + (k + 1) % 4);
  for (int row = 0; row < res; ++row) {
    const int here = 2 * row * (row + 1) + 1, here_count = 4 * (row + 1);
    const int below = here + here_count, below_count = 4 * (row + 2);
    for (int side = 0; side < 4; ++side)
      for (int i = 0; i <= row + 1; ++i) {
        const int c = i + (row + 1) * side, n = i + (row + 2) * side;
        add_face(mesh, here + c % here_count, below + n % below_count, below + (n + 1) % below_count);
        if (i < row + 1)
          add_face(mesh, here + c % here_count, below + (n + 1) % below_count, here + (c + 1) % here_count);
      }
  }
  const int rim = 2 * res * (res + 1) + 1, rim_count = 4 * (res + 1);
  for (int i = 0; i < rim_count; ++i) add_face(mesh, rim + i, center, rim + (i + 1) % rim_count);
  return mesh;
}

MeshSource make_supersphere(int res, double e, double n) {
  MeshSource mesh;
  add_vertex(mesh, {0, 0, -1});
  for (int i = 1; i < res; ++i) {
    const double v = -kPi / 2 + i * kPi / res;
    for (int j = 0; j < res; ++j) {
      const double u = -kPi + 2 * kPi * j / res;
      const double ring = signed_power(elementary::cos(v), n);
      add_vertex(mesh, {ring * signed_power(elementary::cos(u), e), ring * signed_power(elementary::sin(u), e),
                        signed_power(elementary::sin(v), n)});
    }
  }
  add_vertex(mesh, {0, 0, 1});
  const int north = static_cast<int>(mesh.vertex.size() / 3) - 1;
  for (int j = 0; j < res; ++j) add_face(mesh, 0, 1 + (j + 1) % res, 1 + j);
  for (int i = 0; i < res - 2; ++i)
    for (int j = 0; j < res; ++j) {
      const int v1 = 1 + i * res + j, v2 = 1 + i * res + (j + 1) % res;
      const int v3 = 1 + (i + 1) * res + (j + 1) % res, v4 = 1 + (i + 1) * res + j;
      add_face(mesh, v1, v2, v4);
      add_face(mesh, v2, v3, v4);
    }
  const int last = 1 + (res - 2) * res;
  for (int j = 0; j < res; ++j) add_face(mesh, last + j, last + (j + 1) % res, north);
  return mesh;
}

MeshSource make_supertorus(int res, double radius, double s, double t) {
  MeshSource mesh;
  for (int i = 0; i < res; ++i) {
    const double u = 2 * kPi * i / res;
    for (int j = 0; j < res; ++j) {
      const double v = 2 * kPi * j / res;
      const double ring = 1 + radius * signed_power(elementary::cos(v), s);
      add_vertex(mesh, {ring * signed_power(elementary::cos(u), t), ring * signed_power(elementary::sin(u), t),
                        radius * signed_power(elementary::sin(v), s)});
    }
  }
  for (int i = 0; i < res; ++i)
    for (int j = 0; j < res; ++j) {
      const int next_i = (i + 1) % res, next_j = (j + 1) % res;
      const int v1 = i * res + j, v2 = next_i * res + j, v3 = next_i * res + next_j, v4 = i * res + next_j;
      add_face(mesh, v1, v2, v4);
      add_face(mesh, v2, v3, v4);
    }
  return mesh;
}

MeshSource make_cone(int edges, double radius) {
  MeshSource mesh;
  for (int i = 0; i < edges; ++i)
    add_vertex(mesh, {elementary::cos(2 * kPi * i / edges), elementary::sin(2 * kPi * i / edges), -1});
  if (radius > 0) {
    for (int i = edges; i < 2 * edges; ++i)
      add_vertex(mesh,
                 {radius * elementary::cos(2 * kPi * i / edges), radius * elementary::sin(2 * kPi * i / edges), 1});
  } else {
    add_vertex(mesh, {0, 0, 1});
  }
  return mesh;
}

/// Three unit vectors per vertex: the sensing frame of a tactile taxel.
void add_frame(MeshSource& mesh, const Vec& x, const Vec& y, const Vec& z) {
  for (const Vec& axis : {x, y, z})
    for (const double c : {axis.x, axis.y, axis.z}) mesh.normal.push_back(static_cast<float>(c));
}

/// Edges of n bins over +-fov degrees, concentrated toward the middle by gamma.
std::vector<double> bin_edges(int n, double fov, double gamma) {
  std::vector<double> edges;
  for (int i = 0; i <= n; ++i) {
    const double x = -1 + 2.0 * i / n;
    edges.push_back((gamma * elementary::pow(x, 5) + (1 - gamma) * x) * fov * kPi / 180);
  }
  return edges;
}

MeshSource make_wedge(int res0, int res1, const std::array<double, 3>& shape) {
  MeshSource mesh;
  const std::vector<double> azimuth = bin_edges(res0, shape[0], shape[2]);
  const std::vector<double> elevation = bin_edges(res1, shape[1], shape[2]);
  for (int i = 0; i < res0; ++i)
    for (int j = 0; j < res1; ++j) {
      const double a = 0.5 * (azimuth[i] + azimuth[i + 1]), e = 0.5 * (elevation[j] + elevation[j + 1]);
      add_vertex(mesh, {elementary::cos(e) * elementary::sin(a), elementary::sin(e),
                        -elementary::cos(e) * elementary::cos(a)});
      add_frame(
          mesh, {elementary::cos(e) * elementary::sin(a), elementary::sin(e), -elementary::cos(e) * elementary::cos(a)},
          {elementary::cos(a), 0, elementary::sin(a)},
          {-elementary::sin(e) * elementary::sin(a), elementary::cos(e), elementary::sin(e) * elementary::cos(a)});
    }
  return mesh;
}

MeshSource make_plate(int res0, int res1) {
  MeshSource mesh;
  for (int i = 0; i < res0; ++i)
    for (int j = 0; j < res1; ++j) {
      add_vertex(mesh, {-1 + (i + 0.5) * 2 / res0, -1 + (j + 0.5) * 2 / res1, -1});
      add_frame(mesh, {0, 0, 1}, {1, 0, 0}, {0, 1, 0});
    }
  for (int i = 0; i + 1 < res0; ++i)
    for (int j = 0; j + 1 < res1; ++j) {
      const int v = i * res1 + j;
      add_face(mesh, v, v + res1, v + 1);
      add_face(mesh, v + 1, v + res1, v + res1 + 1);
    }
  return mesh;
}

/// Parameters of a builtin mesh: their names and allowed intervals.
struct BuiltinKind {
  std::string_view name;
  struct Param {
    std::string_view name;
    double lo, hi;
    bool open_low = false;
  };
  std::array<Param, 5> params;  // those that have a name
  MeshSource (*make)(std::span<const double> p);

  std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(params.begin(), params.end(), [](const Param& param) { return !param.name.empty(); }));
  }
};

using P = std::span<const double>;
constexpr BuiltinKind kBuiltinKinds[] = {
    {"sphere", {{{"subdivision", 0, 4}}}, [](P p) { return make_sphere(static_cast<int>(p[0])); }},
    {"hemisphere", {{{"resolution", 0, 10}}}, [](P p) { return make_hemisphere(static_cast<int>(p[0])); }},
    {"supersphere",
     {{{"resolution", 3, limits::kBuiltinResolution}, {"e", 0, 1e10}, {"n", 0, 1e10}}},
     [](P p) { return make_supersphere(static_cast<int>(p[0]), p[1], p[2]); }},
    {"supertorus",
     {{{"resolution", 3, limits::kBuiltinResolution},
       {"radius", 0, 1, true},
       {"s", 0, 1e10, true},
       {"t", 0, 1e10, true}}},
     [](P p) { return make_supertorus(static_cast<int>(p[0]), p[1], p[2], p[3]); }},
    {"cone",
     {{{"edges", 3, limits::kBuiltinResolution}, {"radius", 0, 1e10}}},
     [](P p) { return make_cone(static_cast<int>(p[0]), p[1]); }},
    {"wedge",
     {{{"res0", 2, limits::kBuiltinResolution},
       {"res1", 2, limits::kBuiltinResolution},
       {"fov0", 0, 180, true},
       {"fov1", 0, 90, true},
       {"gamma", 0, 1}}},
     [](P p) {
       return make_wedge(static_cast<int>(p[0]), static_cast<int>(p[1]), {p[2], p[3], p[4]});
     }},
    {"plate",
     {{{"res0", 2, limits::kBuiltinResolution}, {"res1", 2, limits::kBuiltinResolution}}},
     [](P p) { return make_plate(static_cast<int>(p[0]), static_cast<int>(p[1])); }},
};

}  // namespace

std::size_t builtin_vertices(std::string_view kind, std::span<const double> params) {
  for (const BuiltinKind& k : kBuiltinKinds) {
    if (k.name != kind || params.size() != k.count()) continue;
    for (std::size_t i = 0; i < params.size(); ++i)
      if (!(params[i] >= k.params[i].lo && params[i] <= k.params[i].hi)) return 0;
    const auto n = static_cast<std::size_t>(params[0]);
    if (kind == "sphere") return 10 * (std::size_t{1} << (2 * n)) + 2;
    if (kind == "hemisphere") return 2 * (n + 1) * (n + 2) + 2;
    if (kind == "cone") return 2 * n;
    return n * (k.params[1].name == "res1" ? static_cast<std::size_t>(params[1]) : n) + 2;
  }
  return 0;
}

Result<MeshSource> make_builtin_mesh(std::string_view kind, std::span<const double> params) {
  for (const BuiltinKind& k : kBuiltinKinds) {
    if (k.name != kind) continue;
    if (params.size() != k.count())
      return Error::message(fmt::format("builtin {} takes {} params, found {}", kind, k.count(), params.size()));
    for (std::size_t i = 0; i < params.size(); ++i) {
      const auto& p = k.params[i];
      if (!(params[i] >= p.lo && params[i] <= p.hi) || (p.open_low && params[i] <= p.lo))
        return Error::message(fmt::format("builtin {}: {} is {}, must be {} {} and at most {}", kind, p.name, params[i],
                                          p.open_low ? "above" : "at least", p.lo, p.hi));
    }
    return k.make(params);
  }
  return Error::message(fmt::format(
      "unknown builtin mesh '{}'; known: sphere, hemisphere, supersphere, supertorus, cone, wedge, plate", kind));
}

}  // namespace sinew
