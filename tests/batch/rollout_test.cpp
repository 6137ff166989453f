#include "sinew/rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sinew/load.h"
#include "sinew/state.h"
#include "sinew/step.h"

namespace sinew::test {
namespace {

constexpr const char* kArm = R"(
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/></body>
    <body mocap="true" pos="0 2 1"><geom size="0.1"/></body>
  </worldbody>
  <actuator><general joint="hinge" dyntype="integrator" gainprm="5"/></actuator>
  <sensor><jointpos joint="hinge"/><jointvel joint="hinge"/></sensor>
</mujoco>)";

constexpr int kRolls = 6, kSteps = 40;

/// Inputs of kRolls different rollouts, and space for their results.
struct Inputs {
  explicit Inputs(const Model& m, int spec = kStateCtrl)
      : model(&m),
        nstate(static_cast<std::size_t>(state_size(m, kStateFullPhysics))),
        ncontrol(static_cast<std::size_t>(state_size(m, spec))),
        nsensor(static_cast<std::size_t>(m.nsensordata)),
        control_spec(spec),
        state(kRolls * kSteps * nstate),
        sensordata(kRolls * kSteps * nsensor) {
    Data d(m);
    for (int r = 0; r < kRolls; ++r) {
      reset(m, d);
      for (std::size_t i = 0; i < d.qvel.size(); ++i) d.qvel[i] = std::sin(r + 2.0 * static_cast<double>(i));
      std::vector<double> row(nstate);
      get_state(m, d, row, kStateFullPhysics);
      initial.insert(initial.end(), row.begin(), row.end());
    }
    for (std::size_t i = 0; i < kRolls * kSteps * ncontrol; ++i)
      control.push_back(std::cos(0.3 * static_cast<double>(i)));
  }

  RolloutTask task() {
    return {.models = std::span(&model, 1),
            .nroll = kRolls,
            .nstep = kSteps,
            .initial_state = initial,
            .control = control,
            .control_spec = control_spec,
            .state = state,
            .sensordata = sensordata};
  }
  std::span<double> state_row(std::size_t roll, std::size_t t) {
    return std::span(state).subspan((roll * kSteps + t) * nstate, nstate);
  }

  const Model* model;
  std::size_t nstate, ncontrol, nsensor;
  int control_spec;
  std::vector<double> initial, control, state, sensordata;
};

class RolloutOfThreads : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Rollout, RolloutOfThreads, testing::Values(1, 2, 3));

TEST_P(RolloutOfThreads, EqualsALoopBitForBit) {
  const Model m = load_string(kArm).value_or_throw();
  for (const int spec : {int{kStateCtrl}, kStateCtrl | kStateXfrcApplied | kStateMocapPos}) {
    Inputs in(m, spec);
    EXPECT_THAT(Rollout(GetParam()).run(in.task()), testing::Each(-1));
    for (std::size_t r = 0; r < kRolls; ++r) {
      Data d(m);
      reset(m, d);
      set_state(m, d, std::span(in.initial).subspan(r * in.nstate, in.nstate), kStateFullPhysics);
      for (std::size_t t = 0; t < kSteps; ++t) {
        const std::size_t at = r * kSteps + t;
        set_state(m, d, std::span(in.control).subspan(at * in.ncontrol, in.ncontrol), spec);
        step(m, d);
        std::vector<double> row(in.nstate);
        get_state(m, d, row, kStateFullPhysics);
        ASSERT_TRUE(std::ranges::equal(row, in.state_row(r, t))) << r << " " << t;
        ASSERT_TRUE(std::ranges::equal(d.sensordata, std::span(in.sensordata).subspan(at * in.nsensor, in.nsensor)));
      }
    }
  }
}

TEST_P(RolloutOfThreads, DoesNotDependOnPreviousStateOfTheWorkers) {
  const Model m = load_string(kArm).value_or_throw();
  Inputs clean(m), dirty(m);
  Rollout rollout(GetParam());
  rollout.run(clean.task());
  std::vector<Data> datas(static_cast<std::size_t>(rollout.threads()), Data(m));
  std::vector<Data*> workers;
  for (Data& d : datas) {
    for (auto field : {d.qpos, d.qvel, d.ctrl, d.qfrc_applied, d.xfrc_applied, d.qacc_warmstart, d.mocap_pos})
      std::ranges::fill(field, 0.7);
    d.warning[0].number = 3;
    workers.push_back(&d);
  }
  rollout.run(dirty.task(), workers, 2);
  EXPECT_EQ(clean.state, dirty.state);
  EXPECT_EQ(clean.sensordata, dirty.sensordata);
}

TEST_P(RolloutOfThreads, ADivergingRolloutRepeatsItsLastRowAndAffectsNoOther) {
  const Model m = load_string(kArm).value_or_throw();
  Inputs good(m), bad(m);
  Rollout rollout(GetParam());
  rollout.run(good.task());
  bad.initial[2 * bad.nstate + 1] = std::numeric_limits<double>::infinity();
  bad.control_spec = kStateCtrl | kStateQfrcApplied;
  bad.ncontrol = static_cast<std::size_t>(m.nu + m.nv);
  bad.control.assign(kRolls * kSteps * bad.ncontrol, 0);
  for (std::size_t i = 0; i < kRolls * kSteps; ++i) bad.control[i * bad.ncontrol] = good.control[i];
  bad.control[(4 * kSteps + 10) * bad.ncontrol + 1] = 1e30;
  EXPECT_THAT(rollout.run(bad.task()), testing::ElementsAre(-1, -1, 0, -1, 10, -1));
  for (std::size_t r = 0; r < kRolls; ++r) {
    for (std::size_t t = 0; t < kSteps; ++t) {
      if (r == 2 || (r == 4 && t >= 10))
        EXPECT_TRUE(std::ranges::equal(bad.state_row(r, t), bad.state_row(r, r == 2 ? 0 : 10)));
      else
        EXPECT_TRUE(std::ranges::equal(bad.state_row(r, t), good.state_row(r, t))) << r << " " << t;
    }
  }
}

TEST(Rollout, EachMayHaveItsOwnModel) {
  const Model m = load_string(kArm).value_or_throw();
  std::vector<Model> models(kRolls, m);
  std::vector<const Model*> pointers;
  for (std::size_t r = 0; r < kRolls; ++r) {
    models[r].opt.gravity[2] = -static_cast<double>(r);
    pointers.push_back(&models[r]);
  }
  Inputs in(m);
  RolloutTask task = in.task();
  task.models = pointers;
  Rollout(2).run(task);
  Inputs alone(models[3]);
  Rollout(1).run(alone.task());
  EXPECT_TRUE(std::ranges::equal(in.state_row(3, kSteps - 1), alone.state_row(3, kSteps - 1)));
  EXPECT_FALSE(std::ranges::equal(in.state_row(2, kSteps - 1), alone.state_row(2, kSteps - 1)));
}

TEST(Rollout, WithoutControlsUsesTheInputsOfAReset) {
  const Model m = load_string(kArm).value_or_throw();
  Inputs none(m), zero(m);
  std::ranges::fill(zero.control, 0);
  RolloutTask task = none.task();
  task.control = {};
  Rollout(1).run(task);
  Rollout(1).run(zero.task());
  EXPECT_EQ(none.state, zero.state);
}

TEST(Rollout, RefusesMisuse) {
  const Model m = load_string(kArm).value_or_throw(), other = load_string("<mujoco/>").value_or_throw();
  Inputs in(m);
  Rollout rollout(2);
  const auto message = [&](auto&& change) -> std::string {
    RolloutTask task = in.task();
    change(task);
    try {
      rollout.run(task);
    } catch (const Exception& e) {
      return e.what();
    }
    return "no exception";
  };
  using testing::HasSubstr;
  EXPECT_THAT(message([](RolloutTask& t) { t.models = {}; }), HasSubstr("0 models"));
  EXPECT_THAT(message([](RolloutTask& t) { t.nstep = -1; }), HasSubstr("of -1 steps"));
  EXPECT_THAT(message([](RolloutTask& t) { t.nroll = 5; }), HasSubstr("initial_state has"));
  EXPECT_THAT(message([](RolloutTask& t) { t.control_spec = kStateQpos; }), HasSubstr("kStateUser"));
  EXPECT_THAT(message([](RolloutTask& t) { t.sensordata = t.sensordata.first(1); }), HasSubstr("sensordata has 1"));
  std::vector<const Model*> mixed(kRolls, &m);
  mixed[1] = &other;
  EXPECT_THAT(message([&](RolloutTask& t) { t.models = mixed; }), HasSubstr("different sizes"));
  Data stranger(other), fitting(m);
  Data* workers[] = {&fitting, &stranger};
  EXPECT_THROW(rollout.run(in.task(), workers), Exception);
  EXPECT_THROW(rollout.run(in.task(), std::span(workers, 1)), Exception);
  EXPECT_THROW(Rollout(-1), Exception);
}

}  // namespace
}  // namespace sinew::test
