// The reader as a user sees it: MJCF text in, typed tree out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <string>

#include "sinew/load.h"

namespace sinew {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

Spec read(const std::string& text) {
  Result<Spec> result = read_mjcf_string(text);
  EXPECT_TRUE(result) << result.error().text();
  return result ? std::move(*result) : Spec();
}

Spec read_world(const std::string& inside) { return read("<mujoco><worldbody>" + inside + "</worldbody></mujoco>"); }

TEST(Reader, AnEmptyModelHasTheBuiltInDefaults) {
  const Spec spec = read("<mujoco/>");
  EXPECT_EQ(spec.modelname, "MuJoCo Model");
  EXPECT_EQ(spec.option.timestep, 0.002);
  EXPECT_EQ(spec.classes.size(), 1u);
  EXPECT_TRUE(spec.compiler.degree);
}

TEST(Reader, ElementsAreKeptInDocumentOrderWithTheirLine) {
  const Spec spec = read(R"(<mujoco model="two">
  <worldbody>
    <geom name="a" size="1"/>
    <frame pos="1 0 0"><geom name="b" size="2"/></frame>
    <body name="c"><joint/><geom size="3"/></body>
  </worldbody>
</mujoco>)");
  EXPECT_EQ(spec.modelname, "two");
  ASSERT_EQ(spec.world.geoms.size(), 2u);
  EXPECT_EQ(spec.world.geoms[0].frame, -1);
  EXPECT_EQ(spec.world.geoms[1].name, "b");
  EXPECT_EQ(spec.world.geoms[1].frame, 0);
  EXPECT_EQ(spec.world.geoms[1].origin.line, 4);
  ASSERT_EQ(spec.world.bodies.size(), 1u);
  EXPECT_EQ(spec.world.bodies[0].joints.size(), 1u);
}

TEST(Reader, SectionsMayBeRepeatedAndComeInAnyOrder) {
  const Spec spec = read(R"(<mujoco>
  <worldbody><body><joint/><geom class="big"/></body></worldbody>
  <option timestep="1"/><option gravity="0 0 0"/>
  <default><default class="big"><geom size="7"/></default></default>
  <worldbody><geom size="2"/></worldbody>
</mujoco>)");
  EXPECT_EQ(spec.option.timestep, 1);
  EXPECT_THAT(spec.option.gravity, ElementsAre(0, 0, 0));
  EXPECT_EQ(spec.world.bodies[0].geoms[0].size[0], 7);
  EXPECT_EQ(spec.world.geoms.size(), 1u);
}

TEST(Numbers, FollowStrtodInTheCLocale) {
  const Spec spec = read_world(R"(<geom size="0x1p-1 +2.5E+0	1." pos="
 -.5 1e-300 0X1F"/>)");
  EXPECT_THAT(spec.world.geoms[0].size, ElementsAre(0.5, 2.5, 1));
  EXPECT_THAT(spec.world.geoms[0].pos, ElementsAre(-0.5, 1e-300, 31));
}

TEST(Numbers, DoNotDependOnTheLocaleOfTheProgram) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C"}) {
    if (!std::setlocale(LC_NUMERIC, locale)) continue;  // not every machine has them
    EXPECT_EQ(read_world(R"(<geom size="1.5"/>)").world.geoms[0].size[0], 1.5);
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(Numbers, AnEmptyListCountsAsAbsent) {
  const Spec spec = read_world(R"(<geom size="" pos=" " group="  " user=""/><camera output=""/>)");
  EXPECT_THAT(spec.world.geoms[0].size, ElementsAre(0, 0, 0));
  EXPECT_EQ(spec.world.cameras[0].output, spec::kCamRgb);
}

TEST(Numbers, NanInAPairMeansTheValueOfTheGeoms) {
  const Spec spec = read(R"(<mujoco><contact><pair geom1="a" geom2="b" friction="nan" solref="NaN" solimp="nan"
    margin="nan" gap="nan"/></contact></mujoco>)");
  const spec::Pair& pair = spec.pairs[0];
  EXPECT_TRUE(std::isnan(pair.friction[0]) && std::isnan(pair.solref[0]) && std::isnan(pair.solimp[0]));
  EXPECT_TRUE(std::isnan(pair.margin) && std::isnan(pair.gap));
  EXPECT_EQ(pair.friction[1], 1);
}

TEST(Names, ResolveEntitiesAndKeepUnicode) {
  const Spec spec = read_world("<geom name='a&lt;&#x41;&#955;\xCE\xBB&quot;' size='1'/>");
  EXPECT_EQ(spec.world.geoms[0].name, "a<A\xCE\xBB\xCE\xBB\"");
}

TEST(Names, MayBeSharedByDifferentKindsOfObjects) {
  const Spec spec = read_world(R"(<body name="x"><joint name="x"/><geom name="x" size="1"/><site name="x"/></body>)");
  EXPECT_EQ(spec.world.bodies[0].joints[0].name, "x");
}

// MuJoCo 3.12.0: the same two models give geom_size 2 0 0 and these geom_rgba
TEST(Defaults, NestedClassesStartFromTheirParentAtTheEndOfItsSection) {
  const Spec before =
      read(R"(<mujoco><default><default class="a"><geom size="2"/></default><geom size="1" rgba="1 0 0 1"/></default>
    <worldbody><geom class="a"/></worldbody></mujoco>)");
  EXPECT_THAT(before.world.geoms[0].size, ElementsAre(2, 0, 0));
  EXPECT_THAT(before.world.geoms[0].rgba, ElementsAre(1, 0, 0, 1));
  const Spec later = read(R"(<mujoco><default><default class="a"><geom size="2"/></default></default>
    <default><geom size="1" rgba="1 0 0 1"/></default><worldbody><geom class="a"/></worldbody></mujoco>)");
  EXPECT_THAT(later.world.geoms[0].size, ElementsAre(2, 0, 0));
  EXPECT_THAT(later.world.geoms[0].rgba, ElementsAre(0.5f, 0.5f, 0.5f, 1));
}

constexpr const char* kClasses = R"(<mujoco><default>
  <default class="a"><geom size="2"/><joint damping="3"/></default>
  <default class="b"><geom size="4"/></default></default><worldbody>)";

TEST(Defaults, ChildclassAppliesToDescendantsUntilOverridden) {
  const Spec spec = read(std::string(kClasses) + R"(
    <body childclass="a"><geom/><geom class="b"/><frame><geom/></frame>
      <frame childclass="b"><geom/><body><geom/></body></frame><body><joint/><geom/></body></body><geom/>
    </worldbody></mujoco>)");
  const spec::Body& body = spec.world.bodies[0];
  EXPECT_EQ(body.geoms[0].size[0], 2);
  EXPECT_EQ(body.geoms[1].size[0], 4);
  EXPECT_EQ(body.geoms[2].size[0], 2);
  EXPECT_EQ(body.geoms[3].size[0], 4);
  EXPECT_EQ(body.bodies[0].geoms[0].size[0], 4);
  EXPECT_EQ(body.bodies[1].geoms[0].size[0], 2);
  EXPECT_EQ(body.bodies[1].joints[0].damping[0], 3);
  EXPECT_EQ(spec.world.geoms[0].size[0], 0);
  EXPECT_EQ(body.geoms[1].dclass, "b");
  EXPECT_EQ(body.geoms[0].dclass, "");
}

TEST(Defaults, ApplyToAFreeJointOnlyIfWrittenAsJoint) {
  const Spec spec = read(std::string(kClasses) + R"(
    <body childclass="a"><joint type="free"/></body><body childclass="a"><freejoint align="false"/></body>
    </worldbody></mujoco>)");
  EXPECT_EQ(spec.world.bodies[0].joints[0].damping[0], 3);
  EXPECT_EQ(spec.world.bodies[1].joints[0].damping[0], 0);
  EXPECT_EQ(spec.world.bodies[1].joints[0].type, JointType::Free);
  EXPECT_EQ(spec.world.bodies[1].joints[0].align, spec::Tri::False);
}

TEST(Defaults, ListsOfVariableLengthAreMergedWithTheClass) {
  const Spec spec = read(R"(<mujoco><default><geom friction="5 6 7" size="1 2 3"/><pair solimp="0.1 0.2"/></default>
    <worldbody><geom friction="9" size="8 9"/></worldbody><contact><pair geom1="a" geom2="b" solimp="0.5"/></contact></mujoco>)");
  EXPECT_THAT(spec.world.geoms[0].friction, ElementsAre(9, 6, 7));
  EXPECT_THAT(spec.world.geoms[0].size, ElementsAre(8, 9, 3));
  EXPECT_THAT(spec.pairs[0].solimp, ElementsAre(0.5, 0.2, 0.001, 0.5, 2));
}

TEST(Defaults, KeepAnAlternativeOrientationEvenIfTheElementHasAQuaternion) {
  const Spec spec = read(R"(<mujoco><default><geom euler="90 0 0"/></default>
    <worldbody><geom size="1" quat="0 1 0 0"/><geom size="1" zaxis="1 0 0"/></worldbody></mujoco>)");
  EXPECT_EQ(spec.world.geoms[0].alt.kind, spec::Orientation::Kind::Euler);
  EXPECT_THAT(spec.world.geoms[0].quat, ElementsAre(0, 1, 0, 0));
  EXPECT_EQ(spec.world.geoms[1].alt.kind, spec::Orientation::Kind::ZAxis);
  EXPECT_THAT(spec.world.geoms[1].alt.value, ElementsAre(1, 0, 0, 0, 0, 0));
}

// MuJoCo 3.12.0, mat_texid: layers are merged with the textures of the class by role
TEST(Materials, LayersAndTheTextureOfTheClassAreMergedByRole) {
  const Spec spec = read(R"(<mujoco><default><material texture="t"/><default class="a"><material>
    <layer texture="v" role="orm"/></material></default></default><asset>
    <material name="m"><layer texture="u" role="orm"/></material><material name="n" class="a" texture="u"/></asset></mujoco>)");
  EXPECT_EQ(spec.materials[0].textures[static_cast<int>(TextureRole::Rgb)], "t");
  EXPECT_EQ(spec.materials[0].textures[static_cast<int>(TextureRole::Orm)], "u");
  EXPECT_EQ(spec.materials[1].textures[static_cast<int>(TextureRole::Rgb)], "u");
  EXPECT_EQ(spec.materials[1].textures[static_cast<int>(TextureRole::Orm)], "v");
}

TEST(Tree, InertialGeomSiteCameraAndLightFillTheirFields) {
  const Spec spec = read_world(R"(<body mocap="false" gravcomp="0.5" sleep="init" simple="false" user="1 2">
    <inertial pos="1 2 3" mass="4" diaginertia="5 6 7"/>
    <geom type="capsule" fromto="0 0 0 1 1 1" size="0.1" mass="2" fluidshape="ellipsoid"/>
    <site type="box" size="0.1"/><camera mode="track" output="depth rgb" resolution="4 3"/><light directional="true"/></body>)");
  const spec::Body& body = spec.world.bodies[0];
  EXPECT_EQ(body.sleep, SleepPolicy::Init);
  EXPECT_FALSE(body.simple);
  EXPECT_THAT(body.user, ElementsAre(1, 2));
  ASSERT_TRUE(body.inertial);
  EXPECT_EQ(body.inertial->mass, 4);
  EXPECT_TRUE(body.inertial->has_diaginertia);
  EXPECT_TRUE(body.geoms[0].fromto && body.geoms[0].mass);
  EXPECT_EQ(body.geoms[0].fluidshape, FluidShape::Ellipsoid);
  EXPECT_THAT(body.sites[0].size, ElementsAre(0.1, 0.005, 0.005));
  EXPECT_EQ(body.cameras[0].mode, CamLightMode::Track);
  EXPECT_EQ(body.cameras[0].output, spec::kCamRgb | spec::kCamDepth);
  EXPECT_EQ(body.lights[0].type, LightType::Directional);
}

// MuJoCo 3.12.0, eq_data: weld of bodies starts from zeros, weld of sites from 0 1 0 …, joints merge their polynomial
TEST(Equalities, FillTheDataOfTheirType) {
  const Spec spec = read(R"(<mujoco><equality><connect body1="a" anchor="1 2 3"/><weld body1="a" body2="b"/>
    <weld site1="s" site2="t" torquescale="3"/><joint joint1="i" polycoef="4 5"/><connect site1="s" site2="t"/></equality></mujoco>)");
  EXPECT_THAT(spec.equalities[0].data, ElementsAre(1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1));
  EXPECT_THAT(spec.equalities[1].data, ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1));
  EXPECT_EQ(spec.equalities[1].objtype, ObjType::Body);
  EXPECT_THAT(spec.equalities[2].data, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3));
  EXPECT_EQ(spec.equalities[2].objtype, ObjType::Site);
  EXPECT_THAT(spec.equalities[3].data, ElementsAre(4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1));
  EXPECT_EQ(spec.equalities[4].name2, "t");
}

TEST(Tendons, KeepTheirPath) {
  const Spec spec = read(
      R"(<mujoco><tendon><spatial springlength="0.3"><site site="a"/><geom geom="g" sidesite="s"/><pulley divisor="2"/>
    </spatial><fixed><joint joint="j" coef="-1.5"/></fixed></tendon></mujoco>)");
  const spec::Tendon& tendon = spec.tendons[0];
  EXPECT_TRUE(tendon.spatial);
  EXPECT_THAT(tendon.springlength, ElementsAre(0.3, 0.3));
  ASSERT_EQ(tendon.path.size(), 3u);
  EXPECT_EQ(tendon.path[0].type, WrapType::Site);
  EXPECT_EQ(tendon.path[1].sidesite, "s");
  EXPECT_EQ(tendon.path[2].prm, 2);
  EXPECT_FALSE(spec.tendons[1].spatial);
  EXPECT_EQ(spec.tendons[1].path[0].prm, -1.5);
}

// MuJoCo 3.12.0, sensor_objtype, sensor_reftype, sensor_intprm
TEST(Sensors, NameTheirObjectsAndParameters) {
  const Spec spec = read(
      R"(<mujoco><sensor><rangefinder camera="c" data="dist normal"/><insidesite site="s" objtype="geom" objname="g"/>
    <distance geom1="g" body2="world"/><contact/><contact subtree1="b" geom2="h" data="found force" reduce="mindist" num="3"/>
    <camprojection site="s" camera="c"/><user dim="3" objtype="joint" objname="j" datatype="positive" needstage="vel"/>
    <jointactuatorfrc joint="j"/><touch site="s" interval="1"/></sensor></mujoco>)");
  const auto& s = spec.sensors;
  EXPECT_EQ(s[0].objtype, ObjType::Camera);
  EXPECT_THAT(s[0].intprm, ElementsAre(17, 0, 0));
  EXPECT_EQ(s[1].objtype, ObjType::Geom);
  EXPECT_EQ(s[1].reftype, ObjType::Site);
  EXPECT_EQ(s[2].reftype, ObjType::Body);
  EXPECT_EQ(s[2].refname, "world");
  EXPECT_THAT(s[3].intprm, ElementsAre(1, 0, 1));
  EXPECT_EQ(s[4].objtype, ObjType::XBody);
  EXPECT_THAT(s[4].intprm, ElementsAre(3, 1, 3));
  EXPECT_EQ(s[5].reftype, ObjType::Camera);
  EXPECT_EQ(s[6].needstage, Stage::Vel);
  EXPECT_EQ(s[7].type, SensorType::JointActFrc);
  EXPECT_THAT(s[8].interval, ElementsAre(1, 0));
}

TEST(Settings, FlagsSizesAndOptions) {
  const Spec spec =
      read(R"(<mujoco><option actuatorgroupdisable="1 3 30" solver="CG" o_solref="1"><flag contact="disable"
    gravity="enable" energy="enable"/></option><option actuatorgroupdisable="2"/><size memory=" 3k " nkey="2"/>
    <compiler angle="radian" eulerseq="XyZ" inertiafromgeom="true"><lengthrange uselimit="true"/></compiler>
    <statistic extent="4"/><visual><global orthographic="true"/><rgba fog="1 2 3 4"/></visual></mujoco>)");
  EXPECT_EQ(spec.option.disableflags, kDisableContact);
  EXPECT_EQ(spec.option.enableflags, kEnableEnergy);
  EXPECT_EQ(spec.option.disableactuator, (1 << 1) | (1 << 2) | (1 << 3) | (1 << 30));
  EXPECT_THAT(spec.option.o_solref, ElementsAre(1, 1));
  EXPECT_EQ(spec.size.memory, 3072);
  EXPECT_FALSE(spec.compiler.degree);
  EXPECT_EQ(spec.compiler.eulerseq, "XyZ");
  EXPECT_TRUE(spec.compiler.lengthrange.uselimit);
  EXPECT_EQ(*spec.statistic.extent, 4);
  EXPECT_EQ(spec.visual.global_.orthographic, 1);
  EXPECT_THAT(spec.visual.rgba.fog, ElementsAre(1, 2, 3, 4));
}

TEST(Settings, CustomFieldsAndKeyframes) {
  const Spec spec = read(R"(<mujoco><custom><numeric name="n" size="3" data="1"/><text name="t" data="hello"/>
    <tuple name="u"><element objtype="body" objname="b" prm="2"/></tuple></custom>
    <keyframe><key name="k" time="1" qpos="1 2" mquat="1 0 0 0"/></keyframe></mujoco>)");
  EXPECT_EQ(*spec.numerics[0].size, 3);
  EXPECT_THAT(spec.numerics[0].data, ElementsAre(1));
  EXPECT_EQ(spec.texts[0].data, "hello");
  EXPECT_EQ(spec.tuples[0].items[0].prm, 2);
  EXPECT_THAT(spec.keys[0].qpos, ElementsAre(1, 2));
  EXPECT_TRUE(spec.keys[0].qvel.empty());
}

TEST(Reader, ABlankListOfNumbersCountsAsAbsentExceptInAFewAttributes) {
  // MuJoCo 3.12.0, native: every attribute with one number was tried
  const std::string world =
      R"(<worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></worldbody>)";
  for (const char* text :
       {"<size nkey='' nuserdata=' '/>", "<option timestep='' iterations='' o_solref=''/>", "<compiler boundmass=''/>",
        "<actuator><general joint='j' group='' cranklength='' nsample=''/></actuator>",
        "<custom><numeric name='n' size='3' data=''/></custom>"}) {
    const Result<Model> model = load_string("<mujoco>" + world + text + "</mujoco>");
    EXPECT_TRUE(model) << text << ": " << model.error().text();
  }
  for (const auto& [text, attribute] : std::vector<std::pair<std::string, std::string>>{
           {"<size njmax=''/>", "njmax"},
           {"<size nconmax=' '/>", "nconmax"},
           {"<size nstack=''/>", "nstack"},
           {"<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' maxhullvert=''/></asset>", "maxhullvert"},
           {"<sensor><contact geom1='g' num=''/></sensor>", "num"},
           {"<custom><numeric name='n' size='' data='1'/></custom>", "size"}}) {
    const Result<Model> model = load_string("<mujoco>" + world + text + "</mujoco>");
    ASSERT_FALSE(model) << text;
    EXPECT_EQ(model.error().first().attribute, attribute);
  }
}

TEST(Reader, WarnsAboutIgnoredText) {
  std::vector<Problem> warnings;
  LoadOptions options;
  options.warnings = &warnings;
  EXPECT_TRUE(read_mjcf_string("<mujoco>\n<worldbody>\nstray\n</worldbody></mujoco>", options));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].severity, Severity::Warning);
  EXPECT_THAT(warnings[0].text(), HasSubstr("line 3 is ignored"));
}

// MuJoCo 3.12.0 (oracle.mjs check) loads all three, and refuses the same outside frames and replicates.
TEST(Reader, ErrorsThatMuJoCoMissesInsideFramesAndReplicatesAreWarnings) {
  for (const char* inside : {R"(<frame slope="1"><geom size="1"/></frame>)",
                             R"(<replicate count="2"><body><geom slope="1" size="1"/></body></replicate>)",
                             R"(<frame><body><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
           <inertial mass="2" pos="0 0 0" diaginertia="1 1 1"/></body></frame>)"}) {
    std::vector<Problem> warnings;
    LoadOptions options;
    options.warnings = &warnings;
    EXPECT_TRUE(load_string(std::string("<mujoco><worldbody>") + inside + "</worldbody></mujoco>", options)) << inside;
    ASSERT_EQ(warnings.size(), 1) << inside;
    EXPECT_THAT(warnings[0].message, HasSubstr("as in MuJoCo"));
  }
  EXPECT_FALSE(load_string(R"(<mujoco><worldbody><geom slope="1" size="1"/></worldbody></mujoco>)"));
}

}  // namespace
}  // namespace sinew
