#include "sinew/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "sinew/sinew.h"

namespace sinew {
namespace {

constexpr const char* kWorkshop = R"(<mujoco>
  <option gravity="0 0 -9.81"/>
  <visual><global offwidth="800"/></visual>
  <asset>
    <texture name="tiles" type="2d" builtin="checker" width="8" height="8" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="tiles" texture="tiles" texrepeat="3 3" texuniform="true" reflectance="0.2" specular="0.1"/>
  </asset>
  <worldbody>
    <light name="spot" pos="1 0 3" dir="-0.2 0 -1" cutoff="30"/>
    <light name="sun" type="directional" dir="1 0 -1" castshadow="false"/>
    <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 .2 1" resolution="4 3" fovy="50"/>
    <camera name="flat" pos="0 0 3" projection="orthographic" fovy="2"/>
    <geom name="floor" type="plane" size="0 0 .1" material="tiles"/>
    <site name="hook" pos="0.5 0 1.5"/>
    <site name="beam" pos="0 0.8 0.2" euler="90 0 0"/>
    <body name="trunk" pos="0 0 0.15" euler="0 5 0">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size="0.3 0.2 0.16" mass="3"/>
      <site name="ring" pos="0.2 0 0.16" size="0.02"/>
      <body name="arm" pos="0.3 0 0.1">
        <joint name="shoulder" axis="0 1 0" range="-20 20" limited="true"/>
        <geom name="arm" type="capsule" fromto="0 0 0 0.4 0 0" size="0.04" mass="0.5"/>
        <geom type="sphere" size="0.06" pos="0.4 0 0" mass="0.1" rgba="0 0.5 1 0.5" group="2"/>
        <body pos="0.4 0 0">
          <joint name="wrist" type="ball"/>
          <geom type="ellipsoid" size="0.05 0.1 0.04" pos="0.1 0 0" mass="0.2"/>
        </body>
      </body>
    </body>
    <body name="hand" mocap="true" pos="0.5 0.5 1"><geom type="cylinder" size="0.05 0.1" group="4"/></body>
    <body name="cart" pos="-1 0 1">
      <joint name="rail" type="slide" axis="1 0 0" damping="1"/>
      <geom type="box" size="0.1 0.1 0.1" mass="1"/>
      <site name="pin" pos="0.1 0 0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope" limited="true" range="0 2.5" width="0.01"><site site="hook"/><site site="pin"/></spatial>
    <spatial name="cord" stiffness="10" damping="1" rgba="1 0 1 1"><site site="hook"/><site site="ring"/></spatial>
  </tendon>
  <equality><connect name="link" body1="cart" body2="hand" anchor="0.1 0 0" active="true" solref="0.5 1"/></equality>
  <actuator>
    <motor name="push" joint="rail" ctrlrange="-2 2" ctrllimited="true"/>
    <motor name="lift" joint="shoulder"/>
    <motor name="pull" tendon="cord"/>
    <motor name="jet" site="ring" gear="0 0 1 0 0 0"/>
  </actuator>
  <sensor><rangefinder site="beam"/></sensor>
</mujoco>)";

struct World {
  Model m;
  Data d;

  explicit World(const char* mjcf) : m(load_string(mjcf).value_or_throw()), d(m) {
    reset(m, d);
    forward(m, d);
  }
};

/// The state of the golden numbers.
World workshop() {
  World w(kWorkshop);
  w.d.ctrl[0] = 1;
  w.d.ctrl[1] = -0.5;
  w.d.qpos[7] = 0.4;
  w.d.xfrc_applied[6 * 2 + 2] = 5;
  forward(w.m, w.d);
  return w;
}

/// The list in a few sums: weights make them depend on the order.
struct Digest {
  int set = 0, ngeom = 0;
  long ids = 0, labels = 0;
  double place = 0, turn = 0, color = 0;
};

Digest digest_of(const Scene& scene) {
  Digest out;
  out.ngeom = scene.ngeom;
  for (int i = 0; i < scene.ngeom; ++i) {
    const SceneGeom& g = scene.geoms[static_cast<std::size_t>(i)];
    const int w = 1 + i % 7;
    for (std::size_t k = 0; k < 3; ++k) out.place += w * static_cast<double>(k + 1) * (double{g.size[k]} + g.pos[k]);
    for (std::size_t k = 0; k < 9; ++k) out.turn += w * static_cast<double>(k + 1) * g.mat[k];
    for (std::size_t k = 0; k < 4; ++k) out.color += w * static_cast<double>(k + 1) * g.rgba[k];
    out.color += w * (g.emission + 2.0 * g.specular + 3.0 * g.reflectance + g.texrepeat[0]);
    out.ids += w * (g.type + 3 * g.dataid + 5 * g.objtype + 7 * g.objid + 11 * g.category + 13 * g.matid +
                    17 * g.texid + 19 * g.texcoord + 23 * g.texuniform);
    for (long k = 0; g.label[static_cast<std::size_t>(k)]; ++k)
      out.labels += static_cast<unsigned char>(g.label[static_cast<std::size_t>(k)]) * (1 + k % 5);
  }
  return out;
}

// MuJoCo 3.12.0: digests of mjv_updateScene, called twice, of the state above with body 2 selected and perturbed: the
// default options, each flag flipped, each label and each frame.
constexpr Digest kGolden[] = {
    {-1, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {0, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {1, 43, 12145, 0, 356.653227, 1393.278908, 1314.500000},
    {2, 47, 14068, 0, 427.053102, 1457.782166, 1433.190001},
    {3, 67, 25170, 0, 1422.631603, 1637.859089, 1800.800002},
    {4, 47, 14573, 0, 433.949902, 1451.315617, 1417.000000},
    {5, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {6, 45, 12808, 0, 394.054029, 1385.458576, 1362.600000},
    {7, 14, 3758, 0, 206.452798, 712.755392, 418.300000},
    {8, 42, 11984, 0, 343.653227, 1390.278908, 1309.200000},
    {9, 45, 12688, 0, 367.784909, 1468.278908, 1351.200000},
    {10, 48, 13726, 0, 440.274100, 1581.251185, 1436.000002},
    {11, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {12, 44, 12448, 0, 358.610130, 1423.278908, 1334.500000},
    {13, 40, 11849, 0, 359.564568, 1131.550741, 1249.400000},
    {14, 48, 12868, 0, 373.182417, 1581.278908, 1471.500001},
    {15, 43, 12198, 0, 356.653227, 1393.278908, 1316.549106},
    {16, 46, 13330, 0, 371.402859, 1509.252027, 1409.299999},
    {17, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {18, 43, 12198, 0, 356.653227, 1393.278908, 928.300007},
    {19, 47, 13383, 0, 420.493082, 1524.145851, 1430.700001},
    {20, 46, 13086, 0, 414.213551, 1492.278908, 1404.799999},
    {21, 44, 12439, 0, 370.831790, 1411.278908, 1333.800000},
    {22, 40, 12194, 0, 324.011859, 1325.720863, 1219.300000},
    {23, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {24, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {25, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {26, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {27, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {28, 50, 16027, 0, 150000000406.984253, 1789.364894, 1457.500000},
    {29, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {30, 43, 12198, 0, 356.653227, 1393.278908, 1317.500000},
    {31, 85, 31799, 0, 1631.487550, 1721.623785, 2379.935004},
    {32, 90, 34886, 5764, 1655.793280, 2410.926059, 2546.045004},
    {33, 85, 31799, 6198, 1631.487550, 1721.623785, 2379.935004},
    {34, 85, 31799, 7846, 1631.487550, 1721.623785, 2379.935004},
    {35, 85, 31799, 3832, 1631.487550, 1721.623785, 2379.935004},
    {36, 85, 31799, 1719, 1631.487550, 1721.623785, 2379.935004},
    {37, 85, 31799, 1815, 1631.487550, 1721.623785, 2379.935004},
    {38, 85, 31799, 31191, 1631.487550, 1721.623785, 2379.935004},
    {39, 85, 31799, 3953, 1631.487550, 1721.623785, 2379.935004},
    {40, 85, 31799, 2152, 1631.487550, 1721.623785, 2379.935004},
    {41, 85, 31799, 0, 1631.487550, 1721.623785, 2379.935004},
    {42, 85, 31799, 0, 1631.487550, 1721.623785, 2379.935004},
    {43, 86, 31647, 652, 1485.975213, 1946.173400, 2383.080004},
    {44, 85, 31799, 6691, 1631.487550, 1721.623785, 2379.935004},
    {45, 85, 31799, 15995, 1631.487550, 1721.623785, 2379.935004},
    {46, 85, 31799, 0, 1631.487550, 1721.623785, 2379.935004},
    {47, 89, 34906, 193, 1470.712146, 2319.432304, 2468.835004},
    {48, 69, 26137, 0, 1492.943059, 1603.276246, 1902.900002},
    {49, 84, 29425, 0, 1638.402273, 1666.689756, 2325.199999},
    {50, 87, 28155, 0, 1536.788031, 1739.938210, 2355.799999},
    {51, 81, 27002, 0, 1517.684399, 1848.681490, 2198.500000},
    {52, 75, 26529, 0, 1596.215637, 1803.031924, 2051.000001},
    {53, 75, 26166, 0, 1666.638956, 1619.058989, 2043.800001},
    {54, 84, 28118, 0, 1541.479173, 2162.276246, 2327.699999},
    {55, 72, 26200, 0, 1394.584369, 1523.361334, 1958.200002},
};

SceneOption option_of_set(int set) {
  SceneOption option;
  if (set >= 0 && set < kNumVisFlag) {
    option.flags[static_cast<std::size_t>(set)] ^= 1;
  } else if (set >= kNumVisFlag && set <= int{kNumVisFlag} + kLabelIsland) {
    option.label = set - kNumVisFlag;
    for (const VisFlag flag :
         {kVisJoint, kVisCamera, kVisLight, kVisActuator, kVisConstraint, kVisContactPoint, kVisSelect})
      option.flags[flag] = 1;
  } else if (set >= 0) {
    option.frame = set - kNumVisFlag - int{kLabelIsland} - 1;
    option.flags[kVisCamera] = option.flags[kVisLight] = 1;
  }
  return option;
}

TEST(Scene, EveryFlagLabelAndFrameGivesMujocosList) {
  World w = workshop();
  Perturb perturb;
  perturb.select = 2;
  perturb.active = kPerturbTranslate | kPerturbRotate;
  perturb.localpos[0] = 0.1;
  perturb.refpos[0] = 1;
  perturb.refselpos[2] = 1;
  for (const Digest& golden : kGolden) {
    Scene scene(w.m);
    SceneCamera camera = default_free_camera(w.m);
    ASSERT_TRUE(update_scene(w.m, w.d, option_of_set(golden.set), &perturb, camera, kSceneAll, scene));
    const Digest got = digest_of(scene);
    EXPECT_EQ(got.ngeom, golden.ngeom) << golden.set;
    EXPECT_EQ(got.ids, golden.ids) << golden.set;
    EXPECT_EQ(got.labels, golden.labels) << golden.set;
    const auto near_golden = [&](double x, double expected) {  // sums of some hundred floats
      EXPECT_NEAR(x, expected, 1e-5 * std::max(1.0, std::abs(expected))) << golden.set;
    };
    near_golden(got.place, golden.place);
    near_golden(got.turn, golden.turn);
    near_golden(got.color, golden.color);
  }
}

TEST(Scene, AnInfinitePlaneIsUnderTheCameraOfTheFirstUpdate) {
  World w("<mujoco><worldbody><geom type='plane' size='0 0 1'/></worldbody></mujoco>");
  Scene first(w.m);
  SceneCamera camera = default_free_camera(w.m);
  camera.lookat = {100, -70, 0};
  const SceneOption option;
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, first);
  Scene second = first;
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, second);
  EXPECT_EQ(first.geoms[0].pos, second.geoms[0].pos);
  EXPECT_NEAR(first.geoms[0].pos[0], 100, 2);
}

TEST(Scene, AFullListLeavesOutTheRest) {
  World w = workshop();
  Scene all(w.m), few(w.m, 5);
  SceneCamera camera = default_free_camera(w.m);
  const SceneOption option;
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, all);
  const SceneGeom* place = few.geoms.data();
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, few);
  EXPECT_EQ(few.ngeom, 5);
  EXPECT_EQ(few.status, 1);
  EXPECT_EQ(all.status, 0);
  EXPECT_EQ(few.geoms.data(), place);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(few.geoms[i].pos, all.geoms[i].pos);
  EXPECT_EQ(few.append(), nullptr);
}

TEST(Scene, GroupsOutsideTheRangeCountAsTheNearest) {
  World w("<mujoco><worldbody><geom size='1'/><geom size='1'/></worldbody></mujoco>");
  w.m.geom_group[0] = -1;
  w.m.geom_group[1] = 7;
  refresh(w.m);
  SceneOption option;
  Scene scene(w.m);
  SceneCamera camera = default_free_camera(w.m);
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene);
  ASSERT_EQ(scene.ngeom, 1);
  EXPECT_EQ(scene.geoms[0].objid, 0);
  option.geomgroup = {0, 0, 0, 0, 0, 1};
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene);
  ASSERT_EQ(scene.ngeom, 1);
  EXPECT_EQ(scene.geoms[0].objid, 1);
}

TEST(Scene, LongNamesAreCut) {
  const std::string name(150, 'x');
  World w(("<mujoco><worldbody><geom size='1' name='" + name + "'/></worldbody></mujoco>").c_str());
  SceneOption option;
  option.label = kLabelGeom;
  Scene scene(w.m);
  SceneCamera camera = default_free_camera(w.m);
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene);
  EXPECT_EQ(std::string(scene.geoms[0].label.data()), name.substr(0, 99));
}

TEST(Scene, AConnectorOfNoLengthHasNoDirection) {
  SceneGeom geom;
  const double a[3] = {1, 2, 3}, below[3] = {1, 2, 1};
  ASSERT_TRUE(connect_geom(geom, kSceneArrow, 0.1, a, a));
  EXPECT_EQ(geom.mat, SceneGeom().mat);
  ASSERT_TRUE(connect_geom(geom, static_cast<int>(GeomType::Capsule), 0.1, a, below));
  EXPECT_EQ(geom.mat, (Float9{1, 0, 0, 0, -1, 0, 0, 0, -1}));
  EXPECT_EQ(geom.size, (Float3{0.1f, 0.1f, 1}));
  EXPECT_FALSE(connect_geom(geom, static_cast<int>(GeomType::Box), 0.1, a, below));
}

TEST(Scene, CamerasThatDoNotExistAreRefused) {
  World w = workshop();
  Scene scene(w.m);
  const SceneOption option;
  for (const int id : {-1, static_cast<int>(w.m.ncam), std::numeric_limits<int>::max()}) {
    SceneCamera camera;
    camera.type = kCameraFixed;
    camera.fixedcamid = id;
    EXPECT_FALSE(update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene));
  }
  SceneCamera camera;
  camera.type = kCameraTracking;
  EXPECT_FALSE(update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene));
  camera.type = 17;
  EXPECT_FALSE(update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene));
}

TEST(Scene, PickingAndPullingABody) {
  World w = workshop();
  Scene scene(w.m);
  const SceneOption option;
  SceneCamera camera = default_free_camera(w.m);
  std::copy_n(&w.d.xpos[3], 3, camera.lookat.begin());
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene);
  const ScenePick hit = pick(w.m, w.d, option, 4.0 / 3, 0.5, 0.5, scene);
  EXPECT_EQ(hit.body, 1);
  EXPECT_EQ(hit.geom, w.m.id(ObjType::Geom, "trunk"));
  Perturb perturb;
  perturb.select = hit.body;
  init_perturb(w.m, w.d, scene, perturb);
  perturb.active = kPerturbTranslate;
  move_perturb(w.m, w.d, kMouseMoveV, 0, 0.1, scene, perturb);
  EXPECT_LT(perturb.refselpos[2], w.d.xpos[5]);  // dy points down the window
  apply_perturb_force(w.m, w.d, perturb);
  EXPECT_LT(w.d.xfrc_applied[6 + 2], 0);
  apply_perturb_pose(w.m, w.d, perturb, true);
  EXPECT_NEAR(w.d.qpos[2], perturb.refpos[2], 1e-12);
}

TEST(Scene, PickingAFlexGivesTheBodyThatMovesItsVertexMost) {
  // from above, the nearest vertex to the middle of the window is between two nodes of the trilinear grid
  World w(R"(<mujoco><worldbody><camera pos="0 0 1"/>
    <flexcomp name="block" type="grid" count="3 3 2" spacing=".1 .1 .1" dim="3" dof="trilinear" group="5">
      <contact selfcollide="none"/></flexcomp></worldbody></mujoco>)");
  Scene scene(w.m);
  SceneOption option;
  SceneCamera camera;
  camera.type = kCameraFixed;
  camera.fixedcamid = 0;
  update_scene(w.m, w.d, option, nullptr, camera, kSceneAll, scene);
  const ScenePick hit = pick(w.m, w.d, option, 1, 0.51, 0.49, scene);
  EXPECT_EQ(hit.flex, 0);  // group 5 is hidden: MuJoCo picks it all the same
  EXPECT_EQ(hit.geom, -1);
  ASSERT_GT(hit.body, 0);
  // the body of a node: a corner of the block
  for (const int k : {0, 1}) EXPECT_NEAR(std::abs(hit.point[static_cast<std::size_t>(k)]), 0.1, 1e-9);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(hit.point[k], w.d.xpos[3 * static_cast<std::size_t>(hit.body) + k], 1e-9);
  option.flags[kVisFlexEdge] = option.flags[kVisFlexSkin] = 0;
  EXPECT_EQ(pick(w.m, w.d, option, 1, 0.51, 0.49, scene).flex, -1);
}

TEST(Scene, NothingAndNonsenseDoNotCrash) {
  World empty("<mujoco/>");
  World w = workshop();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  w.d.for_each_field([&](std::string_view, auto& field, auto...) {
    if constexpr (std::is_same_v<typename std::remove_reference_t<decltype(field)>::element_type, double>)
      for (double& x : field) x = nan;
  });
  for (World* world : {&empty, &w})
    for (int set = -1; set < kNumVisFlag + 25; ++set)
      for (const int body : {-5, 0, 2, 1000000}) {
        Scene scene(world->m);
        SceneCamera camera = default_free_camera(world->m);
        Perturb perturb;
        perturb.select = body;
        perturb.active = perturb.active2 = 3;
        const SceneOption option = option_of_set(set);
        EXPECT_TRUE(update_scene(world->m, world->d, option, &perturb, camera, kSceneAll, scene));
        init_perturb(world->m, world->d, scene, perturb);
        move_perturb(world->m, world->d, kMouseRotateV, nan, 1, scene, perturb);
        apply_perturb_force(world->m, world->d, perturb);
        apply_perturb_pose(world->m, world->d, perturb, true);
        move_camera(world->m, set, nan, 1, camera);
        pick(world->m, world->d, option, nan, 0.5, 0.5, scene);
      }
}

// Two triangles: both sides of each, and two halves of the strip along each of the four edges of the boundary.
TEST(SceneFlex, AClothHasTwoSidesAndARim) {
  const Model m = load_string(R"(<mujoco><worldbody><flexcomp name="f" type="grid" count="2 2 1" spacing=".2 .2 .2"
      radius=".01" dim="2"/></worldbody></mujoco>)")
                      .value_or_throw();
  Data d(m);
  forward(m, d);
  Scene scene;
  SceneOption option;
  SceneCamera camera;
  ASSERT_TRUE(update_scene(m, d, option, nullptr, camera, kSceneAll, scene));
  ASSERT_EQ(scene.flex.size(), 1u);
  EXPECT_EQ(scene.flex.faceused[0], 4 + 8);
  float lowest = 1, highest = -1;
  for (std::size_t i = 2; i < 9 * 12; i += 3) {
    lowest = std::min(lowest, scene.flex.face[i]);
    highest = std::max(highest, scene.flex.face[i]);
  }
  EXPECT_FLOAT_EQ(lowest, -0.01f);
  EXPECT_FLOAT_EQ(highest, 0.01f);
  option.flags[kVisFlexSkin] = 0;
  option.flags[kVisFlexFace] = 1;
  ASSERT_TRUE(update_scene(m, d, option, nullptr, camera, kSceneAll, scene));
  EXPECT_EQ(scene.flex.faceused[0], 4);
}

}  // namespace
}  // namespace sinew
