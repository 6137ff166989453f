// Elements that generate others: replicate, attach, composite. Names, order and numbers as in MuJoCo 3.12.0.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sinew/load.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Spec read(const std::string& text, const LoadOptions& options = {}) {
  Result<Spec> result = read_mjcf_string(text, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(*result) : Spec();
}

Model load_text(const std::string& text, const LoadOptions& options = {}) {
  Result<Model> result = load_string(text, options);
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(*result) : Model();
}

std::string refusal(const std::string& text) {
  const Result<Model> result = load_string(text);
  EXPECT_FALSE(result) << "was accepted";
  return result ? "" : result.error().text();
}

template <class T>
std::vector<std::string> names(const spec::List<T>& list) {
  std::vector<std::string> out;
  for (const T& item : list) out.push_back(item.name);
  return out;
}

/// A world with a site, a floor and a hinged body, then two copies of another hinged body.
std::string two_copies(const std::string& sections) {
  return R"(<mujoco><worldbody>
  <site name="fix"/><geom name="floor" type="plane" size="1 1 1"/>
  <body name="fb"><joint name="fj"/><geom size=".1"/></body>
  <replicate count="2" sep="-" offset="1 0 0">
    <body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
  </replicate>
</worldbody>)" +
         sections + "</mujoco>";
}

TEST(Replicate, CopiesReplaceItInPlaceWithNumbersPaddedToTheWidthOfTheCount) {
  const Spec spec = read(R"(<mujoco><worldbody>
  <geom name="first" size="1"/>
  <replicate count="10" sep="-"><geom name="g" size="1"/><geom size="2"/></replicate>
  <geom name="last" size="1"/></worldbody></mujoco>)");
  const std::vector<std::string> found = names(spec.world.geoms);
  ASSERT_EQ(found.size(), 22u);
  EXPECT_EQ(found.front(), "first");
  EXPECT_EQ(found[1], "g-00");
  EXPECT_EQ(found[2], "");
  EXPECT_EQ(found[19], "g-09");
  EXPECT_EQ(found.back(), "last");
}

TEST(Replicate, InsideAnotherTheInnerNumberComesFirst) {
  const Spec spec = read(R"(<mujoco><worldbody>
  <replicate count="2" sep="A"><replicate count="2" sep="B"><body name="n"><site name="s"/></body></replicate></replicate>
  </worldbody></mujoco>)");
  EXPECT_THAT(names(spec.world.bodies), ElementsAre("nB0A0", "nB1A0", "nB0A1", "nB1A1"));
  EXPECT_EQ(spec.world.bodies[2].sites[0].name, "sB0A1");
}

TEST(Replicate, CopyIIsRotatedByITimesTheAnglesAndTranslatedInTheRotatedFrame) {
  const Model m = load_text(R"(<mujoco><compiler eulerseq="XYz"/><worldbody>
  <frame pos="1 2 3" euler="10 20 30"><replicate count="4" euler="10 -20 33" offset="0.1 .2 .3">
    <geom pos="1 0 0" euler="1 2 3" size=".1"/></replicate></frame></worldbody></mujoco>)");
  // MuJoCo 3.12.0, oracle get geom_pos geom_quat
  const double pos[] = {1.843493268656316, 2.492403876506104,   2.7853898228572436, 1.6413087563633997,
                        2.932058324467679, 3.6716501575139264,  0.9214627660519361, 2.888762377864783,
                        4.390609237989991, 0.02709026861202246, 2.510000988122624,  4.407928874988975};
  const double quat[] = {0.9411522859893153, 0.13599581150243711,  0.160058989098771,    0.26479923307962744,
                         0.8304871986507291, 0.23662302179881342,  -0.06215519127469277, 0.5004370995736314,
                         0.6209569667539622, 0.20548160935464366,  -0.31598412555108246, 0.6872727159261175,
                         0.3381266781251014, 0.042010804860436554, -0.5296075377004926,  0.7768019682170505};
  ASSERT_EQ(m.ngeom, 4);
  for (int i = 0; i < 12; ++i) EXPECT_NEAR(m.geom_pos[i], pos[i], 1e-14) << i;
  for (int i = 0; i < 16; ++i) EXPECT_NEAR(m.geom_quat[i], quat[i], 1e-14) << i;
}

TEST(Replicate, ElementsThatReferToACopiedOneAreCopiedForEachInstance) {
  const Spec spec = read(two_copies(R"(
  <actuator><motor name="m1" joint="j"/><motor name="other" joint="fj"/><motor name="m2" joint="j"/></actuator>
  <sensor><actuatorfrc name="f" actuator="m2"/></sensor>)"));
  EXPECT_THAT(names(spec.actuators), ElementsAre("other", "m1-0", "m2-0", "m1-1", "m2-1"));
  EXPECT_EQ(spec.actuators[3].target, "j-1");
  EXPECT_THAT(names(spec.sensors), ElementsAre("f-0", "f-1"));
  EXPECT_EQ(spec.sensors[1].objname, "m2-1");
}

TEST(Replicate, ElementsThatReferToACopiedOneNeedTheirOtherObjectBeforeTheReplicate) {
  // MuJoCo 3.12.0, native: an element that refers to a copied one is copied if everything it refers to exists by then;
  // otherwise the original name is looked up at the end, when it no longer exists
  const std::string copies = R"(<replicate count="3" offset="1 0 0"><body name="b"><joint name="j"/>
      <geom name="g" size=".1"/><site name="s"/></body></replicate>)",
                    other = R"(<body name="o"><joint/><geom name="og" size=".1"/></body>)";
  const auto world = [](const std::string& bodies, const std::string& rest) {
    return "<mujoco><worldbody>" + bodies + "</worldbody>" + rest + "</mujoco>";
  };
  for (const char* text : {
           "<contact><exclude body1='b' body2='o'/></contact>",
           "<contact><pair geom1='g' geom2='og'/></contact>",
           "<equality><weld body1='b' body2='o'/></equality>",
           "<sensor><framepos objtype='body' objname='o' reftype='body' refname='b'/></sensor>",
           "<sensor><distance geom1='g' geom2='og'/></sensor>",
           "<sensor><insidesite site='s' objtype='body' objname='o'/></sensor>",
       }) {
    const Model before = load_text(world(other + copies, text));
    // an equality between a copied and another object is dropped
    const bool dropped = std::string(text).starts_with("<equality>");
    EXPECT_EQ(before.nexclude + before.npair + before.neq + before.nsensor, dropped ? 0 : 3) << text;
    EXPECT_THAT(refusal(world(copies + other, text)), HasSubstr("there is no")) << text;
  }
  for (const char* text : {"<contact><exclude body1='b3' body2='o'/></contact>",
                           "<sensor><jointpos joint='j3'/></sensor>", "<sensor><subtreecom body='b3'/></sensor>",
                           "<custom><tuple name='t'><element objtype='body' objname='b'/></tuple></custom>"})
    EXPECT_THAT(refusal(world(other + copies, text)), HasSubstr("there is no")) << text;
}

TEST(Replicate, PairsExcludesTendonsAndSensorsMayAlsoReferToObjectsThatAreNotCopied) {
  const Spec spec = read(two_copies(R"(
  <contact><pair geom1="floor" geom2="g"/><exclude body1="world" body2="b"/></contact>
  <tendon><spatial name="t"><site site="fix"/><site site="s"/><pulley divisor="2"/><site site="fix"/><site site="s"/></spatial>
    <spatial name="alone"><site site="fix"/><pulley divisor="2"/><site site="fix"/></spatial></tendon>
  <sensor><framepos objtype="site" objname="fix" reftype="site" refname="s"/></sensor>)"));
  ASSERT_EQ(spec.pairs.size(), 2u);
  EXPECT_EQ(spec.pairs[1].geom1, "floor");
  EXPECT_EQ(spec.pairs[1].geom2, "g-1");
  EXPECT_EQ(spec.excludes.size(), 2u);
  EXPECT_THAT(names(spec.tendons), ElementsAre("alone", "t-0", "t-1"));
  EXPECT_EQ(spec.tendons[2].path[0].target, "fix");
  EXPECT_EQ(spec.tendons[2].path[1].target, "s-1");
  ASSERT_EQ(spec.sensors.size(), 2u);
  EXPECT_EQ(spec.sensors[0].refname, "s-0");
}

TEST(Replicate, EqualitiesAndActuatorsThatAlsoReferToObjectsThatAreNotCopiedAreDropped) {
  // MuJoCo 3.12.0, oracle get neq nactuator: both 0
  const Spec spec = read(two_copies(R"(
  <equality><joint joint1="fj" joint2="j"/></equality>
  <actuator><general site="s" refsite="fix"/></actuator>)"));
  EXPECT_EQ(spec.equalities.size(), 0u);
  EXPECT_EQ(spec.actuators.size(), 0u);
}

TEST(Replicate, SensorsWithoutObjectAreDuplicatedByEveryCopy) {
  // MuJoCo 3.12.0, oracle dump: names of the sensors
  const Spec spec = read(two_copies(R"(<sensor><clock name="c"/><jointpos name="jp" joint="j"/></sensor>)"));
  EXPECT_THAT(names(spec.sensors), ElementsAre("c", "c-0", "jp-0", "c-1", "jp-1", "c-0-1"));
}

TEST(Replicate, TheOriginalNameMayBeReusedAfterIt) {
  const Spec spec = read(R"(<mujoco><worldbody><replicate count="2"><geom name="g" size="1"/></replicate>
    <geom name="g" size="1"/></worldbody></mujoco>)");
  EXPECT_THAT(names(spec.world.geoms), ElementsAre("g0", "g1", "g"));
}

TEST(Replicate, CamerasLookAtTheBodyOfTheirOwnCopy) {
  const Spec spec = read(R"(<mujoco><worldbody><replicate count="2"><body name="b"/>
    <camera mode="targetbody" target="b"/></replicate></worldbody></mujoco>)");
  EXPECT_EQ(spec.world.cameras[1].target, "b1");
}

TEST(Replicate, AnInertialDirectlyInItIsIgnoredWithAWarning) {
  std::vector<Problem> warnings;
  LoadOptions options;
  options.warnings = &warnings;
  const Spec spec = read(R"(<mujoco><worldbody><body><replicate count="2">
    <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><geom size=".1"/></replicate></body></worldbody></mujoco>)",
                         options);
  EXPECT_FALSE(spec.world.bodies[0].inertial);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].message, HasSubstr("inertial"));
}

TEST(Replicate, CountsAreBoundedBeforeMemoryIsUsed) {
  EXPECT_THAT(
      refusal(R"(<mujoco><worldbody><replicate count="1000000000"><geom size="1"/></replicate></worldbody></mujoco>)"),
      HasSubstr("<replicate count>"));
  std::string nested = "<geom size='1'/>";
  for (int i = 0; i < 40; ++i) nested = "<replicate count='2'>" + nested + "</replicate>";
  EXPECT_THAT(refusal("<mujoco><worldbody>" + nested + "</worldbody></mujoco>"), HasSubstr("copies"));
  EXPECT_THAT(refusal("<mujoco><worldbody><replicate count='64'><geom "
                      "size='1'/></replicate></worldbody><sensor><clock/></sensor></mujoco>"),
              HasSubstr("copies"));
}

TEST(Replicate, TemporaryNameCollisionsAreAllowed) {
  // "a" becomes a20 inside the outer replicate, as does "a2"; MuJoCo 3.12.0 accepts it
  const auto model = load_string(R"(<mujoco><worldbody><replicate count="3" offset="1 0 0">
      <replicate count="3" offset="0 1 0"><replicate count="3" offset="0 0 1"><body name="a"><geom size=".1"/></body></replicate></replicate>
      <replicate count="2" offset="0 1 0"><replicate count="2" offset="0 0 1"><body name="a2"><geom size=".1"/></body></replicate></replicate>
      </replicate></worldbody></mujoco>)");
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->nbody, 1 + 3 * (9 + 4));
  EXPECT_GE(model->id(ObjType::Body, "a200"), 0);
  EXPECT_GE(model->id(ObjType::Body, "a2110"), 0);
}

TEST(Replicate, ErrorsNameTheCopyOrTheReplicate) {
  EXPECT_THAT(
      refusal(R"(<mujoco><worldbody><geom name="g1" size="1"/><replicate count="2"><geom name="g" size="1"/></replicate>
    </worldbody></mujoco>)"),
      HasSubstr("a copy would have the name 'g1'"));
  EXPECT_THAT(refusal(R"(<mujoco><worldbody><replicate count="2"><joint/></replicate></worldbody></mujoco>)"),
              HasSubstr("the world body cannot have joints"));
  EXPECT_THAT(refusal(R"(<mujoco><worldbody><replicate count="-1"/></worldbody></mujoco>)"),
              HasSubstr("<replicate count>"));
}

TEST(Replicate, AKeyframeBecomesOneForEachCopyAndOneForTheRest) {
  const Model m = load_text(R"(<mujoco><worldbody>
  <body><joint name="k"/><geom size=".1"/></body><body mocap="true"/>
  <replicate count="2" sep="-" offset="1 0 0"><body name="b"><joint name="j"/><geom size=".1"/></body>
    <body mocap="true" pos="0 0 1"/></replicate></worldbody>
  <actuator><motor joint="j"/><general dyntype="integrator" joint="k"/></actuator>
  <keyframe><key name="a" qpos="1 2" qvel="3 4" ctrl="5 6" act="7" mpos="1 2 3 4 5 6"/></keyframe></mujoco>)");
  // MuJoCo 3.12.0, oracle get key_qpos key_qvel key_ctrl key_act key_mpos: only the last one keeps its controls. The
  // last mocap body of the last keyframe has its reference pose; MuJoCo omits the enclosing frame there.
  EXPECT_THAT(m.key_qpos, ElementsAre(1, 2, 0, 1, 0, 2, 1, 0, 0));
  EXPECT_THAT(m.key_qvel, ElementsAre(3, 4, 0, 3, 0, 4, 3, 0, 0));
  EXPECT_THAT(m.key_ctrl, ElementsAre(0, 0, 0, 0, 0, 0, 6, 0, 0));
  EXPECT_THAT(m.key_act, ElementsAre(0, 0, 7));
  EXPECT_THAT(m.key_mpos, ElementsAre(1, 2, 3, 4, 5, 6, 1, 0, 1, 1, 2, 3, 0, 0, 1, 4, 5, 6, 1, 2, 3, 0, 0, 1, 1, 0, 1));
}

TEST(Replicate, OfNestedOnesTheInnermostCreatesTheKeyframes) {
  const Spec spec = read(R"(<mujoco><worldbody><body><joint/><geom size=".1"/></body>
  <replicate count="2" sep="-"><body><joint/><geom size=".1"/>
    <replicate count="2" sep="+"><body><joint/><geom size=".1"/></body></replicate></body></replicate></worldbody>
  <keyframe><key name="a" qpos="1 2 3"/></keyframe></mujoco>)");
  EXPECT_THAT(names(spec.keys), ElementsAre("a+0", "a+1", "a"));
  const Result<Model> m = compile(spec);
  ASSERT_TRUE(m);
  // MuJoCo 3.12.0, oracle get key_qpos
  EXPECT_THAT(m->key_qpos, ElementsAre(1, 2, 3, 0, 0, 0, 0, 1, 2, 0, 3, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0));
}

TEST(Replicate, KeyframesOfCopiesComeAfterThoseReservedByNkey) {
  const Model m = load_text(R"(<mujoco><size nkey="2"/><worldbody><replicate count="2" offset="1 0 0"><body><joint/>
    <geom size=".1"/></body></replicate></worldbody><keyframe><key name="a" time="1"/></keyframe></mujoco>)");
  EXPECT_THAT(m.key_time, ElementsAre(0, 0, 1, 1, 1));  // MuJoCo 3.12.0, oracle get key_time
}

TEST(Replicate, AKeyframeThatIncludesLaterJointsIsRefused) {
  EXPECT_THAT(refusal(R"(<mujoco><worldbody><replicate count="2"><body><joint/><geom size="1"/></body></replicate>
    <body><joint/><geom size="1"/></body></worldbody><keyframe><key name="a" qpos="1 2"/></keyframe></mujoco>)"),
              HasSubstr("qpos of the keyframe 'a' has 2 numbers, the model has 1 at this point"));
}

const char* const kChild = R"(<mujoco model="child"><compiler angle="radian" eulerseq="ZYX"/>
<default><geom density="100"/><default class="c1"><joint damping="3"/></default></default>
<asset><material name="mm" rgba="1 0 0 1"/><material name="unused"/></asset>
<worldbody><geom name="wg" size=".3" material="mm"/><site name="ws"/>
<body name="b1" pos="1 0 0" euler=".1 .2 .3" childclass="c1"><joint name="j1" range="-1 1" ref=".2"/><geom name="g1" size=".1"/>
 <site name="s1"/><body name="b2" pos="0 0 1"><joint name="j2"/><geom name="g2" size=".1"/></body></body>
<frame name="f" pos="0 0 5" euler="0.5 0 0"><body name="b3"><joint name="j3"/><geom name="g3" size=".2"/></body>
 <geom name="fg" size=".1"/></frame>
<body name="mo" mocap="true" pos="0 0 2"/>
</worldbody>
<contact><exclude body1="b1" body2="b3"/><exclude body1="b1" body2="b2"/><exclude body1="world" body2="b2"/></contact>
<tendon><spatial name="t"><site site="ws"/><site site="s1"/></spatial></tendon>
<equality><weld name="w" body1="b1" body2="world"/><weld name="w2" body1="b2"/></equality>
<actuator><general name="a1" joint="j1" dyntype="integrator"/><motor name="a3" joint="j3"/></actuator>
<sensor><clock name="c"/><jointpos name="p1" joint="j1"/></sensor>
<custom><numeric name="n" data="1 2"/><tuple name="tu"><element objtype="body" objname="b1"/></tuple></custom>
<keyframe><key name="k" qpos=".1 .2 .3" ctrl="5 6" act="7" mpos="1 2 3"/></keyframe>
</mujoco>)";

/// A model with its own hinge that attaches parts of kChild, a file in memory.
class Attach : public testing::Test {
 protected:
  Attach() { options_.files = &files_; }

  std::string parent(const std::string& inside, const std::string& sections = "") const {
    return R"(<mujoco><asset><model name="ch" file="child.xml"/></asset><worldbody>
      <body name="pb"><joint name="pj" ref="90"/><geom size=".1"/></body>)" +
           inside + R"(</worldbody><actuator><motor name="pa" joint="pj"/></actuator>)" + sections + "</mujoco>";
  }
  std::string refused(const std::string& text) const {
    const Result<Model> result = load_string(text, options_);
    EXPECT_FALSE(result) << "was accepted";
    return result ? "" : result.error().text();
  }

  std::map<std::string, std::string> files_ = {{"child.xml", kChild}};
  LoadOptions options_;
};

TEST_F(Attach, ABodyBringsAssetsAndAllElementsWhoseReferencesResolve) {
  const Spec spec = read(parent(R"(<attach model="ch" body="b1" prefix="X_"/>)"), options_);
  EXPECT_THAT(names(spec.world.bodies), ElementsAre("pb", "X_b1"));
  EXPECT_THAT(names(spec.materials), ElementsAre("X_mm", "X_unused"));
  EXPECT_THAT(names(spec.actuators), ElementsAre("pa", "X_a1"));
  EXPECT_THAT(names(spec.sensors), ElementsAre("X_c", "X_p1"));
  EXPECT_THAT(names(spec.equalities), ElementsAre("X_w2"));
  EXPECT_EQ(spec.excludes.size(), 2u);
  EXPECT_EQ(spec.tendons.size(), 0u);
  EXPECT_THAT(names(spec.tuples), ElementsAre("X_tu"));
  EXPECT_THAT(names(spec.numerics), ElementsAre("X_n"));
  EXPECT_EQ(spec.world.bodies[1].childclass, "X_c1");
  EXPECT_EQ(spec.world.bodies[1].geoms[0].density, 100);
}

TEST_F(Attach, AFrameOrTheWholeWorldCanBeAttached) {
  const Spec frame = read(parent(R"(<attach model="ch" frame="f" prefix="X_"/>)"), options_);
  EXPECT_THAT(names(frame.world.bodies), ElementsAre("pb", "X_b3"));
  EXPECT_THAT(names(frame.world.geoms), ElementsAre("X_fg"));
  EXPECT_THAT(names(frame.world.frames), ElementsAre("X_f"));
  const Spec world = read(parent(R"(<attach model="ch" prefix="X_"/>)"), options_);
  EXPECT_THAT(names(world.world.bodies), ElementsAre("pb", "X_b1", "X_b3", "X_mo"));
  EXPECT_THAT(names(world.world.geoms), ElementsAre("X_wg", "X_fg"));
  EXPECT_THAT(names(world.tendons), ElementsAre("X_t"));
}

TEST_F(Attach, AnAttachedPartKeepsTheUnitsOfItsOwnModel) {
  const Model m = load_text(parent(R"(<attach model="ch" prefix="X_"/>)"), options_);
  ASSERT_EQ(m.njnt, 4);
  EXPECT_NEAR(m.qpos0[0], 1.5707963267948966, 1e-15);
  EXPECT_EQ(m.qpos0[1], 0.2);
  EXPECT_EQ(m.jnt_range[2], -1);
  // MuJoCo 3.12.0, oracle get body_quat: euler .1 .2 .3 radian, fixed axes z y x
  const double quat[] = {0.9818561728660808, 0.15343930202422257, 0.09115754934299071, 0.06407134770607116};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(m.body_quat[4 * 2 + i], quat[i], 1e-15) << i;
}

TEST_F(Attach, KeyframesOfTheAttachedModelSetItsOwnParts) {
  const Model m = load_text(
      parent(R"(<attach model="ch" body="b1" prefix="X_"/><attach model="ch" body="b1" prefix="Y_"/>)"), options_);
  // MuJoCo 3.12.0, oracle get key_qpos key_ctrl key_act
  EXPECT_THAT(m.key_qpos, ElementsAre(1.5707963267948966, 0.1, 0.2, 0.2, 0, 1.5707963267948966, 0.2, 0, 0.1, 0.2));
  EXPECT_THAT(m.key_ctrl, ElementsAre(0, 5, 0, 0, 0, 5));
  EXPECT_THAT(m.key_act, ElementsAre(7, 0, 0, 7));
}

TEST_F(Attach, KeyframesOfTheParentModelComeFirst) {
  const Model m =
      load_text(parent(R"(<body><frame pos="0 1 0"><attach model="ch" body="b1" prefix="X_"/></frame></body>)",
                       R"(<keyframe><key name="pk" qpos=".7" ctrl="3"/></keyframe>)"),
                options_);
  // MuJoCo 3.12.0, oracle get key_qpos key_ctrl
  EXPECT_THAT(m.key_qpos, ElementsAre(0.7, 0.2, 0, 1.5707963267948966, 0.1, 0.2));
  EXPECT_THAT(m.key_ctrl, ElementsAre(3, 0, 0, 5));
}

TEST_F(Attach, APartOfTheSameModelIsCopiedWithoutItsAssets) {
  const Model m = load_text(R"(<mujoco><worldbody><body name="pb"><joint name="pj" ref="90"/><geom size=".1"/></body>
    <attach body="pb" prefix="Z_"/></worldbody><actuator><motor name="pa" joint="pj"/></actuator>
    <keyframe><key name="pk" qpos=".7" ctrl="3"/></keyframe></mujoco>)");
  // MuJoCo 3.12.0, oracle get key_qpos key_ctrl: a keyframe that has become too short is padded with ref as written
  EXPECT_THAT(m.key_qpos, ElementsAre(0.7, 90, 1.5707963267948966, 0.7));
  EXPECT_THAT(m.key_ctrl, ElementsAre(3, 0, 0, 3));
}

TEST_F(Attach, ConflictsGiveAWarningAreMergedOrRefused) {
  files_["child.xml"] =
      R"(<mujoco><option timestep="0.002" iterations="100" density="3"><flag damper="disable"/></option>
    <worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>)";
  const auto text = [](const std::string& policy, const std::string& option) {
    return R"(<mujoco><compiler conflict=")" + policy + R"("/><option timestep="0.005" iterations="50" )" + option +
           R"(/>
      <asset><model name="ch" file="child.xml"/></asset><worldbody><attach model="ch" body="b" prefix="X_"/></worldbody></mujoco>)";
  };
  std::vector<Problem> warnings;
  options_.warnings = &warnings;
  const Spec kept = read(text("warning", ""), options_);
  EXPECT_EQ(kept.option.timestep, 0.005);
  EXPECT_EQ(kept.option.disableflags, 0);
  EXPECT_EQ(warnings.size(), 4u);
  const Spec merged = read(text("merge", ""), options_);
  EXPECT_EQ(merged.option.timestep, 0.002);
  EXPECT_EQ(merged.option.iterations, 100);
  EXPECT_EQ(merged.option.density, 3);
  EXPECT_NE(merged.option.disableflags, 0);
  EXPECT_THAT(refused(text("merge", "density='4'")),
              HasSubstr("option/density is '3' in the attached model and '4' here"));
  EXPECT_THAT(refused(text("error", "")), HasSubstr("option/timestep"));
}

TEST_F(Attach, ErrorsNameWhatIsMissing) {
  EXPECT_THAT(refused(parent(R"(<attach model="cj" body="b1" prefix="X_"/>)")),
              HasSubstr("<attach model>: there is no model named 'cj'"));
  EXPECT_THAT(refused(parent(R"(<attach model="ch" body="b9" prefix="X_"/>)")),
              HasSubstr("there is no body named 'b9'"));
  EXPECT_THAT(refused(parent(R"(<attach model="ch" frame="b1" prefix="X_"/>)")),
              HasSubstr("there is no frame named 'b1'"));
  EXPECT_THAT(refused(parent(R"(<attach prefix="X_"/>)")), HasSubstr("needs one of"));
  EXPECT_THAT(refused(parent(R"(<attach model="ch" body="b1"/>)")), HasSubstr("prefix"));
  EXPECT_THAT(refused(parent(R"(<attach model="ch" body="b1" prefix="X"/><attach model="ch" body="b1" prefix="X"/>)")),
              HasSubstr("which is already used"));
  files_["child.xml"] = R"(<mujoco><asset><model file="child.xml"/></asset></mujoco>)";
  EXPECT_THAT(refused(parent("")), HasSubstr("contains itself"));
}

TEST(Cable, IsAChainOfBodiesAlongItsCurve) {
  const Model m = load_text(R"(<mujoco><worldbody>
  <composite prefix="p" type="cable" curve="cos(s) sin(s) s" count="6 1 1" size="1 .5 .7" offset="0 0 1" initial="free">
    <joint kind="main" damping=".1"/><geom type="capsule" size=".02"/></composite></worldbody></mujoco>)");
  // MuJoCo 3.12.0, oracle get body_pos body_quat geom_size
  const double pos[] = {
      0.5, 0, 1, 0.295950118883688, 0, 0, 0.29595012385467456, 0, 0, 0.2959501343394816, 0, 0, 0.29595011766199786,
      0,   0};
  const double quat[] = {0.5598730301054118,
                         0.32580069049877514,
                         -0.17158314357741783,
                         0.7422636492993557,
                         0.9869882798141909,
                         0,
                         0,
                         0.16079221221633871,
                         0.9869882823573075,
                         0,
                         -0.047493831196880304,
                         0.15361792371860056,
                         0.98698827490649,
                         0,
                         -0.09074943511305972,
                         0.13273539551969987,
                         0.9869882862956479,
                         0,
                         -0.1259069029221917,
                         0.10000787224874677};
  ASSERT_EQ(m.nbody, 6);
  for (int i = 0; i < 15; ++i) EXPECT_NEAR(m.body_pos[3 + i], pos[i], 1e-15) << i;
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(m.body_quat[4 + i], quat[i], 5e-16) << i;
  EXPECT_NEAR(m.geom_size[3 * 4 + 1], 0.1479750503880221, 1e-16);
  EXPECT_EQ(m.nv, 18);
  EXPECT_EQ(m.dof_damping[5], 0);
  EXPECT_EQ(m.dof_damping[6], 0.1);
  EXPECT_EQ(m.nexclude, 4);
}

TEST(Cable, IsRotatedIfGivenAsACurveButNotIfGivenAsVertices) {
  // MuJoCo 3.12.0, oracle get body_quat
  const auto first_quat = [](const std::string& attributes) {
    const Model m = load_text("<mujoco><worldbody><composite type='cable' quat='.8 .6 0 0' " + attributes +
                              "><geom type='capsule' size='.01'/></composite></worldbody></mujoco>");
    return std::array<double, 4>{m.body_quat[4], m.body_quat[5], m.body_quat[6], m.body_quat[7]};
  };
  const auto near = [](double value) { return testing::DoubleNear(value, 1e-15); };
  EXPECT_THAT(first_quat("vertex='1 0 0 1.3 .2 .1 1.4 .7 .2 1.1 .9 .9'"),
              ElementsAre(near(0.9483483060957837), near(0.03908104787806767), near(-0.12907602414504124),
                          near(0.2871368001718323)));
  EXPECT_THAT(first_quat("count='4 1 1' size='1 .5 1' curve='s sin(s)'"),
              ElementsAre(near(0.5383297960586164), near(-0.717773071703385), near(-0.35327301644017056),
                          near(-0.26495475853103445)));
}

TEST(Cable, NamesItsPartsFromFirstToLast) {
  const Spec spec =
      read(R"(<mujoco><worldbody><composite prefix="p" type="cable" vertex="0 0 0 1 0 0 2 0 0 3 1 0" initial="none">
    <geom type="box" size="1 .1 .2"/></composite></worldbody></mujoco>)");
  const spec::Body& first = spec.world.bodies[0];
  EXPECT_EQ(first.name, "pB_first");
  EXPECT_EQ(first.joints.size(), 0u);
  EXPECT_EQ(first.geoms[0].name, "pG0");
  EXPECT_THAT(first.geoms[0].size, ElementsAre(0.5, 0.1, 0.2));
  EXPECT_EQ(first.sites[0].name, "pS_first");
  const spec::Body& last = first.bodies[0].bodies[0];
  EXPECT_EQ(first.bodies[0].joints[0].name, "pJ_1");
  EXPECT_EQ(last.name, "pB_last");
  EXPECT_EQ(last.joints[0].group, 3);
  EXPECT_EQ(last.sites[0].name, "pS_last");
  EXPECT_EQ(spec.texts[0].name, "composite_p");
}

TEST(Cable, RefusesInvalidSettings) {
  const auto cable = [](const std::string& attributes, const std::string& inside = "") {
    return refusal("<mujoco><worldbody><composite " + attributes + ">" + inside + "</composite></worldbody></mujoco>");
  };
  EXPECT_THAT(cable("type='grid' count='5 1 1'"),
              HasSubstr("<composite type>: cable is the only supported composite type"));
  EXPECT_THAT(cable("type='cable' curve='s' count='5 2 1'"), HasSubstr("n 1 1"));
  EXPECT_THAT(cable("type='cable' curve='s' count='1000000000 1 1'"), HasSubstr("at most 1000"));
  EXPECT_THAT(cable("type='cable' curve='s' count='2 1 1'"), HasSubstr("at least 3 points"));
  EXPECT_THAT(cable("type='cable' curve='t' count='5 1 1'"), HasSubstr("<composite curve>"));
  EXPECT_THAT(cable("type='cable' curve='s' count='5 1 1'", "<geom type='sphere' size='1'/>"),
              HasSubstr("must be a capsule"));
  EXPECT_THAT(cable("type='cable' curve='s' count='5 1 1'", "<plugin plugin='mujoco.elasticity.cable'/>"),
              HasSubstr("unrecognized plugin"));
}

}  // namespace
}  // namespace sinew
