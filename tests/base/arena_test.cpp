#include "base/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sinew {
namespace {

TEST(Arena, IsEmptyAfterTheLastMarkIsReleased) {
  Arena arena;
  {
    Scratch outer(arena);
    outer.take<double>(10);
    {
      Scratch inner(arena);
      inner.take<double>(100000);
      EXPECT_GE(arena.used(), 100010 * sizeof(double));
    }
    EXPECT_LT(arena.used(), 100000 * sizeof(double));
  }
  EXPECT_EQ(arena.used(), 0u);
}

TEST(Arena, GrowingKeepsEarlierAllocations) {
  Arena arena;
  Scratch scratch(arena);
  double* first = scratch.take<double>(4);
  first[3] = 7;
  for (int i = 0; i < 20; ++i) scratch.take<double>(5000);
  EXPECT_EQ(first[3], 7);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
}

TEST(Arena, MergesItsChunksUnderAnEmptyMark) {
  Arena arena;
  Scratch outer(arena);
  for (int round = 0; round < 2; ++round) {
    Scratch inner(arena);
    inner.take<double>(10);
    inner.take<double>(100000 << round);
  }
  double* x = outer.take<double>(1000);
  std::fill_n(x, 1000, 1.0);
  EXPECT_EQ(arena.used(), 1000 * sizeof(double) + kRedZone);
}

TEST(Arena, StopsGrowingOnceLargeEnough) {
  Arena arena;
  std::size_t capacity = 0;
  for (int round = 0; round < 5; ++round) {
    Scratch scratch(arena);
    for (int i = 0; i < 30; ++i) scratch.take<double>(3000);
    if (round > 1) {
      EXPECT_EQ(arena.capacity(), capacity);
    }
    capacity = arena.capacity();
  }
}

bool is_guarded([[maybe_unused]] const void* memory) {
#if defined(SINEW_ASAN)
  return __asan_address_is_poisoned(memory);
#else
  return false;
#endif
}

TEST(Arena, PoisonsRedZonesAndReleasedMemory) {
  if (!kAddressSanitizer) GTEST_SKIP() << "needs the address sanitizer";
  Arena arena;
  Scratch outer(arena);
  const double* a = outer.take<double>(5);
  const double* b = outer.take<double>(3);
  ASSERT_GE(b - a, 13);
  EXPECT_FALSE(is_guarded(a + 4));
  for (const double* p = a + 5; p < b; ++p) EXPECT_TRUE(is_guarded(p)) << p - a;
  const int* given_back;
  {
    Scratch inner(arena);
    given_back = inner.take<int>(100);
    EXPECT_FALSE(is_guarded(given_back + 99));
  }
  EXPECT_TRUE(is_guarded(given_back));
  EXPECT_TRUE(is_guarded(given_back + 99));
  EXPECT_FALSE(is_guarded(b + 2));
}

TEST(Arena, FillsNewMemoryWithNaNInTheCheckedBuild) {
  if (!kChecked) GTEST_SKIP() << "memory is not initialized in this build";
  Arena arena;
  for (int round = 0; round < 2; ++round) {
    Scratch scratch(arena);
    double* x = scratch.take<double>(7);
    for (int i = 0; i < 7; ++i) {
      EXPECT_TRUE(std::isnan(x[i]));
      x[i] = 0;
    }
  }
}

TEST(ArenaDeathTest, WritingPastAnArrayAbortsTheCheckedBuild) {
  if (!kChecked) GTEST_SKIP() << "not checked in this build";
  const auto overrun = [](int by) {
    Arena arena;
    Scratch scratch(arena);
    auto* x = scratch.take<double>(3);
    volatile double* behind = x;
    behind[2 + by] = 0;
  };
  for (const int by : {1, 5, 6, 9, 12})
    EXPECT_DEATH(overrun(by), kAddressSanitizer ? "use-after-poison" : "wrote (far )?past the end of an arena array");
  EXPECT_DEATH(
      {
        Arena arena;
        Scratch(arena).take<int>(static_cast<std::size_t>(-1));
      },
      "arena_test.cpp:.*implausibly large");
}

}  // namespace
}  // namespace sinew
