#include "base/pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include "base/checked.h"

namespace sinew {
namespace {

TEST(Pool, RunsEveryIndexOnceForAnyChunkSize) {
  Pool pool(3);
  for (const int chunk : {0, 1, 7, 100}) {
    std::vector<std::atomic<int>> done(50);
    pool.run(
        50, [&](int, int i) { ++done[static_cast<std::size_t>(i)]; }, chunk);
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(Pool, RethrowsAnExceptionInTheCallerAndStaysUsable) {
  Pool pool(2);
  std::atomic<int> done = 0;
  const auto job = [&](int, int i) {
    if (i == 3) throw std::runtime_error("three");
    ++done;
  };
  EXPECT_THROW(pool.run(10, job), std::runtime_error);
  EXPECT_EQ(done, 9);
  pool.run(3, job);
  EXPECT_EQ(done, 12);
}

TEST(Pool, RethrowsTheExceptionOfTheLowestIndex) {
  Pool pool(4);
  for (int round = 0; round < 50; ++round) {
    std::string caught;
    try {
      pool.run(
          64, [](int, int i) { throw std::runtime_error(std::to_string(i)); }, 1);
    } catch (const std::runtime_error& e) {
      caught = e.what();
    }
    EXPECT_EQ(caught, "0");
  }
}

TEST(ForEachIndex, UsesNoMoreThreadsThanThereAreIndices) {
  std::mutex mutex;
  std::set<int> threads;
  for_each_index(3, 100, [&](int thread, int) {
    const std::lock_guard lock(mutex);
    threads.insert(thread);
  });
  EXPECT_LT(*threads.rbegin(), 3);
  for_each_index(0, 8, [](int, int) { FAIL() << "called for an empty range"; });
}

TEST(ForEachIndex, RethrowsAnExceptionOfAnyThreadInTheCaller) {
  std::atomic<int> done = 0;
  EXPECT_THROW(for_each_index(100, 8,
                              [&](int, int i) {
                                ++done;
                                if (i % 2) throw std::runtime_error("odd");
                              }),
               std::runtime_error);
  EXPECT_EQ(done, 100);
}

/// Address space of the process, in bytes.
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(PoolDeathTest, WorksWithFewerThreadsIfTheSystemRefusesMore) {
  if (kSanitized) GTEST_SKIP() << "the sanitizers' shadow memory is larger than any limit";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto start_too_many = [] {
    constexpr std::size_t kMegabyte = std::size_t(1) << 20;
    const rlimit limit = {address_space() + 100 * kMegabyte, RLIM_INFINITY};  // 8 per thread stack
    if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(3);
    std::atomic<int> done = 0;
    Pool pool(100);
    pool.run(1000, [&](int, int) { ++done; });
    _exit(pool.threads() < 100 && done == 1000 ? 0 : 4);
  };
  EXPECT_EXIT(start_too_many(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sinew
