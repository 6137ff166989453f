#include "mesh_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew::tool {
namespace {

using Point = std::array<double, 3>;

Point vertex(const Model& m, int mesh, int i) {
  const float* v = &m.mesh_vert[3 * static_cast<std::size_t>(m.mesh_vertadr[mesh] + i)];
  return {v[0], v[1], v[2]};
}

/// Six times the signed volume of the tetrahedron with its apex at the origin.
double six_volumes(const Point& a, const Point& b, const Point& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// Volume, and the integrals of x², y² and z², which give the moments; faces has 3 vertices per triangle.
void measure(const Model& m, int mesh, const int* faces, int count, double& volume, Point& squares) {
  for (int f = 0; f < count; ++f) {
    const Point a = vertex(m, mesh, faces[3 * f]), b = vertex(m, mesh, faces[3 * f + 1]),
                c = vertex(m, mesh, faces[3 * f + 2]);
    const double six = six_volumes(a, b, c);
    volume += six / 6;
    // ∫ x² over a tetrahedron with a corner at 0 is V/10 (a² + b² + c² + ab + ac + bc)
    for (std::size_t k = 0; k < 3; ++k)
      squares[k] += six / 60 * (a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + a[k] * b[k] + a[k] * c[k] + b[k] * c[k]);
  }
}

/// Counts the triangle edges without exactly one neighbor of opposite direction. Coincident vertices are merged.
void check_edges(const Model& m, int mesh, MeshFacts& out) {
  std::map<Point, int> places;
  std::vector<int> place;
  for (int i = 0; i < out.vertices; ++i)
    place.push_back(places.try_emplace(vertex(m, mesh, i), static_cast<int>(places.size())).first->second);
  std::map<std::pair<int, int>, int> runs;
  const int* face = &m.mesh_face[3 * static_cast<std::size_t>(m.mesh_faceadr[mesh])];
  for (int f = 0; f < out.faces; ++f)
    for (int k = 0; k < 3; ++k) {
      const int from = place[static_cast<std::size_t>(face[3 * f + k])];
      const int to = place[static_cast<std::size_t>(face[3 * f + (k + 1) % 3])];
      if (from != to) ++runs[{from, to}];
    }
  for (const auto& [edge, count] : runs) {
    const auto back = runs.find({edge.second, edge.first});
    const int opposite = back == runs.end() ? 0 : back->second;
    if (opposite == 0 && count == 1) ++out.open_edges;
    if (count > 1 && opposite != count) ++out.turned_edges;
  }
}

bool collides(const Model& m, int geom) { return m.geom_contype[geom] != 0 || m.geom_conaffinity[geom] != 0; }

bool is_mesh(const Model& m, int geom) { return m.geom_type[geom] == static_cast<int>(GeomType::Mesh); }

std::string title(const Model& m, int geom) {
  const std::string_view name = m.name(ObjType::Geom, geom);
  return name.empty() ? fmt::format("geom {}", geom) : fmt::format("geom '{}'", name);
}

bool same_place(const Model& m, int a, int b) {
  return std::equal(&m.geom_pos[3 * a], &m.geom_pos[3 * a] + 3, &m.geom_pos[3 * b]) &&
         std::equal(&m.geom_quat[4 * a], &m.geom_quat[4 * a] + 4, &m.geom_quat[4 * b]);
}

/// A geom of the same body that collides in place of this mesh geom: in another group, or with the same mesh.
int stand_in(const Model& m, int geom) {
  const int body = m.geom_bodyid[geom], first = m.body_geomadr[body];
  for (int other = first; other < first + m.body_geomnum[body]; ++other) {
    if (other == geom || !collides(m, other)) continue;
    const bool twin = is_mesh(m, other) && m.geom_dataid[other] == m.geom_dataid[geom] && same_place(m, other, geom);
    if (twin ? other < geom : m.geom_group[other] > m.geom_group[geom]) return other;
  }
  return -1;
}

void warn_of_shape(const MeshFacts& mesh, std::vector<std::string>& out) {
  constexpr int kHugeHull = 500;
  constexpr double kBulky = 1.5;
  const auto warn = [&](const std::string& what) { out.push_back(fmt::format("mesh '{}': {}", mesh.name, what)); };
  if (mesh.open_edges > 0)
    warn(fmt::format("is not watertight: {} edges belong to only one triangle; its volume is not well defined",
                     mesh.open_edges));
  if (mesh.turned_edges > 0)
    warn(fmt::format("adjacent faces have opposite orientations at {} edges", mesh.turned_edges));
  if (mesh.open_edges == 0 && mesh.turned_edges == 0 && mesh.volume < 0)
    warn("has inverted normals: its faces point inward");
  if (mesh.hull_vertices > kHugeHull)
    warn(fmt::format("collides with a hull of {} vertices; maxhullvert=\"64\" would make that faster",
                     mesh.hull_vertices));
  if (mesh.hull_vertices > 0 && mesh.open_edges == 0 && mesh.hull_volume > kBulky * std::abs(mesh.volume))
    warn(fmt::format("collides as its convex hull, which has {:.1f} times its volume; split it into convex parts",
                     mesh.hull_volume / std::abs(mesh.volume)));
}

}  // namespace

std::vector<MeshFacts> mesh_facts(const Model& m) {
  std::vector<MeshFacts> out;
  for (int i = 0; i < m.nmesh; ++i) {
    MeshFacts mesh;
    mesh.name = m.name(ObjType::Mesh, i);
    mesh.vertices = m.mesh_vertnum[i];
    mesh.faces = m.mesh_facenum[i];
    Point squares{}, unused{};
    measure(m, i, m.mesh_face.data() + 3 * static_cast<std::size_t>(m.mesh_faceadr[i]), mesh.faces, mesh.volume,
            squares);
    for (std::size_t k = 0; k < 3; ++k) mesh.inertia[k] = 1000 * std::abs(squares[(k + 1) % 3] + squares[(k + 2) % 3]);
    if (m.mesh_graphadr[i] >= 0) {
      const int* graph = &m.mesh_graph[static_cast<std::size_t>(m.mesh_graphadr[i])];
      mesh.hull_vertices = graph[0];
      mesh.hull_faces = graph[1];
      // numvert, numface, edgeadr, globalid, edges, faces
      measure(m, i, graph + 2 + 3 * graph[0] + 3 * graph[1], graph[1], mesh.hull_volume, unused);
    }
    check_edges(m, i, mesh);
    out.push_back(std::move(mesh));
  }
  return out;
}

std::vector<std::string> mesh_warnings(const Model& m, const std::vector<MeshFacts>& meshes) {
  std::vector<std::string> out;
  for (const MeshFacts& mesh : meshes) warn_of_shape(mesh, out);
  for (int g = 0; g < m.ngeom; ++g) {
    if (!is_mesh(m, g) || !collides(m, g)) continue;
    const int other = stand_in(m, g);
    if (other < 0) continue;
    out.push_back(
        fmt::format("{}: its mesh collides in addition to {} of the same body; if it is visual only, set contype=\"0\" "
                    "conaffinity=\"0\"",
                    title(m, g), title(m, other)));
  }
  return out;
}

}  // namespace sinew::tool
