#pragma once

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

// Shared by the benchmarks: the models, a clock, and the median of alternating runs.

namespace bench {

/// The .xml files of a folder, by name.
inline std::vector<std::filesystem::path> models_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".xml") models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  return models;
}

/// CPU time, to exclude other programs: of this thread, or of all threads of the program; or wall time.
enum class Clock : clockid_t {
  Thread = CLOCK_THREAD_CPUTIME_ID,
  Process = CLOCK_PROCESS_CPUTIME_ID,
  Wall = CLOCK_MONOTONIC
};

template <class Work>
double seconds(Work&& work, Clock clock = Clock::Thread) {
  const auto now = [clock] {
    timespec t;
    clock_gettime(static_cast<clockid_t>(clock), &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  work();
  return now() - start;
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

struct Comparison {
  double ours = 0;   // s, median
  double peers = 0;  // s, median
  double ratio = 0;  // peer's time / ours: above 1 we are faster; median over pairs of consecutive runs
};

/// Runs both alternately, so that a busy or throttled machine slows both: at least 15 pairs and about half
/// a second, or at least 5 if they are slow.
template <class Ours, class Peers>
Comparison compare(Ours&& ours, Peers&& peers, Clock clock = Clock::Thread) {
  std::vector<double> our_times, peer_times, ratios;
  double total = 0;
  while (ratios.size() < 5 || (total < 2 && ratios.size() < 15) || (total < 0.5 && ratios.size() < 1000)) {
    const double a = seconds(ours, clock);
    const double b = seconds(peers, clock);
    our_times.push_back(a);
    peer_times.push_back(b);
    ratios.push_back(b / a);
    total += a + b;
  }
  return {median(our_times), median(peer_times), median(ratios)};
}

}  // namespace bench
