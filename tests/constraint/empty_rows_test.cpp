#include <string>
#include <vector>

#include "world.h"

// Constraint rows without nonzeros, and rows whose entries are zero for some of their trees.

namespace sinew::test {
namespace {

struct Setting {
  std::string solver, cone, jacobian;
  bool islands, noslip;

  std::string option() const {
    return "<option solver=\"" + solver + "\" cone=\"" + cone + "\" jacobian=\"" + jacobian +
           "\" tolerance=\"1e-14\" iterations=\"500\" noslip_iterations=\"" + (noslip ? "3" : "0") +
           "\"><flag island=\"" + (islands ? "enable" : "disable") + "\"/></option>";
  }
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const char* solver : {"PGS", "CG", "Newton"})
    for (const char* cone : {"pyramidal", "elliptic"})
      for (const char* jacobian : {"dense", "sparse"})
        for (const bool islands : {false, true})
          for (const bool noslip : {false, true}) all.push_back({solver, cone, jacobian, islands, noslip});
  return all;
}

constexpr const char* kTwoStaticBodies = R"(
    <body><geom name="a" type="box" size=".1 .1 .1"/></body>
    <body pos="0 0 .15"><geom name="b" size=".1"/></body>)";

std::string pair(const std::string& a, const std::string& b, int condim) {
  return "<pair geom1=\"" + a + "\" geom2=\"" + b + "\" condim=\"" + std::to_string(condim) + "\"/>";
}

/// nbody bodies on a plane and a chain with dry friction.
std::string company(int nbody) {
  std::string text = R"(<geom type="plane" size="20 20 .1"/>
    <body pos="-3 0 1"><joint axis="0 1 0" range="-10 10" limited="true" frictionloss=".1"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint axis="0 1 0" frictionloss=".1"/>
        <geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body>)";
  for (int i = 0; i < nbody; ++i)
    text += "<body pos=\"" + std::to_string(i + 1) + " 0 .09\"><freejoint/><geom size=\".1\"/></body>";
  return text;
}

std::string model(const Setting& s, const std::string& bodies, const std::string& rest) {
  return "<mujoco>" + s.option() + "<worldbody>" + bodies + "</worldbody>" + rest + "</mujoco>";
}

TEST(RowsWithoutColumns, OfTwoStaticBodiesDoNotAffectOtherRows) {
  for (const Setting& s : settings()) {
    for (const int nbody : {0, 1, 2, 5, 11}) {
      for (const int condim : {1, 3, 6}) {
        SCOPED_TRACE(s.option() + " " + std::to_string(nbody) + " bodies, condim " + std::to_string(condim));
        World with(model(s, kTwoStaticBodies + company(nbody), "<contact>" + pair("a", "b", condim) + "</contact>"));
        World without(model(s, kTwoStaticBodies + company(nbody), ""));
        for (int k = 0; k < 3; ++k) {
          std::ranges::copy(without.d.qpos, with.d.qpos.begin());
          std::ranges::copy(without.d.qvel, with.d.qvel.begin());
          std::ranges::copy(without.d.qacc_warmstart, with.d.qacc_warmstart.begin());
          with.steps(1);
          without.steps(1);
          ASSERT_EQ(with.d.ncon, without.d.ncon + 1);
          // the order of the Gauss-Seidel updates depends on the number of rows
          const double tolerance = s.solver == "PGS" || s.noslip ? 1e-3 : 1e-6;
          const auto expect_same = [&](std::span<const double> got, std::span<const double> want) {
            for (std::size_t i = 0; i < want.size(); ++i)
              EXPECT_NEAR(got[i], want[i], tolerance * (1 + std::abs(want[i])));
          };
          expect_same(with.d.qacc, without.d.qacc);
          inverse(with.m, with.d);
          inverse(without.m, without.d);
          expect_same(with.d.qfrc_inverse, without.d.qfrc_inverse);
        }
      }
    }
  }
}

TEST(RowsWithoutColumns, ExistOnlyInADenseJacobianWithTheForceThatMinimizesTheirCost) {
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.option());
    World w(model(s, kTwoStaticBodies + company(2), "<contact>" + pair("a", "b", 3) + "</contact>"));
    forward(w.m, w.d);
    const auto contact = std::ranges::find_if(w.d.contact, [](const Contact& c) { return c.geom[1] == 1; });
    ASSERT_NE(contact, w.d.contact.end());
    if (s.jacobian == "sparse") {
      EXPECT_EQ(contact->exclude, 3);
      EXPECT_EQ(contact->efc_address, -1);
      continue;
    }
    // MuJoCo 3.12.0, native, without islands; with islands it aborts
    const int row = contact->efc_address;
    const bool elliptic = s.cone == "elliptic";
    ASSERT_GE(row, 0);
    EXPECT_EQ(w.d.efc_J_rownnz[row], 0);
    EXPECT_NEAR(w.d.efc_force[row], elliptic ? 1.3157894736842106e17 : 6.578947368421053e16, 1e6);
    EXPECT_EQ(w.d.efc_force[row + 1], elliptic ? 0 : w.d.efc_force[row]);
    if (s.islands) {
      EXPECT_EQ(w.d.efc_island[row], -1);
      EXPECT_EQ(w.d.nisland, 3);
    }
  }
}

TEST(RowsWithoutColumns, DoNotExistInAModelWithoutDofs) {
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.option());
    World w(model(s, std::string(kTwoStaticBodies) + R"(<site name="s"/><site name="t" pos="0 0 1"/>)",
                  "<contact>" + pair("a", "b", 3) + "</contact>" + R"(
      <tendon><spatial limited="true" range="0 .3" frictionloss="1"><site site="s"/><site site="t"/></spatial></tendon>
      <sensor><touch site="s"/></sensor>)"));
    w.steps(2);
    inverse(w.m, w.d);
    EXPECT_EQ(w.d.ncon, 1);
    EXPECT_EQ(w.d.nefc, 0);
    EXPECT_EQ(w.d.contact[0].efc_address, -1);
    EXPECT_EQ(w.d.contact[0].exclude, 0);
  }
}

TEST(RowsWithoutColumns, OfOneTreeBelongToItsIsland) {
  // each pair is on one rigid body
  const std::string bodies = R"(
    <body pos="0 0 1"><freejoint/><geom name="a" size=".1"/><body pos="0 0 .15"><geom name="b" size=".1"/></body></body>
    <body pos="1 0 1"><freejoint/><geom name="c" size=".1"/><body pos="0 0 .15"><geom name="d" size=".1"/></body></body>
    <body pos="2 0 1"><freejoint/><geom name="e" size=".1"/><body pos="0 0 .15"><geom name="f" size=".1"/></body></body>
    <body pos="3 0 1"><freejoint/><geom size=".1"/></body>)";
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.option());
    World w(model(s, bodies, "<contact>" + pair("a", "b", 3) + pair("c", "d", 3) + pair("e", "f", 3) + "</contact>"));
    w.steps(2);
    forward(w.m, w.d);
    for (int i = 0; i < w.m.nv; ++i) EXPECT_NEAR(w.d.qacc[i], i % 6 == 2 ? -9.81 : 0, 1e-9);
    if (s.jacobian == "sparse" || !s.islands) continue;
    ASSERT_EQ(w.d.nisland, 3);
    const int nrow = w.d.nefc / 3;
    for (int i = 0; i < w.d.nefc; ++i) EXPECT_EQ(w.d.efc_island[i], i / nrow);
    EXPECT_EQ(w.d.tree_island[3], -1);
  }
}

TEST(RowsWithoutColumns, OfATendonWithZeroMomentExistOnlyInASparseJacobian) {
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.option());
    World w(model(s,
                  R"(<site name="s" pos="1 0 1"/>
      <body pos="1 0 0"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/><site name="t"/></body>)" +
                      company(3),
                  R"(<tendon><spatial limited="true" range="0 .3" frictionloss="1"><site site="s"/><site site="t"/>
                     </spatial></tendon>)"));
    forward(w.m, w.d);
    EXPECT_EQ(w.d.nl, s.jacobian == "sparse" ? 1 : 0);
    EXPECT_EQ(w.d.nf, s.jacobian == "sparse" ? 3 : 2);
    w.steps(5);
    for (int i = 0; i < w.m.nv; ++i) EXPECT_TRUE(std::isfinite(w.d.qvel[i]));
  }
}

/// A tendon from the end of a chain to the world, with a wrapping geom on a free body that it does not touch.
constexpr const char* kPassedGeom = R"(
    <body pos="5 5 5"><joint type="free" frictionloss=".1"/><geom name="w" size=".1"/></body>
    <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
        <site name="s" pos=".3 0 0"/></body></body>
    <site name="t" pos="1 0 1.5"/>)";
constexpr const char* kPassing = R"(
    <tendon><spatial frictionloss="1"><site site="s"/><geom geom="w"/><site site="t"/></spatial></tendon>)";

TEST(RowsOverTwoTrees, WithZerosForOneTreeAreSolvedAsInMuJoCo) {
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.option());
    World w(model(s, kPassedGeom, kPassing));
    w.steps(20);
    forward(w.m, w.d);
    // MuJoCo 3.12.0, native
    if (s.islands) EXPECT_EQ(w.d.nisland, s.jacobian == "dense" ? 2 : 1);
    expect_near(w.d.qvel, {0, 0, -0.3914450703414486, 0, 0, 0, 1.6420680373850729, -2.4041579532615542}, 1e-9);
    expect_near(w.d.qacc, {0, 0, -9.7861267585362164, 0, 0, 0, 40.705681328770062, -59.021458655326455}, 1e-9);
    expect_near(w.d.efc_force, {0, 0, 0.1, 0, 0, 0, -1}, 1e-9);
  }
}

TEST(RowsOverTwoTrees, WithZerosForOneTreeJoinTheirIslandsOnlyWithASparseJacobian) {
  // the slope of the second joint's coordinate is zero here
  for (const Setting& s : settings()) {
    SCOPED_TRACE(s.option());
    World w(model(s, R"(
      <body pos="0 0 1"><joint name="x" axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>
      <body pos="0 3 1"><joint name="y" axis="0 1 0" frictionloss=".1"/><geom size=".1" pos=".1 0 0"/></body>
      <body pos="0 5 1"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/></body>)",
                  R"(<equality><joint joint1="x" joint2="y" polycoef=".1 0 1 0 0"/></equality>)"));
    forward(w.m, w.d);
    ASSERT_EQ(w.d.nefc, 2);
    if (s.islands) EXPECT_EQ(w.d.nisland, s.jacobian == "dense" ? 2 : 1);
    // MuJoCo 3.12.0, native
    expect_near(w.d.qacc, {244.76870748299319, 68.366197038301124, 70.071428571428569}, 1e-9);
    expect_near(w.d.efc_force, {10.244783509906371, -0.1}, 1e-9);
  }
}

TEST(TendonRows, TheFirstOfATendonMayBeOfAnEquality) {
  World w(R"(<mujoco><worldbody><site name="w" pos="0 0 1"/><site name="w2" pos="1 0 1"/>
    <body><freejoint/><geom size=".1"/><site name="a" pos=".2 0 0"/></body>
    <body pos="2 .3 0"><freejoint/><geom size=".1"/><site name="b"/></body></worldbody>
    <tendon><spatial range="0 .5" limited="true"><site site="w"/><site site="a"/></spatial>
    <spatial name="t1" frictionloss="1"><site site="w"/><site site="b"/></spatial>
    <spatial name="t2"><site site="w2"/><site site="a"/></spatial>
    <spatial name="t3" range="0 .5" limited="true" frictionloss="1"><site site="w2"/><site site="b"/></spatial></tendon>
    <equality><tendon tendon1="t2"/><tendon tendon1="t3" tendon2="t1"/></equality></mujoco>)");
  forward(w.m, w.d);
  // MuJoCo 3.12.0, native
  EXPECT_EQ(std::vector<int>(w.d.tendon_efcadr.begin(), w.d.tendon_efcadr.end()), (std::vector<int>{4, 1, 0, 1}));
}

}  // namespace
}  // namespace sinew::test
