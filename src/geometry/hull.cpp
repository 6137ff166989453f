#include "geometry/hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "math/vec3.h"

namespace sinew {
namespace {

/// Qhull would fail with a long report: describes briefly what is wrong with the points.
const char* degenerate(std::span<const double> points) {
  using V = Vec3<double>;
  const std::size_t n = points.size() / 3;
  auto at = [&](std::size_t i) { return V::load(&points[3 * i]); };
  const V origin = at(0);
  std::size_t i = 1;
  while (i < n && norm(at(i) - origin) <= kMinVal) ++i;
  if (i >= n) return "colocated";
  const V e1 = at(i) - origin;
  V normal;
  for (++i; i < n; ++i) {
    const V e2 = at(i) - origin;
    normal = cross(e1, e2);
    if (norm(normal) > kMinVal * norm(e1) * norm(e2)) break;
  }
  if (i >= n) return "collinear";
  normalize(normal);
  for (std::size_t k = 0; k < n; ++k)
    if (std::abs(dot(normal, at(k) - origin)) > kMinVal * norm(e1)) return nullptr;
  return "coplanar";
}

/// One run of Qhull; its memory is released with it, in whole blocks.
struct QhullRun {
  qhT qh{};
  std::FILE* silent = std::fopen("/dev/null", "w");  // where Qhull writes its reports

  QhullRun() { qh_zero(&qh, silent); }
  ~QhullRun() {
    int current = 0, total = 0;
    qh_freeqhull(&qh, !qh_ALL);
    qh_memfreeshort(&qh, &current, &total);
    if (silent) std::fclose(silent);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;

  /// 0, or Qhull's exit code. Errors leave Qhull by longjmp: no object with a destructor may live in between.
  int compute(double* points, int n, char* options) {
    qhT* const q = &qh;
    qh_init_A(q, nullptr, silent, silent, 0, nullptr);
    const int code = setjmp(q->errexit);
    if (code == 0) {
      q->NOerrexit = False;
      qh_initflags(q, options);
      qh_init_B(q, points, n, 3, False);
      qh_qhull(q);
      qh_triangulate(q);
      qh_vertexneighbors(q);
    }
    q->NOerrexit = True;
    return code;
  }
};

Hull extract(qhT* qh, int point_count) {
  Hull hull;
  const auto id = [&](const vertexT* v) { return static_cast<int>((v->point - qh->first_point) / 3); };
  std::vector<int> local(static_cast<std::size_t>(point_count), -1);
  hull.vertex.reserve(static_cast<std::size_t>(qh->num_vertices));
  hull.edge_start.reserve(static_cast<std::size_t>(qh->num_vertices));
  hull.face.reserve(3 * static_cast<std::size_t>(qh->num_facets));
  hull.edge.reserve(3 * static_cast<std::size_t>(qh->num_facets) + static_cast<std::size_t>(qh->num_vertices));
  vertexT *vertex, **vertexp;
  facetT *facet, **facetp;
  FORALLvertices {
    local[static_cast<std::size_t>(id(vertex))] = static_cast<int>(hull.vertex.size());
    hull.vertex.push_back(id(vertex));
  }
  std::vector<int> seen_by(hull.vertex.size(), -1);
  vertexT *corner, **cornerp;
  FORALLvertices {
    const int self = local[static_cast<std::size_t>(id(vertex))];
    vertexT* const center = vertex;
    hull.edge_start.push_back(static_cast<int>(hull.edge.size()));
    FOREACHsetelement_(facetT, center->neighbors, facet) {
      FOREACHsetelement_(vertexT, facet->vertices, corner) {
        const int other = local[static_cast<std::size_t>(id(corner))];
        if (other == self || seen_by[static_cast<std::size_t>(other)] == self) continue;
        seen_by[static_cast<std::size_t>(other)] = self;
        hull.edge.push_back(other);
      }
    }
    hull.edge.push_back(-1);
  }
  FORALLfacets {
    int corners[3] = {-1, -1, -1}, k = 0;
    FOREACHvertex_(facet->vertices) {
      if (k < 3) corners[k++] = id(vertex);
    }
    if (facet->toporient) std::swap(corners[0], corners[1]);
    hull.face.insert(hull.face.end(), corners, corners + 3);
  }
  return hull;
}

}  // namespace

std::vector<int> Hull::graph() const {
  std::vector<int> out;
  out.reserve(2 + edge_start.size() + vertex.size() + edge.size() + face.size());
  out = {static_cast<int>(vertex.size()), static_cast<int>(face.size() / 3)};
  for (const auto* part : {&edge_start, &vertex, &edge, &face}) out.insert(out.end(), part->begin(), part->end());
  return out;
}

Result<Hull> convex_hull(std::span<double> points, int max_vertices) {
  if (points.size() < 12) return Error::message("a convex hull needs at least 4 vertices");
  if (const char* why = degenerate(points))
    return Error::message(fmt::format("the vertices are {}: there is no convex hull", why));
  std::string options = max_vertices >= kFewestHullVertices
                            ? fmt::format("qhull Qt Q9 TA{}", max_vertices - kFewestHullVertices)
                            : std::string("qhull Qt");
  const int n = static_cast<int>(points.size() / 3);
  const auto run = std::make_unique<QhullRun>();
  if (run->compute(points.data(), n, options.data()) != 0)
    return Error::message("the convex hull could not be computed: the vertices are nearly flat");
  return extract(&run->qh, n);
}

}  // namespace sinew
