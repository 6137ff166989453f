// Elements that make others: replicate. Names, order and numbers as MuJoCo 3.12.0 has them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(Replicate, CopiesStandWhereItStoodWithNumbersAsLongAsTheCount) {
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

TEST(Replicate, InsideOfAnotherTheInnerNumberComesFirst) {
  const Spec spec = read(R"(<mujoco><worldbody>
  <replicate count="2" sep="A"><replicate count="2" sep="B"><body name="n"><site name="s"/></body></replicate></replicate>
  </worldbody></mujoco>)");
  EXPECT_THAT(names(spec.world.bodies), ElementsAre("nB0A0", "nB1A0", "nB0A1", "nB1A1"));
  EXPECT_EQ(spec.world.bodies[2].sites[0].name, "sB0A1");
}

TEST(Replicate, CopyNumberIIsTurnedByITimesTheAnglesAndMovedInTheTurnedFrame) {
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

TEST(Replicate, RelationsToWhatIsCopiedAreCopiedInstanceByInstance) {
  const Spec spec = read(two_copies(R"(
  <actuator><motor name="m1" joint="j"/><motor name="other" joint="fj"/><motor name="m2" joint="j"/></actuator>
  <sensor><actuatorfrc name="f" actuator="m2"/></sensor>)"));
  EXPECT_THAT(names(spec.actuators), ElementsAre("other", "m1-0", "m2-0", "m1-1", "m2-1"));
  EXPECT_EQ(spec.actuators[3].target, "j-1");
  EXPECT_THAT(names(spec.sensors), ElementsAre("f-0", "f-1"));
  EXPECT_EQ(spec.sensors[1].objname, "m2-1");
}

TEST(Replicate, PairsExcludesTendonsAndSensorsMayAlsoReferToWhatIsNotCopied) {
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

TEST(Replicate, EqualitiesAndActuatorsThatAlsoNeedWhatIsNotCopiedVanish) {
  // MuJoCo 3.12.0, oracle get neq nactuator: both 0
  const Spec spec = read(two_copies(R"(
  <equality><joint joint1="fj" joint2="j"/></equality>
  <actuator><general site="s" refsite="fix"/></actuator>)"));
  EXPECT_EQ(spec.equalities.size(), 0u);
  EXPECT_EQ(spec.actuators.size(), 0u);
}

TEST(Replicate, SensorsWithoutObjectAreDoubledByEveryCopy) {
  // MuJoCo 3.12.0, oracle dump: names of the sensors
  const Spec spec = read(two_copies(R"(<sensor><clock name="c"/><jointpos name="jp" joint="j"/></sensor>)"));
  EXPECT_THAT(names(spec.sensors), ElementsAre("c", "c-0", "jp-0", "c-1", "jp-1", "c-0-1"));
}

TEST(Replicate, TheNameOfThePatternIsFreeAgainBehindIt) {
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

}  // namespace
}  // namespace sinew
