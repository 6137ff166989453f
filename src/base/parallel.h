#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace sinew {

/// work(worker, i) for i = 0 … n - 1, shared among so many workers (at least one: the caller). Each worker takes
/// indices in ascending order, and no worker's number is used by two threads.
template <class Work>
void for_each_index(std::size_t n, std::size_t workers, Work&& work) {
  workers = std::clamp<std::size_t>(workers, 1, std::max<std::size_t>(n, 1));
  std::atomic<std::size_t> next = 0;
  const auto run = [&](std::size_t worker) {
    for (std::size_t i = next++; i < n; i = next++) work(worker, i);
  };
  std::vector<std::thread> others;
  for (std::size_t k = 1; k < workers; ++k) others.emplace_back(run, k);
  run(0);
  for (std::thread& other : others) other.join();
}

}  // namespace sinew
