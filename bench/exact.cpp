// bench_exact MODELS: bytes and allocations. These numbers are the same on every run of one build.

#include <fmt/core.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "sinew/data.h"
#include "sinew/load.h"
#include "timing.h"

namespace {
std::atomic<long> allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_exact MODELS\n");
    return 2;
  }
  fmt::print("exact: bytes, and allocations during loading\n");
  fmt::print("{:16}{:>12}{:>12}{:>14}\n", "model", "Model", "Data", "allocations");
  for (const auto& path : bench::models_in(argv[1])) {
    const long before = allocations;
    const auto model = sinew::load(path.string());
    const long used = allocations - before;
    if (!model) {
      fmt::print("{:16}rejected: {}\n", path.stem().string(), model.error().first().text());
      continue;
    }
    const sinew::Data data(*model);
    fmt::print("{:16}{:12}{:12}{:14}\n", path.stem().string(), model->bytes(), data.bytes(), used);
  }
}
