#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/set_constants.h"
#include "sinew/step.h"

// Models edited between steps: the step applies the edit, or reports what is wrong and changes nothing.

namespace sinew {
namespace {

const std::string kSource = SINEW_SOURCE_DIR;

Model rich() { return load(kSource + "/tests/edit/rich.xml").value_or_throw(); }

/// All numbers of a world as bytes.
std::string bytes_of(Data& d) {
  std::string out;
  const auto add = [&](const void* data, std::size_t size) { out.append(static_cast<const char*>(data), size); };
  add(&d.time, sizeof d.time);
  add(&d.energy, sizeof d.energy);
  add(&d.warning, sizeof d.warning);
  for (const int n : {d.ncon, d.ne, d.nf, d.nl, d.nefc, d.nJ, d.nisland, d.nidof}) add(&n, sizeof n);
  d.for_each_field([&](auto, auto& field, auto...) { add(field.data(), field.size_bytes()); });
  return out;
}

/// The state at the start of the next step.
std::vector<double> state_of(const Data& d) {
  std::vector<double> out = {d.time};
  for (const auto& part : {d.qpos, d.qvel, d.act, d.qacc_warmstart, d.sensordata})
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

std::vector<std::string> models() {
  std::vector<std::string> out = {kSource + "/tests/edit/rich.xml"};
  for (const auto& entry : std::filesystem::directory_iterator(kSource + "/models"))
    if (entry.path().extension() == ".xml") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Data, ANewOneEqualsAResetOne) {
  for (const std::string& path : models()) {
    SCOPED_TRACE(path);
    Model m = load(path).value_or_throw();
    for (const bool sleep : {false, true}) {
      if (sleep) {
        m.opt.enableflags |= kEnableSleep;
        if (m.ntree > 0) m.tree_sleep_policy[m.ntree - 1] = static_cast<int>(SleepPolicy::Init);
      }
      Data fresh(m), used(m);
      for (int i = 0; i < 3; ++i) ASSERT_TRUE(step(m, used));
      ASSERT_TRUE(reset(m, used));
      EXPECT_EQ(bytes_of(fresh), bytes_of(used));
      Data copy(fresh);
      EXPECT_EQ(bytes_of(fresh), bytes_of(copy));
    }
  }
}

TEST(Data, AMovedFromOneMayBeAssignedTo) {
  const Model m = rich();
  Data a(m), b(std::move(a));
  a = b;
  ASSERT_TRUE(step(m, a));
  EXPECT_EQ(b.time, 0);
  EXPECT_TRUE(step(m, b));
  EXPECT_EQ(bytes_of(a), bytes_of(b));
}

TEST(Data, OfAModelOfOtherSizesIsRefusedUnchanged) {
  const Model m = rich(), other = load(kSource + "/models/humanoid.xml").value_or_throw();
  Data d(other);
  const std::string before = bytes_of(d);
  for (const Status status : {step(m, d), begin_step(m, d), finish_step(m, d), step1(m, d), step2(m, d), forward(m, d),
                              inverse(m, d), reset(m, d)}) {
    EXPECT_FALSE(status);
    EXPECT_NE(status.text().find("other sizes"), std::string_view::npos);
  }
  EXPECT_EQ(bytes_of(d), before);
  const Model same = other;
  EXPECT_TRUE(step(same, d));  // a copy of its own model has the same sizes
}

TEST(Data, CannotBeMadeFromAnInvalidModel) {
  Model m = rich();
  m.jnt_type[0] = 17;
  EXPECT_THROW(Data{m}, Exception);
  EXPECT_THROW(Data{std::as_const(m)}, Exception);
  Model n = rich();
  n.nv = -1;
  EXPECT_THROW(Data{n}, Exception);
  n.nv = std::int64_t{1} << 40;
  EXPECT_THROW(Data{n}, Exception);
}

TEST(Data, ACopyKeepsItsLengthsAfterItsModelHasGrown) {
  Model m = rich();
  Data d(m);
  m.nv = 1000;
  Data copy(d);
  EXPECT_EQ(copy.qvel.size(), d.qvel.size());
  EXPECT_EQ(bytes_of(copy), bytes_of(d));
  EXPECT_FALSE(step(m, copy));
}

TEST(Edit, IsTrackedForFieldsWithDerivedData) {
  Model m = rich();
  ASSERT_TRUE(m.is_fresh());
  m.body_mass[1] = 2;
  m.geom_size[0] += 1;
  m.qpos0.data()[0] = 0;
  for (double& x : m.dof_damping) x = 1;
  const int type = m.geom_type[0];  // reading is not an edit
  EXPECT_EQ(type, std::as_const(m).geom_type[0]);
  for (const int x : m.jnt_type) EXPECT_GE(x, 0);
  EXPECT_TRUE(m.is_fresh());

  const auto expect_edit = [&](auto&& edit) {
    ASSERT_TRUE(refresh(m)) << refresh(m).text();
    edit();
    EXPECT_FALSE(m.is_fresh());
  };
  expect_edit([&] { m.geom_contype[0] = 1; });
  expect_edit([&] { m.geom_contype[0] |= 1; });
  expect_edit([&] { m.geom_contype.edit()[0] = 1; });
  expect_edit([&] { ++m.geom_group[0]; });
  expect_edit([&] { m.jnt_limited[0] = m.jnt_limited[1]; });
  expect_edit([&] { m.actuator_armature[0] = 0; });
  expect_edit([&] { m.wrap_prm[0] = m.wrap_prm[0]; });
  expect_edit([&] { m.nuserdata = m.nuserdata; });
  expect_edit([&] { m.body_mass = std::vector<double>(m.body_mass); });
  expect_edit([&] { m.mesh_face[0] = m.mesh_face[0]; });
}

TEST(Edit, OfACopyDoesNotAffectTheOriginal) {
  Model m = rich();
  Model copy = m;
  EXPECT_TRUE(copy.is_fresh());
  copy.geom_type[0] = 1000;
  EXPECT_FALSE(copy.is_fresh());
  EXPECT_TRUE(m.is_fresh());
  auto field = m.geom_type;  // a copy outside a model tracks nothing
  field[0] = 77;
  EXPECT_TRUE(m.is_fresh());
  m = copy;
  EXPECT_FALSE(m.is_fresh());
  EXPECT_FALSE(refresh(m));
  Model moved = rich();
  Model to = std::move(moved);
  EXPECT_TRUE(to.is_fresh());
  EXPECT_FALSE(moved.is_fresh());
  EXPECT_FALSE(refresh(moved));
}

TEST(Edit, OfAConstModelIsReportedAndNotRefreshed) {
  Model m = rich();
  Data d(m);
  m.geom_condim[0] = 1;
  const std::string before = bytes_of(d);
  const Status status = step(std::as_const(m), d);
  EXPECT_FALSE(status);
  EXPECT_NE(status.text().find("refresh"), std::string_view::npos);
  EXPECT_EQ(bytes_of(d), before);
  EXPECT_TRUE(step(m, d));  // a mutable model is refreshed automatically
  EXPECT_TRUE(step(std::as_const(m), d));
}

TEST(Edit, AnInvalidOneIsReportedWithItsFieldAndLeavesTheWorldUnchanged) {
  Model m = rich();
  Data d(m);
  ASSERT_TRUE(step(m, d));
  const std::string before = bytes_of(d);
  m.actuator_gaintype[0] = 99;
  for (int i = 0; i < 2; ++i) {
    const Status status = step(m, d);
    EXPECT_FALSE(status);
    EXPECT_NE(status.text().find("actuator_gaintype[0] is 99"), std::string_view::npos) << status.text();
  }
  EXPECT_EQ(bytes_of(d), before);
  m.actuator_gaintype[0] = 0;
  EXPECT_TRUE(step(m, d));
  m.nv = 1000;
  EXPECT_FALSE(step(m, d));
}

// What a step computes from an unchecked one leaves out the bias of the wrapped part.
TEST(Validate, RefusesArmatureOfATendonThatWraps) {
  Model m = load_string(R"(<mujoco><worldbody><geom name="g" size=".1"/><site name="a" pos="-.5 0 .1"/>
      <body pos=".5 0 .1"><joint/><geom size=".1" pos=".3 0 0"/><site name="b"/></body></worldbody>
      <tendon><spatial><site site="a"/><geom geom="g"/><site site="b"/></spatial></tendon></mujoco>)")
                .value_or_throw();
  EXPECT_TRUE(validate(m));
  m.tendon_armature[0] = 0.1;
  const auto valid = validate(m);
  ASSERT_FALSE(valid);
  EXPECT_NE(valid.error().text().find("tendon_armature[0] is 0.1"), std::string::npos) << valid.error().text();
}

TEST(Edit, AnInvalidOptionIsReported) {
  const auto expect_refused = [](int Option::*option, std::string_view name) {
    for (const int value : {-1, 99, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
      Model m = rich();
      Data d(m);
      m.opt.*option = value;
      const Status status = step(m, d);
      EXPECT_FALSE(status);
      EXPECT_NE(status.text().find(name), std::string_view::npos) << status.text();
    }
  };
  expect_refused(&Option::integrator, "opt.integrator");
  expect_refused(&Option::cone, "opt.cone");
  expect_refused(&Option::jacobian, "opt.jacobian");
  expect_refused(&Option::solver, "opt.solver");
}

TEST(Edit, AnyIterationCountOrFlagIsSafe) {
  for (const auto option : {&Option::iterations, &Option::ls_iterations, &Option::noslip_iterations,
                            &Option::ccd_iterations, &Option::sdf_iterations, &Option::sdf_initpoints,
                            &Option::disableactuator, &Option::disableflags, &Option::enableflags})
    for (const int value : {std::numeric_limits<int>::min(), -1, 0, 1, 3}) {
      Model m = rich();
      Data d(m);
      m.opt.*option = value;
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(step(m, d));
    }
}

// Negative and zero timesteps are valid; a world that is not finite is reset.
TEST(Edit, AnyTimestepIsSafe) {
  for (const int integrator : {0, 1, 2, 3})
    for (const double h : {double(NAN), double(INFINITY), -.01, 0., 1e300, -1e300, 1e-300}) {
      Model m = rich();
      Data d(m);
      m.opt.integrator = integrator;
      m.opt.timestep = h;
      for (int i = 0; i < 5; ++i) EXPECT_TRUE(step(m, d));
      EXPECT_TRUE(reset(m, d));
    }
}

// The edited model gives the same bits as after saving and loading it, which recomputes all derived data.
void expect_correct_or_reported(Model& m, const Model& original, const std::string& what) {
  SCOPED_TRACE(what);
  Data d(original);
  const std::string before = bytes_of(d);
  Status status = step(m, d);
  const bool sound = static_cast<bool>(validate(m));
  if (!status) {
    EXPECT_FALSE(status.text().empty());
    EXPECT_EQ(bytes_of(d), before);
    const bool other_sizes = status.text().find("other sizes") != std::string_view::npos;
    EXPECT_TRUE(!sound || other_sizes) << status.text();
    return;
  }
  ASSERT_TRUE(sound) << validate(m).error().text();
  const Model again = load_model(save_model(m)).value_or_throw();
  Data e(original);
  ASSERT_TRUE(step(again, e));
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(step(m, d));
    ASSERT_TRUE(step(again, e));
  }
  EXPECT_TRUE(same_bits(state_of(d), state_of(e)));
}

constexpr int kNasty[] = {std::numeric_limits<int>::min(), -1, 0, 1, 1000, std::numeric_limits<int>::max()};

TEST(Edit, AnyIntegerGivesCorrectResultsOrIsReported) {
  const Model original = rich();
  std::mt19937 random(1);
  original.for_each_field([&](std::string_view name, const auto& field, auto...) {
    using T = typename std::remove_cvref_t<decltype(field)>::value_type;
    if constexpr (std::is_integral_v<T>) {
      if (field.empty()) return;
      for (const int value : kNasty)
        for (int k = 0; k < 3; ++k) {
          const std::size_t at = random() % field.size();
          Model m = original;
          m.for_each_field([&](std::string_view other, auto& edited, auto...) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(edited)>, std::remove_cvref_t<decltype(field)>>)
              if (other == name) edited[at] = static_cast<T>(value);
          });
          expect_correct_or_reported(m, original,
                                     std::string(name) + "[" + std::to_string(at) + "] = " + std::to_string(value));
        }
    }
  });
}

TEST(Edit, AnyChangedSizeIsReported) {
  const Model original = rich();
  original.for_each_size([&](std::string_view name, std::int64_t size, auto) {
    for (const std::int64_t value :
         {std::int64_t{std::numeric_limits<int>::min()}, std::int64_t{-1}, std::int64_t{0}, size - 1, size + 1,
          std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()}) {
      Model m = original;
      m.for_each_size([&](std::string_view other, auto& edited, auto) {
        if (other == name) edited = value;
      });
      expect_correct_or_reported(m, original, std::string(name) + " = " + std::to_string(value));
    }
  });
}

TEST(Edit, AnyRealNumberIsSafe) {
  const Model original = rich();
  std::mt19937 random(2);
  const double nasty[] = {0, -1, 1e-300, 1e300, -1e300, std::nan(""), INFINITY, 1e9};
  original.for_each_field([&](std::string_view name, const auto& field, auto...) {
    using T = typename std::remove_cvref_t<decltype(field)>::value_type;
    if constexpr (std::is_floating_point_v<T>) {
      if (field.empty()) return;
      for (const double value : nasty) {
        SCOPED_TRACE(std::string(name) + " = " + std::to_string(value));
        Model m = original;
        Data d(original);
        m.for_each_field([&](std::string_view other, auto& edited, auto...) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(edited)>, std::remove_cvref_t<decltype(field)>>)
            if (other == name)
              for (int k = 0; k < 3; ++k) edited[random() % edited.size()] = static_cast<T>(value);
        });
        for (int i = 0; i < 3; ++i) {
          const Status status = step(m, d);
          if (!status) {
            EXPECT_TRUE(is_counted<T>(name)) << status.text();
          }
        }
      }
    }
  });
}

TEST(Refresh, UpdatesTheMasksOfBodies) {
  Model m = rich();
  Data d(m);
  const int ball = m.id(ObjType::Geom, "drum"), body = m.geom_bodyid[ball];
  m.geom_contype[ball] = 8;
  m.geom_conaffinity[ball] = 16;
  ASSERT_TRUE(step(m, d));
  EXPECT_EQ(m.body_contype[body] & 8, 8);
  EXPECT_EQ(m.body_conaffinity[body] & 16, 16);
}

// Forty geoms of one body are in a bounding volume tree, which holds only those that could collide when it was built.
TEST(Refresh, FindsContactsOfGeomsThatCouldNotCollideBefore) {
  std::string xml = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .05'><freejoint/>";
  for (int i = 0; i < 40; ++i)
    xml += "<geom size='.1' pos='" + std::to_string(.3 * i) + " 0 0' contype='" + (i % 2 ? "1" : "0") +
           "' conaffinity='0'/>";
  Model m = load_string(
                xml + "</body><body pos='3 0 .2'><freejoint/><geom size='.1' contype='0'/></body></worldbody></mujoco>")
                .value_or_throw();
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(d.ncon, 20);
  for (int g = 1; g <= 40; ++g) m.geom_contype[g] = 1;
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(d.ncon, 41);  // the sphere touches geom 11, one of the new ones
}

TEST(Refresh, LinksActuatorsToTheirNewTargets) {
  Model m = rich();
  Data d(m);
  const int a = m.id(ObjType::Actuator, "shoulder");
  m.actuator_armature[a] = .5;
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(m.jnt_actuatorid[m.actuator_trnid[2 * a]], a);
  const int old_target = m.actuator_trnid[2 * a], target = m.id(ObjType::Joint, "lift");
  m.actuator_trnid[2 * a] = target;
  ASSERT_TRUE(forward(m, d));
  EXPECT_EQ(m.jnt_actuatorid[old_target], -1);
  EXPECT_EQ(m.jnt_actuatorid[target], a);
}

// The model's flags for arrays of zeros may be older than the last edit: the step checks the arrays.
TEST(Numbers, ThatWereAllZeroTakeEffectImmediately) {
  Model m = load_string(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1" friction="1"/></body></worldbody></mujoco>)")
                .value_or_throw();
  Data d(m);
  ASSERT_TRUE(forward(m, d));
  const double fall = d.qfrc_passive[2];
  EXPECT_EQ(fall, 0);
  m.geom_surfacevel[0] = 1;
  ASSERT_TRUE(forward(m, d));
  EXPECT_GT(std::abs(d.qacc[0]), 1);
  m.geom_surfacevel[0] = 0;
  m.body_gravcomp[1] = 1;
  ASSERT_TRUE(forward(m, d));
  EXPECT_NEAR(d.qfrc_passive[2], 9.81 * m.body_mass[1], 1e-9);
  m.geom_adhesion[0] = 30;
  ASSERT_TRUE(forward(m, d));
  EXPECT_NE(d.qfrc_adhesion[2], 0);
  EXPECT_TRUE(m.is_fresh());
}

TEST(SetConstants, LeaveAModelFresh) {
  Model m = rich();
  Data d(m);
  m.body_mass[1] *= 2;
  m.body_gravcomp[2] = 1;
  ASSERT_TRUE(set_constants(m));
  EXPECT_TRUE(m.is_fresh());
  EXPECT_TRUE(step(std::as_const(m), d));  // ngravcomp is not the length of an array
}

}  // namespace
}  // namespace sinew
