#include "base/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Arena, KeepsWhatWasHandedOutWhileItGrows) {
  Arena arena;
  Scratch scratch(arena);
  double* first = scratch.take<double>(4);
  first[3] = 7;
  for (int i = 0; i < 20; ++i) scratch.take<double>(5000);
  EXPECT_EQ(first[3], 7);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
}

TEST(Arena, OutlivesTheJoiningOfItsChunksUnderAMarkThatTookNothing) {
  Arena arena;
  Scratch outer(arena);
  for (int round = 0; round < 2; ++round) {
    Scratch inner(arena);
    inner.take<double>(10);
    inner.take<double>(100000 << round);
  }
  double* x = outer.take<double>(1000);
  std::fill_n(x, 1000, 1.0);
  EXPECT_EQ(arena.used(), 1000 * sizeof(double));
}

TEST(Arena, DoesNotGrowAnyMoreOnceItWasLargeEnough) {
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

}  // namespace
}  // namespace sinew
