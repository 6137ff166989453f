#include <fmt/format.h>
#include <gtest/gtest.h>
#include <lodepng.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "sinew/load.h"
#include "sinew/model_file.h"
#include "temp_folder.h"

namespace sinew {
namespace {

using Files = std::map<std::string, std::string>;

constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

Result<Model> load_with(const Files& files, const std::string& text) {
  LoadOptions options;
  options.files = &files;
  return load_string(text, options);
}

TEST(Assets, AreReadFromMemoryBeforeTheDisk) {
  const Files files = {{"tet.obj", kTetrahedron}};
  auto m = load_with(files, R"(<mujoco><compiler meshdir="parts"/><asset><mesh file="Tet.obj"/></asset><worldbody><body>
      <freejoint/><geom type="mesh" mesh="Tet"/></body></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  EXPECT_EQ(m->nmesh, 1);
  EXPECT_EQ(m->name(ObjType::Mesh, 0), "Tet");
  EXPECT_NEAR(m->body_mass[1], 1000.0 / 6, 1e-9);
  EXPECT_NEAR(m->geom_pos[0], 0.25, 1e-15);
}

TEST(Assets, MissingOrBrokenFilesAreNamed) {
  const Files files = {{"bad.stl", "solid nothing"}, {"bad.png", "not an image"}};
  auto missing = load_with(files, R"(<mujoco><asset><mesh name="m" file="gone.stl"/></asset></mujoco>)");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().text().find("gone.stl"), std::string::npos) << missing.error().text();
  auto broken = load_with(files, R"(<mujoco><asset><mesh name="m" file="bad.stl"/></asset></mujoco>)");
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().text().find("<mesh name=\"m\" file>: 'bad.stl': STL file"), std::string::npos)
      << broken.error().text();
  auto image = load_with(files, R"(<mujoco><asset><hfield name="h" file="bad.png" size="1 1 1 1"/></asset></mujoco>)");
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().text().find("PNG"), std::string::npos) << image.error().text();
}

/// Counts how often files in a folder are opened.
class Openings {
 public:
  explicit Openings(const std::filesystem::path& folder)
      : queue_(inotify_init1(IN_NONBLOCK)), watch_(inotify_add_watch(queue_, folder.c_str(), IN_OPEN)) {}
  ~Openings() { close(queue_); }
  Openings(const Openings&) = delete;
  Openings& operator=(const Openings&) = delete;
  bool works() const { return watch_ >= 0; }

  std::map<std::string, int> count() const {
    std::map<std::string, int> times;
    alignas(inotify_event) char buffer[4096];
    for (ssize_t size; (size = read(queue_, buffer, sizeof buffer)) > 0;) {
      for (const char* at = buffer; at < buffer + size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(at);
        if (event->len > 0) ++times[event->name];
        at += sizeof(inotify_event) + event->len;
      }
    }
    return times;
  }

 private:
  int queue_, watch_;
};

TEST(Assets, EachFileIsReadOnceEvenIfSeveralElementsUseIt) {
  const test::TempFolder folder;
  const auto put = [&](const char* name, const std::string& content) {
    std::ofstream(folder.path() / name, std::ios::binary) << content;
  };
  std::vector<unsigned char> png;
  ASSERT_EQ(lodepng::encode(png, std::vector<unsigned char>(4 * 4 * 4, 100), 4, 4), 0u);
  put("tet.obj", kTetrahedron);
  put("tile.png", {png.begin(), png.end()});
  put("part.xml", R"(<mujocoinclude><asset><mesh name="d" file="tet.obj" scale="-1 1 1"/></asset></mujocoinclude>)");
  put("model.xml", R"(<mujoco><include file="part.xml"/><asset><mesh name="a" file="tet.obj"/>
      <mesh name="b" file="tet.obj" scale="2 2 2"/><mesh name="c" file="./tet.obj"/>
      <texture name="t" type="2d" file="tile.png"/><texture name="u" type="2d" file="tile.png" hflip="true"/>
      <texture name="v" type="cube" fileright="tile.png" fileleft="tile.png" fileup="tile.png" filedown="tile.png"
        filefront="tile.png" fileback="tile.png"/>
      <hfield name="h" file="tile.png" size="1 1 1 1"/><hfield name="k" file="tile.png" size="2 1 1 1"/></asset>
      <worldbody><geom type="mesh" mesh="b"/></worldbody></mujoco>)");
  const Openings openings(folder.path());
  ASSERT_TRUE(openings.works());
  const auto m = load((folder.path() / "model.xml").string());
  ASSERT_TRUE(m) << m.error().text();
  EXPECT_EQ(m->nmesh, 4);
  const std::map<std::string, int> once = {{"model.xml", 1}, {"part.xml", 1}, {"tet.obj", 1}, {"tile.png", 1}};
  EXPECT_EQ(openings.count(), once);
}

TEST(Assets, UnknownMeshGivesASuggestion) {
  auto m = load_string(R"(<mujoco><asset><mesh name="wheel" builtin="sphere" params="1"/></asset><worldbody>
      <geom type="mesh" mesh="whel"/></worldbody></mujoco>)");
  ASSERT_FALSE(m);
  EXPECT_NE(m.error().text().find("wheel"), std::string::npos) << m.error().text();
}

TEST(HeightFieldGeom, HasTheSizeAndBoundsOfItsAsset) {
  auto m =
      load_string(R"(<mujoco><asset><hfield name="h" nrow="2" ncol="3" elevation="1 2 3 4 5 9" size="1 2 3 .5"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  // MuJoCo 3.12.0: geom_size, geom_aabb, geom_rbound
  EXPECT_EQ(m->geom_size, (std::vector<double>{1, 2, 1}));
  EXPECT_EQ(m->geom_aabb, (std::vector<double>{0, 0, 1.25, 1, 2, 1.75}));
  EXPECT_DOUBLE_EQ(m->geom_rbound[0], 3.7416573867739413);
}

struct Fit {
  const char* type;
  const char* fitaabb;
  std::vector<double> size;  // MuJoCo 3.12.0: geom_size of a geom with a box mesh of half sizes .1 .2 .3
};

class FittedPrimitive : public testing::TestWithParam<Fit> {};

TEST_P(FittedPrimitive, HasMuJoCosSize) {
  const Fit& p = GetParam();
  auto m = load_string(std::string(R"(<mujoco><compiler fitaabb=")") + p.fitaabb +
                       R"("/><asset><mesh name="b" inertia="exact"
      vertex="-.1 -.2 -.3  .1 -.2 -.3  -.1 .2 -.3  .1 .2 -.3  -.1 -.2 .3  .1 -.2 .3  -.1 .2 .3  .1 .2 .3"/></asset>
      <worldbody><body><freejoint/><geom type=")" +
                       p.type + R"(" mesh="b"/></body></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(m->geom_size[static_cast<std::size_t>(k)], p.size[static_cast<std::size_t>(k)], 1e-14) << k;
  EXPECT_EQ(m->geom_dataid[0], 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, FittedPrimitive,
    testing::Values(Fit{"sphere", "true", {0.30000001192092896, 0, 0}},
                    Fit{"sphere", "false", {0.20000000546375907, 0, 0}},
                    Fit{"capsule", "true", {0.20000000298023224, 0.10000000894069672, 0}},
                    Fit{"capsule", "false", {0.15000000223517415, 0.2250000108033418, 0}},
                    Fit{"cylinder", "true", {0.20000000298023224, 0.30000001192092896, 0}},
                    Fit{"cylinder", "false", {0.15000000223517415, 0.3000000119209289, 0}},
                    Fit{"ellipsoid", "true", {0.10000000149011612, 0.20000000298023224, 0.30000001192092896}},
                    Fit{"ellipsoid", "false", {0.1000000014901161, 0.20000000298023218, 0.3000000119209289}},
                    Fit{"box", "false", {0.1000000014901161, 0.20000000298023218, 0.3000000119209289}}));

TEST(MeshGeom, AFittedPrimitiveHasTheSurfaceVelocityOfTheMesh) {
  const auto of = [](const char* type, const char* fitaabb) {
    auto m = load_string(std::string(R"(<mujoco><compiler fitaabb=")") + fitaabb +
                         R"("/><asset><mesh name="w" vertex="0 0 0  1 0 0  0 .5 0  0 0 .3  1 .5 .2"/></asset>
      <worldbody><geom type=")" +
                         type + R"(" mesh="w" euler="10 20 30" surfacevel="1 2 3 4 5 6"/></worldbody></mujoco>)");
    EXPECT_TRUE(m) << m.error().text();
    return m ? m->geom_surfacevel : std::vector<double>(6);
  };
  // MuJoCo 3.12.0, native: about the center of mass, or about the center of the bounding box
  const std::vector<double> inertia = {1.7875095603237301, -3.9521184196165811, 0.745810642450627,
                                       6.0098266210826079, -4.5265481535120564, 4.515788502406175};
  const std::vector<double> bounds = {1.5081202312371869, -4.3470714854921457, 0.72174117077047428,
                                      6.0098266210826079, -4.5265481535120564, 4.515788502406175};
  for (const char* type : {"sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh"})
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(of(type, "false")[k], inertia[k], 1e-14) << type << k;
  for (const char* type : {"sphere", "cylinder", "ellipsoid", "box"})
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(of(type, "true")[k], bounds[k], 1e-14) << type << k;
}

TEST(ModelFile, RoundTripsToTheSameModel) {
  auto m = load_string(R"(<mujoco model="round"><asset><mesh name="s" builtin="sphere" params="1"/></asset><worldbody>
      <body name="b"><freejoint/><geom type="mesh" mesh="s"/><body pos="0 0 1"><joint name="j"/><geom size=".1"/></body></body>
      </worldbody><actuator><motor joint="j"/></actuator><sensor><jointpos joint="j"/></sensor></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  const std::vector<std::byte> bytes = save_model(*m);
  auto again = load_model(bytes);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(save_model(*again), bytes);
  EXPECT_EQ(again->modelname, "round");
  EXPECT_EQ(again->geom_pos, m->geom_pos);
}

TEST(ModelFile, ObeysTheMemoryLimitIncludingOneData) {
  const auto m = load_string(R"(<mujoco><size nuserdata="100000"/><worldbody><geom size="1"/></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  const std::vector<std::byte> bytes = save_model(*m);
  ASSERT_LT(bytes.size(), 100'000U);  // it is the Data that is large
  EXPECT_TRUE(load_model(bytes, 2'000'000));
  const std::string path = testing::TempDir() + "/memory_limit.snw";
  ASSERT_TRUE(save_model(*m, path));
  for (const std::uint64_t limit : {std::uint64_t{100}, std::uint64_t{500'000}}) {
    const auto of_bytes = load_model(bytes, limit), of_file = load_model(path, limit);
    ASSERT_FALSE(of_bytes);
    ASSERT_FALSE(of_file);
    EXPECT_NE(of_bytes.error().text().find("the limit is"), std::string::npos) << of_bytes.error().text();
    EXPECT_NE(of_file.error().text().find("the limit is"), std::string::npos) << of_file.error().text();
  }
}

TEST(ModelFile, TruncatedOrDamagedFilesAreRefused) {
  const std::vector<std::byte> bytes =
      save_model(*load_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"));
  for (std::size_t n = 0; n < bytes.size(); n += 7) EXPECT_FALSE(load_model(std::span(bytes).first(n))) << n;
  for (std::size_t at = 0; at < bytes.size(); at += 13) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{0x40};
    EXPECT_FALSE(load_model(damaged)) << at;
  }
}

TEST(Validate, FindsAnIndexOutOfRange) {
  Model m = *load_string(R"(<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>)");
  EXPECT_TRUE(validate(m));
  m.jnt_dofadr[0] = 5;
  auto result = validate(m);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().text().find("jnt_dofadr[0] is 5"), std::string::npos) << result.error().text();
}

TEST(ModelFile, InconsistentFieldsAreRefused) {
  const Model good = load_with({}, R"(<mujoco><asset><mesh name="m" builtin="sphere" params="1"/></asset><worldbody>
    <body><freejoint/><geom type="mesh" mesh="m"/><site name="s"/><body><joint name="j"/><geom size="1"/></body></body></worldbody>
    <actuator><position joint="j" nsample="3"/></actuator><sensor><framepos objtype="site" objname="s"/></sensor></mujoco>)")
                         .value_or_throw();
  ASSERT_TRUE(validate(good));
  const std::function<void(Model&)> kChanges[] = {
      [](Model& m) { m.dof_parentid[6] = 4; },
      [](Model& m) { m.body_weldid[2] = 1; },
      [](Model& m) { m.M_colind[8] = 0; },
      [](Model& m) { m.jnt_qposadr[1] = 6; },
      [](Model& m) { m.dof_simplenum[0] = 3; },
      [](Model& m) { m.bvh_child[2 * m.mesh_bvhadr[0]] = 0; },
      [](Model& m) { m.mesh_polyvert[5] = 1000; },
      [](Model& m) { m.mesh_extrema[3] = 1 << 20; },
      [](Model& m) { m.actuator_ctrlnum[0] = 0; },
      [](Model& m) { m.actuator_biastype[0] = 99; },
      [](Model& m) { m.actuator_history[0] = 1 << 20; },
      [](Model& m) { m.sensor_dim[0] = 2; },
      [](Model& m) { m.sensor_type[0] = static_cast<int>(SensorType::JointPos); },
      [](Model& m) { m.nuserdata = std::int64_t{1} << 30; },
      [](Model& m) { m.opt.solver = 7; },
      [](Model& m) { m.opt.sdf_initpoints = 1 << 30; }};
  for (std::size_t i = 0; i < std::size(kChanges); ++i) {
    Model bad = good;
    kChanges[i](bad);
    EXPECT_FALSE(validate(bad)) << i;
    EXPECT_FALSE(load_model(save_model(bad))) << i;
  }
}

TEST(Mesh, TheModelDoesNotDependOnTheNumberOfThreads) {
  for (const int count : {1, 12}) {  // threads share one mesh, or work on one each
    std::string assets, geoms;
    for (int i = 0; i < count; ++i) {
      const std::string name = fmt::format("m{}", i);
      assets += fmt::format("<mesh name='{}' builtin='supertorus' params='{} 0.3 1 1'/>", name, 12 + i);
      geoms += fmt::format("<geom type='mesh' mesh='{}'/>", name);
    }
    const auto model = [&](const char* usethread) {
      return save_model(*load_with({}, "<mujoco><compiler usethread='" + std::string(usethread) + "'/><asset>" +
                                           assets + "</asset><worldbody>" + geoms + "</worldbody></mujoco>"));
    };
    EXPECT_EQ(model("true"), model("false")) << count;
  }
}

TEST(Mesh, MeshesFromTheSameFileUseTheirOwnAttributes) {
  const Result<Model> m =
      load_with({{"t.obj", kTetrahedron}},
                R"(<mujoco><asset><mesh name="a" file="t.obj"/><mesh name="b" file="t.obj" scale="2 2 2"/>
    <mesh name="c" file="t.obj" scale="-1 1 1"/></asset><worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>)");
  ASSERT_TRUE(m) << m.error().text();
  for (int i = 0; i < 12; ++i) EXPECT_FLOAT_EQ(m->mesh_vert[12 + i], 2 * m->mesh_vert[i]);
  EXPECT_EQ(m->mesh_graphadr[1], -1);
  EXPECT_NE(m->mesh_graphadr[0], -1);
}

}  // namespace
}  // namespace sinew
