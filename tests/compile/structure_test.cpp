#include <gmock/gmock.h>

#include "compile/compiled.h"

// Golden numbers: MuJoCo 3.12.0, the fields of the same models.

namespace sinew {
namespace {

using namespace testing_compile;
using testing::ElementsAre;

// a tree with free joint and hinge, one with ball and slide, and a simple one with two slides
const char* const kThreeTrees = R"(<mujoco><worldbody>
  <body name="a"><freejoint name="f"/><geom size=".1"/>
    <body pos="1 0 0"><joint name="j"/><geom size=".1" pos="0 0 1"/><site name="s"/></body></body>
  <body><joint name="b" type="ball" pos="1 2 3"/><joint name="s1" type="slide"/><geom type="box" size=".1 .2 .3"/>
    <site name="s2"/></body>
  <body><joint type="slide"/><joint type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>
  <tendon><spatial name="t"><site site="s"/><site site="s2"/></spatial>
    <fixed name="tf"><joint joint="j" coef="1"/><joint joint="s1" coef="2"/></fixed></tendon>
  <equality><connect body1="a" anchor="0 0 0"/><weld body1="a"/><joint joint1="j" joint2="s1"/><tendon tendon1="t"/></equality>
  <actuator><motor joint="f"/><motor joint="b"/><motor tendon="t"/><motor tendon="tf"/><motor site="s"/>
    <motor site="s" refsite="s2"/><general body="a"/><general cranksite="s" slidersite="s2" cranklength="1"/>
    <orientation joint="b"/></actuator></mujoco>)";

TEST(Sparsity, OfTheInertiaIsTheChainOfDofsExceptInSimpleBodies) {
  const Model m = compiled(kThreeTrees);
  EXPECT_EQ(m.nM, 41);
  EXPECT_EQ(m.nC, 40);
  EXPECT_THAT(m.M_rownnz, ElementsAre(1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 1, 1));
  expect_equal(m.M_colind, {0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4, 0, 1, 2,  3,  4,
                            5, 0, 1, 2, 3, 4, 5, 6, 7, 7, 8, 7, 8, 9, 7, 8, 9, 10, 11, 12});
  expect_equal(m.mapM2M, {0,  2,  1,  5,  4,  3,  9,  8,  7,  6,  14, 13, 12, 11, 10, 20, 19, 18, 17, 16,
                          15, 27, 26, 25, 24, 23, 22, 21, 28, 30, 29, 33, 32, 31, 37, 36, 35, 34, 38, 39});
  EXPECT_THAT(m.dof_Madr, ElementsAre(0, 1, 3, 6, 10, 15, 21, 28, 29, 31, 34, 38, 39));
  EXPECT_THAT(m.dof_simplenum, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1));
  EXPECT_THAT(m.body_simple, ElementsAre(1, 0, 0, 0, 2));
}

TEST(Sparsity, OfTheSquareMatrixHasBothTrianglesAndFullSimpleRows) {
  const Model m = compiled(kThreeTrees);
  EXPECT_EQ(m.nD, 69);
  EXPECT_EQ(m.nD, 2 * m.nM - m.nv);
  EXPECT_THAT(m.D_rownnz, ElementsAre(7, 7, 7, 7, 7, 7, 7, 4, 4, 4, 4, 2, 2));
  EXPECT_THAT(m.D_diag, ElementsAre(0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 0, 1));
  for (int i = 0; i < m.nv; ++i) {
    for (int k = m.D_rowadr[i]; k < m.D_rowadr[i] + m.D_rownnz[i]; ++k) {
      const int row = std::max(i, m.D_colind[k]), column = std::min(i, m.D_colind[k]), at = m.mapM2D[k];
      if (at < 0) {
        EXPECT_GT(m.dof_simplenum[i], 0);
        continue;
      }
      EXPECT_EQ(m.M_colind[at], column);
      EXPECT_TRUE(at >= m.M_rowadr[row] && at < m.M_rowadr[row] + m.M_rownnz[row]);
      if (m.D_colind[k] <= i) {
        EXPECT_EQ(m.mapD2M[at], k);
      }
    }
  }
}

TEST(Sparsity, OfTendonsBodiesAndMoments) {
  const Model m = compiled(kThreeTrees);
  EXPECT_THAT(m.ten_J_rownnz, ElementsAre(11, 2));
  expect_equal(m.ten_J_colind, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 6, 10});
  EXPECT_EQ(m.nB, 33);
  EXPECT_THAT(m.B_rownnz, ElementsAre(13, 7, 7, 4, 2));
  EXPECT_EQ(m.nJmom, 67);
  EXPECT_EQ(m.nemax, 12);
}

TEST(Trees, AreContiguousAndStoredForTendons) {
  const Model m = compiled(kThreeTrees);
  EXPECT_EQ(m.ntree, 3);
  EXPECT_THAT(m.body_treeid, ElementsAre(-1, 0, 0, 1, 2));
  EXPECT_THAT(m.tree_bodyadr, ElementsAre(1, 3, 4));
  EXPECT_THAT(m.tree_bodynum, ElementsAre(2, 1, 1));
  EXPECT_THAT(m.tree_dofadr, ElementsAre(0, 7, 11));
  EXPECT_THAT(m.tree_dofnum, ElementsAre(7, 4, 2));
  EXPECT_THAT(m.tendon_treenum, ElementsAre(2, 2));
  EXPECT_THAT(m.tendon_treeid, ElementsAre(0, 1, 0, 1));
}

TEST(Names, AreFoundByKindAndIndex) {
  const Model m = compiled(kThreeTrees);
  EXPECT_EQ(m.name(ObjType::Body, 0), "world");
  EXPECT_EQ(m.name(ObjType::Joint, 3), "s1");
  EXPECT_EQ(m.name(ObjType::Body, 2), "");
  EXPECT_EQ(m.id(ObjType::Tendon, "tf"), 1);
  EXPECT_EQ(m.id(ObjType::Tendon, "nobody"), -1);
}

TEST(Simple, BodiesStaySimpleUnderArmatureOfAFixedTendonButNotOfASpatialOne) {
  // MuJoCo 3.12.0 demotes only the bodies of sites and wrapping geoms; M and qacc depend on it
  const char* model = R"(<mujoco><worldbody><site name="w"/><body><joint name="j" type="slide"/>
      <joint name="k" type="slide" axis="1 0 0"/><geom size=".1"/><site name="s"/></body></worldbody><tendon>%s</tendon></mujoco>)";
  char text[600];
  std::snprintf(text, sizeof(text), model,
                "<fixed armature='1'><joint joint='j' coef='1'/><joint joint='k' coef='1'/></fixed>");
  EXPECT_EQ(compiled(text).body_simple[1], 2);
  std::snprintf(text, sizeof(text), model, "<spatial armature='1'><site site='w'/><site site='s'/></spatial>");
  EXPECT_EQ(compiled(text).body_simple[1], 0);
}

TEST(Simple, NeedsCoincidingFramesAnAxisAndNoChildren) {
  const auto simple = [](const std::string& body) {
    return static_cast<int>(compiled("<mujoco><worldbody>" + body + "</worldbody></mujoco>").body_simple[1]);
  };
  EXPECT_EQ(simple("<body><joint/><geom size='.1'/></body>"), 1);
  EXPECT_EQ(simple("<body><joint type='slide'/><geom size='.1'/></body>"), 2);
  EXPECT_EQ(simple("<body><freejoint/><geom size='.1'/></body>"), 1);
  EXPECT_EQ(simple("<body simple='false'><freejoint/><geom size='.1'/></body>"), 0);
  EXPECT_EQ(simple("<body><freejoint/><geom size='.1' pos='.1 0 0'/></body>"), 0);
  EXPECT_EQ(simple("<body><joint axis='1 1 0'/><geom size='.1'/></body>"), 0);
  EXPECT_EQ(simple("<body><joint pos='1 0 0'/><geom size='.1'/></body>"), 0);
  EXPECT_EQ(simple("<body><joint/><joint axis='1 0 0'/><geom size='.1'/></body>"), 0);
  EXPECT_EQ(simple("<body><joint/><geom size='.1'/><body><geom size='.1'/></body></body>"), 0);
}

TEST(BodyBvh, HoldsTheCollidingGeomsInTheInertialFrame) {
  const Model m = compiled(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/>
      <geom size=".1"/><geom type="capsule" size=".1 .2" pos=".5 0 0" euler="0 90 0"/>
      <geom type="box" size=".1 .2 .3" pos="-.5 .2 0"/><geom size=".1" pos="0 0 1" contype="0" conaffinity="0"/>
      <geom type="cylinder" size=".1 .2" pos="0 0 .6"/></body></worldbody></mujoco>)");
  EXPECT_THAT(m.body_bvhadr, ElementsAre(0, 1));
  EXPECT_THAT(m.body_bvhnum, ElementsAre(1, 7));
  EXPECT_THAT(m.bvh_depth, ElementsAre(0, 0, 1, 2, 2, 1, 2, 2));
  expect_equal(m.bvh_child, {-1, -1, 1, 4, 2, 3, -1, -1, -1, -1, 5, 6, -1, -1, -1, -1});
  EXPECT_THAT(m.bvh_nodeid, ElementsAre(0, -1, -1, 3, 1, -1, 2, 5));
  expect_near(std::vector<double>(m.bvh_aabb.begin(), m.bvh_aabb.begin() + 12),
              {0, 0, -5000000000, 10000000000, 10000000000, 5000000000, 0.005157627336808232, 0.016284114959471796,
               0.16975004154131473, 0.24657508910551684, 0.5813551985590178, 0.7642129732577778},
              1e-14);
  expect_near(m.geom_rbound, {0, 0.1, 0.30000000000000004, 0.37416573867739417, 0.1, 0.223606797749979});
  EXPECT_THAT(m.geom_sameframe, ElementsAre(1, 1, 0, 3, 3, 3));
}

TEST(ContactFilters, OfABodyAreTheUnionOfItsGeoms) {
  const Model m =
      compiled(R"(<mujoco><worldbody><body><geom size=".1" contype="2" conaffinity="4" margin=".1" gap=".2"/>
      <geom size=".1" contype="1" conaffinity="0" margin=".25"/></body></worldbody></mujoco>)");
  EXPECT_EQ(m.body_contype[1], 3);
  EXPECT_EQ(m.body_conaffinity[1], 4);
  EXPECT_DOUBLE_EQ(m.body_margin[1], 0.1 + 0.2);
}

// MuJoCo 3.12.0 counts the geoms that it discards
TEST(ContactFilters, TheMarginOfABodyCountsDiscardedGeoms) {
  const Model m = compiled(R"(<mujoco><compiler discardvisual="true"/><worldbody>
      <body><geom size="1" contype="0" conaffinity="0" margin="1"/><geom size=".1" margin=".2" gap=".1"/>
      <body><geom size=".1" margin=".25"/><geom size="1" contype="0" conaffinity="0" margin=".1"/></body></body>
      </worldbody></mujoco>)");
  EXPECT_EQ(m.ngeom, 2);
  EXPECT_THAT(m.body_margin, ElementsAre(0, 1, 0.25));
}

TEST(WeldBodies, AMocapBodyIsItsOwnGroup) {
  const Model m = compiled(R"(<mujoco><worldbody><body><geom size=".1"/></body>
      <body mocap="true"><geom type="plane" size="1 1 1"/><body><geom size=".1"/></body></body></worldbody></mujoco>)");
  EXPECT_THAT(m.body_weldid, ElementsAre(0, 0, 2, 2));
  EXPECT_THAT(m.body_mocapid, ElementsAre(-1, -1, 0, -1));
}

TEST(SleepPolicy, OfATreeDependsOnItsTendonsAndActuators) {
  const Model m = compiled(R"(<mujoco><worldbody><site name="w"/>
      <body name="a"><joint name="ja" type="slide"/><geom size=".1"/><site name="sa"/></body>
      <body name="b" pos="1 0 0"><joint name="jb" type="slide"/><geom size=".1"/><site name="sb"/></body>
      <body name="c" pos="2 0 0" sleep="never"><joint type="slide"/><geom size=".1"/><site name="sc"/></body>
      <body name="d" pos="3 0 0"><joint type="slide"/><geom size=".1"/><site name="sd"/></body>
      <body name="e" pos="4 0 0"><joint type="slide"/><geom size=".1"/><site name="se"/></body>
      <body name="f" pos="5 0 0"><joint type="slide"/><geom size=".1"/><site name="sf"/></body></worldbody>
      <tendon><spatial frictionloss="1"><site site="sa"/><site site="sb"/></spatial>
      <spatial stiffness="0 1"><site site="sc"/><site site="sd"/></spatial></tendon>
      <actuator><motor site="sf" refsite="se"/></actuator></mujoco>)");
  const int never = static_cast<int>(SleepPolicy::AutoNever), allowed = static_cast<int>(SleepPolicy::AutoAllowed);
  EXPECT_THAT(m.tree_sleep_policy,
              ElementsAre(allowed, allowed, static_cast<int>(SleepPolicy::Never), never, allowed, never));
}

TEST(SleepPolicy, IsRefusedIfItCannotBeApplied) {
  EXPECT_EQ(refused("<mujoco><worldbody><body sleep='never'><geom size='.1'/></body></worldbody></mujoco>").attribute,
            "sleep");
  // a tree that should start asleep but touches one that is awake; MuJoCo 3.12.0 refuses it too
  const Problem init =
      refused(R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="1 1 1"/>
      <body name="down" pos="0 0 .1" sleep="init"><freejoint/><geom size=".1001"/></body>
      <body name="up" pos="0 0 .3"><freejoint/><geom size=".1001"/></body></worldbody></mujoco>)");
  EXPECT_EQ(init.name, "down");
  EXPECT_EQ(init.attribute, "sleep");
  EXPECT_EQ(
      refused(R"(<mujoco><worldbody><body sleep="allowed"><joint type="slide"/><geom size=".1"/><site name="a"/></body>
      <body><joint type="slide"/><geom size=".1"/><site name="b" pos="1 0 0"/></body></worldbody>
      <tendon><spatial damping="1"><site site="a"/><site site="b"/></spatial></tendon></mujoco>)")
          .attribute,
      "sleep");
}

}  // namespace
}  // namespace sinew
