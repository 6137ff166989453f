#include "sinew/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "compile/constants.h"
#include "sinew/load.h"
#include "sinew/state.h"
#include "sinew/step.h"

namespace sinew::test {
namespace {

/// Contacts, a tendon, activations, delays, sensors, an equality, keyframes: state that could leak between worlds.
/// "$" is replaced by an option.
constexpr const char* kScene = R"(
<mujoco>
  <option timestep="0.005">$</option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.3"><freejoint/><geom name="ball" size="0.1"/><site name="center"/></body>
    <body name="arm" pos="0.6 0 0.8">
      <joint name="shoulder" axis="0 1 0" damping="0.1" range="-90 90" limited="true"/>
      <geom name="upper" type="capsule" fromto="0 0 0 0.3 0 0" size="0.04"/>
      <body name="fore" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.05" stiffness="1" frictionloss="0.01"/>
        <geom name="fore" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><site name="hand" pos="0.3 0 0"/>
      </body>
    </body>
    <body name="mocap" mocap="true" pos="-1 0 0.5"><geom size="0.05"/></body>
  </worldbody>
  <tendon><spatial name="string"><site site="center"/><site site="hand"/></spatial></tendon>
  <equality><joint joint1="elbow" active="false"/></equality>
  <actuator>
    <motor joint="shoulder" gear="3"/>
    <general joint="elbow" dyntype="filter" dynprm="0.05" gainprm="2"/>
    <motor tendon="string" delay="0.02" nsample="5"/>
  </actuator>
  <sensor>
    <framepos objtype="site" objname="hand"/><accelerometer site="center"/><touch site="center"/>
    <jointvel joint="elbow"/><subtreeangmom body="arm"/>
  </sensor>
  <keyframe>
    <key name="high" time="2" qpos="0 0 1 1 0 0 0 0.5 -0.5" ctrl="0.1 0.2 0.3"/>
    <key name="far" qpos="3 0 1 1 0 0 0 0 0"/>
  </keyframe>
</mujoco>)";

Model scene(const std::string& options = "") {
  std::string text = kScene;
  text.replace(text.find('$'), 1, options);
  return load_string(text).value_or_throw();
}

constexpr int kWorlds = 7;

/// Makes world w differ from the others; qpos, qvel and ctrl of a Data or the rows of a Batch.
void perturb(int w, std::span<double> qpos, std::span<double> qvel, std::span<double> ctrl) {
  qpos[2] = 0.12 + 0.05 * w;
  for (std::size_t i = 0; i < qvel.size(); ++i) qvel[i] = std::sin(1.0 + w + 3.0 * static_cast<double>(i));
  for (std::size_t i = 0; i < ctrl.size(); ++i) ctrl[i] = std::cos(2.0 * w + static_cast<double>(i));
}

template <class T>
std::span<T> row(std::span<T> all, int w, int n = kWorlds) {
  const std::size_t width = all.size() / static_cast<std::size_t>(n);
  return all.subspan(static_cast<std::size_t>(w) * width, width);
}

void perturb(Batch& batch) {
  for (int w = 0; w < kWorlds; ++w) perturb(w, row(batch.qpos, w), row(batch.qvel, w), row(batch.ctrl, w));
}

/// Every array stored in the batch equals that of the Data, bit for bit.
void expect_same(const Batch& batch, int w, Data& d) {
  EXPECT_EQ(batch.time[static_cast<std::size_t>(w)], d.time);
  EXPECT_EQ(batch.ncon[static_cast<std::size_t>(w)], d.ncon);
  batch.for_each_field([&](std::string_view name, auto kept, auto...) {
    d.for_each_field([&](std::string_view own, auto& field, auto...) {
      if constexpr (std::is_same_v<decltype(kept), std::remove_cvref_t<decltype(field)>>) {
        if (own != name) return;
        const auto part = row(kept, w, batch.size());
        ASSERT_EQ(part.size_bytes(), field.size_bytes()) << name;
        EXPECT_EQ(std::memcmp(part.data(), field.data(), part.size_bytes()), 0) << name << " of world " << w;
      }
    });
  });
}

class BatchOfThreads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Batch, BatchOfThreads, testing::Values(1, 2, 3, 8));

TEST_P(BatchOfThreads, EqualsSeparateWorldsBitForBit) {
  for (const char* options : {"", R"(<flag energy="enable"/>)", R"(<flag sleep="enable"/>)"}) {
    const Model m = scene(options);
    Batch batch(m, kWorlds, {.threads = GetParam(), .observe = {"*"}});
    perturb(batch);
    std::vector<Data> single;
    for (int w = 0; w < kWorlds; ++w) {
      single.emplace_back(m);
      reset(m, single.back());
      perturb(w, single.back().qpos, single.back().qvel, single.back().ctrl);
    }
    for (int i = 0; i < 60; ++i) {
      batch.step(5);
      for (int w = 0; w < kWorlds; ++w) {
        Data& d = single[static_cast<std::size_t>(w)];
        for (int k = 0; k < 5; ++k) step(m, d);
        if (i % 10 == 0) expect_same(batch, w, d);
      }
    }
    for (int w = 0; w < kWorlds; ++w) expect_same(batch, w, single[static_cast<std::size_t>(w)]);
  }
}

TEST_P(BatchOfThreads, ADivergingWorldIsReportedAndAffectsNoOther) {
  for (const char* options : {"", R"(<flag autoreset="disable"/>)"}) {
    const Model m = scene(options);
    Batch batch(m, kWorlds, {.threads = GetParam(), .observe = {"*"}});
    perturb(batch);
    row(batch.qvel, 3)[7] = std::numeric_limits<double>::quiet_NaN();
    row(batch.qpos, 5)[0] = 1e300;
    batch.step(20);
    EXPECT_THAT(batch.diverged, testing::ElementsAre(0, 0, 0, 1, 0, 1, 0)) << options;
    const auto count = [&](int w, Warning kind) {
      return row(batch.warning, w)[static_cast<std::size_t>(kind)].number;
    };
    EXPECT_GT(count(3, Warning::BadQvel), 0);
    EXPECT_GT(count(5, Warning::BadQpos), 0);
    EXPECT_EQ(count(4, Warning::BadQvel), 0);
    for (const int w : {0, 4, 6}) {
      Data d(m);
      reset(m, d);
      perturb(w, d.qpos, d.qvel, d.ctrl);
      for (int i = 0; i < 20; ++i) step(m, d);
      expect_same(batch, w, d);
    }
    const std::vector<int> bad = {3, 5};
    batch.reset(Worlds::list(bad));
    EXPECT_THAT(batch.diverged, testing::Each(0));
  }
}

TEST_P(BatchOfThreads, WorldsWithTheirOwnValuesEqualEditedModelsBitForBit) {
  const Model m = scene();
  Batch batch(m, kWorlds, {.threads = GetParam(), .observe = {"*"}});
  const auto mass = std::get<std::span<double>>(batch.vary("body_mass").values);
  const auto friction = std::get<std::span<double>>(batch.vary("geom_friction").values);
  const auto gain = std::get<std::span<double>>(batch.vary("actuator_gainprm").values);
  const auto gravity = std::get<std::span<double>>(batch.vary("opt.gravity").values);
  const auto timestep = std::get<std::span<double>>(batch.vary("opt.timestep").values);
  const auto damping = std::get<std::span<double>>(batch.vary("dof_damping").values);
  const auto gravcomp = std::get<std::span<double>>(batch.vary("body_gravcomp").values);
  const auto color = std::get<std::span<float>>(batch.vary("geom_rgba").values);
  ASSERT_EQ(gravity.size(), 3u * kWorlds);
  ASSERT_EQ(color.size(), 4u * kWorlds * static_cast<std::size_t>(m.ngeom));
  const auto edit = [](int w, std::span<double> masses, std::span<double> frictions, std::span<double> gains,
                       std::span<double> g, std::span<double> dampings) {
    for (double& x : masses) x *= 1 + 0.1 * w;
    for (double& x : frictions) x *= 1 - 0.1 * w;
    for (double& x : gains) x *= 1 + 0.2 * w;
    g[0] = 0.3 * w;
    g[2] = -9.81 + w;
    for (double& x : dampings) x += 0.01 * w;
  };
  for (int w = 0; w < kWorlds; ++w) {
    edit(w, row(mass, w), row(friction, w), row(gain, w), row(gravity, w), row(damping, w));
    row(timestep, w)[0] = 0.005 / (1 + w % 2);
    if (w == 2) row(gravcomp, w)[2] = 0.5;
  }
  batch.update_constants();
  batch.reset();
  perturb(batch);
  batch.step(100);
  for (int w = 0; w < kWorlds; ++w) {
    Model own = m;
    edit(w, own.body_mass, own.geom_friction, own.actuator_gainprm, own.opt.gravity, own.dof_damping);
    own.opt.timestep = 0.005 / (1 + w % 2);
    if (w == 2) own.body_gravcomp[2] = 0.5;
    set_constants(own);
    Data d(own);
    reset(own, d);
    perturb(w, d.qpos, d.qvel, d.ctrl);
    for (int i = 0; i < 100; ++i) step(own, d);
    expect_same(batch, w, d);

    const Model made = batch.world_model(w);
    EXPECT_EQ(made.body_mass, own.body_mass);
    EXPECT_EQ(made.body_subtreemass, own.body_subtreemass);
    EXPECT_EQ(made.dof_invweight0, own.dof_invweight0);
    EXPECT_EQ(made.flg_gravcomp, w == 2);
    EXPECT_EQ(made.stat, own.stat);
  }
}

TEST(Batch, WithoutUpdateConstantsOnlyTheVariedFieldChanges) {
  const Model m = scene();
  Batch batch(m, 2);
  const auto mass = std::get<std::span<double>>(batch.vary("body_mass").values);
  row(mass, 1, 2)[1] *= 2;
  EXPECT_EQ(batch.world_model(1).body_subtreemass, m.body_subtreemass);
  EXPECT_EQ(batch.varied().size(), 1u);
  batch.update_constants();
  EXPECT_EQ(batch.world_model(0).body_subtreemass, m.body_subtreemass);
  EXPECT_NE(batch.world_model(1).body_subtreemass, m.body_subtreemass);
  EXPECT_THAT(batch.varied(), testing::Contains(testing::Field(&BatchField::name, "body_invweight0")));
  EXPECT_THAT(batch.varied(), testing::Not(testing::Contains(testing::Field(&BatchField::name, "tendon_length0"))));
}

TEST(Batch, VaryingAFieldAgainReturnsTheSameArray) {
  Batch batch(scene(), 3);
  const auto first = std::get<std::span<double>>(batch.vary("dof_damping").values);
  first[0] = 42;
  const auto second = std::get<std::span<double>>(batch.vary("dof_damping").values);
  EXPECT_EQ(first.data(), second.data());
  EXPECT_EQ(second[0], 42);
}

TEST(Batch, ResetsMaskedWorldsOnly) {
  const Model m = scene();
  Batch batch(m, kWorlds, {.threads = 2});
  perturb(batch);
  batch.step(10);
  const std::vector<double> before(batch.qpos.begin(), batch.qpos.end());
  const std::vector<std::uint8_t> mask = {1, 0, 0, 1, 0, 0, 0};
  batch.reset(Worlds::mask(mask));
  for (int w = 0; w < kWorlds; ++w) {
    const bool was_reset = mask[static_cast<std::size_t>(w)];
    EXPECT_EQ(batch.time[static_cast<std::size_t>(w)] == 0, was_reset);
    const std::span<double> old = row(std::span(const_cast<std::vector<double>&>(before)), w);
    EXPECT_TRUE(std::ranges::equal(row(batch.qpos, w), was_reset ? std::span(const_cast<Model&>(m).qpos0) : old));
    if (was_reset) {
      EXPECT_THAT(row(batch.ctrl, w), testing::Each(0));
    }
  }
}

TEST(Batch, ResetsToOneKeyframeForAllOrOnePerWorld) {
  const Model m = scene();
  Batch batch(m, 3, {.threads = 2});
  const int high = m.id(ObjType::Key, "high"), far = m.id(ObjType::Key, "far");
  batch.reset_to_keyframe(std::vector{high});
  EXPECT_THAT(batch.time, testing::Each(2));
  EXPECT_EQ(row(batch.ctrl, 2, 3)[1], 0.2);
  const std::vector<int> worlds = {2, 0};
  batch.reset_to_keyframe(std::vector{far, high}, Worlds::list(worlds));
  EXPECT_EQ(row(batch.qpos, 2, 3)[0], 3);
  EXPECT_EQ(row(batch.qpos, 0, 3)[0], 0);
  EXPECT_THAT(batch.time, testing::ElementsAre(2, 2, 0));
}

TEST(Batch, RestoresStatesBitForBit) {
  const Model m = scene();
  Batch batch(m, kWorlds, {.threads = 3});
  perturb(batch);
  batch.step(7);
  std::vector<double> states(kWorlds * static_cast<std::size_t>(state_size(m, kStateIntegration)));
  batch.get_state(states, kStateIntegration);
  batch.step(5);
  const std::vector<double> expected(batch.qpos.begin(), batch.qpos.end());
  batch.reset_to_state(states, kStateIntegration);
  batch.step(5);
  EXPECT_TRUE(std::ranges::equal(batch.qpos, expected));

  const auto width = states.size() / kWorlds;
  batch.reset_to_state(std::span(states).first(width), kStateIntegration);
  EXPECT_TRUE(std::ranges::equal(row(batch.qvel, 6), row(batch.qvel, 0)));
}

TEST(Batch, StepsOnlyTheSelectedWorlds) {
  const Model m = scene();
  Batch batch(m, 3);
  const std::vector<int> one = {1};
  batch.step(4, Worlds::list(one));
  EXPECT_THAT(batch.time, testing::ElementsAre(0, 4 * 0.005, 0));
}

TEST(Batch, ForwardComputesWithoutStepping) {
  const Model m = scene();
  Batch batch(m, 2);
  row(batch.qpos, 1, 2)[2] = 0.05;
  batch.forward();
  EXPECT_THAT(batch.time, testing::Each(0));
  EXPECT_THAT(batch.ncon, testing::ElementsAre(0, 1));
  EXPECT_EQ(row(batch.xpos, 1, 2)[3 * 1 + 2], 0.05);
}

TEST(Batch, ACopiedWorldContinuesIdentically) {
  for (const char* options : {"", R"(<flag sleep="enable"/>)"}) {
    const Model m = scene(options);
    Batch batch(m, kWorlds, {.threads = 2, .observe = {"*"}});
    perturb(batch);
    batch.step(20);
    Data d(m);
    batch.copy_world(4, d);
    step(m, d);
    batch.step();
    expect_same(batch, 4, d);
  }
}

TEST(Batch, CopiesTheModel) {
  auto m = std::make_unique<Model>(scene());
  Batch batch(*m, 2);
  m->opt.gravity = {0, 0, 0};
  m.reset();
  batch.step(3);
  EXPECT_LT(row(batch.qvel, 0, 2)[2], 0);
}

TEST(Batch, AWorldOnlyCostsTheMemoryOfItsRows) {
  const Model m = scene();
  Batch small(m, 10, {.threads = 1}), large(m, 110, {.threads = 1});
  EXPECT_EQ(large.bytes() - small.bytes(), 100 * small.bytes_per_world());
  EXPECT_LT(small.bytes_per_world(), Data(m).bytes() / 4);
  const std::size_t before = small.bytes_per_world();
  small.vary("body_mass");
  EXPECT_EQ(small.bytes_per_world(), before + sizeof(double) * static_cast<std::size_t>(m.nbody));
}

TEST(Batch, ObservesTheRequestedArrays) {
  Batch batch(scene(), 2, {.observe = {"cvel"}});
  EXPECT_TRUE(batch.observes("cvel"));
  EXPECT_FALSE(batch.cvel.empty());
  EXPECT_FALSE(batch.observes("xpos"));
  EXPECT_TRUE(batch.xpos.empty());
}

TEST(Batch, RefusesMisuseWithASpecificMessage) {
  const Model m = scene();
  const auto message = [](auto&& call) -> std::string {
    try {
      call();
    } catch (const Exception& e) {
      return e.what();
    }
    return "no exception";
  };
  using testing::HasSubstr;
  Batch batch(m, 4, {.threads = 2});
  EXPECT_THAT(message([&] { Batch(m, 0); }), HasSubstr("at least one world"));
  EXPECT_THAT(message([&] { Batch(m, 1, {.threads = -1}); }), HasSubstr("-1 threads"));
  EXPECT_THAT(message([&] { Batch(m, 1, {.observe = {"xpoz"}}); }), HasSubstr("no array 'xpoz'"));
  EXPECT_THAT(message([&] { batch.vary("body_mas"); }), HasSubstr("no field 'body_mas'"));
  EXPECT_THAT(message([&] { batch.vary("body_parentid"); }), HasSubstr("same in all worlds"));
  EXPECT_THAT(message([&] { batch.vary("opt.iterations"); }), HasSubstr("same in all worlds"));
  const std::vector<std::uint8_t> mask(3);
  EXPECT_THAT(message([&] { batch.reset(Worlds::mask(mask)); }), HasSubstr("3 flags, but there are 4"));
  const std::vector<int> beyond = {4}, twice = {1, 2, 1};
  EXPECT_THAT(message([&] { batch.reset(Worlds::list(beyond)); }), HasSubstr("world 4 does not exist"));
  EXPECT_THAT(message([&] { batch.step(1, Worlds::list(twice)); }), HasSubstr("world 1 is listed twice"));
  EXPECT_THAT(message([&] { batch.reset_to_keyframe(std::vector{2}); }), HasSubstr("the model has 2"));
  EXPECT_THAT(message([&] { batch.reset_to_keyframe(std::vector{0, 1}); }), HasSubstr("needs 1 or 4 x 1"));
  EXPECT_THAT(message([&] { batch.reset_to_state(std::vector{1.0}, kStateQpos); }), HasSubstr("has 1 numbers"));
  Model other = load_string("<mujoco/>").value_or_throw();
  Data stranger(other);
  EXPECT_THAT(message([&] { batch.copy_world(0, stranger); }), HasSubstr("another model"));
  EXPECT_THAT(message([&] { batch.world_model(-1); }), HasSubstr("world -1 does not exist"));
}

}  // namespace
}  // namespace sinew::test
