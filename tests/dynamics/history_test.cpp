#include "dynamics/history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dynamics/smooth_level.h"

namespace sinew {
namespace {

using namespace test;

constexpr double kTimes[] = {0.01, 0.02, 0.03, 0.04};
constexpr double kValues[] = {1, -2, 3, 4};

std::string delayed(const std::string& interp) {
  return R"(<mujoco><option timestep=".01"/><worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body>
    </worldbody><actuator><motor joint="j" delay=".03" nsample="4" interp=")" +
         interp + "\"/></actuator></mujoco>";
}

/// A world whose buffer holds the samples above, the newest in the middle of the ring buffer.
Data world_with_samples(const Model& m, double time) {
  Data d = world_of(m);
  const std::vector<double> buffer = {0,         1,          kTimes[2],  kTimes[3],  kTimes[0],
                                      kTimes[1], kValues[2], kValues[3], kValues[0], kValues[1]};
  std::copy(buffer.begin(), buffer.end(), d.history.begin());
  d.time = time;
  d.ctrl[0] = 9;
  return d;
}

// MuJoCo 3.12.0: history, ctrl and time written into mjData, actuator_force after mj_forward.
struct DelayedControl {
  const char* interp;
  double time, control;
};
const DelayedControl kDelayed[] = {
    {"zoh", 0, 1},
    {"zoh", 0.052, -2},
    {"zoh", 0.0575, -2},
    {"zoh", 0.06, 3},
    {"zoh", 0.0647, 3},
    {"zoh", 0.1, 4},
    {"linear", 0, 1},
    {"linear", 0.052, -1.0000000000000007},
    {"linear", 0.0575, 1.7500000000000022},
    {"linear", 0.06, 3},
    {"linear", 0.0647, 3.4699999999999993},
    {"linear", 0.1, 4},
    {"cubic", 0, 1},
    {"cubic", 0.052, -1.4480000000000006},
    {"cubic", 0.0575, 1.8437500000000027},
    {"cubic", 0.06, 3},
    {"cubic", 0.0647, 3.8511229999999994},
    {"cubic", 0.1, 4},
};

TEST(History, ControlsAreReadWithTheirDelay) {
  for (const auto& [interp, time, control] : kDelayed) {
    const Model m = model_of(delayed(interp));
    Data d = world_with_samples(m, time);
    smooth_forces(m, d);
    EXPECT_NEAR(d.actuator_force[0], control, 1e-14) << interp << " at " << time;
    EXPECT_EQ(d.ctrl[0], 9);
  }
}

// MuJoCo 3.12.0: history after one mj_step from the same input.
TEST(History, ControlsAreInsertedInChronologicalOrder) {
  const Model m = model_of(delayed("zoh"));
  const std::pair<double, std::vector<double>> golden[] = {
      {0, {0, 1, 0.03, 0.04, 0, 0.02, 3, 4, 9, -2}},
      {0.0575, {0, 2, 0.03, 0.04, 0.0575, 0.02, 3, 4, 9, -2}},
      {0.06, {0, 2, 0.03, 0.04, 0.06, 0.02, 3, 4, 9, -2}},
      {0.1, {0, 2, 0.03, 0.04, 0.1, 0.02, 3, 4, 9, -2}},
  };
  for (const auto& [time, buffer] : golden) {
    Data d = world_with_samples(m, time);
    record_controls(m, d);
    expect_golden("history", field(d, "history"), buffer);
  }
}

// MuJoCo 3.12.0: history after one mj_step at time 0 with ctrl 7, with a bad number in a slot of the times.
TEST(History, BadTimesBetweenTheEndsDoNotHinderTheNewestSample) {
  const Model m = model_of(R"(<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><motor joint="j" nsample="8"/></actuator></mujoco>)");
  struct Case {
    double bad;
    int slot, cursor, written;
  };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (const auto& [bad, slot, cursor, written] :
       {Case{nan, 0, 0, 0}, Case{nan, 1, 0, 0}, Case{nan, 4, 0, 0}, Case{nan, 6, 0, 0}, Case{nan, 7, 7, 6},
        Case{infinity, 0, 7, 0}, Case{infinity, 3, 0, 0}, Case{infinity, 7, 7, 6}}) {
    Data d = world_of(m);
    d.ctrl[0] = 7;
    d.history[2 + slot] = bad;
    record_controls(m, d);
    EXPECT_EQ(d.history[1], cursor) << bad << " at " << slot;
    EXPECT_EQ(d.history[2 + written], 0) << bad << " at " << slot;
    EXPECT_EQ(d.history[10 + written], 7) << bad << " at " << slot;
  }
}

TEST(History, ASampleBetweenTwoOthersReplacesTheOldest) {
  const Model m = model_of(delayed("linear"));
  Data d = world_with_samples(m, 0.025);
  record_controls(m, d);
  double value = 0;
  const auto buffer = actuator_history(m, d, 0);
  const std::pair<double, double> expected[] = {{0.01, -2}, {0.02, -2}, {0.025, 9}, {0.03, 3}, {0.04, 4}};
  for (const auto& [time, sample] : expected) {
    buffer.read(time, Interp::Linear, &value);
    EXPECT_NEAR(value, sample, 1e-12) << time;
  }
}

TEST(History, InterpolationReproducesStraightLines) {
  const Model m = model_of(delayed("cubic"));
  Data d = world_of(m);
  for (double time : {0.3, 0.37, 0.41, 0.52}) {
    d.time = time;
    d.ctrl[0] = 5 - 3 * time;
    record_controls(m, d);
  }
  double value = 0;
  for (Interp interp : {Interp::Linear, Interp::Cubic}) {
    // between inner samples, where both slopes of the cubic are exact
    actuator_history(m, d, 0).read(0.39, interp, &value);
    EXPECT_NEAR(value, 5 - 3 * 0.39, 1e-14);
  }
}

// MuJoCo 3.12.0: history after mj_resetData.
TEST(History, ResetPlacesZeroSamplesBeforeTimeZero) {
  const Model m = model_of(R"(<mujoco><option timestep=".01"/><worldbody>
    <body><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>
    <actuator><motor joint="j" delay=".03" nsample="4"/></actuator>
    <sensor><jointpos joint="j" delay=".025" nsample="3"/><jointpos joint="j" interval=".034" nsample="3"/>
      <jointpos joint="j" interval=".034 -.01" nsample="4" delay=".04"/></sensor></mujoco>)");
  Data d(m);
  for (double& x : d.history) x = 7;
  reset_histories(m, d);
  expect_golden("history", field(d, "history"),
                {0,     3, -.04, -.03, -.02, -.01, 0, 0, 0,    0, -.01, 2,    -.03, -.02, -.01, 0, 0, 0,
                 -.034, 2, -.1,  -.06, -.03, 0,    0, 0, -.01, 3, -.11, -.07, -.04, -.01, 0,    0, 0, 0});
}

}  // namespace
}  // namespace sinew
