#include "stage_times.h"

#include <algorithm>
#include <chrono>

#include "sim/forward.h"
#include "sim/integrator_table.h"

namespace sinew::tool {

void timed_step(const Model& m, Data& d, std::vector<StageTime>& times) {
  using clock = std::chrono::steady_clock;
  std::size_t next = 0;
  clock::time_point start = clock::now();
  const auto finish = [&](std::string_view level, std::string_view name) {
    const clock::time_point now = clock::now();
    if (next == times.size()) times.push_back({level, name});
    const double lap = std::chrono::duration<double>(now - start).count();
    times[next].seconds += lap;
    times[next].longest = std::max(times[next].longest, lap);
    ++next;
    start = now;
  };
  const auto run = [&](std::string_view level, std::span<const NamedStage> stages) {
    for (const NamedStage& stage : stages) {
      stage.run(m, d);
      finish(level, stage.name);
    }
  };
  run("position", position_stages());
  run("velocity", velocity_stages());
  run("acceleration", acceleration_stages());
  integrator(m.opt.integrator).integrate(m, d);
  finish("integration", "integrate");
}

}  // namespace sinew::tool
