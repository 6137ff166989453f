// The rules by which URDF is read. Where MuJoCo 3.12.0 reads the same, the numbers are its; where it is wrong or
// refuses the file, they are derived by hand, and the test says so.

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "robots.h"
#include "sinew/edit.h"
#include "sinew/model_file.h"
#include "sinew/write.h"
#include "temp_folder.h"

namespace sinew {
namespace {

using test::joint;
using test::kMatter;
using test::link;
using test::load_robot;
using test::refusal;
using test::robot;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::vector<double> row(const auto& field, int i, int n) { return {field.data() + i * n, field.data() + (i + 1) * n}; }

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance = 1e-14) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

std::string bent(const std::string& inertial) {
  return robot("<link name=\"a\"/>" + std::string("<link name=\"b\">") + inertial + "</link>" +
               joint("j", "revolute", "a", "b"));
}

TEST(Urdf, StaticRootIsFusedIntoTheWorldAndItsGeomsStay) {
  const Model m =
      load_robot(robot(link("base", R"(<collision name="floor"><geometry><box size="2 4 6"/></geometry></collision>)") +
                       link("arm") + joint("j", "revolute", "base", "arm", R"(<origin xyz="1 2 3" rpy="0 0 1"/>)")))
          .model;
  EXPECT_EQ(m.modelname, "r");
  EXPECT_EQ(m.nbody, 2);
  EXPECT_EQ(m.name(ObjType::Body, 1), "arm");
  EXPECT_EQ(m.geom_bodyid[0], 0);
  expect_near(row(m.geom_size, 0, 3), {1, 2, 3});
  expect_near(row(m.body_pos, 1, 3), {1, 2, 3});
  expect_near(row(m.body_quat, 1, 4), {std::cos(0.5), 0, 0, std::sin(0.5)});
  expect_near(row(m.jnt_axis, 0, 3), {1, 0, 0});
}

TEST(Urdf, RotationsAreAboutFixedAxesWhateverTheExtensionSays) {
  const std::string text = "<mujoco><compiler angle=\"degree\" eulerseq=\"zyx\"/></mujoco>" + link("a") + link("b") +
                           joint("j", "revolute", "a", "b", R"(<origin rpy="0.1 0.2 0.3"/>)");
  // MuJoCo 3.12.0's body_quat
  expect_near(row(load_robot(robot(text)).model.body_quat, 1, 4),
              {0.9833474432563559, 0.03427079855048211, 0.10602051106179562, 0.14357217502739192});
}

TEST(Urdf, ChildrenComeInTheOrderOfTheirJoints) {
  const Model m =
      load_robot(robot(link("base") + link("x") + link("y") + link("z") + joint("jz", "revolute", "base", "z") +
                       joint("jy", "revolute", "z", "y") + joint("jx", "revolute", "base", "x")))
          .model;
  EXPECT_EQ(m.name(ObjType::Body, 1), "z");
  EXPECT_EQ(m.name(ObjType::Body, 2), "y");
  EXPECT_EQ(m.name(ObjType::Body, 3), "x");
}

// MuJoCo 3.12.0 drops rpy: its body_iquat is that of the matrix alone.
TEST(Urdf, TheInertiaIsTurnedByItsOrigin) {
  const Model m = load_robot(bent(R"(<inertial><origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
    <inertia ixx="0.3" iyy="0.2" izz="0.4" ixy="0" ixz="0" iyz="0"/></inertial>)"))
                      .model;
  // a quarter turn about z exchanges x and y
  const Model same = load_robot(bent(R"(<inertial><origin xyz="1 0 0"/><mass value="2"/>
    <inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0" ixz="0" iyz="0"/></inertial>)"))
                         .model;
  expect_near(row(m.body_inertia, 1, 3), row(same.body_inertia, 1, 3));
  expect_near(row(m.body_iquat, 1, 4), row(same.body_iquat, 1, 4));
  expect_near(row(m.body_ipos, 1, 3), {1, 0, 0});
}

TEST(Urdf, WithoutMassThereIsNoInertia) {
  const auto [m, warnings] = load_robot(robot(
      link("a") + link("b") +
      R"(<link name="dot"><inertial><mass value="0"/><inertia ixx="-1" iyy="0" izz="0" ixy="3" ixz="0" iyz="0"/></inertial></link>)" +
      joint("j", "revolute", "a", "b") + joint("f", "fixed", "b", "dot")));
  EXPECT_EQ(m.body_mass[1], 1);
  EXPECT_THAT(warnings, HasSubstr("link 'dot' has no mass"));
}

// MuJoCo 3.12.0 refuses both files.
TEST(Urdf, ImpossibleInertiaOfWhatDoesNotMoveIsTakenAsZero) {
  const std::string dummy =
      R"(<link name="base"><inertial><mass value="1e-6"/><inertia ixx="1e-6" ixy="1e-6" ixz="1e-6" iyy="1e-6" iyz="1e-6" izz="1e-6"/></inertial></link>)";
  const auto [m, warnings] = load_robot(robot(dummy + link("b") + joint("j", "revolute", "base", "b")));
  EXPECT_EQ(m.nbody, 2);
  EXPECT_THAT(warnings, HasSubstr("since it does not move"));
}

TEST(Urdf, ImpossibleInertiaIsJudgedAfterFusing) {
  const std::string dummy =
      R"(<link name="foot"><inertial><origin xyz="0 0 -1"/><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>)";
  const std::string text = link("a") + link("shin") + dummy + joint("knee", "revolute", "a", "shin") +
                           joint("ankle", "fixed", "shin", "foot", R"(<origin xyz="0 0 -1"/>)");
  const auto [m, warnings] = load_robot(robot(text));
  EXPECT_THAT(warnings, HasSubstr("summed with the links that it is fixed to"));
  EXPECT_EQ(m.body_mass[1], 2);
  // masses 1 at 0 and 1 at -2: center -1, reduced mass 1/2, distance 2: + 2 about x and y
  expect_near(row(m.body_ipos, 1, 3), {0, 0, -1});
  expect_near(row(m.body_inertia, 1, 3), {0.2 + 0.01 + 2, 0.1 + 0.01 + 2, 0.25 + 1});
  UrdfOptions keep;
  keep.keep_fixed = true;  // then it is a body of its own
  EXPECT_THAT(refusal(robot(text), keep), HasSubstr("link 'foot': its principal moments"));
}

TEST(Urdf, OtherwiseImpossibleInertiaIsRefusedWithItsMomentsAndARemedy) {
  const std::string message =
      refusal(bent("<inertial><mass value=\"1\"/>\n<inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"5\" ixy=\"0\" ixz=\"0\" "
                   "iyz=\"0\"/></inertial>"));
  EXPECT_THAT(message,
              HasSubstr("<string>:3: error: <inertia>: link 'b': its principal moments 5 0.2 0.1 violate A + B >= C"));
  EXPECT_THAT(message, HasSubstr("balanceinertia"));
}

TEST(Urdf, MassIsInferredFromCollisionsOnly) {
  const Model m =
      load_robot(robot(R"(<link name="a"/><link name="b"><visual><geometry><box size="9 9 9"/></geometry></visual>
    <collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>)" +
                       joint("j", "revolute", "a", "b")))
          .model;
  EXPECT_NEAR(m.body_mass[1], 8, 1e-12);
  EXPECT_EQ(m.ngeom, 1);
}

TEST(Urdf, VisualsAreKeptOnRequestAndColorsRunOnInALink) {
  UrdfOptions urdf;
  urdf.visuals = true;
  const Model m =
      load_robot(robot(R"(<material name="red"><color rgba="1 0 0 1"/></material>)" +
                       link("a", R"(<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>
      <collision><geometry><sphere radius="1"/></geometry></collision>)")),
                 urdf)
          .model;
  ASSERT_EQ(m.ngeom, 2);
  EXPECT_EQ(m.geom_group[0], 1);
  EXPECT_EQ(m.geom_contype[0], 0);
  EXPECT_EQ(m.geom_contype[1], 1);
  for (int g = 0; g < 2; ++g) EXPECT_EQ(m.geom_rgba[4 * g + 1], 0);
}

// MuJoCo 3.12.0 refuses a repeated material.
TEST(Urdf, TheFirstOfRepeatedMaterialsCounts) {
  const auto [m, warnings] = load_robot(robot(link("a", R"(<visual><geometry><sphere radius="1"/></geometry>
    <material name="x"><color rgba="0 1 0 1"/></material><material name="y"><color rgba="1 0 0 1"/></material></visual>
    <collision><geometry><sphere radius="1"/></geometry></collision>)")));
  EXPECT_EQ(m.geom_rgba[1], 1);
  EXPECT_THAT(warnings, HasSubstr("<material name=\"y\">: is repeated; the first one, on line 4, is used"));
}

TEST(Urdf, JointTypes) {
  const Model m =
      load_robot(
          robot("<link name=\"world\"/>" + link("a") + link("b") + link("c") + link("d") + link("e") + link("f") +
                joint("r", "revolute", "world", "a",
                      R"(<limit lower="-1" upper="2" effort="-3"/><dynamics damping="4" friction="5"/>)") +
                joint("c", "continuous", "world", "b") +
                joint("p", "prismatic", "world", "c", R"(<axis xyz="0 0 2"/>)") + joint("f", "floating", "world", "d") +
                joint("s", "spherical", "world", "e") +
                joint("q", "planar", "world", "f", R"(<axis xyz="1 2 3"/><limit lower="-1" upper="1" effort="7"/>)")))
          .model;
  EXPECT_EQ(m.nv, 1 + 1 + 1 + 6 + 3 + 3);
  EXPECT_EQ(row(m.jnt_range, 0, 2), (std::vector<double>{-1, 2}));
  EXPECT_EQ(row(m.jnt_actfrcrange, 0, 2), (std::vector<double>{-3, 3}));
  EXPECT_EQ(m.dof_damping[0], 4);
  EXPECT_EQ(m.dof_frictionloss[0], 5);
  EXPECT_FALSE(m.jnt_limited[1]);
  expect_near(row(m.jnt_axis, 2, 3), {0, 0, 1});
  EXPECT_EQ(m.name(ObjType::Joint, 5), "q_TX");
  EXPECT_EQ(m.name(ObjType::Joint, 6), "q_TY");
  EXPECT_EQ(m.name(ObjType::Joint, 7), "q_RZ");
  // MuJoCo 3.12.0's jnt_axis
  expect_near(row(m.jnt_axis, 5, 3), {0.9603567451474546, -0.07928650970509071, -0.2672612419124244});
  expect_near(row(m.jnt_axis, 6, 3), {-0.07928650970509071, 0.8414269805898186, -0.5345224838248488});
  EXPECT_TRUE(m.jnt_limited[5]);
  EXPECT_FALSE(m.jnt_limited[6]);
}

// MuJoCo 3.12.0 leaves a joint with one bound unlimited.
TEST(Urdf, AMissingBoundIsZero) {
  const std::string arm = link("a") + link("b");
  const Model m = load_robot(robot(arm + joint("j", "revolute", "a", "b", R"(<limit upper="2"/>)"))).model;
  EXPECT_TRUE(m.jnt_limited[0]);
  EXPECT_EQ(row(m.jnt_range, 0, 2), (std::vector<double>{0, 2}));
  const auto reversed = load_robot(robot(arm + joint("j", "revolute", "a", "b", R"(<limit lower="1" upper="-1"/>)")));
  EXPECT_FALSE(reversed.model.jnt_limited[0]);
  EXPECT_THAT(reversed.warnings, HasSubstr("the bounds 1 -1 leave no room; not limited"));
  const auto open = load_robot(robot(arm + joint("j", "continuous", "a", "b", R"(<limit lower="-1"/>)")));
  EXPECT_FALSE(open.model.jnt_limited[0]);
  EXPECT_THAT(open.warnings, HasSubstr("only if both bounds are given"));
}

// MuJoCo 3.12.0 drops mimic.
TEST(Urdf, MimicIsAJointEquality) {
  const Model m =
      load_robot(robot(link("a") + link("b") + link("c") +
                       joint("first", "revolute", "a", "b", R"(<mimic joint="second" multiplier="-2" offset="0.5"/>)") +
                       joint("second", "prismatic", "b", "c")))
          .model;
  ASSERT_EQ(m.neq, 1);
  EXPECT_EQ(m.name(ObjType::Equality, 0), "first");
  EXPECT_EQ(m.eq_obj1id[0], 0);
  EXPECT_EQ(m.eq_obj2id[0], 1);
  EXPECT_EQ(m.eq_data[0], 0.5);
  EXPECT_EQ(m.eq_data[1], -2);
  EXPECT_EQ(m.eq_data[2], 0);
}

TEST(Urdf, MimicOfAFixedJointHoldsTheOffset) {
  const auto [m, warnings] = load_robot(robot(link("a") + link("b") + link("c") +
                                              joint("j", "revolute", "a", "b", R"(<mimic joint="k" offset="0.5"/>)") +
                                              joint("k", "fixed", "b", "c", R"(<mimic joint="j"/>)")));
  ASSERT_EQ(m.neq, 1);
  EXPECT_EQ(m.eq_obj2id[0], -1);
  EXPECT_EQ(m.eq_data[0], 0.5);
  EXPECT_EQ(m.eq_data[1], 0);
  EXPECT_THAT(warnings, HasSubstr("this one is held at the offset"));
  EXPECT_THAT(warnings, HasSubstr("its mimic has no effect"));
}

std::string transmission(const std::string& of, const std::string& type = "transmission_interface/SimpleTransmission",
                         const std::string& actuator = {}) {
  return "<transmission name=\"t\"><type>" + type + "</type><joint name=\"" + of + "\"/><actuator name=\"m\">" +
         actuator + "</actuator></transmission>\n";
}

TEST(Urdf, TransmissionsAndControlInterfacesBecomeMotors) {
  const std::string text =
      link("a") + link("b") + link("c") + link("d") +
      joint("j", "revolute", "a", "b", R"(<limit lower="-1" upper="1" effort="9"/>)") +
      joint("k", "continuous", "b", "c") + joint("f", "fixed", "c", "d") +
      transmission("k", "SimpleTransmission", R"(<drake:rotor_inertia value="0.01"/><drake:gear_ratio value="3"/>)") +
      transmission("k") + transmission("f") + transmission("nobody") + transmission("j", "x/DifferentialTransmission") +
      R"(<ros2_control name="c" type="system"><joint name="j"><command_interface name="effort"/></joint>
         <joint name="k"><state_interface name="position"/></joint></ros2_control>)";
  const auto [m, warnings] = load_robot(robot(text));
  ASSERT_EQ(m.nu, 2);
  EXPECT_EQ(m.name(ObjType::Actuator, 0), "k");
  EXPECT_EQ(m.name(ObjType::Actuator, 1), "j");
  EXPECT_FALSE(m.actuator_ctrllimited[0]);
  EXPECT_EQ(row(m.actuator_ctrlrange, 1, 2), (std::vector<double>{-9, 9}));
  EXPECT_NEAR(m.dof_armature[1], 0.09, 1e-16);
  EXPECT_THAT(warnings, HasSubstr("joint 'k' already has an actuator"));
  EXPECT_THAT(warnings, HasSubstr("joint 'f' is not revolute, continuous or prismatic"));
  EXPECT_THAT(warnings, HasSubstr("there is no joint 'nobody'"));
  EXPECT_THAT(warnings, HasSubstr("a transmission of type 'DifferentialTransmission' makes no actuator"));

  UrdfOptions servo;
  servo.actuators = UrdfOptions::Actuators::Position;
  servo.kp = 50;
  servo.kv = 5;
  const Model position = load_robot(robot(text), servo).model;
  EXPECT_EQ(position.actuator_gainprm[0], 50);
  EXPECT_EQ(position.actuator_biasprm[1], -50);
  EXPECT_EQ(position.actuator_biasprm[2], -5);
  EXPECT_EQ(row(position.actuator_ctrlrange, 1, 2), (std::vector<double>{-1, 1}));
  EXPECT_EQ(row(position.actuator_forcerange, 1, 2), (std::vector<double>{-9, 9}));
  servo.kp = 0;
  EXPECT_THAT(refusal(robot(text), servo), HasSubstr("need a positive gain kp"));
  UrdfOptions none;
  none.actuators = UrdfOptions::Actuators::None;
  EXPECT_EQ(load_robot(robot(text), none).model.nu, 0);
}

TEST(Urdf, TheWorldNeedNotBeALink) {
  const auto [m, warnings] = load_robot(robot(link("a") + joint("j", "floating", "world", "a")));
  EXPECT_EQ(m.nv, 6);
  EXPECT_THAT(warnings, HasSubstr("there is no link 'world'"));
}

TEST(Urdf, TheWorldHasNoMass) {
  const Model m = load_robot(robot(link("world") + link("a") + joint("j", "revolute", "world", "a"))).model;
  EXPECT_EQ(m.body_mass[0], 0);
}

TEST(Urdf, AFloatingJointBelowALinkThatIsFusedAway) {
  const Model m = load_robot(robot(link("base") + link("mount") + link("a") +
                                   joint("m", "fixed", "base", "mount", R"(<origin xyz="0 0 1"/>)") +
                                   joint("j", "floating", "mount", "a", R"(<origin xyz="0 0 2"/>)")))
                      .model;
  EXPECT_EQ(m.nbody, 2);
  expect_near(row(m.qpos0, 0, 7), {0, 0, 3, 1, 0, 0, 0});
}

TEST(Urdf, BaseOptions) {
  const std::string text = robot(link("base") + link("arm") + joint("j", "revolute", "base", "arm"));
  const auto as_written = load_robot(text);
  EXPECT_EQ(as_written.model.nv, 1);
  EXPECT_THAT(as_written.warnings, HasSubstr("<link name=\"base\">: has no parent, so it does not move"));
  UrdfOptions urdf;
  urdf.base = UrdfOptions::Base::Fixed;
  EXPECT_EQ(load_robot(text, urdf).warnings, "");
  urdf.base = UrdfOptions::Base::Floating;
  const Model m = load_robot(text, urdf).model;
  EXPECT_EQ(m.nv, 7);
  EXPECT_EQ(m.name(ObjType::Joint, 0), "base_free_joint");
}

TEST(Urdf, FixedLinksStayOrLeaveFrames) {
  const std::string text = robot(link("base") + link("arm") + link("tool") + joint("j", "revolute", "base", "arm") +
                                 joint("f", "fixed", "arm", "tool", R"(<origin xyz="1 0 0"/>)"));
  UrdfOptions urdf;
  urdf.keep_fixed = true;
  EXPECT_EQ(load_robot(text, urdf).model.nbody, 4);
  urdf.keep_fixed = false;
  urdf.frames = true;
  const Model m = load_robot(text, urdf).model;
  EXPECT_EQ(m.nbody, 2);
  const int tool = m.id(ObjType::Site, "tool");
  ASSERT_GE(tool, 0);
  EXPECT_EQ(m.site_bodyid[tool], 1);
  expect_near(row(m.site_pos, tool, 3), {1, 0, 0});
  EXPECT_EQ(m.site_bodyid[m.id(ObjType::Site, "base")], 0);
}

TEST(Urdf, TheExtensionHasTheLastWordOnSettings) {
  UrdfOptions urdf;
  urdf.keep_fixed = urdf.visuals = true;
  const Model m =
      load_robot(
          robot(
              R"(<mujoco><compiler fusestatic="true" discardvisual="true" boundmass="3"/><option timestep="0.004"><flag energy="enable"/></option><size nuserdata="2"/></mujoco>)" +
              link("a", R"(<visual><geometry><sphere radius="1"/></geometry></visual>)") + link("b") +
              joint("j", "revolute", "a", "b")),
          urdf)
          .model;
  EXPECT_EQ(m.nbody, 2);
  EXPECT_EQ(m.ngeom, 0);
  EXPECT_EQ(m.body_mass[1], 3);
  EXPECT_EQ(m.opt.timestep, 0.004);
  EXPECT_EQ(m.nuserdata, 2);
}

TEST(Urdf, WhatIsNotUsedIsAWarning) {
  const std::string text =
      robot(R"(<gazebo reference="a"><x/></gazebo><gazebo/><other:thing/>)" + link("a") + link("b", "<colision/>") +
            joint("j", "revolute", "a", "b",
                  R"(<limit lower="-1" uper="2" upper="1" velocity="3"/><safety_controller k_velocity="1"/>)"));
  const auto [m, warnings] = load_robot(text);
  EXPECT_THAT(warnings, HasSubstr("<gazebo> is not used; 2 of them, the first here"));
  EXPECT_THAT(warnings, HasSubstr("<other:thing> is not used"));
  EXPECT_THAT(warnings, HasSubstr("<colision>: unknown element in <link>; ignored (did you mean 'collision'?)"));
  EXPECT_THAT(warnings, HasSubstr("<limit> has no attribute 'uper'; ignored (did you mean 'upper'?)"));
  EXPECT_THAT(warnings, HasSubstr("a velocity limit is not used"));
  EXPECT_THAT(warnings, HasSubstr("<safety_controller> is not used"));
  UrdfOptions strict;
  strict.strict = true;
  EXPECT_THAT(refusal(text, strict), HasSubstr("did you mean 'collision'?"));
}

TEST(Urdf, AllProblemsAtOnce) {
  LoadOptions options;
  options.collect_all = true;
  const Result<Model> model = load_string(robot(link("a") + link("a") + link("b", "<collision/>") +
                                                joint("j", "revolut", "a", "b", R"(<axis xyz="1 0"/>)")),
                                          options);
  ASSERT_FALSE(model);
  const std::string text = model.error().text();
  EXPECT_THAT(text, HasSubstr("the name 'a' is already used by another link"));
  EXPECT_THAT(text, HasSubstr("<collision>: needs a <geometry>"));
  EXPECT_THAT(text, HasSubstr("unknown keyword 'revolut' (did you mean 'revolute'?)"));
  EXPECT_THAT(text, HasSubstr("<axis xyz>: has 2 numbers, needs 3"));
}

struct Refused {
  const char* name;
  std::string text;
  int line;
  std::vector<std::string> words;
};

class UrdfRefuses : public testing::TestWithParam<Refused> {};

TEST_P(UrdfRefuses, AtTheLineAndByName) {
  const std::string message = refusal(GetParam().text);
  EXPECT_THAT(message, HasSubstr("<string>:" + std::to_string(GetParam().line) + ": error: "));
  for (const std::string& word : GetParam().words) EXPECT_THAT(message, HasSubstr(word));
}

// link() takes 3 lines with the robot's first: a link ends on the second line, a joint begins on the next
const std::string kTwo = link("a") + link("b");  // lines 2 to 5

std::string two(const std::string& parts, const std::string& type = "revolute") {
  return robot(kTwo + joint("j", type, "a", "b", parts));  // the parts begin on line 9
}
std::string shape(const std::string& geometry) {
  return robot("<link name=\"a\"><collision>\n" + geometry + "\n</collision></link>");
}

INSTANTIATE_TEST_SUITE_P(
    Files, UrdfRefuses,
    testing::Values(
        Refused{"type", two("", "Revolute"), 6, {"unknown keyword 'Revolute'"}},
        Refused{"type_missing",
                robot(kTwo + "<joint name=\"j\"><parent link=\"a\"/><child link=\"b\"/></joint>"),
                6,
                {"needs the attribute 'type'"}},
        Refused{"empty_name", robot("<link name=\"\"/>"), 2, {"the attribute 'name' is empty"}},
        Refused{"parent", robot(kTwo + joint("j", "fixed", "c", "b")), 7, {"there is no link 'c'"}},
        Refused{"child", robot(kTwo + joint("j", "fixed", "a", "c")), 8, {"there is no link 'c'"}},
        Refused{"own_parent", robot(kTwo + joint("j", "fixed", "a", "a")), 6, {"link 'a' is its own parent"}},
        Refused{"two_parents",
                robot(kTwo + link("c") + joint("j", "fixed", "a", "c") + joint("k", "fixed", "b", "c")),
                12,
                {"already has a parent", "by joint 'j' on line 8"}},
        Refused{"loop",
                robot(kTwo + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a")),
                2,
                {"is part of a loop"}},
        Refused{"world_below",
                robot(link("world") + link("b") + joint("j", "fixed", "b", "world")),
                8,
                {"'world' must not be the child"}},
        Refused{"joint_twice",
                robot(kTwo + link("c") + joint("j", "revolute", "a", "b") + joint("j", "revolute", "b", "c")),
                12,
                {"the name 'j' is already used"}},
        Refused{"axis", two("<axis xyz=\"0 0 0\"/>"), 9, {"the axis of joint 'j' has no direction"}},
        Refused{"axis_empty", two("<axis/>"), 9, {"needs the attribute 'xyz'"}},
        Refused{"commas", two("<origin xyz=\"1,2,3\"/>"), 9, {"<origin xyz>", "separated by spaces"}},
        Refused{"nan", two("<origin rpy=\"nan 0 0\"/>"), 9, {"only finite numbers"}},
        Refused{"origin_twice", two("<origin/>\n<origin/>"), 10, {"<origin>: may appear only once"}},
        Refused{
            "mimic_twice", two("<mimic joint=\"j\"/>\n<mimic joint=\"j\"/>"), 10, {"<mimic>: may appear only once"}},
        Refused{"mimic_itself", two("<mimic joint=\"j\"/>"), 9, {"joint 'j' mimics itself"}},
        Refused{"mimic_nobody", two("<mimic joint=\"k\"/>"), 9, {"there is no joint 'k'"}},
        Refused{"mimic_by_ball", two("<mimic joint=\"j\"/>", "spherical"), 9, {"cannot mimic another"}},
        Refused{"ball", two("<limit lower=\"-1\" upper=\"1\"/>", "spherical"), 9, {"begins at 0"}},
        Refused{"safety", two("<safety_controller/>"), 9, {"needs the attribute 'k_velocity'"}},
        Refused{"autolimits",
                robot("<mujoco><compiler autolimits=\"false\"/></mujoco>" + kTwo +
                      joint("j", "revolute", "a", "b", "<limit lower=\"-1\" upper=\"1\"/>")),
                9,
                {"autolimits is off"}},
        Refused{"no_mass",
                robot("<link name=\"a\"/>\n<link name=\"b\"/>\n" + joint("j", "revolute", "a", "b")),
                3,
                {"b", "no mass or inertia"}},
        Refused{"negative_mass",
                robot("<link name=\"a\"><inertial>\n<mass value=\"-1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
                      "ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>"),
                3,
                {"must not be negative"}},
        Refused{"no_mass_element", robot("<link name=\"a\"><inertial/></link>"), 2, {"<inertial>: needs a <mass>"}},
        Refused{"five_moments",
                robot("<link name=\"a\"><inertial><mass value=\"1\"/>\n<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" "
                      "ixy=\"0\" ixz=\"0\"/></inertial></link>"),
                3,
                {"needs the attribute 'iyz'"}},
        Refused{"no_shape", shape("<geometry/>"), 3, {"<geometry>: no shape"}},
        Refused{"plane", shape("<geometry><plane/></geometry>"), 3, {"<plane> is not a shape of URDF"}},
        Refused{"flat_box", shape("<geometry><box size=\"1 0 1\"/></geometry>"), 3, {"<box size>", "greater than 0"}},
        Refused{
            "no_length", shape("<geometry><cylinder radius=\"1\"/></geometry>"), 3, {"needs the attribute 'length'"}},
        Refused{"no_file", shape("<geometry><mesh/></geometry>"), 3, {"needs the attribute 'filename'"}},
        Refused{"mesh",
                shape("<geometry><mesh filename=\"package://toy/x.stl\"/></geometry>"),
                3,
                {"there is no file 'package://toy/x.stl'; tried ", "toy/x.stl", "--package NAME=DIR"}},
        Refused{"color",
                robot("<material name=\"m\">\n<color rgba=\"1 0 0\"/></material>"),
                3,
                {"<color rgba>: has 3 numbers, needs 4"}},
        Refused{
            "keyword", robot("<mujoco>\n<compiler fusestatic=\"maybe\"/></mujoco>"), 3, {"unknown keyword 'maybe'"}},
        Refused{"extension_twice", robot("<mujoco/>\n<mujoco/>"), 3, {"<mujoco>: may appear only once"}},
        Refused{"floating",
                robot(kTwo + link("c") + joint("j", "revolute", "a", "b") + joint("k", "floating", "b", "c")),
                12,
                {"<joint name=\"k\" type>", "free joint"}},
        Refused{"xacro",
                robot("<xacro:include filename=\"x\"/>"),
                2,
                {"this is xacro, which must be expanded first: xacro FILE > robot.urdf"}},
        Refused{"xacro_value", robot("<link name=\"${n}\"/>"), 2, {"this is xacro"}},
        Refused{"other_root", "<robots/>", 1, {"<robots>", "not the root element"}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Urdf, ExpandedXacroKeepsItsNamespace) {
  EXPECT_EQ(load_robot("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"/>").warnings, "");
}

/// A folder with packages, each with a mesh.
class UrdfMeshes : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_.path() / name).parent_path());
    std::ofstream(folder_.path() / name) << text;
  }
  static std::string with(const std::vector<std::string>& meshes, const std::string& extension = {}) {
    std::string text;
    for (const std::string& mesh : meshes) text += "<collision><geometry><mesh " + mesh + "/></geometry></collision>";
    return robot(extension + link("a", text));
  }
  std::vector<std::string> names(const std::string& file, const UrdfOptions& urdf = {}) {
    const Model m = compile(read_urdf_file(folder_.path(file), urdf).value_or_throw()).value_or_throw();
    std::vector<std::string> out;
    for (int g = 0; g < m.ngeom; ++g) out.emplace_back(m.name(ObjType::Mesh, m.geom_dataid[g]));
    return out;
  }
  test::TempFolder folder_;
};

using Strings = std::vector<std::string>;

// MuJoCo 3.12.0 gives the third geom the first mesh, and all of two folders the first one's.
TEST_F(UrdfMeshes, OneMeshForEachFileAndScale) {
  write("cube.obj", kTetrahedron);
  write("cube1.obj", kTetrahedron);
  write("x/cube.obj", kTetrahedron);
  write("r.urdf",
        with({R"(filename="cube.obj")", R"(filename="cube.obj" scale="2 2 2")", R"(filename="cube.obj" scale="2 2 2")",
              R"(filename="x/cube.obj")", R"(filename="cube1.obj")", R"(filename="x/../cube.obj")"}));
  EXPECT_EQ(names("r.urdf"), (Strings{"cube", "cube1", "cube1", "cube2", "cube10", "cube"}));
}

TEST_F(UrdfMeshes, PackagesAreFoundAboveTheFileThenByNameThenInTheEnvironment) {
  write("toy/meshes/a.obj", kTetrahedron);
  write("toy/urdf/r.urdf",
        with({R"(filename="package://toy/meshes/a.obj")", R"(filename="package:///toy/meshes/a.obj")"}));
  EXPECT_EQ(names("toy/urdf/r.urdf"), (Strings{"a", "a"}));
  write("far/b.obj", kTetrahedron);
  write("r.urdf", with({R"(filename="package://other/b.obj")"}));
  EXPECT_FALSE(read_urdf_file(folder_.path("r.urdf")));
  UrdfOptions urdf;
  urdf.packages["other"] = folder_.path("far");
  EXPECT_EQ(names("r.urdf", urdf), Strings{"b"});
  write("many/other/b.obj", kTetrahedron);
  UrdfOptions folders;
  folders.package_folders.push_back(folder_.path("many"));
  EXPECT_EQ(names("r.urdf", folders), Strings{"b"});
  ASSERT_EQ(setenv("ROS_PACKAGE_PATH", ("/nowhere:" + folder_.path("many")).c_str(), 1), 0);
  EXPECT_EQ(names("r.urdf"), Strings{"b"});
  unsetenv("ROS_PACKAGE_PATH");
  write("ament/share/other/b.obj", kTetrahedron);
  ASSERT_EQ(setenv("AMENT_PREFIX_PATH", folder_.path("ament").c_str(), 1), 0);
  EXPECT_EQ(names("r.urdf"), Strings{"b"});
  unsetenv("AMENT_PREFIX_PATH");
}

TEST_F(UrdfMeshes, FoldersOfTheExtension) {
  write("meshes/a.obj", kTetrahedron);
  write("here.obj", kTetrahedron);
  write("meshdir.urdf", with({R"(filename="a.obj")", R"(filename="here.obj")", R"(filename="meshes/a.obj")",
                              R"(filename="gone/a.obj")"},
                             R"(<mujoco><compiler meshdir="meshes"/></mujoco>)"));
  EXPECT_EQ(names("meshdir.urdf"), (Strings{"a", "here", "a", "a"}));
  write("strip.urdf", with({R"(filename="package://x/y/a.obj")"},
                           R"(<mujoco><compiler meshdir="meshes" strippath="true"/></mujoco>)"));
  EXPECT_EQ(names("strip.urdf"), Strings{"a"});
  write("uri.urdf", with({"filename=\"file://" + folder_.path("here.obj") + "\""}));
  EXPECT_EQ(names("uri.urdf"), Strings{"here"});
}

TEST_F(UrdfMeshes, FromMemory) {
  const std::map<std::string, std::string> files = {{"a.obj", kTetrahedron}};
  LoadOptions options;
  options.files = &files;
  EXPECT_TRUE(load_string(with({R"(filename="package://toy/meshes/a.obj")"}), options));
}

constexpr const char* kCollada =
    R"(<COLLADA><asset><unit meter="0.5"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="s"><float_array id="f" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#f" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="x"><node><translate>1 0 0</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#x"/></scene></COLLADA>)";

TEST_F(UrdfMeshes, WrittenMjcfCompilesToTheSameModelWithBinaryMeshes) {
  write("toy/meshes/a.dae", kCollada);
  write("toy/meshes/b.obj", kTetrahedron);
  write("toy/urdf/r.urdf",
        with({R"(filename="package://toy/meshes/a.dae" scale="1 2 1")", R"(filename="package://toy/meshes/b.obj")"}));
  const Spec spec = read_urdf_file(folder_.path("toy/urdf/r.urdf")).value_or_throw();
  const Model direct = compile(spec).value_or_throw();
  std::filesystem::create_directories(folder_.path("out"));
  WriteOptions comment;
  comment.comment = "from -- here";
  ASSERT_TRUE(write_mjcf_file(spec, folder_.path("out/r.xml"), comment));
  const std::string text = folder_.read("out/r.xml");
  EXPECT_THAT(text, testing::StartsWith("<!-- from - - here -->\n<mujoco model=\"r\">"));
  EXPECT_THAT(text, HasSubstr("file=\"r_assets/a.stl\""));
  EXPECT_THAT(text, HasSubstr("file=\"../toy/meshes/b.obj\""));
  const Model again = load(folder_.path("out/r.xml")).value_or_throw();
  EXPECT_EQ(again.mesh_vert, direct.mesh_vert);
  EXPECT_EQ(again.geom_pos, direct.geom_pos);
  EXPECT_EQ(again.geom_quat, direct.geom_quat);
}

TEST(Urdf, WrittenMjcfIsTheSameModelToTheLastBit) {
  UrdfOptions urdf;
  urdf.visuals = urdf.frames = true;
  urdf.base = UrdfOptions::Base::Floating;
  const Spec spec =
      read_urdf_string(
          robot(
              link("a") +
              link(
                  "b",
                  R"(<visual name="v"><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><geometry><capsule radius="1" length="3"/></geometry></visual>)") +
              link("c") + joint("j", "planar", "a", "b", R"(<axis xyz="1 2 3"/><origin rpy="1 2 3"/>)") +
              joint("k", "prismatic", "b", "c", R"(<limit lower="-1" upper="1" effort="3"/>)") + transmission("k")),
          urdf)
          .value_or_throw();
  const std::string text = write_mjcf(spec).value_or_throw();
  EXPECT_TRUE(save_model(compile(spec).value_or_throw()) == save_model(load_string(text).value_or_throw())) << text;
}

TEST(Urdf, ARobotIsAttachedToAScene) {
  const Spec arm =
      read_urdf_string(
          robot(link("a") + link("b") + joint("j", "revolute", "a", "b", R"(<origin rpy="0 0 1.5707963267948966"/>)")))
          .value_or_throw();
  Spec scene = read_mjcf_string("<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/></worldbody></mujoco>")
                   .value_or_throw();
  spec::Frame& frame = scene.world.frames.add();
  frame.pos = {0, 0, 1};
  ASSERT_TRUE(attach(scene, scene.world, 0, {&arm, nullptr, -1, "left_", ""}));
  const Model m = compile(scene).value_or_throw();
  const int b = m.id(ObjType::Body, "left_b");
  ASSERT_GE(b, 0);
  expect_near(row(m.body_quat, b, 4), {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
}

TEST(Urdf, AModelAssetMayBeARobot) {
  const std::map<std::string, std::string> files = {
      {"arm.urdf", robot(link("a") + link("b") + joint("j", "revolute", "a", "b"))}};
  LoadOptions options;
  options.files = &files;
  const Model m =
      load_string(R"(<mujoco><asset><model name="arm" file="arm.urdf"/></asset><worldbody><frame pos="0 0 1">
    <attach model="arm" body="a" prefix="x_"/></frame></worldbody></mujoco>)",
                  options)
          .value_or_throw();
  EXPECT_GE(m.id(ObjType::Joint, "x_j"), 0);
}

TEST(Urdf, AChainOfAnyLengthIsAModelOrAnError) {
  const auto chain = [](int n) {
    std::string text = link("l0");
    for (int i = 1; i < n; ++i)
      text += link("l" + std::to_string(i)) +
              joint("j" + std::to_string(i), "revolute", "l" + std::to_string(i - 1), "l" + std::to_string(i));
    return robot(text);
  };
  EXPECT_EQ(load_robot(chain(1000)).model.nv, 999);
  EXPECT_THAT(refusal(chain(50'000)), HasSubstr("links are nested more than 1100 deep"));
}

}  // namespace
}  // namespace sinew
