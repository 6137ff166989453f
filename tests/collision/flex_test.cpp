#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "sinew/load.h"
#include "sinew/query.h"
#include "sinew/state.h"
#include "sinew/step.h"
#include "sinew/support.h"

// Contacts of flexes and their rows, against MuJoCo 3.12.0: the models and goldens are in tests/collision/flex, where
// make_models.py and make_goldens.c wrote them.

namespace sinew {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = SINEW_SOURCE_DIR "/tests/collision/flex";

/// The state of the goldens.
void displace(const Model& m, Data& d) {
  std::vector<double> v(static_cast<std::size_t>(m.nv));
  for (int i = 0; i < m.nv; ++i) v[static_cast<std::size_t>(i)] = std::sin(1 + i);
  integrate_pos(m, d.qpos.data(), v.data(), 0.004);
}

void expect_near(double ours, double theirs, double tolerance, const std::string& what) {
  EXPECT_NEAR(ours, theirs, tolerance * (1 + std::abs(theirs))) << what;
}

void expect_contact(const Contact& c, std::istream& in, double tolerance, const std::string& what) {
  int id[11];
  for (int& i : id) in >> i;
  const int ours[11] = {c.geom[0], c.geom[1], c.flex[0], c.flex[1], c.elem[0],    c.elem[1],
                        c.vert[0], c.vert[1], c.dim,     c.exclude, c.efc_address};
  for (int k = 0; k < 11; ++k) EXPECT_EQ(ours[k], id[k]) << what << " number " << k;
  const double value[10] = {c.dist,     c.pos[0],   c.pos[1],      c.pos[2],    c.frame[0],
                            c.frame[1], c.frame[2], c.friction[0], c.solref[0], c.includemargin};
  for (int k = 0; k < 10; ++k) {
    double theirs;
    in >> theirs;
    expect_near(value[k], theirs, tolerance, what + " value " + std::to_string(k));
  }
}

/// Closed forms agree to rounding; GJK and EPA of smooth shapes end at their tolerance, after a path of many roundings.
void expect_golden(const fs::path& model, double tolerance) {
  const std::string name = model.stem().string();
  Model m = load(model.string()).value_or_throw();
  Data d(m);
  reset(m, d);
  displace(m, d);
  forward(m, d);
  std::ifstream in(kFolder / (name + ".txt"));
  int ncon = -1, nefc = -1, nisland = -1;
  in >> ncon >> nefc >> nisland;
  ASSERT_EQ(d.ncon, ncon) << name;
  ASSERT_EQ(d.nefc, nefc) << name;
  EXPECT_EQ(d.nisland, nisland) << name;
  for (int c = 0; c < ncon; ++c) {
    expect_contact(d.contact[static_cast<std::size_t>(c)], in, tolerance, name + " contact " + std::to_string(c));
    if (::testing::Test::HasFailure()) return;
  }
  for (int r = 0; r < nefc; ++r) {
    double product, diagonal, ours = 0;
    in >> product >> diagonal;
    for (int k = d.efc_J_rowadr[r]; k < d.efc_J_rowadr[r] + d.efc_J_rownnz[r]; ++k)
      ours += d.efc_J[k] * std::sin(1 + d.efc_J_colind[k]);
    expect_near(ours, product, tolerance, name + " row " + std::to_string(r));
    expect_near(d.efc_diagA[r], diagonal, tolerance, name + " diagonal " + std::to_string(r));
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_TRUE(static_cast<bool>(in)) << name;
}

TEST(Flex, ContactsAndTheirRowsAreMuJoCos) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".xml") continue;
    ++count;
    const bool smooth = entry.path().stem().string().starts_with("quadratic_shell");
    expect_golden(entry.path(), smooth ? 1e-5 : 1e-9);
  }
  EXPECT_EQ(count, 48);
}

// The order of a sweep is that of a comparison of all pairs with a different key: the same contacts in another order.
TEST(Flex, ModesOfSelfCollisionFindTheSameContacts) {
  const auto contacts = [](const std::string& mode) {
    const Model m = load_string(R"(<mujoco><option><flag equality="disable"/></option><worldbody>
      <flexcomp name="f" type="grid" dim="2" count="12 3 1" spacing=".03 .03 .03" radius=".006" mass="1">
        <contact selfcollide=")" +
                                mode + R"("/></flexcomp></worldbody></mujoco>)")
                        .value_or_throw();
    Data d(m);
    reset(m, d);
    // bent to a ring, so that its ends meet
    for (int v = 0; v < m.nflexvert; ++v) {
      const double x = m.flex_vert0[3 * v], angle = 2 * M_PI * x;
      const double target[3] = {0.053 * std::sin(angle), 0, 0.053 * (1 - std::cos(angle))};
      const double flat = 0.33 * (x - 0.5);
      d.qpos[3 * v] = target[0] - flat;
      d.qpos[3 * v + 2] = target[2];
    }
    forward_skip(m, d, Stage::None, true);
    std::vector<std::array<int, 2>> pairs;
    for (int c = 0; c < d.ncon; ++c) {
      std::array<int, 2> pair = d.contact[static_cast<std::size_t>(c)].elem;
      std::sort(pair.begin(), pair.end());
      pairs.push_back(pair);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  const auto narrow = contacts("narrow");
  EXPECT_GT(narrow.size(), 4u);
  EXPECT_LT(narrow.size(), 50u);
  EXPECT_EQ(contacts("sap"), narrow);
  EXPECT_EQ(contacts("bvh"), narrow);
}

// MuJoCo aborts in its search for islands: "no tree found".
TEST(Flex, StaticFlexOnStaticGeomHasNoRows) {
  for (const char* jacobian : {"dense", "sparse"}) {
    Model m = load_string(std::string("<mujoco><option jacobian='") + jacobian + R"('/><worldbody>
      <geom type="plane" size="1 1 1"/><geom size=".05"/><body pos="1 0 1"><freejoint/><geom size=".1"/></body>
      <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".03 .03 .03" radius=".01" rigid="true"/>
      </worldbody></mujoco>)")
                  .value_or_throw();
    Data d(m);
    reset(m, d);
    forward(m, d);
    EXPECT_EQ(d.ncon, 9);  // vertices on the plane; the sphere belongs to the same body as the flex
    EXPECT_EQ(d.nefc, 0);
    for (int c = 0; c < d.ncon; ++c) EXPECT_EQ(d.contact[static_cast<std::size_t>(c)].exclude, 3);
  }
}

// A cloth that moves only along x and y, on a plane: the normal of an elliptic cone moves nothing, but its tangents do.
TEST(Flex, FrictionAloneHoldsAFlatCloth) {
  Model m = load_string(R"(<mujoco><option cone="elliptic"><flag equality="disable"/></option><worldbody>
    <geom type="plane" size="1 1 1"/>
    <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".03 .03 .03" radius=".011" dof="2d" mass="1" pos="0 0 .01">
    <contact selfcollide="none"/></flexcomp></worldbody></mujoco>)")
                .value_or_throw();
  Data d(m);
  reset(m, d);
  d.qvel[0] = 1;
  for (int i = 0; i < 10; ++i) step(m, d);
  EXPECT_EQ(d.ncon, 9);
  EXPECT_GT(d.nisland, 0);
  EXPECT_TRUE(std::isfinite(d.qvel[0]));
}

TEST(Flex, StepsAllocateNothingAfterTheFirst) {
  Model m = load((kFolder / "margin2.xml").string()).value_or_throw();
  Data d(m);
  reset(m, d);
  displace(m, d);
  for (int i = 0; i < 3; ++i) forward(m, d);
  const std::size_t scratch = d.scratch().capacity(), contacts = d.contact.capacity();
  for (int i = 0; i < 3; ++i) forward(m, d);
  EXPECT_EQ(d.scratch().capacity(), scratch);
  EXPECT_EQ(d.contact.capacity(), contacts);
}

// MuJoCo 3.12.0, mj_rayFlex on geoms2.xml and geoms3.xml in the state of the goldens.
TEST(Flex, RaysHitVerticesEdgesAndFaces) {
  struct Case {
    const char* model;
    FlexParts parts;
    double point[3], vec[3];
    double dist;
    int vert;
    double normal[3];
  };
  const Case cases[] = {
      {"geoms2.xml",
       {true, false, false, false, 0},
       {-0.005, -0.02, 0.3},
       {-0.02281452568516, -0.02114481845486, -0.2970195473581},
       0.9669379760255,
       7,
       {0.1754294395171, 0.0699090494692, 0.982006739566}},
      {"geoms2.xml", {true, false, false, false, 0}, {0.015, 0.006, 0.3}, {0, 0.02, -1.1}, -1, -1, {0, 0, 0}},
      {"geoms2.xml",
       {false, true, false, false, 0},
       {-0.005, -0.02, 0.3},
       {-0.02281452568516, -0.02114481845486, -0.2970195473581},
       0.9662188630826,
       7,
       {-0.02998710502734, 0.08777925482556, 0.9956884934327}},
      {"geoms2.xml",
       {false, true, false, false, 0},
       {0.015, 0.006, 0.3},
       {0, 0.02, -1.1},
       0.2619226605022,
       21,
       {0.05327863905962, -0.2513707547829, 0.9664233700919}},
      {"geoms2.xml",
       {false, false, true, false, 0},
       {-0.005, -0.02, 0.3},
       {-0.02281452568516, -0.02114481845486, -0.2970195473581},
       0.9999537674301,
       7,
       {-0.01343951078594, 0.2804755772348, 0.9597670707649}},
      {"geoms2.xml",
       {false, false, true, false, 0},
       {0.015, 0.006, 0.3},
       {0, 0.02, -1.1},
       0.2712160139481,
       21,
       {0.05728739470593, -0.2204831858405, 0.973706998624}},
      {"geoms3.xml",
       {true, false, false, false, 0},
       {-0.005, -0.02, 0.3},
       {-0.03781452568516, 0.05385518154514, -0.2970195473581},
       0.8962395070117,
       8,
       {0.6743618817266, 0.1933227549703, 0.7126446273458}},
      {"geoms3.xml",
       {false, true, false, false, 0},
       {-0.005, -0.02, 0.3},
       {-0.03781452568516, 0.05385518154514, -0.2970195473581},
       0.8797389862108,
       8,
       {-0.2299179072148, -0.01017715980475, 0.9731568123177}},
      {"geoms3.xml",
       {false, false, true, false, 0},
       {-0.005, -0.02, 0.3},
       {-0.03781452568516, 0.05385518154514, -0.2970195473581},
       -1,
       -1,
       {0, 0, 0}},
      {"geoms3.xml",
       {false, false, false, true, 0},
       {-0.005, -0.02, 0.3},
       {-0.03781452568516, 0.05385518154514, -0.2970195473581},
       0.8797389862108,
       8,
       {-0.2299179072148, -0.01017715980475, 0.9731568123177}},
  };
  for (const Case& c : cases) {
    Model m = load((kFolder / c.model).string()).value_or_throw();
    Data d(m);
    reset(m, d);
    displace(m, d);
    forward(m, d);
    const FlexHit hit = ray_flex(m, d, 0, c.point, c.vec, c.parts);
    EXPECT_NEAR(hit.dist, c.dist, 1e-11);
    EXPECT_EQ(hit.vert, c.vert);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(hit.normal[k], c.normal[k], 1e-9);
  }
}

}  // namespace
}  // namespace sinew
