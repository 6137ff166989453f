#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "geometry/marching_cubes.h"
#include "plugin/extending.h"

namespace sinew {
namespace {

using testing::HasSubstr;

Model load_with(const PluginRegistry& plugins, std::string_view text) {
  LoadOptions options;
  options.plugins = &plugins;
  return load_string(text, options).value_or_throw();
}

Model plain(std::string_view text) { return load_string(text).value_or_throw(); }

template <class Found>
void expect_close(const Found& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i]))) << i;
}

// The text of docs/extending.md is that of extending.h.

TEST(Documentation, HasTheCodeThatIsTested) {
  const auto read = [](const std::string& path) {
    std::ifstream in(std::string(SINEW_SOURCE_DIR) + path);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  };
  const std::string page = read("/docs/extending.md"), code = read("/tests/plugin/extending.h");
  std::size_t blocks = 0;
  for (std::size_t at = code.find("// ["); at != std::string::npos; at = code.find("// [", at + 1)) {
    if (code.compare(at, 8, "// [end]") == 0) continue;
    const std::size_t start = code.find('\n', at) + 1, end = code.find("// [end]", start);
    EXPECT_NE(page.find(code.substr(start, end - start)), std::string::npos) << code.substr(at, 40);
    ++blocks;
  }
  EXPECT_EQ(blocks, 5u);
}

// The four kinds, in one world.

TEST(UserPlugins, ActuatorIntegratesItsState) {
  const Model m = extending::load();
  ASSERT_EQ(m.nplugin, 4);
  ASSERT_EQ(m.npluginstate, 1);
  Data d(m);
  d.ctrl[0] = 0.5;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(step(m, d));
  EXPECT_NEAR(d.plugin_state[0], 10 * 0.002 * 25, 1e-12);  // gain 50, control 0.5
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(d.actuator_force[0], d.plugin_state[0]);
  EXPECT_EQ(d.qfrc_actuator[6], d.plugin_state[0]);
  ASSERT_TRUE(reset(m, d));
  EXPECT_EQ(d.plugin_state[0], 0);
}

TEST(UserPlugins, SensorsPassiveForcesAndShapesJoinTheStep) {
  const Model m = extending::load();
  Data d(m);
  d.qvel[0] = 2;
  d.qvel[6] = -1;
  ASSERT_TRUE(forward(m, d));
  expect_close(d.sensordata, {0, 2, 1}, 1e-14);
  expect_close(d.qfrc_passive, {-12, 0, 0, 0, 0, 0, 0}, 1e-14);  // -3 |v| v
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(step(m, d));
  EXPECT_GE(d.ncon, 1);
  EXPECT_NEAR(d.qpos[2], 0.1, 0.01);  // the balls of radius 0.1 lie on the box
}

TEST(UserPlugins, TheSurfaceOfAShapeHasItsVolume) {
  const Model m = extending::load();
  EXPECT_NEAR(m.body_mass[1], 1000 * 2 * 4.0 / 3 * 3.14159265358979 * 1e-3, 0.01 * 8.4);
}

TEST(UserPlugins, RaysMeetTheShape) {
  const Model m = extending::load();
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  const double from[3] = {0.3, 0, 2}, down[3] = {0, 0, -1};
  EXPECT_NEAR(ray(m, d, from, down).dist, 2 - 0.15 - 0.1, 1e-6);
}

TEST(UserPlugins, StateIsPartOfTheStateVectorAndOfKeepsakes) {
  const Model m = extending::load();
  Data d(m);
  d.ctrl[0] = 1;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(step(m, d));
  std::vector<double> state(static_cast<std::size_t>(state_size(m, kStateFullPhysics)));
  get_state(m, d, state, kStateFullPhysics);
  EXPECT_EQ(state.back(), d.plugin_state[0]);
  Data again(m);
  set_state(m, again, state, kStateFullPhysics);
  std::ranges::copy(d.qacc_warmstart, again.qacc_warmstart.begin());
  again.ctrl[0] = d.ctrl[0];
  ASSERT_TRUE(step(m, d) && step(m, again));
  EXPECT_TRUE(std::ranges::equal(d.qpos, again.qpos));
  EXPECT_EQ(d.plugin_state[0], again.plugin_state[0]);
}

TEST(UserPlugins, EveryWorldHasItsOwnInstances) {
  const Model m = extending::load();
  const auto evaluations = [](const Data& d) {
    for (const auto& instance : d.plugin_data)
      if (const auto* speed = dynamic_cast<const extending::Speed*>(instance.get())) return speed->evaluations;
    return -1;
  };
  Data d(m);
  EXPECT_EQ(evaluations(d), 0);
  ASSERT_TRUE(forward(m, d));
  Data copy = d;
  ASSERT_TRUE(forward(m, copy));
  EXPECT_EQ(evaluations(d), 1);
  EXPECT_EQ(evaluations(copy), 2);
  const auto* before = copy.plugin_data[1].get();
  copy = d;
  EXPECT_EQ(copy.plugin_data[1].get(), before);  // assigned in place
  EXPECT_EQ(evaluations(copy), 1);
  Data moved = std::move(copy);
  EXPECT_EQ(evaluations(moved), 1);
}

TEST(UserPlugins, BatchesGiveTheSameNumbers) {
  const Model m = extending::load();
  Batch batch(m, 3, {.threads = 2});
  for (int w = 0; w < 3; ++w) batch.ctrl[static_cast<std::size_t>(w)] = w;
  batch.step(20);
  for (int w = 0; w < 3; ++w) {
    Data d(m);
    d.ctrl[0] = w;
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(step(m, d));
    EXPECT_EQ(batch.plugin_state[static_cast<std::size_t>(w)], d.plugin_state[0]);
  }
}

TEST(UserPlugins, RecompileKeepsTheirState) {
  const PluginRegistry plugins = extending::registry();
  LoadOptions options;
  options.plugins = &plugins;
  Spec spec = read_mjcf_string(extending::kModel, options).value_or_throw();
  const Model m = compile(spec, options).value_or_throw();
  Data d(m);
  d.ctrl[0] = 1;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(step(m, d));
  spec.world.bodies[0].geoms[0].rgba = {1, 0, 0, 1};
  const Recompiled again = recompile(spec, m, d, options).value_or_throw();
  EXPECT_EQ(again.data.plugin_state[0], d.plugin_state[0]);
}

TEST(UserPlugins, ModelFilesNameThem) {
  const Model m = extending::load();
  const std::vector<std::byte> bytes = save_model(m);
  const Result<Model> alone = load_model(bytes);
  ASSERT_FALSE(alone);
  EXPECT_THAT(alone.error().text(), HasSubstr("uses the plugin 'demo.dumbbell', which is not registered"));
  const PluginRegistry plugins = extending::registry();
  const Model again = load_model(bytes, LoadOptions::kDefaultMemoryLimit, &plugins).value_or_throw();
  Data a(m), b(again);
  a.ctrl[0] = b.ctrl[0] = 1;
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(step(m, a) && step(again, b));
  EXPECT_TRUE(std::ranges::equal(a.qpos, b.qpos));
}

TEST(UserPlugins, TextsAreWrittenAndReadBack) {
  const PluginRegistry plugins = extending::registry();
  LoadOptions options;
  options.plugins = &plugins;
  const Spec spec = read_mjcf_string(extending::kModel, options).value_or_throw();
  const std::string text = write_mjcf(spec).value_or_throw();
  EXPECT_EQ(save_model(load_with(plugins, text)), save_model(extending::load()));
}

TEST(UserPlugins, DerivativesFallBackToDifferences) {
  const Model m = extending::load();
  const Data d(m);
  EXPECT_THAT(analytic_refusal(m, d), HasSubstr("plugin demo.winch"));
}

TEST(UserPlugins, EditsOfTheirUsesAreChecked) {
  Model m = extending::load();
  Data d(m);
  m.body_plugin[2] = 3;  // demo.speed or another that has no passive forces
  for (int i = 0; i < m.nplugin; ++i)
    if (!(m.plugins->capabilities[static_cast<std::size_t>(i)] & kPluginPassive)) m.body_plugin[2] = i;
  EXPECT_THAT(std::string(refresh(m).text()), HasSubstr("body_plugin[2]"));
  m.body_plugin[2] = -1;
  EXPECT_TRUE(refresh(m));
  m.plugin[0] = 99;
  EXPECT_THAT(std::string(refresh(m).text()), HasSubstr("plugin[0]"));
}

// A plugin that fails does not end the program.

struct Failing : CopiedInstance<Failing> {
  void add_passive_force(const Model&, Data& d) override {
    if (d.qvel[0] > 0) throw std::runtime_error("too fast");
  }
};

struct FailingPlugin : Plugin {
  bool at_once = false;
  std::string name() const override { return "demo.failing"; }
  int capabilities() const override { return kPluginPassive; }
  Result<std::unique_ptr<PluginInstance>> make(const Model&, int) const override {
    if (at_once) throw std::runtime_error("no license");
    return std::unique_ptr<PluginInstance>(std::make_unique<Failing>());
  }
};

constexpr const char* kFailing = R"(<mujoco><extension><plugin plugin="demo.failing"/></extension>
  <worldbody><body><joint type="slide"/><geom size=".1"/><plugin plugin="demo.failing"/></body></worldbody></mujoco>)";

TEST(FailingPlugins, EndTheStepWithAStatus) {
  PluginRegistry plugins;
  plugins.add(std::make_shared<FailingPlugin>()).value_or_throw();
  const Model m = load_with(plugins, kFailing);
  Data d(m);
  ASSERT_TRUE(step(m, d));
  d.qvel[0] = 1;
  const Status status = step(m, d);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.text(), "a plugin failed: too fast");
  d.qvel[0] = -1;
  EXPECT_TRUE(step(m, d));

  Batch batch(m, 2, {.threads = 2});
  batch.qvel[1] = 1;
  EXPECT_THROW(batch.step(), Exception);
}

TEST(FailingPlugins, RefuseTheModel) {
  PluginRegistry plugins;
  auto plugin = std::make_shared<FailingPlugin>();
  plugin->at_once = true;
  plugins.add(plugin).value_or_throw();
  LoadOptions options;
  options.plugins = &plugins;
  const Result<Model> model = load_string(kFailing, options);
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().text(), HasSubstr("the plugin failed: no license"));
}

TEST(Registry, NamesAreUnique) {
  PluginRegistry plugins;
  ASSERT_TRUE(plugins.add(std::make_shared<FailingPlugin>()));
  EXPECT_FALSE(plugins.add(std::make_shared<FailingPlugin>()));
  EXPECT_FALSE(plugins.add(nullptr));
  for (const char* name : {"mujoco.elasticity.cable", "mujoco.pid", "mujoco.sdf.bolt", "mujoco.sdf.bowl",
                           "mujoco.sdf.gear", "mujoco.sdf.nut", "mujoco.sdf.torus", "mujoco.sensor.touch_grid"})
    EXPECT_GE(plugins.find(name), 0) << name;
}

TEST(Instances, DeclaredOnesComeFirstThenTheOrderOfReading) {
  const Model m = plain(R"(<mujoco><extension><plugin plugin="mujoco.pid"><instance name="one"/></plugin>
      <plugin plugin="mujoco.elasticity.cable"/></extension>
    <worldbody><composite type="cable" prefix="c" curve="s" count="4 1 1" size="1"><geom type="capsule" size=".01"/>
      <plugin plugin="mujoco.elasticity.cable"/></composite><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><plugin joint="j" plugin="mujoco.pid"><config key="kp" value="7"/></plugin>
      <plugin joint="j" instance="one"/></actuator></mujoco>)");
  ASSERT_EQ(m.nplugin, 3);
  EXPECT_EQ(m.name(ObjType::Plugin, 0), "one");
  EXPECT_EQ(m.name(ObjType::Plugin, 1), "");
  EXPECT_EQ(m.name(ObjType::Plugin, 2), "compositec");
  EXPECT_EQ(m.actuator_plugin[0], 1);
  EXPECT_EQ(m.actuator_plugin[1], 0);
  EXPECT_EQ(m.body_plugin[1], 2);
  EXPECT_EQ(std::string(&m.plugin_attr[m.plugin_attradr[1]]), "7");
}

TEST(Instances, DisabledGroupsHaveNoForce) {
  Model m = plain(R"(<mujoco><extension><plugin plugin="mujoco.pid"/></extension>
    <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
    <actuator><plugin joint="j" plugin="mujoco.pid" group="2"><config key="kp" value="7"/></plugin></actuator></mujoco>)");
  Data d(m);
  d.ctrl[0] = 1;
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(d.actuator_force[0], 7);
  m.opt.disableactuator = 1 << 2;
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(d.actuator_force[0], 0);  // MuJoCo 3.12.0 applies the force
}

// Numbers of MuJoCo 3.12.0 with its plugin libraries, after the steps given here.

TEST(FirstParty, Pid) {
  const Model m = plain(R"(<mujoco><extension><plugin plugin="mujoco.pid"><instance name="i">
      <config key="kp" value="20"/><config key="ki" value="30"/><config key="kd" value="2"/>
      <config key="imax" value="4"/><config key="slewmax" value="3"/></instance></plugin></extension>
    <worldbody>
      <body><joint name="j" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body>
      <body pos="0 1 0"><joint name="k" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/></body>
    </worldbody>
    <actuator><plugin joint="j" instance="i" actdim="2" ctrlrange="-1 1"/>
      <plugin joint="k" instance="i" actdim="3" dyntype="filterexact" dynprm=".05" actearly="true"/></actuator>
    </mujoco>)");
  Data d(m);
  for (int s = 0; s < 100; ++s) {
    d.ctrl[0] = 0.5 * std::sin(0.05 * s) + 1;
    d.ctrl[1] = std::cos(0.03 * s);
    ASSERT_TRUE(step(m, d));
  }
  ASSERT_TRUE(forward(m, d));
  expect_close(d.actuator_force, {-14.765284944207714, -22.808928451707253}, 1e-13);
  expect_close(
      d.act,
      {0.11425010206658325, 0.77979637631642529, -0.017389936646449031, 0.085299001266126967, -0.56886341666748896},
      1e-14);
  expect_close(d.qpos, {1.013126205967962, 0.44616482888853426}, 1e-14);
}

TEST(FirstParty, Cable) {
  const Model m = plain(R"(<mujoco><option gravity="0 0 -9.81"/>
    <extension><plugin plugin="mujoco.elasticity.cable"/></extension>
    <worldbody><composite type="cable" prefix="c" curve="cos(s) sin(s) s" count="7 1 1" size="1 .2 1" initial="none">
      <joint kind="main" damping=".01"/><geom type="box" size=".005 .01 .02"/>
      <plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/><config key="bend" value="4e6"/></plugin>
    </composite></worldbody></mujoco>)");
  Data d(m);
  for (int s = 0; s < 20; ++s) ASSERT_TRUE(step(m, d));
  ASSERT_TRUE(forward(m, d));
  expect_close(d.qfrc_passive,
               {-0.016941280201751733, -0.071935873196319389, 0.014882719957763491, -0.0056886638825599557,
                0.058662266671683033, -0.033734484449896546, 0.00012181024395269526, 0.035042277969537482,
                0.0015648173235684663, 0.0010194992796595005, -0.0015545448405304566, 0.0058570913903723282,
                0.00074571353466715902, -0.0012584023426303198, 0.0011433481867624542},
               1e-9);
}

TEST(FirstParty, TouchGrid) {
  const Model m = plain(R"(<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>
    <worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .099"><freejoint/><geom type="box" size=".2 .1 .1"/>
      <site name="s" pos="0 0 .02" euler="10 20 0"/></body></worldbody>
    <sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"><config key="nchannel" value="3"/>
      <config key="size" value="3 2"/><config key="fov" value="90 60"/><config key="gamma" value=".3"/></plugin></sensor>
    </mujoco>)");
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  const double z = 45.45646233092598, x = -16.544799243499934, y = 8.5295984869996833;
  expect_close(d.sensordata, {z, 0, z, z, 0, z, x, 0, x, x, 0, x, y, 0, y, y, 0, y}, 1e-9);
}

struct ShapeNumbers {
  const char* name;
  double distance;  // at (0.31, -0.17, 0.05)
  int vertices, faces;
  double mass;
  double inertia[3];
  double ray;  // from (0.4, 0, 3) along -z
};

class Shapes : public testing::TestWithParam<ShapeNumbers> {};

TEST_P(Shapes, HaveTheNumbersOfMuJoCo) {
  const ShapeNumbers& expected = GetParam();
  const std::string name = std::string("mujoco.sdf.") + expected.name;
  const Model m = plain("<mujoco><extension><plugin plugin='" + name + R"('><instance name="i"/></plugin></extension>
    <asset><mesh name="m"><plugin instance="i"/></mesh></asset><worldbody><body><freejoint/>
      <geom type="sdf" mesh="m"><plugin instance="i"/></geom></body></worldbody></mujoco>)");
  const double p[3] = {0.31, -0.17, 0.05};
  EXPECT_NEAR(m.plugins->shape[0]->distance(p), expected.distance, 1e-15);
  EXPECT_EQ(m.nmeshvert, expected.vertices);
  EXPECT_EQ(m.nmeshface, expected.faces);
  EXPECT_NEAR(m.body_mass[1], expected.mass, 1e-12 * expected.mass);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(m.body_inertia[3 + k], expected.inertia[k], 1e-11 * expected.inertia[k]);
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  const double from[3] = {0.4, 0, 3}, down[3] = {0, 0, -1};
  EXPECT_NEAR(ray(m, d, from, down).dist, expected.ray, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(FirstParty, Shapes,
                         testing::Values(ShapeNumbers{"bolt",
                                                      0.049999999999999989,
                                                      25764,
                                                      51524,
                                                      572.92596640968543,
                                                      {70.534887483250813, 70.519780735756541, 64.78383614544282},
                                                      3},
                                         ShapeNumbers{"bowl",
                                                      0.62292857857285744,
                                                      63634,
                                                      127264,
                                                      5507.2980043138659,
                                                      {2564.9527929810679, 1830.4472313009126, 1830.4144591023958},
                                                      3.8946507689795},
                                         ShapeNumbers{"gear",
                                                      0.5200466094067262,
                                                      22004,
                                                      44008,
                                                      1359.4424122467549,
                                                      {1299.6286529347537, 654.68889879351048, 652.1796835471913},
                                                      -1},
                                         ShapeNumbers{"nut",
                                                      0.049999999999999989,
                                                      23258,
                                                      46516,
                                                      461.55924321460395,
                                                      {61.455982002104868, 38.696758772984126, 38.681811944997328},
                                                      3},
                                         ShapeNumbers{"torus",
                                                      -0.099873893182211251,
                                                      49896,
                                                      99792,
                                                      195.62170779342242,
                                                      {22.823207401879255, 12.407592607420632, 12.407082444269152},
                                                      2.8585786390343211}),
                         [](const auto& info) { return std::string(info.param.name); });

// The triangles of each of the 256 cells, against the rule.

/// Cut edges as (axis, corner), by axis and corner.
std::vector<std::pair<int, int>> cut_edges(unsigned inside) {
  std::vector<std::pair<int, int>> out;
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 8; ++corner) {
      if (corner >> axis & 1) continue;
      if ((inside >> corner & 1) != (inside >> (corner | 1 << axis) & 1)) out.emplace_back(axis, corner);
    }
  return out;
}

TEST(MarchingCubes, TrianglesHaveTheOutlineThatCutsOffInsideCorners) {
  for (unsigned inside = 0; inside < 256; ++inside) {
    const auto cuts = cut_edges(inside);
    const std::string letters = cell_triangles(inside);
    // sides that no neighbor in the cell has in the other direction
    std::set<std::pair<int, int>> sides;
    for (std::size_t t = 0; t < letters.size(); t += 3)
      for (std::size_t k = 0; k < 3; ++k) sides.emplace(letters[t + k] - 'a', letters[t + (k + 1) % 3] - 'a');
    std::set<std::pair<int, int>> outline;
    for (const auto& [a, b] : sides)
      if (!sides.contains({b, a})) outline.emplace(a, b);

    // by the rule: on each face, walking around it counter-clockwise from outside, a segment goes from where the walk
    // leaves an inside run of corners to where it entered it
    std::set<std::pair<int, int>> rule;
    const auto cut = [&](int c1, int c2) {
      const int axis = std::countr_zero(static_cast<unsigned>(c1 ^ c2)), corner = std::min(c1, c2);
      return static_cast<int>(std::find(cuts.begin(), cuts.end(), std::pair(axis, corner)) - cuts.begin());
    };
    for (int axis = 0; axis < 3; ++axis)
      for (int side = 0; side < 2; ++side) {
        const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
        std::array<int, 4> loop = {base, base | u, base | u | v, base | v};
        if (side == 0) std::swap(loop[1], loop[3]);
        const auto in = [&](int i) { return (inside >> loop[static_cast<std::size_t>(i & 3)] & 1) != 0; };
        for (int i = 0; i < 4; ++i) {
          if (in(i) || !in(i + 1)) continue;  // the walk enters at edge i
          int j = i + 1;
          while (in(j + 1)) ++j;
          const int entry = cut(loop[static_cast<std::size_t>(i & 3)], loop[static_cast<std::size_t>((i + 1) & 3)]);
          const int exit = cut(loop[static_cast<std::size_t>(j & 3)], loop[static_cast<std::size_t>((j + 1) & 3)]);
          rule.emplace(entry, exit);
        }
      }
    std::set<std::pair<int, int>> turned;
    for (const auto& [a, b] : rule) turned.emplace(b, a);
    EXPECT_TRUE(outline == rule || outline == turned) << inside;
  }
}

}  // namespace
}  // namespace sinew
