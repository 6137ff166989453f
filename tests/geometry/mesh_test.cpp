#include "geometry/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "geometry/hfield.h"
#include "geometry/hull.h"
#include "geometry/mesh_builtin.h"
#include "geometry/octree.h"
#include "sinew/load.h"

namespace sinew {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

MeshSource tetrahedron() {
  MeshSource mesh;
  mesh.vertex = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.face = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  return mesh;
}

MeshSource cube_points() {
  MeshSource mesh;
  for (const float x : {-1.f, 1.f})
    for (const float y : {-1.f, 1.f})
      for (const float z : {-1.f, 1.f}) mesh.vertex.insert(mesh.vertex.end(), {x, y, z});
  return mesh;
}

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string binary_stl(std::uint32_t count, const MeshSource& mesh) {
  std::string out(80, ' ');
  append(out, count);
  for (std::size_t i = 0; i < mesh.face.size(); i += 3) {
    for (int k = 0; k < 3; ++k) append(out, 0.f);
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) append(out, mesh.vertex[3 * mesh.face[i + k] + c]);
    append(out, std::uint16_t{0});
  }
  return out;
}

struct BuiltinMass {
  const char* kind;
  std::vector<double> params;
  std::size_t vertices, faces;
  double mass;  // kg at 1000 kg/m^3; MuJoCo 3.12.0, body_mass of a body with one geom of this mesh
};

class BuiltinMesh : public testing::TestWithParam<BuiltinMass> {};

TEST_P(BuiltinMesh, HasMuJoCosCountsAndMass) {
  const BuiltinMass& p = GetParam();
  auto source = make_builtin_mesh(p.kind, p.params);
  ASSERT_TRUE(source);
  auto mesh = compile_mesh(*source, {});
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex.size() / 3, p.vertices);
  EXPECT_EQ(mesh->face.size() / 3, p.faces);
  EXPECT_NEAR(1000 * mesh->volume, p.mass, 1e-11 * p.mass);
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinMesh,
                         testing::Values(BuiltinMass{"sphere", {0}, 12, 20, 2536.1504726624075},
                                         BuiltinMass{"sphere", {2}, 162, 320, 4047.0446616510244},
                                         BuiltinMass{"hemisphere", {3}, 42, 80, 1909.7436909829885},
                                         BuiltinMass{"supersphere", {6, 1, 1}, 32, 60, 3232.0507177098034},
                                         BuiltinMass{"supertorus", {6, .3, 1, 1}, 36, 72, 2191.499934785761},
                                         BuiltinMass{"cone", {5, 0}, 6, 8, 1585.094227875054},
                                         BuiltinMass{"cone", {6, .5}, 12, 20, 3031.0888588428497}));

TEST(Mesh, OfATetrahedronIsCenteredAtItsCenterOfMass) {
  auto mesh = compile_mesh(tetrahedron(), {.inertia = spec::MeshInertia::Exact});
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_NEAR(mesh->volume, 1.0 / 6, 1e-15);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(mesh->pos[k], 0.25, 1e-15);
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += mesh->vertex[static_cast<std::size_t>(3 * i + k)];
    EXPECT_NEAR(sum, 0, 1e-15);
  }
}

TEST(Mesh, OfEightPointsHasSixSquarePolygons) {
  auto mesh = compile_mesh(cube_points(), {.needs_hull = true});
  ASSERT_TRUE(mesh) << mesh.error().text();
  ASSERT_EQ(mesh->polygons.count.size(), 6u);
  for (const int n : mesh->polygons.count) EXPECT_EQ(n, 4);
  EXPECT_EQ(mesh->face.size(), 36u);
  const std::vector<int>& start = mesh->polygons.map_start;
  for (std::size_t v = 0; v + 1 < start.size(); ++v) EXPECT_EQ(start[v + 1] - start[v], 3);
  EXPECT_EQ(mesh->extrema.size(), 27u);
  EXPECT_NEAR(mesh->box.x, 1, 1e-12);
}

TEST(Mesh, BoundingTreeHoldsEveryTriangleOnce) {
  auto mesh = compile_mesh(*make_builtin_mesh("sphere", std::vector<double>{3}), {});
  ASSERT_TRUE(mesh);
  const Bvh bvh = build_bvh(triangle_boxes(mesh->vertex, mesh->face));
  std::vector<int> seen(mesh->face.size() / 3, 0);
  for (const int id : bvh.element)
    if (id >= 0) ++seen[static_cast<std::size_t>(id)];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  EXPECT_EQ(bvh.box.size(), 2 * seen.size() - 1);
}

/// The leaves from left to right, if every node sorts all its elements.
void sorted_leaves(std::vector<BvhElement> set, std::vector<int>& out) {
  if (set.size() == 1) return out.push_back(set[0].id);
  Vec3<double> lo = set[0].lo, hi = set[0].hi;
  for (const BvhElement& e : set)
    for (int k = 0; k < 3; ++k) {
      lo[k] = std::min(lo[k], e.lo[k]);
      hi[k] = std::max(hi[k], e.hi[k]);
    }
  int axis = 0;
  if (hi.y - lo.y >= hi.x - lo.x + 1e-14) axis = 1;
  if (hi.z - lo.z >= hi[axis] - lo[axis] + 1e-14) axis = 2;
  std::stable_sort(set.begin(), set.end(), [&](const BvhElement& a, const BvhElement& b) {
    const double d = a.key[axis] - b.key[axis];
    return std::abs(d) > 1e-14 ? d < 0 : a.id < b.id;
  });
  const auto middle = set.begin() + static_cast<std::ptrdiff_t>(set.size() / 2);
  sorted_leaves({set.begin(), middle}, out);
  sorted_leaves({middle, set.end()}, out);
}

TEST(Mesh, BoundingTreeSplitsAsIfEveryNodeWereSorted) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const double noise : {1.0, 0.0, 4e-15}) {  // random, on a grid with equal keys, and almost on it
    std::vector<BvhElement> elements;
    for (int i = 0; i < 700; ++i) {
      const Vec3<double> grid = {double(i % 9), double(i / 9 % 9), double(i / 81)};
      BvhElement& e = elements.emplace_back();
      e.key = grid + Vec3<double>{uniform(random), uniform(random), uniform(random)} * noise;
      e.lo = e.key - Vec3<double>{0.1, 0.1, 0.1};
      e.hi = e.key + Vec3<double>{0.1, 0.1, 0.1};
      e.id = (i * 37) % 700;
    }
    std::vector<int> expected, leaves;
    sorted_leaves(elements, expected);
    for (const int id : build_bvh(elements).element)
      if (id >= 0) leaves.push_back(id);
    EXPECT_EQ(leaves, expected) << noise;
  }
}

TEST(MeshFile, BinaryAndAsciiStlGiveTheSameMesh) {
  const std::string ascii =
      "solid t\n facet normal 0 0 0\n outer loop\n  vertex 0 0 0\n  vertex 0 1 0\n  vertex 1 0 0\n endloop\n endfacet\n"
      " facet normal 0 0 0\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 0 1e0\n endloop\n endfacet\n"
      " facet normal 0 0 0\n outer loop\n  vertex 0 0 0\n  vertex 0 0 1\n  vertex 0 +1 0\n endloop\n endfacet\n"
      " facet normal 0 0 0\n outer loop\n  vertex 1 0 0\n  vertex 0 1 0\n  vertex 0 0 1\n endloop\n "
      "endfacet\nendsolid\n";
  auto a = read_stl(bytes_of(ascii));
  const std::string binary = binary_stl(4, tetrahedron());
  auto b = read_stl(bytes_of(binary));
  ASSERT_TRUE(a) << a.error().text();
  ASSERT_TRUE(b) << b.error().text();
  EXPECT_EQ(a->vertex, b->vertex);
  EXPECT_EQ(a->face, b->face);
  EXPECT_EQ(a->vertex.size(), 12u);
}

TEST(MeshFile, AnStlFileShorterThanItsHeaderClaimsIsRefusedWithoutAllocating) {
  const std::string text = binary_stl(4'000'000'000u, tetrahedron());
  auto result = read_stl(bytes_of(text));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("4000000000 triangles"), std::string::npos);
  EXPECT_FALSE(read_stl(bytes_of(binary_stl(5, tetrahedron()))));
  EXPECT_FALSE(read_stl(bytes_of(std::string("solid"))));
  EXPECT_FALSE(read_stl({}));
}

TEST(MeshFile, ObjKeepsAllVerticesAndTheFacesOfItsFirstGroup) {
  const std::string text =
      "o first\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf -5 -1 -2\n"
      "o second\nv 5 5 5\nf 1 2 6\n";
  auto mesh = read_obj(bytes_of(text));
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->vertex.size(), 18u);
  EXPECT_EQ(mesh->face.size(), 18u);
}

TEST(MeshFile, AnMshFileMustHaveExactlyTheSizeGivenByItsHeader) {
  std::string text;
  for (const std::int32_t n : {4, 0, 0, 4}) append(text, n);
  const MeshSource t = tetrahedron();
  for (const float x : t.vertex) append(text, x);
  for (const int i : t.face) append(text, i);
  auto mesh = read_msh(bytes_of(text));
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_EQ(mesh->face, t.face);
  EXPECT_FALSE(read_msh(bytes_of(text + "x")));
  EXPECT_FALSE(read_msh(bytes_of(text.substr(0, 20))));
}

TEST(Mesh, DegenerateAndHostileSourcesAreRefusedWithTheReason) {
  auto refused = [](MeshSource source, const char* what, MeshSettings settings = {.needs_hull = true}) {
    auto result = compile_mesh(std::move(source), settings);
    ASSERT_FALSE(result) << what;
    EXPECT_NE(result.error().text().find(what), std::string::npos) << result.error().text();
  };
  MeshSource m = tetrahedron();
  m.vertex[4] = std::numeric_limits<float>::quiet_NaN();
  refused(m, "not finite");
  m = tetrahedron();
  m.face[3] = 4;
  refused(m, "outside 0 to 3");
  m = tetrahedron();
  m.vertex[11] = 0;
  refused(m, "coplanar");
  m.vertex = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  refused(m, "collinear");
  m.vertex.assign(12, 1.f);
  refused(m, "colocated");
  m = tetrahedron();
  m.face = {0, 1, 2};
  m.vertex.resize(9);
  refused(m, "at least 4");
  m = tetrahedron();
  std::swap(m.face[0], m.face[1]);
  refused(m, "inconsistent orientation", {.inertia = spec::MeshInertia::Exact});
  m = tetrahedron();
  for (std::size_t i = 0; i < m.face.size(); i += 3) std::swap(m.face[i], m.face[i + 1]);
  refused(m, "negative", {.inertia = spec::MeshInertia::Exact});
}

TEST(Mesh, NegativeScaleGivesTheMirrorImageWithPositiveVolume) {
  auto mesh = compile_mesh(tetrahedron(), {.inertia = spec::MeshInertia::Exact, .scale = {-2, 1, 1}});
  ASSERT_TRUE(mesh) << mesh.error().text();
  EXPECT_NEAR(mesh->volume, 2.0 / 6, 1e-15);
  EXPECT_NEAR(mesh->pos.x, -0.5, 1e-15);
}

TEST(Hull, RespectsTheBoundOnItsVertices) {
  const MeshSource sphere = *make_builtin_mesh("sphere", std::vector<double>{2});
  std::vector<double> points(sphere.vertex.begin(), sphere.vertex.end());
  auto hull = convex_hull(points, 12);
  ASSERT_TRUE(hull);
  EXPECT_LE(hull->vertex.size(), 12u);
  auto whole = convex_hull(points, -1);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->vertex.size(), 162u);
  EXPECT_EQ(whole->graph().size(), 2 + 2 * 162 + (162 + 3 * 320) + 3 * 320u);
}

TEST(Octree, HasMuJoCosNumberOfNodes) {
  // MuJoCo 3.12.0, mesh_octnum of an sdf geom with this mesh
  EXPECT_EQ(build_octree(*compile_mesh(tetrahedron(), {})).depth.size(), 30873u);
  EXPECT_EQ(build_octree(*compile_mesh(*make_builtin_mesh("sphere", std::vector<double>{1}), {})).depth.size(), 44873u);
}

// MuJoCo 3.12.0, native, oct_coeff of the leaves. Where the nearest point is on an edge of less than 90 degrees, the
// last bit of a corner's position decides about the sign.
TEST(Octree, HasMujocosSignsWhereTheNearestPointIsOnAnEdge) {
  const Model m = load_string(R"(<mujoco><asset><mesh name="m" vertex="-.00884 -.0268 -.0973  -.141 -.0142 -.0462
    -.0643 -.103 .159  -.129 .0688 -.167  -.063 .0607 .0158"/></asset>
    <worldbody><geom type="sdf" mesh="m"/></worldbody></mujoco>)")
                      .value_or_throw();
  int negative = 0;
  double sum = 0;
  for (std::size_t node = 0; node < static_cast<std::size_t>(m.noct); ++node) {
    if (m.oct_child[8 * node] >= 0) continue;
    for (std::size_t k = 8 * node; k < 8 * node + 8; ++k) {
      negative += m.oct_coeff[k] < 0 ? 1 : 0;
      sum += m.oct_coeff[k];
    }
  }
  EXPECT_EQ(negative, 92297);
  EXPECT_NEAR(sum, 314.09526273078, 1e-10);
}

TEST(Octree, HoldsTheSignedDistanceAtItsCorners) {
  const auto mesh = compile_mesh(*make_builtin_mesh("sphere", std::vector<double>{3}), {});
  const Octree tree = build_octree(*mesh);
  for (int k = 0; k < 8; ++k) {
    const double corner = 1.1 * std::sqrt(3.0);
    EXPECT_NEAR(tree.value[0][static_cast<std::size_t>(k)], corner - 1, 0.02);
  }
}

TEST(HeightGrid, StoresTheFirstRowLastAndNormalizesToUnitHeight) {
  Budget budget(1 << 20, {});
  const std::vector<float> written = {1, 2, 3, 4, 5, 9};
  auto grid = make_height_grid(2, 3, written, budget);
  ASSERT_TRUE(grid);
  // MuJoCo 3.12.0, hfield_data of <hfield nrow="2" ncol="3" elevation="1 2 3 4 5 9"/>
  EXPECT_EQ(grid->elevation, (std::vector<float>{.375f, .5f, 1, 0, .125f, .25f}));
  EXPECT_EQ(make_height_grid(2, 2, {}, budget)->elevation, std::vector<float>(4, 0.f));
  EXPECT_FALSE(make_height_grid(2, 2, written, budget));
  EXPECT_FALSE(make_height_grid(1 << 20, 1 << 20, {}, budget));
}

TEST(HeightGrid, FromAFileMustHaveTheSizeGivenByItsHeader) {
  Budget budget(1 << 20, {});
  std::string text;
  append(text, std::int32_t{2});
  append(text, std::int32_t{2});
  for (const float x : {1.f, 3.f, 5.f, 5.f}) append(text, x);
  auto grid = read_height_file(bytes_of(text), "ground.bin", "", budget);
  ASSERT_TRUE(grid) << grid.error().text();
  EXPECT_EQ(grid->elevation, (std::vector<float>{0, .5f, 1, 1}));
  EXPECT_FALSE(read_height_file(bytes_of(text + "x"), "ground.bin", "", budget));
  EXPECT_FALSE(read_height_file(bytes_of(text.substr(0, 6)), "ground.bin", "", budget));
  EXPECT_FALSE(read_height_file(bytes_of(text), "ground.png", "", budget));
  EXPECT_FALSE(read_height_file(bytes_of(text), "ground.stl", "", budget));
}

}  // namespace
}  // namespace sinew
