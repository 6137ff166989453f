#include "sinew/skin.h"

#include <gmock/gmock.h>

#include <array>
#include <map>

#include "compile/compiled.h"
#include "sinew/edit.h"
#include "sinew/model_file.h"
#include "sinew/scene.h"
#include "sinew/step.h"
#include "sinew/write.h"

namespace sinew {
namespace {

using namespace testing_compile;
using testing::HasSubstr;

constexpr const char* kSkin = R"(<mujoco><worldbody>
  <body name="a" pos="0 0 1"><joint type="ball"/><geom size=".1"/></body><body name="b"/></worldbody>
  <deformable><skin name="s" inflate=".01" vertex="-1 -1 0  1 -1 0  0 1 0  0 0 1" face="0 2 1 0 1 3 1 2 3 2 0 3">
    <bone body="a" bindpos="0 0 1" bindquat="1 0 0 0" vertid="1 2 3" vertweight="1 3 2"/>
    <bone body="b" bindpos="0 0 0" bindquat="2 0 0 2" vertid="0 1" vertweight="1 1"/></skin></deformable></mujoco>)";

TEST(Skins, WeightsAndBindPosesAreNormalized) {
  const Model m = compiled(kSkin);
  ASSERT_EQ(m.nskin, 1);
  EXPECT_EQ(m.skin_texcoordadr[0], -1);
  expect_equal(m.skin_bonebodyid, {1, 2});
  expect_near(m.skin_bonevertweight, {0.5, 1, 1, 1, 0.5}, 1e-7);
  EXPECT_EQ(m.skin_bonebindquat[4], 0.707106769f);  // MuJoCo 3.12.0
  EXPECT_EQ(m.skin_bonebindquat[7], 0.707106769f);
}

TEST(Skins, VerticesFollowTheirBones) {
  const Model m = compiled(kSkin);
  Data d(m);
  d.qpos[0] = 0.9;
  d.qpos[1] = 0.1;
  d.qpos[2] = 0.2;
  d.qpos[3] = 0.3;
  ASSERT_TRUE(forward(m, d));
  std::vector<float> vert(12), normal(12);
  skin_vertices(m, d, 0, vert, normal);
  // MuJoCo 3.12.0: mjvScene.skinvert, skinnormal
  const std::vector<double> expected = {-1.00726748, 0.993934572,    0.00322394725,  -0.0891502574,
                                        -0.54994458, -0.260794371,   -0.96036309,    0.857801676,
                                        0.418164819, -0.00867445394, -0.00486295205, 0.998948574};
  const std::vector<double> normals = {-0.726754189, -0.60653919,  0.322394729,  0.55865556,
                                       0.795009851,  0.236354396,  0.805793762,  0.517012179,
                                       -0.288781554, -0.867445409, -0.486295193, -0.105144881};
  expect_near(vert, expected, 3e-7);
  expect_near(normal, normals, 3e-7);
  EXPECT_THROW(skin_vertices(m, d, 1, vert, normal), Exception);
  EXPECT_THROW(skin_vertices(m, d, 0, std::span(vert).first(3), normal), Exception);
}

TEST(Skins, TheSceneHasThoseOfVisibleGroups) {
  Model m = compiled(kSkin);
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  Scene scene(m);
  SceneCamera camera = default_free_camera(m);
  const auto shown = [&] {
    update_scene(m, d, SceneOption(), nullptr, camera, kSceneAll, scene);
    int count = 0;
    for (int i = 0; i < scene.ngeom; ++i) count += scene.geoms[static_cast<std::size_t>(i)].type == kSceneSkin;
    return count;
  };
  EXPECT_EQ(shown(), 1);
  EXPECT_NE(scene.skin.vert[0], 0);
  m.skin_group[0] = 3;
  ASSERT_TRUE(refresh(m));
  EXPECT_EQ(shown(), 0);
  EXPECT_EQ(scene.skin.vert[0], 0);
}

std::string skn_file() {
  std::string out;
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(std::array<std::int32_t, 4>{3, 3, 1, 1});
  add(std::array<float, 9>{0, 0, 0, 1, 0, 0, 0, 1, 0});
  add(std::array<float, 6>{0, 0, 1, 0, 0, 1});
  add(std::array<std::int32_t, 3>{0, 1, 2});
  std::array<char, 40> name{};
  name[0] = 'a';
  add(name);
  add(std::array<float, 7>{0, 0, 1, 1, 0, 0, 0});
  add(std::array<std::int32_t, 4>{3, 0, 1, 2});
  add(std::array<float, 3>{1, 2, 4});
  return out;
}

Result<Model> load_skn(const std::string& content) {
  const std::map<std::string, std::string> files = {{"x.SKN", content}};
  LoadOptions options;
  options.files = &files;
  return load_string(R"(<mujoco><asset><skin file="x.SKN"/></asset><worldbody><body name="a"/></worldbody></mujoco>)",
                     options);
}

TEST(SkinFiles, AreReadAsWritten) {
  const Model m = load_skn(skn_file()).value_or_throw();
  EXPECT_EQ(m.name(ObjType::Skin, 0), "x");
  EXPECT_EQ(m.nskinvert, 3);
  EXPECT_EQ(m.skin_texcoordadr[0], 0);
  EXPECT_EQ(std::string(&m.paths[m.skin_pathadr[0]]), "x.SKN");
  expect_near(m.skin_bonevertweight, {1, 1, 1});
}

TEST(SkinFiles, OfTheWrongSizeAreRefused) {
  const std::string good = skn_file();
  for (const std::string& bad : {good.substr(0, good.size() - 4), good + "xxxx", good.substr(0, 8), std::string()}) {
    const Result<Model> model = load_skn(bad);
    ASSERT_FALSE(model) << bad.size();
    EXPECT_THAT(model.error().text(), HasSubstr("x.SKN"));
  }
  std::string negative = good;
  negative[3] = '\x80';
  EXPECT_THAT(load_skn(negative).error().text(), HasSubstr("negative count"));
  std::string huge = good;
  huge[3] = '\x7f';
  EXPECT_THAT(load_skn(huge).error().text(), HasSubstr("size does not match"));
}

TEST(Skins, AreWrittenAndReadBack) {
  const Spec spec = read_mjcf_string(kSkin).value_or_throw();
  const std::string text = write_mjcf(spec).value_or_throw();
  EXPECT_EQ(save_model(load_string(text).value_or_throw()), save_model(compiled(kSkin)));
}

TEST(Skins, ComeWithAttachedModels) {
  const Spec part = read_mjcf_string(kSkin).value_or_throw();
  Spec host;
  ASSERT_TRUE(attach(host, host.world, -1, {.from = &part, .prefix = "p_"}));
  const Model m = compile(host).value_or_throw();
  ASSERT_EQ(m.nskin, 1);
  EXPECT_EQ(m.name(ObjType::Skin, 0), "p_s");
  EXPECT_EQ(m.name(ObjType::Body, m.skin_bonebodyid[0]), "p_a");
}

TEST(Skins, GoWithTheBodiesThatTheyFollow) {
  Spec spec = read_mjcf_string(kSkin).value_or_throw();
  EXPECT_FALSE(remove(spec, ObjType::Body, "a"));
  ASSERT_TRUE(remove(spec, ObjType::Body, "a", References::Remove));
  EXPECT_EQ(spec.skins.size(), 0u);
}

TEST(Skins, KeepStaticBodies) {
  Spec spec = read_mjcf_string(kSkin).value_or_throw();
  spec.compiler.fusestatic = true;
  EXPECT_EQ(compile(spec).value_or_throw().nbody, 3);
}

TEST(Skins, EditsAreChecked) {
  Model m = compiled(kSkin);
  m.skin_face[0] = 4;
  EXPECT_THAT(std::string(refresh(m).text()), HasSubstr("skin_face[0]"));
  m.skin_face[0] = 0;
  m.skin_bonebodyid[1] = 3;
  EXPECT_THAT(std::string(refresh(m).text()), HasSubstr("skin_bonebodyid[1]"));
}

TEST(CableSkins, JoinTheEdgesOfTheBoxes) {
  const Model m = compiled(R"(<mujoco><worldbody><composite type="cable" prefix="c" count="6 1 1" curve="s" size="1">
    <geom type="box" size=".01 .02 .03"/><skin rgba="1 0 0 1" group="1"/></composite></worldbody></mujoco>)");
  ASSERT_EQ(m.nskin, 1);
  EXPECT_EQ(m.name(ObjType::Skin, 0), "cSkin");
  EXPECT_EQ(m.nskinbone, 12);
  EXPECT_EQ(m.nskinvert, 24);
  EXPECT_EQ(m.nskinface, 44);
  EXPECT_EQ(m.skin_inflate[0], 0.06f);
  expect_equal(m.skin_bonebodyid, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5});
  EXPECT_EQ(m.skin_bonebindpos[3 * 10], -0.02f);  // as in MuJoCo: 2 size[0], not the length of a segment
}

TEST(CableSkins, WeightsOfAFinerLatticeAddUpToOne) {
  const Model m = compiled(R"(<mujoco><worldbody><composite type="cable" prefix="c" count="5 1 1" curve="s" size="1">
    <geom type="box" size=".01 .02 .03"/><skin subgrid="2"/></composite></worldbody></mujoco>)");
  EXPECT_EQ(m.nskinbone, 15);
  EXPECT_EQ(m.nskinvert, 2 * 13 * 7);
  std::vector<double> total(static_cast<std::size_t>(m.nskinvert));
  for (std::size_t i = 0; i < m.skin_bonevertid.size(); ++i)
    total[static_cast<std::size_t>(m.skin_bonevertid[i])] += m.skin_bonevertweight[i];
  for (const double sum : total) EXPECT_NEAR(sum, 1, 3e-7);
  // MuJoCo 3.12.0: vertex 1 of bone 0
  EXPECT_EQ(m.skin_bonevertid[2], 1);
  EXPECT_NEAR(m.skin_bonevertweight[2], 0.62963, 1e-5);
}

}  // namespace
}  // namespace sinew
