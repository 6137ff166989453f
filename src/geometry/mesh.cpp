#include "geometry/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/pool.h"
#include "geometry/hull.h"
#include "geometry/principal_axes.h"

// Processing order of a mesh: check, hull of the raw vertices, normals, polygons, mirror, reference transform and
// scale, volume and center of mass, inertia, principal frame, re-centering.

namespace sinew {
namespace {

using Vec = Vec3<double>;
using spec::MeshInertia;

Vec vertex_at(std::span<const double> vertex, int i) { return Vec::load(&vertex[3 * static_cast<std::size_t>(i)]); }

/// What the sums over triangles need from each: computed once, used by the normals, the center and the volume.
struct Facet {
  Vec center, normal;
  double area = 0;

  Facet(const Vec& a, const Vec& b, const Vec& c) {
    const Vec n = cross(b - a, c - a);
    const double length = norm(n);
    if (length >= kMinVal) {
      area = length / 2;
      normal = {n.x / length, n.y / length, n.z / length};
    }
    center = {(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3};
  }
  Facet(const std::vector<double>& vertex, const int* corner)
      : Facet(vertex_at(vertex, corner[0]), vertex_at(vertex, corner[1]), vertex_at(vertex, corner[2])) {}
};

std::vector<Facet> facets_of(const std::vector<double>& vertex, const std::vector<int>& face) {
  std::vector<Facet> facets;
  facets.reserve(face.size() / 3);
  for (std::size_t i = 0; i < face.size(); i += 3) facets.emplace_back(vertex, &face[i]);
  return facets;
}

Result<bool> check_arrays(const MeshSource& s) {
  for (std::size_t i = 0; i < s.vertex.size(); ++i)
    if (!std::isfinite(s.vertex[i])) return Error::message(fmt::format("vertex coordinate {} is not finite", i));
  if (s.vertex.size() % 3)
    return Error::message(fmt::format("{} vertex numbers are not a multiple of 3", s.vertex.size()));
  if (s.face.size() % 3) return Error::message(fmt::format("{} face indices are not a multiple of 3", s.face.size()));
  const auto nvert = static_cast<int>(s.vertex.size() / 3);
  if (nvert < 4) return Error::message(fmt::format("{} vertices, needs at least 4", nvert));
  if (s.texcoord.size() % 2)
    return Error::message(fmt::format("{} texcoord numbers are not a multiple of 2", s.texcoord.size()));
  if (!s.texcoord.empty() && s.face_texcoord.empty() && s.texcoord.size() != 2 * s.vertex.size() / 3)
    return Error::message(
        fmt::format("texcoord has {} numbers, needs 2 for each of the {} vertices", s.texcoord.size(), nvert));
  auto in_range = [](const std::vector<int>& index, int n) {
    return std::all_of(index.begin(), index.end(), [n](int i) { return i >= 0 && i < n; });
  };
  if (!in_range(s.face, nvert))
    return Error::message(fmt::format("a face refers to a vertex outside 0 to {}", nvert - 1));
  if (!in_range(s.face_normal, static_cast<int>(s.normal.size() / 3)))
    return Error::message("a face refers to a normal that does not exist");
  if (!in_range(s.face_texcoord, static_cast<int>(s.texcoord.size() / 2)))
    return Error::message("a face refers to a texture coordinate that does not exist");
  return true;
}

/// For exact inertia each directed edge may occur once: neighbors must traverse their common edge in opposite
/// directions.
Result<bool> check_orientation(const std::vector<double>& vertex, const std::vector<int>& face) {
  std::set<std::pair<int, int>> edges;
  for (std::size_t i = 0; i < face.size(); i += 3) {
    if (Facet(vertex, &face[i]).area <= std::sqrt(kMinVal)) continue;
    for (int k = 0; k < 3; ++k)
      if (!edges.emplace(face[i + k], face[i + (k + 1) % 3]).second)
        return Error::message(fmt::format("faces have inconsistent orientation at the edge of vertices {} and {}",
                                          face[i + k], face[i + (k + 1) % 3]));
  }
  return true;
}

/// One float32 normal per vertex: the area-weighted mean of its faces, without those across a sharp edge.
void make_normals(CompiledMesh& mesh, const std::vector<Facet>& facets, bool smooth) {
  const std::size_t n = mesh.vertex.size() / 3;
  using FVec = Vec3<float>;
  const auto weighted = [](const Facet& f) { return FVec(f.normal * (2 * f.area)); };
  std::vector<FVec> sum(n), unit_sum;
  for (std::size_t i = 0; i < mesh.face.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) sum[static_cast<std::size_t>(mesh.face[i + k])] += weighted(facets[i / 3]);
  if (!smooth) {
    unit_sum = sum;
    for (FVec& v : unit_sum) normalize(v);
    for (std::size_t i = 0; i < mesh.face.size(); i += 3) {
      const FVec unit(facets[i / 3].normal);
      for (std::size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<std::size_t>(mesh.face[i + k]);
        if (dot(unit, unit_sum[v]) < 0.8f) sum[v] -= weighted(facets[i / 3]);
      }
    }
  }
  mesh.normal.resize(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    const float length = norm(sum[i]);
    (length > static_cast<float>(kMinVal) ? sum[i] * (1 / length) : FVec(0, 0, 1)).store(&mesh.normal[3 * i]);
  }
}

void turn_faces_round(CompiledMesh& mesh) {
  for (auto* index : {&mesh.face, &mesh.face_normal, &mesh.face_texcoord})
    for (std::size_t i = 0; i + 2 < index->size(); i += 3) std::swap((*index)[i + 1], (*index)[i + 2]);
}

bool is_identity(const MeshSettings& s) {
  return s.refpos == std::array<double, 3>{0, 0, 0} && s.refquat == std::array<double, 4>{1, 0, 0, 0} &&
         s.scale == std::array<double, 3>{1, 1, 1};
}

/// v := scale * R(refquat)ᵀ (v - refpos)
void apply_reference(CompiledMesh& mesh, const MeshSettings& s) {
  const Quat<double> raw = Quat<double>::load(s.refquat.data());
  const Quat<double> q = compile_normalized(raw);
  const bool turned = !(raw.w == 1 && raw.x == 0 && raw.y == 0 && raw.z == 0);
  const Mat3<double> r = to_matrix(q);
  const Vec origin = Vec::load(s.refpos.data());
  for (std::size_t i = 0; i < mesh.vertex.size(); i += 3) {
    Vec v = Vec::load(&mesh.vertex[i]) - origin;
    if (turned) v = mul_transposed(r, v);
    v = {v.x * s.scale[0], v.y * s.scale[1], v.z * s.scale[2]};
    v.store(&mesh.vertex[i]);
  }
  for (std::size_t i = 0; i + 2 < mesh.normal.size(); i += 3) {
    Vec n = Vec::load(&mesh.normal[i]);
    if (turned) n = mul_transposed(r, n);
    n = {n.x / s.scale[0], n.y / s.scale[1], n.z / s.scale[2]};
    const double squared = dot(n, n);
    n = squared <= kMinVal || !std::isfinite(squared) ? Vec(0, 0, 1) : n * (1 / std::sqrt(squared));
    for (int k = 0; k < 3; ++k) mesh.normal[i + static_cast<std::size_t>(k)] = static_cast<float>(n[k]);
  }
}

/// Weight of a triangle's tetrahedron (apex p): its signed volume; legacy counts every one as positive, a shell uses
/// its area.
double weight(const Facet& t, const Vec& p, MeshInertia mode) {
  if (mode == MeshInertia::Shell) return t.area;
  const double volume = dot(t.center - p, t.normal) * t.area / 3;
  return mode == MeshInertia::Legacy ? std::abs(volume) : volume;
}

/// The sum of tetrahedra between a facet and the center of all facets, whose centers of mass are at 3/4 and 1/4; for a
/// shell this is the center of its area too. The last bit matters: signs in a distance field depend on it.
/// all: the mesh's facets; used: those that bound its mass.
Result<Vec> center_of_mass(const std::vector<Facet>& all, const std::vector<Facet>& used, MeshInertia mode) {
  Vec face_center;
  double area = 0;
  for (const Facet& t : all) {
    area += t.area;
    face_center += t.center * t.area;
  }
  if (area < kMinVal) return Error::message("the surface area is too small");
  face_center = {face_center.x / area, face_center.y / area, face_center.z / area};

  Vec com;
  double total = 0;
  for (const Facet& t : used) {
    const double w = weight(t, face_center, mode);
    total += w;
    for (int k = 0; k < 3; ++k) com[k] += w * (t.center[k] * 3 / 4 + face_center[k] / 4);
  }
  if (total < 0) return Error::message("the volume is negative: faces are misoriented");
  if (total < kMinVal) return Error::message("the volume is too small (try inertia=\"shell\")");
  return Vec{com.x / total, com.y / total, com.z / total};
}

/// Inertia at density 1 about the origin; volume is set to the sum of the weights. With the second moments P_jk = sum
/// w/20 (2 (a_j a_k + b_j b_k + c_j c_k) + a_j b_k + a_k b_j + a_j c_k + a_k c_j + b_j c_k + b_k c_j), 12 in place of
/// 20 for a shell, it is trace(P) - P.
Mat3<double> inertia_about_origin(const std::vector<double>& vertex, const std::vector<int>& face, MeshInertia mode,
                                  double& volume) {
  const double denominator = mode == MeshInertia::Shell ? 12 : 20;
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  volume = 0;
  for (std::size_t i = 0; i < face.size(); i += 3) {
    const Vec a = vertex_at(vertex, face[i]), b = vertex_at(vertex, face[i + 1]), c = vertex_at(vertex, face[i + 2]);
    const double w = weight(Facet(a, b, c), Vec(), mode);
    volume += w;
    const auto moment = [&a, &b, &c, part = w / denominator](double Vec::*j, double Vec::*k) {
      return part * (2 * (a.*j * a.*k + b.*j * b.*k + c.*j * c.*k) + a.*j * b.*k + a.*k * b.*j + a.*j * c.*k +
                     a.*k * c.*j + b.*j * c.*k + b.*k * c.*j);
    };
    xx += moment(&Vec::x, &Vec::x);
    yy += moment(&Vec::y, &Vec::y);
    zz += moment(&Vec::z, &Vec::z);
    xy += moment(&Vec::x, &Vec::y);
    xz += moment(&Vec::x, &Vec::z);
    yz += moment(&Vec::y, &Vec::z);
  }
  Mat3<double> inertia;
  inertia(0, 0) = yy + zz;
  inertia(1, 1) = xx + zz;
  inertia(2, 2) = xx + yy;
  inertia(0, 1) = inertia(1, 0) = -xy;
  inertia(0, 2) = inertia(2, 0) = -xz;
  inertia(1, 2) = inertia(2, 1) = -yz;
  return inertia;
}

/// used: the triangles that bound the mass.
Result<bool> set_inertial_frame(CompiledMesh& mesh, const std::vector<int>& used, const MeshSettings& settings,
                                std::vector<Facet> facets) {
  const MeshInertia mode = settings.inertia;
  const std::vector<double> in_source = settings.keeps_frame ? mesh.vertex : std::vector<double>();
  const Result<Vec> com = &used == &mesh.face ? center_of_mass(facets, facets, mode)
                                              : center_of_mass(facets, facets_of(mesh.vertex, used), mode);
  facets = {};
  if (!com) return com.error();
  mesh.pos = *com;
  for (std::size_t i = 0; i < mesh.vertex.size(); i += 3)
    (Vec::load(&mesh.vertex[i]) - mesh.pos).store(&mesh.vertex[i]);

  const PrincipalAxes p = principal_axes(inertia_about_origin(mesh.vertex, used, mode, mesh.volume));
  mesh.quat = p.axes;
  const Vec& e = p.moment;
  if (!(e.x > 0 && e.y > 0 && e.z > 0)) return Error::message("the inertia is not positive");
  auto triangle_holds = [](double a, double b, double c) { return a + b >= c * (1 - 1e-6) - 1e-9; };
  if (!triangle_holds(e.x, e.y, e.z) || !triangle_holds(e.y, e.z, e.x) || !triangle_holds(e.z, e.x, e.y))
    return Error::message("the inertia violates A + B >= C: faces are misoriented");
  if (mesh.volume < kMinVal) return Error::message("the volume is too small (try inertia=\"shell\")");
  auto half = [&](double i, double j, double k) { return 0.5 * std::sqrt(6 * (j + k - i) / mesh.volume); };
  mesh.box = {half(e.x, e.y, e.z), half(e.y, e.x, e.z), half(e.z, e.x, e.y)};

  if (settings.keeps_frame) {
    mesh.vertex = in_source;
    mesh.pos = {};
    mesh.quat = {1, 0, 0, 0};
    return true;
  }
  const Mat3<double> to_local = to_matrix(conjugate(p.axes));
  for (std::size_t i = 0; i < mesh.vertex.size(); i += 3)
    (to_local * Vec::load(&mesh.vertex[i])).store(&mesh.vertex[i]);
  for (std::size_t i = 0; i + 2 < mesh.normal.size(); i += 3) {
    const Vec n = to_local * Vec::load(&mesh.normal[i]);
    for (int k = 0; k < 3; ++k) mesh.normal[i + static_cast<std::size_t>(k)] = static_cast<float>(n[k]);
  }
  return true;
}

void set_bounds(CompiledMesh& mesh) {
  Vec lo = vertex_at(mesh.vertex, 0), hi = lo;
  for (std::size_t i = 0; i < mesh.vertex.size(); i += 3) {
    const Vec v = Vec::load(&mesh.vertex[i]);
    lo = {std::min(lo.x, v.x), std::min(lo.y, v.y), std::min(lo.z, v.z)};
    hi = {std::max(hi.x, v.x), std::max(hi.y, v.y), std::max(hi.z, v.z)};
  }
  mesh.lo = lo;
  mesh.hi = hi;
}

std::vector<double> polygon_normals(const MeshPolygons& polygons, const std::vector<double>& vertex) {
  std::vector<double> normals(3 * polygons.start.size());
  for (std::size_t i = 0; i < polygons.start.size(); ++i) {
    const int* v = &polygons.vertex[static_cast<std::size_t>(polygons.start[i])];
    const Vec a = vertex_at(vertex, v[0]), n = cross(vertex_at(vertex, v[1]) - a, vertex_at(vertex, v[2]) - a);
    const double length = norm(n);
    (length < kCompileEps ? Vec(1, 0, 0) : Vec(n.x / length, n.y / length, n.z / length)).store(&normals[3 * i]);
  }
  return normals;
}

/// For each of the 27 sign triples the hull vertex farthest in its direction; float32, the first one wins.
std::vector<int> support_starts(const Hull& hull, const std::vector<double>& vertex) {
  std::vector<int> out;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        int best = 0;
        float most = 0;
        for (std::size_t i = 0; i < hull.vertex.size(); ++i) {
          const double* v = &vertex[3 * static_cast<std::size_t>(hull.vertex[i])];
          const float d = static_cast<float>(v[0]) * static_cast<float>(x) +
                          static_cast<float>(v[1]) * static_cast<float>(y) +
                          static_cast<float>(v[2]) * static_cast<float>(z);
          if (i == 0 || d > most) {
            most = d;
            best = static_cast<int>(i);
          }
        }
        out.push_back(best);
      }
  return out;
}

/// The hull of the raw vertices, and its polygons.
struct HullParts {
  Hull hull;
  MeshPolygons polygons;
};

Result<HullParts> hull_parts(std::vector<double> vertex, int max_vertices) {
  Result<Hull> hull = convex_hull(vertex, max_vertices);
  if (!hull) return hull.error();
  MeshPolygons polygons = join_polygons(vertex, hull->face);
  return HullParts{std::move(*hull), std::move(polygons)};
}

/// Everything but the hull; used: the triangles that bound the mass.
Result<bool> make_surface(CompiledMesh& mesh, const std::vector<int>& used, const MeshSettings& settings,
                          bool keeps_winding) {
  std::vector<Facet> facets;
  if (mesh.normal.empty()) {
    facets = facets_of(mesh.vertex, mesh.face);
    make_normals(mesh, facets, settings.smoothnormal);
    mesh.face_normal.clear();
  }
  if (settings.scale[0] * settings.scale[1] * settings.scale[2] <= 0 && !keeps_winding) turn_faces_round(mesh);
  apply_reference(mesh, settings);
  if (facets.empty() || !is_identity(settings)) facets = facets_of(mesh.vertex, mesh.face);
  if (Result<bool> ok = set_inertial_frame(mesh, used, settings, std::move(facets)); !ok) return ok;
  set_bounds(mesh);
  if (settings.threads > 1) mesh.tree = build_bvh(triangle_boxes(mesh.vertex, mesh.face));
  return true;
}

}  // namespace

Result<CompiledMesh> compile_mesh(MeshSource source, const MeshSettings& settings) {
  if (Result<bool> ok = check_arrays(source); !ok) return ok.error();
  CompiledMesh mesh;
  mesh.vertex.assign(source.vertex.begin(), source.vertex.end());
  source.vertex = {};
  mesh.face = std::move(source.face);
  mesh.normal = std::move(source.normal);
  mesh.texcoord = std::move(source.texcoord);
  mesh.face_normal = std::move(source.face_normal);
  mesh.face_texcoord = std::move(source.face_texcoord);
  if (settings.inertia == MeshInertia::Exact)
    if (Result<bool> ok = check_orientation(mesh.vertex, mesh.face); !ok) return ok.error();

  const bool hull_first = settings.inertia == MeshInertia::Convex || mesh.face.empty();
  const bool has_hull = settings.needs_hull || hull_first;
  Result<HullParts> hull = HullParts();
  Result<bool> surface = true;
  const auto make_hull = [&](std::vector<double> vertex) {
    hull = hull_parts(std::move(vertex), settings.maxhullvert);
  };
  if (hull_first) {
    make_hull(mesh.vertex);
    if (!hull) return hull.error();
    if (mesh.face.empty()) mesh.face = hull->hull.face;
  }
  const std::vector<int>& used = settings.inertia == MeshInertia::Convex ? hull->hull.face : mesh.face;
  const auto make_rest = [&] { surface = make_surface(mesh, used, settings, source.keeps_winding); };
  if (has_hull && !hull_first) {
    std::vector<double> vertex = mesh.vertex;  // the remaining processing moves them
    for_each_index(2, settings.threads, [&](int, int part) {
      if (part == 0)
        make_hull(std::move(vertex));
      else
        make_rest();
    });
  } else {
    make_rest();
  }
  if (!hull) return hull.error();
  if (!surface) return surface.error();
  if (has_hull) {
    mesh.graph = hull->hull.graph();
    mesh.extrema = support_starts(hull->hull, mesh.vertex);
    mesh.polygons = std::move(hull->polygons);
    mesh.polygon_normal = polygon_normals(mesh.polygons, mesh.vertex);
  }
  return mesh;
}

std::vector<BvhElement> triangle_boxes(std::span<const double> vertex, std::span<const int> face) {
  std::vector<BvhElement> leaves;
  leaves.reserve(face.size() / 3);
  for (std::size_t i = 0; i < face.size(); i += 3) {
    const int* corner = &face[i];
    const Vec p = vertex_at(vertex, corner[0]), q = vertex_at(vertex, corner[1]), r = vertex_at(vertex, corner[2]);
    BvhElement leaf;
    leaf.lo = {std::min({p.x, q.x, r.x}), std::min({p.y, q.y, r.y}), std::min({p.z, q.z, r.z})};
    leaf.hi = {std::max({p.x, q.x, r.x}), std::max({p.y, q.y, r.y}), std::max({p.z, q.z, r.z})};
    // circumcenter: r + ((|a|² b - |b|² a) × (a × b)) / (2 |a × b|²), a and b the sides from the third corner r
    const Vec a = p - r, b = q - r, n = cross(a, b);
    leaf.key = r + cross(b * dot(a, a) - a * dot(b, b), n) * (1 / (2 * dot(n, n)));
    leaf.id = static_cast<int>(i / 3);
    leaves.push_back(leaf);
  }
  return leaves;
}

}  // namespace sinew
