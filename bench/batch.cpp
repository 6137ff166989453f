// bench_batch MODELS: steps per second of many worlds, as a Batch and as separate Data, and the bytes per world.

#include "sinew/batch.h"

#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "sinew/load.h"
#include "sinew/step.h"
#include "timing.h"

namespace {

constexpr int kWorlds = 256;
constexpr int kSteps = 10;
constexpr int kRuns = 5;

/// Total steps per second of all worlds, wall time: the median of some runs.
template <class Work>
double rate(Work&& work) {
  std::vector<double> rates;
  work();  // warm up
  for (int i = 0; i < kRuns; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    rates.push_back(kWorlds * kSteps / time.count());
  }
  return bench::median(rates);
}

double rate_of_single_worlds(const sinew::Model& model) {
  std::vector<std::unique_ptr<sinew::Data>> worlds;
  for (int w = 0; w < kWorlds; ++w) {
    worlds.push_back(std::make_unique<sinew::Data>(model));
    sinew::reset(model, *worlds.back());
  }
  return rate([&] {
    for (int i = 0; i < kSteps; ++i)
      for (const auto& world : worlds) sinew::step(model, *world);
  });
}

double rate_of_batch(const sinew::Model& model, int threads) {
  sinew::Batch batch(model, kWorlds, {.threads = threads});
  return rate([&] {
    for (int i = 0; i < kSteps; ++i) batch.step();
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_batch MODELS\n");
    return 2;
  }
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  fmt::print("batch: {} worlds, total steps per second; bytes per world\n", kWorlds);
  fmt::print("{:16}{:>12}{:>12}{:>12}{:>14}{:>14}\n", "model", "Data", "1 thread", fmt::format("{} threads", cores),
             "bytes, Data", "bytes, batch");
  for (const auto& path : bench::models_in(argv[1])) {
    const auto model = sinew::load(path.string());
    if (!model) {
      fmt::print("{:16}rejected: {}\n", path.stem().string(), model.error().first().text());
      continue;
    }
    fmt::print("{:16}{:12.0f}{:12.0f}{:12.0f}{:14}{:14}\n", path.stem().string(), rate_of_single_worlds(*model),
               rate_of_batch(*model, 1), rate_of_batch(*model, cores), sinew::Data(*model).bytes(),
               sinew::Batch(*model, 1, {.threads = 1}).bytes_per_world());
  }
}
