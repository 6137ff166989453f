#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "sinew/sinew.h"

namespace sinew {
namespace {

std::vector<double> state_of(const Model& m, const Data& d) {
  std::vector<double> state(static_cast<std::size_t>(state_size(m, kStateIntegration)));
  get_state(m, d, state, kStateIntegration);
  return state;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// FNV-1a over the bits of the numbers.
std::uint64_t hash(const std::vector<double>& numbers) {
  std::uint64_t h = 0xcbf29ce484222325u;
  const auto* bytes = reinterpret_cast<const unsigned char*>(numbers.data());
  for (std::size_t i = 0; i < numbers.size() * sizeof(double); ++i) h = (h ^ bytes[i]) * 0x100000001b3u;
  return h;
}

void move_controls(const Model& m, Data& d, int k) {
  for (int j = 0; j < m.nu; ++j) d.ctrl[j] = 0.25 * ((k + 3 * j) % 7 - 3);  // exact in any arithmetic
}

template <class Visit>
void for_each_scene(Visit&& visit) {
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models")) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().filename().string());
    visit(load_or_throw(entry.path()));
  }
}

TEST(Determinism, TwoWorldsWithTheSameInputsStayIdenticalBitForBit) {
  for_each_scene([](const Model& m) {
    Data a(m), b(m);
    reset(m, a);
    reset(m, b);
    for (int k = 0; k < 100; ++k) {
      for (Data* d : {&a, &b}) {
        move_controls(m, *d, k);
        step(m, *d);
      }
    }
    EXPECT_TRUE(same_bits(state_of(m, a), state_of(m, b)));
  });
}

TEST(Determinism, AWorldContinuesFromASavedStateAsIfUninterrupted) {
  for_each_scene([](const Model& m) {
    Data whole(m), restored(m);
    reset(m, whole);
    for (int k = 0; k < 40; ++k) {
      move_controls(m, whole, k);
      step(m, whole);
    }
    reset(m, restored);
    set_state(m, restored, state_of(m, whole), kStateIntegration);
    for (int k = 40; k < 80; ++k) {
      for (Data* d : {&whole, &restored}) {
        move_controls(m, *d, k);
        step(m, *d);
      }
    }
    EXPECT_TRUE(same_bits(state_of(m, whole), state_of(m, restored)));
  });
}

TEST(Determinism, ACopyOfAWorldContinuesLikeTheOriginal) {
  for_each_scene([](const Model& m) {
    Data original(m);
    reset(m, original);
    for (int k = 0; k < 20; ++k) step(m, original);
    Data copy = original;
    for (int k = 0; k < 20; ++k) {
      step(m, original);
      step(m, copy);
    }
    EXPECT_TRUE(same_bits(state_of(m, original), state_of(m, copy)));
  });
}

TEST(Determinism, SmoothMotionHasTheSameHashForEveryCompilerAndOptimizationLevel) {
  // Slides, springs, dampers and filters only: no libm function is called, so the result depends on our arithmetic
  // alone.
  const Model m = load_string(R"(
    <mujoco>
      <option timestep="0.01"/>
      <default><geom contype="0" conaffinity="0"/></default>
      <worldbody>
        <body><joint name="x" type="slide" axis="1 0 0" stiffness="30" damping="0.3"/><geom size="0.1"/>
          <body pos="0.5 0 0"><joint name="z" type="slide" axis="0 0 1" stiffness="50" damping="0.1"/><geom size="0.2"/></body>
          <body pos="0 0.5 0"><joint name="y" type="slide" axis="0 1 0" stiffness="20"/><geom type="box" size="0.1 0.2 0.1"/></body>
        </body>
      </worldbody>
      <tendon><fixed name="t" stiffness="5" damping="0.2"><joint joint="x" coef="1"/><joint joint="z" coef="-2"/></fixed></tendon>
      <actuator>
        <general joint="x" dyntype="filter" dynprm="0.1" gainprm="2" biastype="affine" biasprm="0 -1 -0.1"/>
        <motor tendon="t"/>
      </actuator>
    </mujoco>)")
                      .value_or_throw();
  Data d(m);
  reset(m, d);
  for (int k = 0; k < 300; ++k) {
    move_controls(m, d, k);
    step(m, d);
  }
  EXPECT_EQ(hash(state_of(m, d)), 0x3ec305b0125b6b1bu);
}

}  // namespace
}  // namespace sinew
