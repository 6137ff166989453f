#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstring>

#include "compile/compiled.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/write.h"

// Golden numbers: MuJoCo 3.12.0, the fields of the same models. Contacts, springs and equalities are switched off,
// which changes no constant.

namespace sinew {
namespace {

using namespace testing_compile;
using testing::ElementsAre;

std::string with_flags(const std::string& body) {
  return R"(<mujoco><option><flag contact="disable" spring="disable" damper="disable" equality="disable"/></option>)" +
         body + "</mujoco>";
}

std::string in_world(const std::string& flexcomp) { return with_flags("<worldbody>" + flexcomp + "</worldbody>"); }

Model flex_model(const std::string& flexcomp) { return compiled(in_world(flexcomp).c_str()); }

void expect_at(const std::vector<double>& values, std::size_t first, const std::vector<double>& expected) {
  ASSERT_GE(values.size(), first + expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(values[first + i], expected[i], 1e-13 * std::max(1.0, std::abs(expected[i]))) << "entry " << first + i;
}

TEST(Flex, AClothHasTheEdgesFlapsAndStiffnessOfMuJoCo) {
  const Model m = flex_model(R"(<flexcomp name="f" type="grid" dim="2" count="2 2 1" spacing=".1 .2 .1" radius=".01">
    <contact selfcollide="none"/>
    <elasticity young="1e4" poisson=".2" thickness=".01" elastic2d="both" damping=".05"/></flexcomp>)");
  EXPECT_THAT(m.flex_elem, ElementsAre(0, 2, 3, 0, 3, 1));
  EXPECT_THAT(m.flex_edge, ElementsAre(2, 3, 0, 3, 0, 2, 1, 3, 0, 1));
  EXPECT_THAT(m.flex_elemedge, ElementsAre(0, 1, 2, 3, 4, 1));
  EXPECT_THAT(m.flex_edgeflap, ElementsAre(0, -1, 2, 1, 3, -1, 0, -1, 3, -1));
  EXPECT_THAT(m.flex_shell, ElementsAre(1, 0, 0, 2, 3, 1, 2, 3));
  expect_at(m.flex_stiffness, 0,
            {238.71527777777774, -130.20833333333331, 303.81944444444434, 130.20833333333331, -130.20833333333331,
             1866.319444444444, 0});
  const double b = 0.16276041666666669;
  expect_at(m.flex_bending, 17, {b, b, -b, -b, b, b, -b, -b, -b, -b, b, b, -b, -b, b, b, 0});
  expect_at(m.flexedge_length0, 0, {.2, std::hypot(.1, .2), .1, .1, .2});
  EXPECT_EQ(m.nbody, 5);
  EXPECT_EQ(m.name(ObjType::Body, 3), "f_2");
  EXPECT_EQ(m.name(ObjType::Flex, 0), "f");
  EXPECT_TRUE(m.flex_centered[0]);
}

TEST(Flex, ATetrahedronIsTurnedInsideOut) {
  const Model m = flex_model(R"(<flexcomp name="f" type="direct" dim="3" radius=".01" element="0 1 2 3"
    point="0 0 0 .1 0 0 0 .2 0 0 0 .3"><contact selfcollide="none"/><elasticity young="1e4" poisson=".2"/></flexcomp>)");
  EXPECT_THAT(m.flex_elem, ElementsAre(0, 2, 1, 3));
  expect_at(m.flex_stiffness, 0,
            {10127.314814814807, -5208.333333333329, 12152.777777777768, 0, 1350.3086419753076, -578.7037037037032});
  expect_at(m.flex_stiffness, 11, {76967.59259259254});
}

TEST(Flex, InterpolatedCellsHaveTheStiffnessOfMuJoCo) {
  const char* const kGrid = R"(<flexcomp name="f" type="grid" dim="3" count="2 2 2" spacing=".1 .2 .3" radius=".01"
    dof="%s"><contact selfcollide="none"/><elasticity young="1e4" poisson=".2" damping=".05"/></flexcomp>)";
  const auto model = [&](const char* dof) {
    std::string text = kGrid;
    return flex_model(text.replace(text.find("%s"), 2, dof));
  };
  const auto trace = [](const Model& m, std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += m.flex_stiffness[i * n + i];
    return sum;
  };
  const Model linear = model("trilinear");
  expect_at(linear.flex_stiffness, 0, {-513.1172839506174, -121.5277777777778});
  expect_at(linear.flex_stiffness, 3, {-233.41049382716054});
  EXPECT_NEAR(trace(linear, 24), -8065.843621399179, 1e-9);
  EXPECT_THAT(linear.flex_interp, ElementsAre(1));
  const Model quadratic = model("quadratic");
  expect_at(quadratic.flex_stiffness, 0, {-8276.926162389935, -1736.5080272316222});
  EXPECT_NEAR(trace(quadratic, 81), -815258.7399165662, 1e-7);
  expect_at(quadratic.body_mass, 1, {0.00462962962962963, 0.01851851851851852});
  EXPECT_EQ(quadratic.name(ObjType::Body, 2), "f_0_0_1");
}

/// Wᵀ W of the strain modes of a cell: independent of their order and sign.
std::vector<double> metric_of_modes(const std::vector<double>& stiffness, std::size_t n) {
  std::vector<double> out(n * n);
  for (std::size_t mode = 0; mode < static_cast<std::size_t>(stiffness[0]); ++mode)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += stiffness[1 + mode * n + i] * stiffness[1 + mode * n + j];
  return out;
}

TEST(Flex, StrainModesSpanTheElasticityOfAUnitMaterial) {
  const std::string grid = R"(<flexcomp name="f" type="grid" dim="3" count="2 2 2" spacing=".1 .2 .3" dof="trilinear">
    <contact selfcollide="none"/>%s</flexcomp>)";
  const auto model = [&](const char* part) { return flex_model(std::string(grid).replace(grid.find("%s"), 2, part)); };
  const Model strain = model(R"(<edge equality="strain"/>)"), plain = model(R"(<elasticity young="10" poisson=".3"/>)");
  EXPECT_EQ(strain.flex_stiffness[0], 18);
  EXPECT_THAT(strain.flex_edgeequality, ElementsAre(3));
  const std::vector<double> metric = metric_of_modes(strain.flex_stiffness, 24);
  for (std::size_t i = 0; i < metric.size(); ++i) EXPECT_NEAR(metric[i], -plain.flex_stiffness[i], 1e-12);
  expect_at(strain.eq_data, 0, {0, 0, 0});
}

/// Numbers of flex_stiffness in MuJoCo 3.12.0.
constexpr std::pair<int, double> kModesOfACube[] = {
    {1, 0.34581763429689338},     {24, -0.34581763429689316},   {47, -0.15522463766068376},
    {70, 0.019523620547347072},   {93, 0.00759485093148518},    {116, 0.034419046102155668},
    {139, -0.24725798660635048},  {162, 0.040854226845050662},  {185, 0.14098159839960117},
    {208, -0.16997271781730611},  {231, -0.06001397289856205},  {254, 0.28873536114980403},
    {277, 0.056510098033664025},  {300, -0.061900714766125749}, {323, -0.11571548399457295},
    {346, 0.12069923154120978},   {369, -0.1203982463330959},   {392, -0.16975498184383994},
    {415, -0.0091255019387346606}};

/// A cube's strains have degenerate eigenspaces: the last bits of the stiffness decide on MuJoCo's basis.
TEST(Flex, StrainModesOfACubeAreThoseOfMuJoCo) {
  const Model m = flex_model(R"(<flexcomp name="f" type="ellipsoid" dim="3" count="4 4 4" spacing=".1 .1 .1"
    dof="trilinear"><contact selfcollide="none"/><edge equality="strain"/></flexcomp>)");
  EXPECT_EQ(m.flex_stiffness[0], 18);
  for (const auto& [at, want] : kModesOfACube) EXPECT_EQ(m.flex_stiffness[static_cast<std::size_t>(at)], want) << at;
}

TEST(Flex, OfTheCellOfAShellOnlyTheFirstNumberCounts) {
  for (const char* cell : {"3 -1 -1", "3 0 0"}) {
    const Model m = flex_model(fmt::format(R"(<flexcomp name="f" type="grid" dim="3" count="2 2 2" spacing=".1 .1 .1"
      dof="trilinear"><contact selfcollide="none"/><elasticity elastic2d="both" thickness=".01"/></flexcomp></worldbody>
      <equality><flexstrain flex="f" cell="{}"/></equality><worldbody>)",
                                           cell));
    EXPECT_EQ(m.eq_data[0], 3);
  }
}

TEST(Flex, EdgesOfVerticesAreListedForFlexvertAlone) {
  const auto one = [](const char* name, const char* equality) {
    return fmt::format(R"(<flexcomp name="{}" type="grid" dim="2" count="2 2 1" spacing=".1 .1 .1" radius=".01">
      <edge equality="{}"/></flexcomp>)",
                       name, equality);
  };
  const Model m = flex_model(one("a", "true") + one("b", "vert") + one("c", "vert"));
  EXPECT_THAT(m.flex_vertedgeadr, ElementsAre(0, 0, 0, 0, 0, 3, 5, 7, 10, 13, 15, 17));
  EXPECT_THAT(m.flex_vertedgenum, ElementsAre(0, 0, 0, 0, 3, 2, 2, 3, 3, 2, 2, 3));
}

TEST(Flex, PinnedVerticesBelongToTheBodyAround) {
  const Model m = flex_model(R"(<body name="b" pos="0 0 1"><flexcomp name="f" type="grid" dim="2" count="2 2 1"
    spacing=".1 .1 .1" pos="1 0 0"><pin id="0" grid="1 1"/></flexcomp></body>)");
  EXPECT_THAT(m.flex_vertbodyid, ElementsAre(1, 2, 3, 1));
  expect_at(m.flex_vert, 0, {.95, -.05, 0, 0, 0, 0, 0, 0, 0, 1.05, .05, 0});
  EXPECT_FALSE(m.flex_centered[0]);
  EXPECT_EQ(m.name(ObjType::Body, 3), "f_2");
  expect_at(m.body_mass, 2, {.25, .25});
}

TEST(Flex, RadialVerticesSlideAlongTheirRadius) {
  const Model m =
      flex_model(R"(<flexcomp name="f" type="box" dim="3" count="2 2 2" spacing=".1 .1 .1" dof="radial"/>)");
  EXPECT_EQ(m.njnt, 8);
  EXPECT_EQ(m.flex_vertbodyid[0], 0);
  const double s = 1 / std::sqrt(3.0);
  expect_at(m.jnt_axis, 0, {-s, -s, -s});
}

TEST(Flex, AnEmptyCellHoldsNoNodes) {
  // two triangles in opposite corners of a grid of 3 x 1 x 1 cells: the middle cell is empty
  const Model m = flex_model(R"(<flexcomp name="f" type="direct" dim="2" dof="trilinear" cellcount="3 1 1"
    point="0 0 0 .1 1 0 .1 0 1 2.9 0 0 3 1 1 2.9 1 0" element="0 1 2 3 4 5"><contact selfcollide="none"/>
    <elasticity young="1e3"/></flexcomp>)");
  EXPECT_EQ(m.flex_nodenum[0], 16);
  EXPECT_EQ(m.nbody, 17);
  double middle = 0;
  for (std::size_t i = 576; i < 2 * 576; ++i) middle += std::abs(m.flex_stiffness[i]);
  EXPECT_EQ(middle, 0);
  EXPECT_NE(m.flex_stiffness[0], 0);
  EXPECT_NE(m.flex_stiffness[2 * 576], 0);
}

TEST(Flex, TheMetricOfAVertexIsThatOfItsEdges) {
  const Model m = flex_model(R"(<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .2 .1" radius=".01">
    <edge equality="vert"/><contact selfcollide="none"/></flexcomp>)");
  EXPECT_THAT(m.flex_edgeequality, ElementsAre(2));
  expect_at(m.flex_vertmetric, 0, {600, -150, -150, 150});
}

TEST(Flex, AClothInAnyPlaneHasTheSameMetric) {
  const Model m = flex_model(R"(<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .2 .1" radius=".01"
    euler="40 50 60"><edge equality="vert"/><contact selfcollide="none"/></flexcomp>)");
  // the frame in the plane is another one, the invariants are the same: trace and determinant
  const double* B = &m.flex_vertmetric[0];
  EXPECT_NEAR(B[0] + B[3], 750, 1e-8);
  EXPECT_NEAR(B[0] * B[3] - B[1] * B[2], 600 * 150 - 150 * 150, 1e-5);
}

TEST(Flex, NeighborsAtTheBorderAndLayersOfTetrahedra) {
  const Model line = flex_model(R"(<flexcomp name="f" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1"/>)");
  EXPECT_THAT(line.flex_evpair, ElementsAre(1, 0, 0, 2, 2, 1, 1, 3));
  EXPECT_THAT(line.flex_shell, ElementsAre(0, 3));
  const Model block = flex_model(R"(<flexcomp name="f" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1"/>)");
  EXPECT_EQ(block.flex_shellnum[0], 108);
  EXPECT_EQ(*std::max_element(block.flex_elemlayer.begin(), block.flex_elemlayer.end()), 3);
  EXPECT_EQ(block.flex_bvhnum[0], 179);
  EXPECT_EQ(block.nbvh, block.nbvhstatic + block.nbvhdynamic);
}

TEST(Flex, ReplicatedFlexesHaveTheirOwnBodies) {
  const Model m =
      flex_model(R"(<replicate count="2" offset="1 0 0"><body name="b"><flexcomp name="f" type="grid" dim="2"
    count="2 2 1" spacing=".1 .1 .1"><edge equality="true"/><pin id="0"/></flexcomp></body></replicate>)");
  EXPECT_EQ(m.nflex, 2);
  EXPECT_EQ(m.neq, 2);
  EXPECT_THAT(m.flex_vertbodyid, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(m.name(ObjType::Flex, 1), "f1");
}

TEST(Flex, RowsOfTheJacobiansShareRoomWhereMuJoCoLetsThem) {
  const auto one = [](const char* name, const char* attributes, const char* edge) {
    return fmt::format(R"(<body name="{0}"><joint type="free"/><geom size=".1"/>
      <flexcomp name="{0}" type="grid" count="2 2 1" spacing=".1 .1 .1" radius=".01" dim="2" {1}>
        <contact selfcollide="none"/>{2}</flexcomp></body>)",
                       name, attributes, edge);
  };
  const std::string damped = R"(<edge damping="1"/>)", strained = R"(<edge equality="vert"/>)";

  const Model apart = flex_model(one("a", "", damped.c_str()) + one("b", "", damped.c_str()));
  EXPECT_EQ(apart.nJfe, 120);
  EXPECT_EQ(apart.nJfv, 132);  // room for the rows of every vertex, though none is measured
  EXPECT_THAT(apart.flexedge_J_rowadr, ElementsAre(0, 12, 24, 36, 48, 60, 72, 84, 96, 108));

  const Model between =
      flex_model(one("a", "", damped.c_str()) + one("b", "rigid=\"true\"", "") + one("c", "", damped.c_str()));
  EXPECT_EQ(between.nJfe, 120);
  EXPECT_THAT(between.flexedge_J_rowadr, ElementsAre(0, 12, 24, 36, 48, 0, 0, 0, 0, 0, 0, 12, 24, 36, 48));
  EXPECT_THAT(between.flexedge_J_rownnz, ElementsAre(12, 12, 12, 12, 12, 0, 0, 0, 0, 0, 12, 12, 12, 12, 12));
  EXPECT_EQ(between.flexedge_J_colind[0], 24);
  EXPECT_EQ(between.flexedge_J_colind[60], 0);

  const Model strain = flex_model(one("a", "", strained.c_str()));
  EXPECT_EQ(strain.nJfv, 66);
  EXPECT_THAT(strain.flexvert_J_rowadr, ElementsAre(0, 18, 36, 51, 66, 81, 96, 114));
  EXPECT_EQ(strain.flexvert_J_colind.size(), 132u);
}

TEST(Flex, AWrittenModelIsReadBackUnchanged) {
  const char* const kModels[] = {
      R"(<body name="b" pos="0 0 1" euler="10 20 30"><flexcomp name="f" type="grid" dim="2" count="4 3 1"
        spacing=".1 .2 .1" radius=".01" rgba="1 0 0 1" group="3"><edge equality="true" solref=".01 1"/><pin id="0 3"/>
        <contact internal="true" margin=".001" friction=".3" activelayers="2" selfcollide="sap"/></flexcomp></body>)",
      R"(<body name="b" pos="0 0 1"><flexcomp name="f" type="ellipsoid" dim="3" count="5 5 5" spacing=".1 .1 .1"
        dof="quadratic" cellcount="2 1 1"><edge equality="strain"/><contact selfcollide="none"/></flexcomp></body>)",
      R"(<flexcomp name="f" type="box" dim="2" count="4 4 4" spacing=".1 .1 .1" dof="trilinear" cellcount="3 3 3">
        <elasticity young="1e4" poisson=".1" thickness=".02" elastic2d="both"/><contact selfcollide="none"/>
        <pin id="0"/></flexcomp>)"};
  for (const char* text : kModels) {
    const Result<Spec> spec = read_mjcf_string(in_world(text));
    ASSERT_TRUE(spec) << spec.error().text();
    const Result<std::string> written = write_mjcf(*spec);
    ASSERT_TRUE(written) << written.error().text();
    const Result<Spec> again = read_mjcf_string(*written);
    ASSERT_TRUE(again) << again.error().text();
    const Result<Model> a = compile(*spec), b = compile(*again);
    ASSERT_TRUE(a) << a.error().text();
    ASSERT_TRUE(b) << b.error().text();
    const auto bytes = [](const Model& m) { return save_model(m); };
    EXPECT_EQ(bytes(*a), bytes(*b));
  }
}

template <class T>
void put_raw(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

constexpr double kCorners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

/// One tetrahedron.
std::string gmsh(double version, bool binary) {
  const bool old = version == 2.2;
  std::string out = old ? "$MeshFormat\n2.2 " : "$MeshFormat\n4.1 ";
  out += binary ? "1 8\n" : "0 8\n";
  if (binary) put_raw<std::int32_t>(out, 1), out += "\n";
  out += "$EndMeshFormat\n$Nodes\n";
  if (old) out += "4\n";
  if (!old && !binary) out += "1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n";
  if (!old && binary) {
    for (const std::uint64_t n : {1, 4, 1, 4}) put_raw(out, n);
    for (const std::int32_t n : {3, 1, 0}) put_raw(out, n);
    for (const std::uint64_t n : {4, 1, 2, 3, 4}) put_raw(out, n);
  }
  for (int i = 0; i < 4; ++i) {
    if (old && binary) put_raw<std::int32_t>(out, i + 1);
    if (old && !binary) out += std::to_string(i + 1) + " ";
    for (int k = 0; k < 3; ++k) {
      if (binary)
        put_raw(out, kCorners[3 * i + k]);
      else
        out += std::to_string(kCorners[3 * i + k]) + (k == 2 ? "\n" : " ");
    }
  }
  out += "$EndNodes\n$Elements\n";
  if (old) out += "1\n";
  if (old && !binary) out += "1 4 2 0 1 1 2 3 4\n";
  if (!old && !binary) out += "1 1 1 1\n3 1 4 1\n1 1 2 3 4\n";
  if (old && binary)
    for (const std::int32_t n : {4, 1, 2, 1, 0, 1, 1, 2, 3, 4}) put_raw(out, n);
  if (!old && binary) {
    for (const std::uint64_t n : {1, 1, 1, 1}) put_raw(out, n);
    for (const std::int32_t n : {3, 1, 4}) put_raw(out, n);
    for (const std::uint64_t n : {1, 1, 1, 2, 3, 4}) put_raw(out, n);
  }
  return out + "\n$EndElements\n";
}

Result<Model> load_gmsh(const std::string& content) {
  const std::map<std::string, std::string> files = {{"t.msh", content}};
  LoadOptions options;
  options.files = &files;
  return load_string(in_world(R"(<flexcomp name="f" type="gmsh" file="t.msh" radius=".01"/>)"), options);
}

TEST(Gmsh, AllVersionsGiveTheSameTetrahedron) {
  for (const double version : {2.2, 4.1}) {
    for (const bool binary : {false, true}) {
      const Result<Model> m = load_gmsh(gmsh(version, binary));
      ASSERT_TRUE(m) << version << binary << m.error().text();
      EXPECT_THAT(m->flex_dim, ElementsAre(3));
      EXPECT_THAT(m->flex_elem, ElementsAre(0, 2, 1, 3));
      expect_at(m->body_pos, 3, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    }
  }
}

TEST(Gmsh, RefusesWhatItCannotRead) {
  const auto refused = [](std::string content, const char* from, const char* to) {
    content.replace(content.find(from), std::strlen(from), to);
    const Result<Model> m = load_gmsh(content);
    EXPECT_FALSE(m) << to;
    return m ? std::string() : m.error().text();
  };
  using testing::HasSubstr;
  EXPECT_THAT(refused(gmsh(4.1, false), "$MeshFormat\n", ""), HasSubstr("$MeshFormat"));
  EXPECT_THAT(refused(gmsh(4.1, false), "4.1", "3.0"), HasSubstr("not supported"));
  EXPECT_THAT(refused(gmsh(4.1, false), "$Nodes\n1 4", "$Nodes\n2 4"), HasSubstr("single block"));
  EXPECT_THAT(refused(gmsh(4.1, false), "1 4 1 4\n", "1 4 1 5\n"), HasSubstr("maximum node tag"));
  EXPECT_THAT(refused(gmsh(4.1, false), "\n2\n3\n", "\n3\n3\n"), HasSubstr("sequential"));
  EXPECT_THAT(refused(gmsh(4.1, false), "3 1 0 4", "3 1 0 3"), HasSubstr("invalid node header"));
  EXPECT_THAT(refused(gmsh(4.1, false), "3 1 0 4", "0 1 0 4"), HasSubstr("invalid node header"));
  EXPECT_THAT(refused(gmsh(4.1, false), "3 1 4 1\n", "3 1 5 1\n"), HasSubstr("not supported in 3 dimensions"));
  EXPECT_THAT(refused(gmsh(4.1, false), "1 1 2 3 4\n", "1 1 2 3 5\n"), HasSubstr("does not exist"));
  EXPECT_THAT(refused(gmsh(4.1, false), "$EndElements", ""), HasSubstr("$EndElements is missing"));
  EXPECT_THAT(refused(gmsh(2.2, false), "$Nodes\n4", "$Nodes\n4000000000"), HasSubstr("do not fit"));
  EXPECT_THAT(refused(gmsh(2.2, false), "$Nodes\n4", "$Nodes\nx"), HasSubstr("error reading nodes"));
  EXPECT_THAT(refused(gmsh(2.2, false), "1 4 2 0 1", "1 1 2 0 1"), HasSubstr("only triangles and tetrahedra"));
}

TEST(Flex, EditsThatWouldReadOutOfBoundsAreRefused) {
  const Model m = flex_model(R"(<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1">
    <edge equality="vert"/></flexcomp>)");
  ASSERT_TRUE(validate(m));
  const auto refused = [&](auto&& edit) {
    Model edited = m;
    edit(edited);
    return !refresh(edited);
  };
  EXPECT_TRUE(refused([](Model& e) { e.flex_dim[0] = 4; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_elem[0] = 9; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_edge[0] = -1; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_vertbodyid[0] = 100; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_vertnum[0] = 10; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_interp[0] = 1; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_vertedge[0] = 99; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_stiffnessadr[0] = 0; }));
  EXPECT_TRUE(refused([](Model& e) { e.flex_elemedge[0] = 16; }));
  EXPECT_TRUE(refused([](Model& e) { e.flexvert_J_rownnz[0] = 0; }));
  EXPECT_TRUE(refused([](Model& e) { e.bvh_child[e.nbvh * 2 - 1] = 0; }));
  EXPECT_FALSE(refused([](Model& e) { e.flex_group[0] = 2; }));
}

}  // namespace
}  // namespace sinew
