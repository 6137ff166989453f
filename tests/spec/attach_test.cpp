#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sinew/sinew.h"

// Subtrees attached through the API.

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Spec read(std::string_view text) { return read_mjcf_string(text).value_or_throw(); }

/// An arm in degrees with everything that can belong to a part: class, asset, tendon, actuator, sensor, keyframe.
constexpr const char* kArm = R"(
<mujoco model="arm">
  <default><default class="skin"><geom rgba="1 0 0 1" density="500"/></default></default>
  <asset><material name="steel" rgba="0 0 1 1"/></asset>
  <worldbody>
    <body name="upper" euler="90 0 0" childclass="skin">
      <joint name="shoulder" range="-90 90"/>
      <geom name="bone" type="capsule" size="0.05 0.2" material="steel"/>
      <body name="lower" pos="0 0 0.4"><joint name="elbow"/><geom size="0.05"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-1"/></fixed></tendon>
  <actuator><motor name="drive" joint="elbow"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/><tendonpos tendon="cord"/></sensor>
  <keyframe><key name="bent" qpos="0.1 0.2" ctrl="0.5"/></keyframe>
</mujoco>)";

constexpr const char* kRoom = R"(
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <frame name="mount" pos="0 0 1"/>
    <body name="box" pos="2 0 0"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <keyframe><key name="home" qpos="3 0 0 1 0 0 0"/></keyframe>
</mujoco>)";

TEST(AttachByProgram, ABodyBringsEverythingThatBelongsToIt) {
  const Spec arm = read(kArm);
  Spec room = read(kRoom);
  attach(room, room.world, 0, {.from = &arm, .body = find<spec::Body>(arm, "upper"), .prefix = "left_", .suffix = "_1"})
      .value_or_throw();
  const Model m = compile(room).value_or_throw();
  const int upper = m.id(ObjType::Body, "left_upper_1");
  ASSERT_GT(upper, 0);
  EXPECT_EQ(m.body_pos[3 * upper + 2], 1);                         // inside the frame
  EXPECT_NEAR(m.body_quat[4 * upper + 1], std::sqrt(0.5), 1e-15);  // 90 degrees by the arm's settings
  EXPECT_NEAR(m.jnt_range[2 * m.id(ObjType::Joint, "left_shoulder_1") + 1], kPi / 2, 1e-15);
  EXPECT_GE(m.id(ObjType::Material, "left_steel_1"), 0);
  EXPECT_GE(m.id(ObjType::Tendon, "left_cord_1"), 0);
  EXPECT_GE(m.id(ObjType::Actuator, "left_drive_1"), 0);
  EXPECT_EQ(m.nsensor, 2);
  // keyframes of both, each with the other at its reference; joints are in the order of their bodies
  EXPECT_EQ(m.nkey, 2);
  EXPECT_EQ(m.name(ObjType::Key, 0), "home");
  EXPECT_EQ(m.name(ObjType::Key, 1), "left_bent_1");
  EXPECT_EQ(m.key_qpos[0], 3);
  EXPECT_EQ(m.key_qpos[7], 0);
  EXPECT_EQ(m.key_qpos[9], 2);
  EXPECT_EQ(m.key_qpos[9 + 7], 0.1);
  EXPECT_EQ(m.key_qpos[9 + 8], 0.2);
  EXPECT_EQ(m.key_ctrl[1], 0.5);
}

TEST(AttachByProgram, EqualsTheAttachElementOfMjcf) {
  const std::map<std::string, std::string> files = {{"arm.xml", kArm}};
  const LoadOptions options{.files = &files};
  const Model written = load_string(R"(
<mujoco>
  <compiler angle="radian"/>
  <asset><model name="arm" file="arm.xml"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <frame name="mount" pos="0 0 1"><attach model="arm" body="upper" prefix="a_"/></frame>
    <body name="box" pos="2 0 0"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
</mujoco>)",
                                    options)
                            .value_or_throw();
  Spec room = read(kRoom);
  room.keys.clear();
  const Spec arm = read(kArm);
  attach(room, room.world, 0, {.from = &arm, .body = find<spec::Body>(arm, "upper"), .prefix = "a_"}).value_or_throw();
  const Model made = compile(room).value_or_throw();
  // in MJCF the part comes before the box, through the API after it
  const auto same = [&](const std::vector<double>& a, const std::vector<double>& b, int at, int other, int width) {
    for (int k = 0; k < width; ++k) EXPECT_EQ(a[width * at + k], b[width * other + k]);
  };
  for (const char* name : {"a_upper", "a_lower", "box"}) {
    const int at = written.id(ObjType::Body, name), other = made.id(ObjType::Body, name);
    same(written.body_quat, made.body_quat, at, other, 4);
    same(written.body_mass, made.body_mass, at, other, 1);
    same(written.body_inertia, made.body_inertia, at, other, 3);
  }
  EXPECT_EQ(written.nsensor, made.nsensor);
  EXPECT_EQ(written.nkey, made.nkey);
}

TEST(AttachByProgram, TheWholeWorldOrTheContentsOfAFrame) {
  Spec room = read(kRoom);
  const Spec arm = read(kArm);
  attach(room, room.world.bodies[0], -1, {.from = &arm, .prefix = "all_"}).value_or_throw();
  EXPECT_NE(find<spec::Body>(room, "all_lower"), nullptr);
  const Spec other = read(kRoom);
  Spec parts = read(R"(<mujoco><worldbody><frame name="f" pos="0 1 0"><geom name="in" size="0.1"/></frame>
                       <geom name="out" size="0.1"/></worldbody></mujoco>)");
  attach(room, room.world, -1, {.from = &parts, .body = &parts.world, .frame = 0, .prefix = "p_"}).value_or_throw();
  EXPECT_NE(find<spec::Geom>(room, "p_in"), nullptr);
  EXPECT_EQ(find<spec::Geom>(room, "p_out"), nullptr);
  const Model m = compile(room).value_or_throw();
  EXPECT_EQ(m.geom_pos[3 * m.id(ObjType::Geom, "p_in") + 1], 1);
}

TEST(AttachByProgram, APartOfTheSameTreeIsCopied) {
  Spec arm = read(kArm);
  spec::Body& upper = *find<spec::Body>(arm, "upper");
  attach(arm, arm.world, -1, {.from = &arm, .body = &upper, .prefix = "more_"}).value_or_throw();
  const Model m = compile(arm).value_or_throw();
  EXPECT_EQ(m.nbody, 1 + 2 + 2);
  EXPECT_EQ(m.nu, 2);
  EXPECT_EQ(m.nmat, 1);
  EXPECT_EQ(m.nkey, 2);
  EXPECT_EQ(std::vector<double>(m.key_qpos.begin(), m.key_qpos.begin() + 4), (std::vector<double>{0.1, 0.2, 0, 0}));
}

TEST(AttachByProgram, PointersToElementsStayValidAndTheSourceIsUnchanged) {
  Spec room = read(kRoom);
  const Spec arm = read(kArm);
  const std::string before = write_mjcf(arm).value_or_throw();
  const spec::Body* box = find<spec::Body>(room, "box");
  const spec::Key* home = find<spec::Key>(room, "home");
  attach(room, room.world, -1, {.from = &arm, .prefix = "a_"}).value_or_throw();
  EXPECT_EQ(find<spec::Body>(room, "box"), box);
  EXPECT_EQ(find<spec::Key>(room, "home"), home);
  EXPECT_EQ(write_mjcf(arm).value_or_throw(), before);
}

TEST(AttachByProgram, ATreeBuiltInCodeKeepsItsSettings) {
  Spec made;
  made.compiler.degree = false;
  spec::Body& body = made.world.bodies.add();
  body.name = "b";
  body.alt = {spec::Orientation::Kind::AxisAngle, {1, 0, 0, kPi / 2}};
  body.geoms.add().size = {0.1, 0, 0};
  Spec host;  // degrees
  attach(host, host.world, -1, {.from = &made, .body = &body}).value_or_throw();
  const Model m = compile(host).value_or_throw();
  EXPECT_NEAR(m.body_quat[4 + 1], std::sqrt(0.5), 1e-15);
}

TEST(AttachByProgram, ANameCollisionChangesNothing) {
  Spec room = read(kRoom);
  const Spec arm = read(kArm);
  attach(room, room.world, -1, {.from = &arm, .prefix = "a_"}).value_or_throw();
  const std::string before = write_mjcf(room).value_or_throw();
  const Result<bool> again = attach(room, room.world, -1, {.from = &arm, .prefix = "a_"});
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().text(), HasSubstr("already used"));
  EXPECT_EQ(write_mjcf(room).value_or_throw(), before);
}

TEST(AttachByProgram, RefusesInvalidArguments) {
  Spec room = read(kRoom);
  const Spec arm = read(kArm), other = read(kArm);
  const auto message = [&](const Attachment& what) { return attach(room, room.world, -1, what).error().text(); };
  EXPECT_THAT(message({}), HasSubstr("no source tree"));
  EXPECT_THAT(message({.from = &room}), HasSubstr("to itself"));
  EXPECT_THAT(message({.from = &arm, .body = &other.world.bodies[0]}), HasSubstr("not in its source tree"));
  EXPECT_THAT(message({.from = &arm, .body = &arm.world}), HasSubstr("the world"));
  EXPECT_THAT(message({.from = &arm, .body = &arm.world, .frame = 3}), HasSubstr("no such frame"));
  EXPECT_FALSE(attach(room, room.world, 7, {.from = &arm}));
  EXPECT_FALSE(attach(room, room.world.bodies[0], -1, {.from = &room, .body = &room.world.bodies[0], .prefix = "p"}));
  spec::Body stranger;
  EXPECT_FALSE(attach(room, stranger, -1, {.from = &arm}));
}

TEST(AttachedModel, KeyframesOfANestedModelComeOnlyWithTheFirstCopy) {
  const std::map<std::string, std::string> files = {
      {"child.xml", R"(<mujoco><worldbody><body name="b"><joint/><geom size=".1"/></body></worldbody>
        <keyframe><key name="k" qpos="0.5"/></keyframe></mujoco>)"},
      {"mid.xml", R"(<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody><body name="host"><joint/>
        <geom size=".1"/><frame><attach model="c" body="b" prefix="in_"/></frame></body></worldbody>
        <keyframe><key name="own" qpos="0.1 0.2"/></keyframe></mujoco>)"}};
  LoadOptions options;
  options.files = &files;
  const Result<Model> m = load_string(R"(<mujoco><asset><model name="mid" file="mid.xml"/></asset><worldbody>
      <attach model="mid" body="host" prefix="L_"/><attach model="mid" body="host" prefix="R_"/></worldbody></mujoco>)",
                                      options);
  ASSERT_TRUE(m) << m.error().text();
  ASSERT_EQ(m->nkey, 3);
  EXPECT_EQ(m->name(ObjType::Key, 1), "L_in_k");
  // MuJoCo 3.12.0, key_qpos of the same files
  EXPECT_THAT(m->key_qpos, ElementsAre(0.1, 0.2, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.1, 0.2));
}

}  // namespace
}  // namespace sinew
