#include "compile/compiled.h"

// Golden numbers: MuJoCo 3.12.0, body_mass, body_inertia … of the same models.

namespace sinew {
namespace {

using namespace testing_compile;

std::vector<double> row(const std::vector<double>& field, int i, int width) {
  return {field.begin() + i * width, field.begin() + (i + 1) * width};
}

/// A model with one body.
Model one_body(const std::string& content, const std::string& compiler = "") {
  return compiled("<mujoco><compiler " + compiler + "/><worldbody><body>" + content + "</body></worldbody></mujoco>");
}

TEST(BodyInertia, OfOneGeomIsThatOfTheGeomUnsorted) {
  const Model m =
      one_body("<geom type='cylinder' size='.1 .2' shellinertia='true' mass='2' pos='1 2 3' euler='30 0 0'/>");
  EXPECT_EQ(m.body_mass[1], 2);
  expect_near(row(m.body_ipos, 1, 3), {1, 2, 3});
  expect_near(row(m.body_iquat, 1, 4), row(m.geom_quat, 0, 4));
  expect_near(row(m.body_inertia, 1, 3), {0.046333333333333344, 0.046333333333333344, 0.018000000000000006});
}

TEST(BodyInertia, OfSeveralGeomsIsDiagonalizedAboutTheirCenterOfMass) {
  const Model m = one_body(
      "<geom size='.1'/><geom type='capsule' size='.1 .2' pos='.3 0 0' euler='30 0 0'/>"
      "<geom type='box' size='.1 .2 .3' pos='0 .2 0' group='4'/>",
      "inertiagrouprange='0 3'");
  EXPECT_DOUBLE_EQ(m.body_mass[1], 20.94395102393196);
  expect_near(row(m.body_ipos, 1, 3), {0.24000000000000002, 0, 0});
  expect_near(row(m.body_iquat, 1, 4),
              {0.6830127018922199, 0.18301270189221938, -0.18301270189221938, 0.6830127018922199});
  expect_near(row(m.body_inertia, 1, 3), {0.7644542123735169, 0.46286131762889643, 0.39793506945470725});
}

// The signs of an sdf mesh's field depend on the last bit of its frame.
TEST(MeshInertia, CenterOfAShellIsThatOfMujocoToTheLastBit) {
  const Model m = compiled(
      "<mujoco><asset>"
      "<mesh name='a' vertex='0 0.02 0 0 -0.135 1 -0.03 0 0 -0.128 1 0' inertia='shell'/>"
      "<mesh name='b' vertex='0 0.0123 0 1 1 0 0 0.182 0 0 0.1 0.03 0 -0.05 0' inertia='shell'/>"
      "</asset></mujoco>");
  EXPECT_EQ(row(m.mesh_pos, 0, 3),
            (std::vector<double>{-0.047119807092950973, 0.28657063939982674, 0.32816624590306348}));
  EXPECT_EQ(row(m.mesh_pos, 1, 3),
            (std::vector<double>{0.32855808552101479, 0.37358311212249906, 0.0052247519641639931}));
}

TEST(BodyInertia, OfShellsUsesTheirAreas) {
  const Model a = one_body(
      "<geom type='ellipsoid' size='.1 .2 .3' shellinertia='true' mass='2'/>"
      "<geom type='capsule' size='.1 .2' shellinertia='true' pos='1 0 0'/>");
  EXPECT_DOUBLE_EQ(a.body_mass[1], 378.9911184307752);
  expect_near(row(a.body_inertia, 1, 3), {15.032150111679705, 13.059068141284783, 5.3735689481094395}, 1e-14);
  const Model b = one_body(
      "<geom type='box' size='.1 .2 .3' shellinertia='true' density='20'/>"
      "<geom type='sphere' size='.1' shellinertia='true' pos='1 0 0'/>");
  EXPECT_DOUBLE_EQ(b.body_mass[1], 143.26370614359175);
  expect_near(row(b.body_inertia, 1, 3), {17.118258110526906, 16.760924777193573, 1.920424707623945});
}

TEST(BodyInertia, FullinertiaIsDiagonalizedWithMuJoCosConventions) {
  const auto full = [](const char* numbers) {
    return one_body("<inertial pos='1 2 3' mass='4' fullinertia='" + std::string(numbers) + "'/>");
  };
  const Model a = full("3 4 5 .1 .2 .3");
  expect_near(row(a.body_inertia, 1, 3), {5.105976670111364, 3.918829112561996, 2.9751942173266395});
  expect_near(row(a.body_iquat, 1, 4),
              {0.11797009634430689, 0.7334428966950683, 0.0764836183822632, 0.6650525015179047});
  const Model b = full("2 2 2 .5 .5 .5");
  expect_near(row(b.body_inertia, 1, 3), {2.9999999999999996, 1.5, 1.5});
  expect_near(row(b.body_iquat, 1, 4),
              {0.8204732385702844, 0.33985114297998775, -0.1759198966061614, 0.4247082002778675});
  const Model c = full("1 2 2.5 0 0 0");
  expect_near(row(c.body_inertia, 1, 3), {2.5, 2, 1});
  expect_near(row(c.body_iquat, 1, 4), {0, 0.7071067811865489, 0, 0.7071067811865489});
}

TEST(BodyInertia, ABodyWithoutMassHasItsOwnPoseAsInertialFrame) {
  const Model m = compiled(
      "<mujoco><worldbody><body pos='1 2 3' euler='0 0 30'><geom size='.1' mass='0'/></body>"
      "</worldbody></mujoco>");
  EXPECT_EQ(m.body_mass[1], 0);
  expect_near(row(m.body_ipos, 1, 3), {1, 2, 3});
  expect_near(row(m.body_iquat, 1, 4), {0.9659258262890683, 0, 0, 0.25881904510252074});
}

TEST(CompilerSettings, InertiafromgeomTrueReplacesTheInertialElement) {
  const char* body = "<inertial pos='1 2 3' mass='4' diaginertia='1 1 1'/><geom size='.1'/>";
  EXPECT_EQ(one_body(body).body_mass[1], 4);
  EXPECT_DOUBLE_EQ(one_body(body, "inertiafromgeom='true'").body_mass[1], 4.188790204786391);
}

TEST(CompilerSettings, BoundsApplyToEveryBodyExceptTheWorld) {
  const Model m =
      compiled("<mujoco><compiler boundmass='.5' boundinertia='.1'/><worldbody><body/></worldbody></mujoco>");
  expect_near(m.body_mass, {0, 0.5});
  expect_near(m.body_inertia, {0, 0, 0, 0.1, 0.1, 0.1});
}

TEST(CompilerSettings, SettotalmassScalesMassesAndInertias) {
  const char* model =
      "<mujoco>%s<worldbody><body><geom size='.1'/></body><body><geom size='.2'/></body></worldbody></mujoco>";
  char text[400];
  std::snprintf(text, sizeof(text), model, "<compiler settotalmass='3'/>");
  const Model scaled = compiled(text);
  std::snprintf(text, sizeof(text), model, "");
  const Model plain = compiled(text);
  EXPECT_DOUBLE_EQ(scaled.body_mass[1] + scaled.body_mass[2], 3);
  const double ratio = 3 / (plain.body_mass[1] + plain.body_mass[2]);
  EXPECT_DOUBLE_EQ(scaled.body_inertia[3], plain.body_inertia[3] * ratio);
  EXPECT_DOUBLE_EQ(scaled.body_subtreemass[0], 3);
}

TEST(CompilerSettings, BalanceinertiaReplacesUnphysicalMomentsByTheirMean) {
  const char* body = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 4'/>";
  expect_near(row(one_body(body, "balanceinertia='true'").body_inertia, 1, 3), {2, 2, 2});
  EXPECT_EQ(refused("<mujoco><worldbody><body>" + std::string(body) + "</body></worldbody></mujoco>").element,
            "inertial");
}

TEST(CompilerSettings, DiscardvisualRemovesGeomsAfterTheirMassWasCounted) {
  const Model m =
      compiled(R"(<mujoco><compiler discardvisual="true"/><asset><material name="m"/></asset><worldbody><body>
      <geom name="hull" size=".1"/><geom name="paint" size=".2" contype="0" conaffinity="0" material="m"/>
      <geom name="seen" size=".1" contype="0" conaffinity="0"/></body></worldbody>
      <sensor><framepos objtype="geom" objname="seen"/></sensor></mujoco>)");
  EXPECT_EQ(m.ngeom, 2);
  EXPECT_EQ(m.id(ObjType::Geom, "paint"), -1);
  EXPECT_EQ(m.id(ObjType::Geom, "seen"), 1);
  EXPECT_EQ(m.nmat, 0);
  EXPECT_GT(m.body_mass[1], 40);  // 2 x 4.2 kg, and 33.5 kg of the removed one
}

TEST(CompilerSettings, FusestaticMakesUnnamedAndUnreferencedBodiesPartOfTheirParent) {
  const Model m =
      compiled(R"(<mujoco><compiler fusestatic="true"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
      <body name="post" pos="1 0 0" euler="0 0 90"><geom name="post" size=".1" pos="1 0 0"/>
      <light name="lamp" pos="0 0 1"/><site name="eye" pos="0 0 1"/>
      <body name="arm" pos="0 1 0"><joint/><geom name="arm" size=".1"/>
      <body name="tool" pos="1 0 0" euler="20 0 0"><geom name="tool" type="box" size=".1 .2 .3"/>
      <body name="kept" pos="1 1 0"><geom name="kept" size=".2"/></body>
      <body name="tip" pos="0 0 1"><joint/><geom name="tip" size=".1"/></body></body></body></body></worldbody>
      <sensor><framepos objtype="body" objname="kept"/></sensor></mujoco>)");
  EXPECT_EQ(m.nbody, 4);
  expect_equal(m.body_parentid, {0, 0, 1, 1});
  expect_near(m.body_pos, {0, 0, 0, 0, 2.220446049250313e-16, 0, 2, 0.9396926207859083, 0.34202014332566866, 1,
                           -0.34202014332566866, 0.9396926207859083});
  expect_near(m.body_mass, {0, 52.1887902047864, 33.51032163829113, 4.188790204786391});
  expect_near(row(m.body_ipos, 1, 3), {0.919737740837644, 0, 0});
  expect_near(row(m.body_iquat, 1, 4), {0.40557978767263947, 0.57922796533957, 0.40557978767263947, 0.57922796533957});
  expect_near(row(m.body_inertia, 1, 3), {5.469343600612233, 4.669343600612232, 2.096755160819144});
  expect_equal(m.geom_bodyid, {0, 0, 1, 1, 2, 3});
  expect_near(row(m.geom_pos, 1, 3), {1.0000000000000002, 1, 0});
  expect_near(m.site_pos, {1, 0, 1});
  expect_near(m.light_pos, {0, 0, 1});  // still relative to the removed body, as in MuJoCo
}

TEST(CompilerSettings, FusestaticPutsAFreeJointOfAStaticBodyBelowTheWorld) {
  const std::string body = R"(<worldbody>
      <body name="wall" pos="1 0 0" euler="0 0 90" user="1 2"><geom size=".1" pos=".5 0 0"/>
        <body name="ball" pos="0 2 1" euler="0 90 0"><freejoint/><geom size=".1"/></body></body></worldbody>)";
  const Model m = compiled("<mujoco><compiler fusestatic='true'/>" + body + "</mujoco>");
  // MuJoCo 3.12.0, native
  ASSERT_EQ(m.nbody, 2);
  expect_near(m.qpos0, {-1, 4.4408920985006262e-16, 1, 0.50000000000000011, -0.49999999999999989, 0.5, 0.5});
  expect_near(m.geom_pos, {1, 0.5, 0, 0, 0, 0});
  EXPECT_EQ(m.nuser_body, 2);
  EXPECT_EQ(refused("<mujoco>" + body + "</mujoco>").attribute, "type");
  // a referenced body stays, and a free joint below it is refused
  EXPECT_EQ(refused("<mujoco><compiler fusestatic='true'/>" + body +
                    "<sensor><framepos objtype='body' objname='wall'/></sensor></mujoco>")
                .attribute,
            "type");
}

TEST(CompilerSettings, FusestaticKeepsExactlyTheReferencedBodies) {
  // MuJoCo 3.12.0 ignores references to xbodies, and later refuses them; and it uses ids from before the first body
  // was fused, so that 's2' stays because of the sensor of 'o'
  const std::string world = R"(<worldbody><body name="s"><geom size=".1"/><body name="s2"><geom size=".1"/></body>
      <body name="f"><joint/><geom size=".1"/></body></body><body name="o"><joint/><geom size=".1"/></body></worldbody>)";
  const auto bodies = [&](const std::string& sensor) {
    const Model m =
        compiled("<mujoco><compiler fusestatic='true'/>" + world + "<sensor>" + sensor + "</sensor></mujoco>");
    std::string out;
    for (int b = 1; b < m.nbody; ++b) out += std::string(m.name(ObjType::Body, b)) + " ";
    return out;
  };
  EXPECT_EQ(bodies(""), "f o ");
  EXPECT_EQ(bodies("<framepos objtype='body' objname='o'/>"), "f o ");
  EXPECT_EQ(bodies("<framepos objtype='body' objname='s'/>"), "s f o ");
  EXPECT_EQ(bodies("<framepos objtype='xbody' objname='s2'/>"), "s2 f o ");
  EXPECT_EQ(bodies("<contact subtree1='s'/>"), "s f o ");
}

TEST(CompilerSettings, FusestaticKeepsABodyWhoseForceIsMeasured) {
  const Model m = compiled(R"(<mujoco><compiler fusestatic="true"/><worldbody><body><freejoint/><geom size=".1"/>
      <body pos="1 0 0"><geom size=".1"/><site name="s"/></body></body></worldbody>
      <sensor><force site="s"/></sensor></mujoco>)");
  EXPECT_EQ(m.nbody, 3);
}

TEST(FreeJoint, AlignMovesTheBodyFrameToTheInertialFrame) {
  const Model m = compiled(R"(<mujoco><worldbody><body pos="1 0 0" euler="0 0 90"><freejoint align="true"/>
      <geom size=".1" pos="1 0 0"/><geom type="box" size=".1 .2 .3" pos="0 1 0" euler="40 0 0"/>
      <site name="s" pos="1 0 0"/><light pos="0 0 1" dir="1 0 0"/></body></worldbody></mujoco>)");
  const std::vector<double> pose = {0.08026225916235596, 0.08026225916235619, 0,
                                    0.16404947454311825, 0.39661178086026583, 0.5677535296789475,
                                    0.7024548346492272};
  expect_near(row(m.body_pos, 1, 3), {pose[0], pose[1], pose[2]});
  expect_near(m.qpos0, pose);
  expect_near(row(m.body_ipos, 1, 3), {0, 0, 0});
  expect_near(row(m.body_iquat, 1, 4), {1, 0, 0, 0});
  expect_near(row(m.body_inertia, 1, 3), {9.523206454411302, 8.759113327552903, 1.6582994596655882});
  expect_near(row(m.geom_pos, 0, 3), {0.04530300652571262, -0.07505668364031101, 1.297747724206412});
  expect_near(m.site_quat, {0.6127110729572723, -0.6819092506233485, -0.12101549113381474, -0.3807100811582148});
  expect_near(m.light_pos, {-0.26460277403397997, 1.1542010473578914, 0.6709432587174964});
  expect_near(m.light_dir, {0.6808301700202942, -0.3014873988784479, 0.6675145151288067});
  EXPECT_EQ(m.body_simple[1], 1);
}

TEST(FreeJoint, AutoAlignFollowsTheCompilerAndNeverMovesABodyWithChildren) {
  const char* model = R"(<mujoco><compiler alignfree="true"/><worldbody>
      <body><freejoint/><geom size=".1" pos="1 0 0"/></body>
      <body><freejoint align="false"/><geom size=".1" pos="1 0 0"/></body>
      <body><freejoint/><geom size=".1" pos="1 0 0"/><body><geom size=".1"/></body></body></worldbody></mujoco>)";
  const Model m = compiled(model);
  expect_near(m.body_pos, {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

}  // namespace
}  // namespace sinew
