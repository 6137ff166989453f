#include "sinew/state.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sim/world.h"

namespace sinew::test {
namespace {

/// A model with every part of the state: activations, delay buffers, mocap, equality, user data, keyframes.
constexpr const char* kEverything = R"(
<mujoco>
  <size nuserdata="3"/>
  <worldbody>
    <body name="hand" mocap="true" pos="1 2 3" quat="0 1 0 0"><geom size="0.1" contype="0" conaffinity="0"/></body>
    <body name="ball" pos="0 0 1"><joint type="ball"/><geom size="0.1" pos="0.2 0 0" contype="0" conaffinity="0"/>
      <body><joint name="h"/><geom size="0.1" pos="0.2 0.1 0" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="h" active="false"/><joint joint1="h" polycoef="0.1 0 0 0 0"/></equality>
  <actuator>
    <general joint="h" dyntype="integrator" actlimited="true" actrange="-1 1"/>
    <motor joint="h" delay="0.01" nsample="6"/>
  </actuator>
  <keyframe>
    <key name="rest"/>
    <key name="bent" time="1.5" qpos="0.6 0.8 0 0 -0.3" qvel="1 2 3 4" act="0.5" ctrl="0.25 -0.5" mpos="4 5 6" mquat="1 0 0 0"/>
  </keyframe>
</mujoco>)";

std::vector<double> state_of(const World& w, int bits) {
  std::vector<double> state(static_cast<std::size_t>(state_size(w.m, bits)));
  get_state(w.m, w.d, state, bits);
  return state;
}

void fill_with_numbers(World& w) {
  std::vector<double> state(static_cast<std::size_t>(state_size(w.m, kStateIntegration)));
  for (std::size_t i = 0; i < state.size(); ++i) state[i] = 1 + 0.125 * static_cast<double>(i);
  set_state(w.m, w.d, state, kStateIntegration);
}

TEST(StateVector, HasItsPartsInTheOrderOfTheBits) {
  World w(kEverything);
  ASSERT_EQ(w.m.nhistory, 2 + 6 + 6);
  const int sizes[] = {1, 5, 4, 1, 14, 4, 2, 4, 24, 2, 3, 4, 3};
  int total = 0;
  for (int bit = 0; bit < 13; ++bit) {
    EXPECT_EQ(state_size(w.m, 1 << bit), sizes[bit]) << bit;
    total += sizes[bit];
  }
  EXPECT_EQ(state_size(w.m, kStateIntegration), total);
  EXPECT_EQ(state_size(w.m, 0), 0);

  fill_with_numbers(w);
  EXPECT_EQ(w.d.time, 1);
  EXPECT_EQ(w.d.qpos[0], 1.125);
  EXPECT_EQ(w.d.qvel[0], 1.75);
  EXPECT_EQ(w.d.userdata[2], 1 + 0.125 * (total - 1));
}

TEST(StateVector, RoundTripsBitForBit) {
  World from(kEverything), to(kEverything);
  fill_with_numbers(from);
  from.d.qpos[1] = std::numeric_limits<double>::denorm_min();
  const std::vector<double> state = state_of(from, kStateIntegration);
  set_state(to.m, to.d, state, kStateIntegration);
  const std::vector<double> again = state_of(to, kStateIntegration);
  EXPECT_EQ(std::memcmp(state.data(), again.data(), state.size() * sizeof(double)), 0);
}

TEST(StateVector, AnyNonzeroValueActivatesAnEquality) {
  World w(kEverything);
  EXPECT_EQ(state_of(w, kStateEqActive), (std::vector<double>{0, 1}));
  set_state(w.m, w.d, std::vector<double>{-0.5, 0}, kStateEqActive);
  EXPECT_EQ(state_of(w, kStateEqActive), (std::vector<double>{1, 0}));
}

TEST(StateVector, SettingAPartLeavesTheRestUnchanged) {
  World w(kEverything);
  fill_with_numbers(w);
  const std::vector<double> rest = state_of(w, kStateIntegration & ~kStateQvel);
  set_state(w.m, w.d, std::vector<double>{9, 9, 9, 9}, kStateQvel);
  EXPECT_EQ(state_of(w, kStateIntegration & ~kStateQvel), rest);
  EXPECT_EQ(state_of(w, kStateQvel), (std::vector<double>{9, 9, 9, 9}));
}

TEST(StateVector, ExtractingAPartEqualsGettingIt) {
  World w(kEverything);
  fill_with_numbers(w);
  const std::vector<double> all = state_of(w, kStateIntegration);
  for (const int bits : {int{kStatePhysics}, int{kStateUser}, kStateTime | kStateCtrl | kStateUserdata}) {
    std::vector<double> part(static_cast<std::size_t>(state_size(w.m, bits)));
    extract_state(w.m, all, kStateIntegration, part, bits);
    EXPECT_EQ(part, state_of(w, bits));
  }
}

TEST(StateVector, CopiesBetweenWorlds) {
  World w(kEverything);
  fill_with_numbers(w);
  Data other(w.m);
  reset(w.m, other);
  copy_state(w.m, w.d, other, kStateFullPhysics | kStateEqActive);
  EXPECT_EQ(other.time, w.d.time);
  EXPECT_EQ(other.qpos[4], w.d.qpos[4]);
  EXPECT_EQ(other.eq_active[0], 1);
  EXPECT_EQ(other.ctrl[0], 0);
}

TEST(StateVector, MisuseThrows) {
  World w(kEverything);
  std::vector<double> state(3);
  EXPECT_THROW(get_state(w.m, w.d, state, kStateQpos), Exception);
  EXPECT_THROW(set_state(w.m, w.d, state, kStateQpos), Exception);
  EXPECT_THROW(state_size(w.m, 1 << 20), Exception);
  EXPECT_THROW(extract_state(w.m, state, kStateMocapPos, state, kStateUserdata), Exception);
  EXPECT_THROW(set_keyframe(w.m, w.d, 2), Exception);
}

TEST(Keyframes, SetTheirSevenPartsAfterAReset) {
  World w(kEverything);
  fill_with_numbers(w);
  reset_to_keyframe(w.m, w.d, 1);
  EXPECT_EQ(w.d.time, 1.5);
  EXPECT_EQ(state_of(w, kStateQpos), (std::vector<double>{0.6, 0.8, 0, 0, -0.3}));
  EXPECT_EQ(state_of(w, kStateQvel), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(state_of(w, kStateAct), (std::vector<double>{0.5}));
  EXPECT_EQ(state_of(w, kStateCtrl), (std::vector<double>{0.25, -0.5}));
  EXPECT_EQ(state_of(w, kStateMocapPos), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(state_of(w, kStateMocapQuat), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(state_of(w, kStateUserdata), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(state_of(w, kStateEqActive), (std::vector<double>{0, 1}));
}

TEST(Keyframes, AnInvalidIndexIsAPlainReset) {
  World w(kEverything), fresh(kEverything);
  for (const int key : {-1, 2, 1000}) {
    fill_with_numbers(w);
    reset_to_keyframe(w.m, w.d, key);
    EXPECT_EQ(state_of(w, kStateIntegration), state_of(fresh, kStateIntegration));
  }
}

TEST(Keyframes, RestoreTheStateStoredBySetKeyframe) {
  World w(kEverything);
  fill_with_numbers(w);
  set_keyframe(w.m, w.d, 0);
  constexpr int kParts =
      kStateTime | kStateQpos | kStateQvel | kStateAct | kStateCtrl | kStateMocapPos | kStateMocapQuat;
  const std::vector<double> stored = state_of(w, kParts);
  reset_to_keyframe(w.m, w.d, 0);
  EXPECT_EQ(state_of(w, kParts), stored);
}

TEST(Reset, GivesTheInitialState) {
  World w(kEverything);
  fill_with_numbers(w);
  w.d.warning[0].number = 3;
  reset(w.m, w.d);
  EXPECT_EQ(state_of(w, kStateQpos), (std::vector<double>{1, 0, 0, 0, 0}));
  EXPECT_EQ(state_of(w, kStateMocapPos), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(state_of(w, kStateMocapQuat), (std::vector<double>{0, 1, 0, 0}));
  EXPECT_EQ(w.d.warning[0].number, 0);
  // MuJoCo 3.12.0, oracle.mjs get … history: [user, cursor, times, values] of six samples, a timestep apart
  const std::vector<double> history = {0, 5, -0.012, -0.01, -0.008, -0.006, -0.004, -0.002, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(state_of(w, kStateHistory), history);
}

TEST(Reset, MakesACorruptedWorldLikeNew) {
  World fresh(kEverything), poisoned(kEverything);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  poisoned.d.for_each_field([&](auto, auto& field, auto...) {
    using T = typename std::remove_reference_t<decltype(field)>::element_type;
    std::ranges::fill(field, std::is_floating_point_v<T> ? static_cast<T>(nan) : static_cast<T>(77));
  });
  poisoned.d.time = nan;
  poisoned.d.energy = {nan, nan};
  poisoned.d.ncon = 7;
  reset(poisoned.m, poisoned.d);
  for (World* w : {&fresh, &poisoned}) {
    w->d.ctrl[0] = 0.3;
    for (int i = 0; i < 20; ++i) step(w->m, w->d);
  }
  EXPECT_EQ(state_of(fresh, kStateIntegration), state_of(poisoned, kStateIntegration));
}

}  // namespace
}  // namespace sinew::test
