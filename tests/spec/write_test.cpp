#include "sinew/write.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "sinew/edit.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "temp_folder.h"

// The writer is the inverse of the reader: its output compiles to the same model, byte for byte.

namespace sinew {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string written(const Spec& spec) {
  const Result<std::string> text = write_mjcf(spec);
  EXPECT_TRUE(text) << text.error().text();
  return text ? *text : std::string();
}

Spec read(std::string_view text) { return read_mjcf_string(text).value_or_throw(); }

/// The model of the tree and that of its text are equal, and writing again changes nothing. Returns the text.
std::string expect_round_trip(const Spec& spec) {
  const std::string text = written(spec);
  const Result<Spec> again = read_mjcf_string(text);
  EXPECT_TRUE(again) << again.error().text() << text;
  if (!again) return text;
  const Result<Model> before = compile(spec), after = compile(*again);
  EXPECT_TRUE(before) << before.error().text();
  EXPECT_TRUE(after) << after.error().text() << text;
  if (before && after) {
    EXPECT_TRUE(save_model(*before) == save_model(*after)) << text;
  }
  EXPECT_EQ(written(*again), text);
  return text;
}

TEST(Write, AnEmptyModelIsOneElement) { EXPECT_EQ(written(Spec()), "<mujoco/>\n"); }

TEST(Write, EverySectionCompilesToTheSameBytes) {
  expect_round_trip(read(R"(<mujoco model="all">
    <compiler angle="radian" eulerseq="zyx" autolimits="true" boundmass="0.001"><lengthrange timestep="0.02"/></compiler>
    <option timestep="0.003" integrator="implicitfast" cone="elliptic" actuatorgroupdisable="2 5">
      <flag energy="enable" contact="disable"/></option>
    <size nuserdata="3" nuser_geom="2" nkey="2"/>
    <statistic extent="2.5" center="0 0 1"/>
    <visual><global fovy="40" orthographic="true"/><rgba haze="1 0 0 1"/><headlight active="0"/></visual>
    <default>
      <geom density="900" rgba="0.1 0.2 0.3 1"/>
      <material><layer texture="grid" role="rgb"/><layer texture="grid" role="normal"/></material>
      <default class="soft"><geom solref="0.1 1" user="1 2"/><general gainprm="3" forcerange="-1 1"/>
        <default class="softer"><geom solref="0.3 1" euler="0 0 0.3"/><position kp="7" kv="1" inheritrange="0.8"/></default></default>
    </default>
    <custom><numeric name="n" size="4" data="1 2"/><text name="t" data="hello"/>
      <tuple name="u"><element objtype="body" objname="a" prm="2"/></tuple></custom>
    <asset>
      <texture name="grid" type="2d" builtin="checker" width="8" height="8" rgb1="0.3 0.2 0.1"/>
      <material name="m" texrepeat="2 3"/><material name="k"><layer texture="grid" role="opacity"/></material>
      <mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="0.1 0.2 0.3"/>
      <hfield name="h" nrow="2" ncol="2" size="1 1 0.5 0.1" elevation="0 1 2 3"/>
    </asset>
    <worldbody>
      <light name="l" dir="0 1 -1"/><camera name="c" fovy="30" xyaxes="1 0 0 0 0 1"/>
      <geom type="hfield" hfield="h" pos="0 0 -2"/>
      <body name="a" pos="0 0 1" childclass="soft">
        <freejoint name="free" align="false"/><geom name="ball" size="0.1"/>
        <geom class="softer" type="mesh" mesh="wedge" material="m" mass="0.3"/>
        <body name="b" pos="0.3 0 0" gravcomp="0.5">
          <inertial pos="0 0 0.01" mass="1" fullinertia="1 1.1 1.2 0.01 0.02 0.03"/>
          <joint name="j" axis="0 1 0" range="-1 1" damping="0.1 0.2"/><joint name="k" type="slide"/><site name="s"/>
        </body>
      </body>
      <body name="mo" mocap="true"><geom name="block" type="box" size="0.1 0.1 0.1" quat="1 1 0 0"/></body>
      <site name="w" pos="0 0 2"/>
    </worldbody>
    <contact><pair geom1="ball" geom2="block" margin="nan"/><exclude body1="a" body2="b"/></contact>
    <equality><connect body1="a" anchor="0 1 0"/><weld site1="s" site2="w"/><weld body1="a" body2="b"/>
      <joint joint1="j" joint2="k" polycoef="0 2"/></equality>
    <tendon><spatial name="sp" range="0 3" springlength="0.1"><site site="s"/><site site="w"/><pulley divisor="2"/><site site="s"/>
        <site site="w"/></spatial><fixed name="fi"><joint joint="j" coef="2"/></fixed></tendon>
    <actuator><motor joint="j" gear="3"/><position class="softer" joint="j" inheritrange="1" dampratio="1"/>
      <muscle tendon="fi" lengthrange="0 1"/><general class="soft" site="s" refsite="w" dyntype="integrator"/></actuator>
    <sensor><framepos name="f" objtype="site" objname="s" reftype="body" refname="a"/><touch site="s" cutoff="3"/>
      <rangefinder site="s" data="dist normal"/><contact geom1="ball" data="found force" num="3"/><clock/>
      <user dim="2" needstage="vel"/></sensor>
    <keyframe><key name="k1" time="2" ctrl="1 0 0 0"/></keyframe>
  </mujoco>)"));
}

TEST(Write, OurModelsRoundTripThroughMjcfAndTheBinaryFileByteForByte) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SINEW_SOURCE_DIR) / "models")) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().string());
    const Spec spec = read_mjcf_file(entry.path().string()).value_or_throw();
    expect_round_trip(spec);
    const std::vector<std::byte> bytes = save_model(*compile(spec));
    const Result<Model> again = load_model(bytes);
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_TRUE(save_model(*again) == bytes);
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(Write, NumbersRoundTripBitForBit) {
  Spec spec;
  spec.option.timestep = 0.1 + 0.2;
  spec.option.gravity = {-0.0, 1e-300, -1.0 / 3};
  spec.visual.headlight.ambient = {0.1f, 1.0f / 3, 16777217.0f};
  const Spec again = read(written(spec));
  EXPECT_EQ(again.option.timestep, spec.option.timestep);
  EXPECT_EQ(again.option.gravity, spec.option.gravity);
  EXPECT_TRUE(std::signbit(again.option.gravity[0]));
  EXPECT_EQ(again.visual.headlight.ambient, spec.visual.headlight.ambient);
}

TEST(Write, SpecialCharactersInNamesAreEscaped) {
  Spec spec;
  spec.modelname = "a<b> & \"c\" 'd'\ttab\nline é";
  spec.texts.add().name = "x&amp;y";
  spec.texts.back().data = " <text/> ";
  const Spec again = read(expect_round_trip(spec));
  EXPECT_EQ(again.modelname, spec.modelname);
  EXPECT_EQ(again.texts[0].name, spec.texts[0].name);
  EXPECT_EQ(again.texts[0].data, spec.texts[0].data);
}

TEST(Write, ValuesOfTheDefaultClassAreOmitted) {
  const std::string text = expect_round_trip(read(R"(<mujoco>
    <default><geom size="0.25"/><default class="heavy"><geom density="5000"/></default></default>
    <worldbody><body><geom class="heavy" size="0.25" density="5000" condim="3"/></body></worldbody></mujoco>)"));
  EXPECT_THAT(text, HasSubstr("<geom class=\"heavy\"/>"));
  EXPECT_THAT(text, HasSubstr("<geom density=\"5000\"/>"));
}

TEST(Write, FramesAndTheirClassesAreKept) {
  const Spec spec = read(R"(<mujoco><default><default class="c"><geom size="0.2"/></default></default><worldbody>
    <geom name="a" size="1"/>
    <frame name="f" pos="1 0 0" childclass="c"><geom name="b"/><frame euler="0 90 0"><site name="t"/><geom name="c"/>
      </frame><body name="in"><geom/></body></frame>
    <site name="u"/><geom name="d" size="1"/><frame name="empty"/><body name="out"><geom size="1"/></body>
    </worldbody></mujoco>)");
  const Spec again = read(expect_round_trip(spec));
  ASSERT_EQ(again.world.frames.size(), spec.world.frames.size());
  for (std::size_t i = 0; i < spec.world.frames.size(); ++i) {
    EXPECT_EQ(again.world.frames[i].name, spec.world.frames[i].name);
    EXPECT_EQ(again.world.frames[i].frame, spec.world.frames[i].frame);
    EXPECT_EQ(again.world.frames[i].childclass, spec.world.frames[i].childclass);
  }
  for (std::size_t i = 0; i < spec.world.geoms.size(); ++i) {
    EXPECT_EQ(again.world.geoms[i].name, spec.world.geoms[i].name);
    EXPECT_EQ(again.world.geoms[i].frame, spec.world.geoms[i].frame);
  }
}

TEST(Write, AFrameWithScatteredElementsIsWrittenInParts) {
  Spec spec;
  for (const double x : {1.0, 2.0}) spec.world.frames.add().pos = {x, 0, 0};
  for (const int frame : {0, 1, 0, -1, 1}) {
    spec::Geom& geom = spec.world.geoms.add();
    geom.size = {0.1, 0, 0};
    geom.frame = frame;
  }
  const Result<std::string> text = write_mjcf(spec);
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_TRUE(save_model(*compile(spec)) == save_model(*load_string(*text))) << *text;
}

TEST(Write, AServoThatInheritsItsRangeStaysAServo) {
  for (const char* servo : {"<position joint='j' kp='3' inheritrange='0.5'/>",
                            "<position joint='j' kp='3' kv='2' timeconst='0.1' inheritrange='1'/>",
                            "<intvelocity joint='j' kp='3' dampratio='1' inheritrange='1'/>",
                            "<pid joint='j' kp='3' ki='2' imax='0.5' inheritrange='1'/>"}) {
    SCOPED_TRACE(servo);
    const std::string text = expect_round_trip(read(
        R"(<mujoco><worldbody><body><joint name="j" range="-90 90"/><geom size="1"/></body></worldbody><actuator>)" +
        std::string(servo) + "</actuator></mujoco>"));
    EXPECT_THAT(text, HasSubstr("inheritrange"));
  }
}

TEST(Write, ShortcutsAreWrittenAsGeneralActuators) {
  const std::string text = expect_round_trip(read(R"(<mujoco>
    <worldbody><body name="b"><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><position joint="j" kp="3" kv="1"/><damper joint="j" kv="2" ctrlrange="0 1"/>
      <cylinder joint="j" diameter="0.3" timeconst="0.2"/><adhesion body="b" ctrlrange="0 1" gain="4"/>
      <dcmotor joint="j" motorconst="0.1" resistance="2" input="voltage"/></actuator></mujoco>)"));
  EXPECT_THAT(text, Not(HasSubstr("<position")));
  EXPECT_THAT(text, HasSubstr("biasprm=\"0 -3 -1"));
}

TEST(Write, AValueMissingInOneElementIsWrittenInTheOthersInsteadOfTheirClass) {
  Spec spec;
  spec.classes[0].geom.mass = 2;
  spec.classes[0].geom.user = {1, 2};
  spec.classes[0].geom.alt = {spec::Orientation::Kind::Euler, {10, 20, 30}};
  spec::Body& body = spec.world.bodies.add();
  for (int i = 0; i < 3; ++i) {
    spec::Geom& geom = body.geoms.add(spec.classes[0].geom);
    geom.type = GeomType::Box;
    geom.size = {0.1, 0.2, 0.3};
    if (i == 1) geom.mass.reset();
    if (i == 1) geom.user.clear();
    if (i == 2) geom.alt = {};
  }
  const std::string text = written(spec);
  EXPECT_TRUE(save_model(*compile(spec)) == save_model(*load_string(text))) << text;
}

TEST(Write, ASpecThatMjcfCannotExpressIsRefused) {
  Spec spec;
  spec::Geom& geom = spec.world.geoms.add();
  geom.name = "light";
  geom.size = {0.1, 0, 0};
  geom.dclass = "nowhere";
  const Result<std::string> text = write_mjcf(spec);
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().text(), HasSubstr("nowhere"));
}

/// A model with a part in a file, read from memory, must be written as one text. Returns the text.
std::string expect_one_file(const std::string& host, const std::string& part) {
  const std::map<std::string, std::string> files = {{"part.xml", part}, {"t.obj", kTetrahedron}};
  LoadOptions options;
  options.files = &files;
  WriteOptions write;
  write.files = &files;
  const Spec spec = read_mjcf_string(host, options).value_or_throw();
  const Result<Model> before = compile(spec, options);
  EXPECT_TRUE(before) << before.error().text();
  const Result<std::string> text = write_mjcf(spec, write);
  EXPECT_TRUE(text) << text.error().text();
  if (!text) return {};
  const Result<Model> after = load_string(*text, options);
  EXPECT_TRUE(after) << after.error().text() << *text;
  if (before && after) {
    EXPECT_TRUE(save_model(*before) == save_model(*after)) << *text;
  }
  return *text;
}

std::string host_with(const std::string& compiler) {
  return "<mujoco>" + compiler + R"(<default><geom euler="10 20 30"/></default>
    <asset><model name="p" file="part.xml"/></asset>
    <worldbody><frame euler="1 2 3"><body name="own"><joint name="h" range="-50 60" ref="5"/>
      <geom size="0.1"/><geom size="0.1" pos="1 0.2 0"/></body></frame>
      <body name="host" euler="30 40 50"><attach model="p" prefix="p_"/></body></worldbody>
    <keyframe><key name="short" qpos="0.1"/></keyframe></mujoco>)";
}

std::string part_with(const std::string& compiler) {
  return "<mujoco>" + compiler +
         R"(<default><default class="c"><joint range="-1 2"/><geom axisangle="1 2 3 0.4"/></default></default>
    <asset><mesh name="t" file="t.obj"/></asset>
    <worldbody><body name="a" euler="0.1 0.2 0.3" childclass="c"><joint name="j" ref="0.3" limited="true"/>
      <geom type="box" size="0.1 0.2 0.3" euler="0.3 0.2 0.1" group="3"/><geom size="0.1" pos="0.3 0.2 0.1"/>
      <site name="s" euler="0.1 0.3 0.2"/><camera axisangle="1 0 0 0.7"/><geom type="mesh" mesh="t"/>
      <body name="b" pos="0 0 1"><joint type="ball" range="0 1" limited="true"/><joint name="z" type="slide" range="-1 1" limited="true"/>
        <geom size="0.01"/></body>
      <body name="w" pos="0 1 0"><geom type="box" size="0.1 0.2 0.3" group="5"/></body></body></worldbody></mujoco>)";
}

TEST(Write, AttachedPartsAreConvertedToTheSettingsOfTheModel) {
  for (const char* host : {"", "<compiler angle='radian'/>", "<compiler inertiafromgeom='true' boundmass='0.1'/>",
                           "<compiler eulerseq='ZYX'/>"}) {
    for (const char* part :
         {"", "<compiler angle='radian'/>", "<compiler angle='radian' eulerseq='zXy'/>",
          "<compiler inertiagrouprange='0 2' angle='radian'/>", "<compiler boundmass='0.2' boundinertia='0.3'/>",
          "<compiler autolimits='false' balanceinertia='true'/>", "<compiler alignfree='true' fitaabb='true'/>"}) {
      SCOPED_TRACE(std::string(host) + " " + part);
      expect_one_file(host_with(host), part_with(part));
    }
  }
}

TEST(Write, AFreeJointOfAPartHasItsAlignmentWritten) {
  const char* part = R"(<mujoco><compiler alignfree="true"/><worldbody><body><freejoint/>
    <geom size="0.1" pos="1 0 0"/><geom type="box" size="0.1 0.2 0.3"/></body></worldbody></mujoco>)";
  const std::string text = expect_one_file(R"(<mujoco><asset><model name="p" file="part.xml"/></asset>
    <worldbody><body><freejoint/><geom size="0.1" pos="1 0 0"/></body><attach model="p" prefix="p_"/></worldbody></mujoco>)",
                                           part);
  EXPECT_THAT(text, HasSubstr("align=\"true\""));
}

TEST(Write, GeomsWithConflictingFitaabbSettingsAreRefused) {
  const std::map<std::string, std::string> files = {
      {"part.xml", R"(<mujoco><compiler fitaabb="true"/><asset><mesh name="t" file="t.obj"/></asset>
        <worldbody><geom name="g" type="box" mesh="t"/></worldbody></mujoco>)"},
      {"t.obj", kTetrahedron}};
  LoadOptions options;
  options.files = &files;
  const Spec spec =
      read_mjcf_string(R"(<mujoco><asset><mesh name="t" file="t.obj"/><model name="p" file="part.xml"/></asset>
    <worldbody><geom name="own" type="box" mesh="t"/><attach model="p" prefix="p_"/></worldbody></mujoco>)",
                       options)
          .value_or_throw();
  WriteOptions write;
  write.files = &files;
  const Result<std::string> text = write_mjcf(spec, write);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().first().name, "p_g");
}

TEST(Write, KeyframesGeneratedByMacrosAreWrittenInFull) {
  const char* part = R"(<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/></body>
    <body name="m" mocap="true" pos="0 0 3" euler="0 0 30"/></worldbody>
    <keyframe><key name="k" qpos="1 2 3 1 0 0 0.5" mpos="4 5 6"/></keyframe></mujoco>)";
  const std::string text = expect_one_file(R"(<mujoco><asset><model name="p" file="part.xml"/></asset>
    <worldbody><replicate count="3" offset="1 0 0"><attach model="p" prefix="p_"/></replicate>
    <body><joint ref="30"/><geom size="0.1"/></body></worldbody></mujoco>)",
                                           part);
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, HasSubstr("<key "));
}

TEST(Write, AnAssetNextToAnIncludedFileIsFoundWithItsPathStripped) {
  namespace fs = std::filesystem;
  const test::TempFolder temporary;
  const fs::path& folder = temporary.path();
  fs::create_directories(folder / "model/part");
  fs::create_directories(folder / "out");
  std::ofstream(folder / "model/t.obj") << kTetrahedron;
  std::ofstream(folder / "model/part/u.obj") << kTetrahedron;
  std::ofstream(folder / "model/part/p.xml") << R"(<mujoco><asset><mesh name="u" file="lost/u.obj"/></asset></mujoco>)";
  std::ofstream(folder / "model/m.xml") << R"(<mujoco><compiler strippath="true"/><include file="part/p.xml"/>
    <asset><mesh file="elsewhere/t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/><geom type="mesh" mesh="u"/></worldbody></mujoco>)";
  const Spec spec = read_mjcf_file((folder / "model/m.xml").string()).value_or_throw();
  const Model model = compile(spec).value_or_throw();
  for (const char* out : {"model/flat.xml", "out/flat.xml"}) {
    const Result<bool> done = write_mjcf_file(spec, (folder / out).string());
    ASSERT_TRUE(done) << done.error().text();
    const Result<Model> again = load((folder / out).string());
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->mesh_vert, model.mesh_vert);
    EXPECT_EQ(again->names, model.names);
  }
}

TEST(Write, AFileInAnotherFolderFindsTheAssets) {
  namespace fs = std::filesystem;
  const test::TempFolder temporary;
  const fs::path& folder = temporary.path();
  fs::create_directories(folder / "model/meshes");
  fs::create_directories(folder / "model/part");
  fs::create_directories(folder / "out");
  std::ofstream(folder / "model/meshes/t.obj") << kTetrahedron;
  std::ofstream(folder / "model/part/u.obj") << kTetrahedron;
  std::ofstream(folder / "model/part/p.xml")
      << R"(<mujoco><asset><mesh name="u" file="u.obj"/></asset><worldbody><geom type="mesh" mesh="u"/></worldbody></mujoco>)";
  std::ofstream(folder / "model/m.xml") << R"(<mujoco><compiler meshdir="meshes"/><include file="part/p.xml"/>
    <asset><mesh file="t.obj"/></asset><worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>)";
  const Result<Spec> spec = read_mjcf_file((folder / "model/m.xml").string());
  ASSERT_TRUE(spec) << spec.error().text();
  const Result<Model> model = compile(*spec);
  ASSERT_TRUE(model) << model.error().text();
  const std::string out = (folder / "out/flat.xml").string();
  const Result<bool> done = write_mjcf_file(*spec, out);
  ASSERT_TRUE(done) << done.error().text();
  const Result<Model> again = load(out);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->mesh_vert, model->mesh_vert);
  EXPECT_EQ(again->names, model->names);
}

/// A scene with a file of assets, and a robot whose hand is a separate file, included inside a body.
const std::map<std::string, std::string>& scene_files() {
  static const std::map<std::string, std::string> files = {
      {"scene.xml", R"(<mujoco model="scene"><default><geom density="500"/></default>
        <asset><material name="first"/><include file="looks.xml"/><material name="last"/></asset>
        <worldbody><geom name="floor" type="plane" size="5 5 1"/></worldbody>
        <include file="robot.xml"/>
        <worldbody><body name="box" pos="2 0 1"><freejoint/><geom size="0.2" material="red"/></body></worldbody>
        <sensor><jointpos name="behind" joint="shoulder"/></sensor></mujoco>)"},
      {"looks.xml", R"(<mujocoinclude><material name="red" rgba="1 0 0 1"/><material name="blue"/></mujocoinclude>)"},
      {"robot.xml", R"(<mujoco><default><default class="arm"><joint damping="2"/></default></default>
        <asset><material name="steel"/></asset>
        <worldbody><body name="upper" pos="0 0 1"><joint name="shoulder" class="arm"/>
          <geom name="bone" type="capsule" size="0.05" fromto="0 0 0 0.4 0 0" material="steel"/>
          <include file="parts/hand.xml"/></body></worldbody>
        <actuator><motor name="drive" joint="shoulder"/></actuator>
        <sensor><jointvel joint="shoulder"/></sensor></mujoco>)"},
      {"parts/hand.xml", R"(<mujocoinclude><body name="hand" pos="0.4 0 0"><joint name="wrist" axis="0 1 0"/>
          <geom name="palm" size="0.06"/></body></mujocoinclude>)"}};
  return files;
}

Spec read_scene() {
  LoadOptions options;
  options.files = &scene_files();
  return read_mjcf_file("scene.xml", options).value_or_throw();
}

/// The written files by name, after checking that they load as the same model.
std::map<std::string, std::string> kept_files(const Spec& spec) {
  std::map<std::string, std::string> files;
  const Result<std::vector<WrittenFile>> written = write_mjcf_files(spec, "");
  EXPECT_TRUE(written) << written.error().text();
  if (!written) return files;
  for (const WrittenFile& file : *written) files[file.path.empty() ? "scene.xml" : file.path] = file.text;
  LoadOptions options;
  options.files = &files;
  const Result<Model> before = compile(spec), after = load("scene.xml", options);
  EXPECT_TRUE(before) << before.error().text();
  EXPECT_TRUE(after) << after.error().text() << files["scene.xml"];
  if (before && after) {
    EXPECT_TRUE(save_model(*before) == save_model(*after)) << files["scene.xml"];
  }
  return files;
}

TEST(WriteWithIncludes, EachFileKeepsItsElementsAndIsIncludedAtTheirPosition) {
  std::map<std::string, std::string> files = kept_files(read_scene());
  ASSERT_EQ(files.size(), 4u);
  EXPECT_THAT(files["scene.xml"], HasSubstr("    <material name=\"first\"/>\n    <include file=\"looks.xml\"/>\n    "
                                            "<material name=\"last\"/>\n"));
  EXPECT_THAT(files["scene.xml"], HasSubstr("  </worldbody>\n\n  <include file=\"robot.xml\"/>\n\n  <worldbody>\n"));
  EXPECT_THAT(files["scene.xml"], HasSubstr("class=\"arm\""));
  for (const char* foreign : {"steel", "bone", "palm", "drive", "blue"})
    EXPECT_THAT(files["scene.xml"], Not(HasSubstr(foreign)));
  EXPECT_EQ(files["looks.xml"],
            "<mujocoinclude>\n  <material name=\"red\" rgba=\"1 0 0 1\"/>\n  <material name=\"blue\"/>\n"
            "</mujocoinclude>\n");
  for (const char* own : {"steel", "bone", "drive", "<include file=\"parts/hand.xml\"/>"})
    EXPECT_THAT(files["robot.xml"], HasSubstr(own));
  EXPECT_THAT(files["robot.xml"], Not(HasSubstr("palm")));
  EXPECT_THAT(files["parts/hand.xml"], HasSubstr("palm"));
}

TEST(WriteWithIncludes, AnEditChangesOnlyTheFileOfTheElement) {
  Spec spec = read_scene();
  std::map<std::string, std::string> before = kept_files(spec);
  find<spec::Geom>(spec, "palm")->size[0] = 0.07;
  std::map<std::string, std::string> after = kept_files(spec);
  EXPECT_THAT(after["parts/hand.xml"], HasSubstr("size=\"0.07 0 0\""));
  before.erase("parts/hand.xml");
  after.erase("parts/hand.xml");
  EXPECT_EQ(after, before);
}

TEST(WriteWithIncludes, ANewElementIsWrittenToTheFileOfItsParent) {
  Spec spec = read_scene();
  find<spec::Body>(spec, "hand")->sites.add().name = "grip";
  spec.world.sites.add().name = "home";
  std::map<std::string, std::string> files = kept_files(spec);
  EXPECT_THAT(files["parts/hand.xml"], HasSubstr("grip"));
  EXPECT_THAT(files["scene.xml"], HasSubstr("home"));
}

TEST(WriteWithIncludes, AFileWithScatteredElementsIsMergedIntoItsIncludingFile) {
  Spec spec = read_scene();
  std::swap(find<spec::Material>(spec, "blue")->origin, find<spec::Material>(spec, "last")->origin);
  const std::map<std::string, std::string> files = kept_files(spec);
  EXPECT_FALSE(files.contains("looks.xml"));
  EXPECT_TRUE(files.contains("robot.xml"));
}

TEST(WriteWithIncludes, AnUnchangedFileIsNotRewritten) {
  namespace fs = std::filesystem;
  const test::TempFolder temporary;
  const std::string out = (temporary.path() / "new/scene.xml").string();
  WriteOptions options;
  options.keep_includes = true;
  Spec spec = read_scene();
  ASSERT_TRUE(write_mjcf_file(spec, out, options));
  const fs::path looks = temporary.path() / "new/looks.xml", hand = temporary.path() / "new/parts/hand.xml";
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  fs::last_write_time(looks, long_ago);
  fs::last_write_time(hand, long_ago);
  const auto before = fs::last_write_time(looks);
  find<spec::Geom>(spec, "palm")->size[0] = 0.07;
  ASSERT_TRUE(write_mjcf_file(spec, out, options));
  EXPECT_EQ(fs::last_write_time(looks), before);
  EXPECT_GT(fs::last_write_time(hand), before);
  const Result<Model> again = load(out);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(save_model(*again) == save_model(compile(spec).value_or_throw()));
}

}  // namespace
}  // namespace sinew
