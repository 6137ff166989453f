#include "sinew/rollout.h"

#include <algorithm>

#include "base/pool.h"
#include "batch/misuse.h"
#include "sinew/state.h"
#include "sinew/step.h"

namespace sinew {
namespace {

/// The numbers of one step of each array.
struct Widths {
  explicit Widths(const Model& m, int control_spec)
      : state(static_cast<std::size_t>(state_size(m, kStateFullPhysics))),
        control(static_cast<std::size_t>(state_size(m, control_spec))),
        warmstart(static_cast<std::size_t>(m.nv)),
        sensordata(static_cast<std::size_t>(m.nsensordata)) {}
  std::size_t state, control, warmstart, sensordata;
};

bool same_sizes(const Model& a, const Model& b) {
  std::vector<std::int64_t> ours, theirs;
  a.for_each_size([&](auto, std::int64_t size, auto) { ours.push_back(size); });
  b.for_each_size([&](auto, std::int64_t size, auto) { theirs.push_back(size); });
  return ours == theirs;
}

void check(const char* what, std::size_t has, std::size_t needs, bool optional) {
  if (has != needs && !(optional && has == 0)) misuse("{} has {} numbers, needs {}", what, has, needs);
}

void require_fresh(const Model& m) {
  if (!m.is_fresh()) misuse("a model was edited since it was last checked: call refresh() first");
}

void check(const RolloutTask& task, std::span<Data* const> workers, int threads) {
  if (task.nroll < 0 || task.nstep < 0) misuse("{} rollouts of {} steps", task.nroll, task.nstep);
  const auto nroll = static_cast<std::size_t>(task.nroll), nstep = static_cast<std::size_t>(task.nstep);
  if (task.models.empty() || (task.models.size() != 1 && task.models.size() != nroll))
    misuse("{} models, needs 1 or {}", task.models.size(), nroll);
  if (task.control_spec & ~kStateUser) misuse("control_spec {} has bits outside of kStateUser", task.control_spec);
  if (std::ssize(workers) < threads) misuse("{} Data for {} threads", workers.size(), threads);
  const Model& m = *task.models[0];
  for (const Model* other : task.models) {
    if (!same_sizes(m, *other)) misuse("the models have different sizes");
    require_fresh(*other);
  }
  for (const Data* worker : workers)
    if (!same_sizes(m, worker->model())) misuse("a Data belongs to another model");
  const Widths width(m, task.control_spec);
  check("initial_state", task.initial_state.size(), nroll * width.state, false);
  check("initial_warmstart", task.initial_warmstart.size(), nroll * width.warmstart, true);
  check("control", task.control.size(), nroll * nstep * width.control, true);
  check("state", task.state.size(), nroll * nstep * width.state, true);
  check("sensordata", task.sensordata.size(), nroll * nstep * width.sensordata, true);
}

/// Row `index` of an array that may be empty.
template <class T>
std::span<T> row(std::span<T> array, std::size_t index, std::size_t width) {
  return array.empty() ? array : array.subspan(index * width, width);
}

bool has_warning(const Data& d) {
  return std::ranges::any_of(d.warning, [](const WarningStat& warning) { return warning.number > 0; });
}

/// One rollout; returns the step that diverged, or -1.
int simulate(const RolloutTask& task, std::size_t roll, const Widths& width, Data& d) {
  const Model& m = *task.models[task.models.size() == 1 ? 0 : roll];
  reset(m, d);
  set_state(m, d, row(task.initial_state, roll, width.state), kStateFullPhysics);
  std::ranges::copy(row(task.initial_warmstart, roll, width.warmstart), d.qacc_warmstart.begin());
  int diverged = -1;
  for (int t = 0; t < task.nstep; ++t) {
    const std::size_t at = roll * static_cast<std::size_t>(task.nstep) + static_cast<std::size_t>(t);
    if (diverged < 0) {
      if (!task.control.empty()) set_state(m, d, row(task.control, at, width.control), task.control_spec);
      if (!step(m, d) || has_warning(d)) diverged = t;
    }
    if (!task.state.empty()) get_state(m, d, row(task.state, at, width.state), kStateFullPhysics);
    if (!task.sensordata.empty()) std::ranges::copy(d.sensordata, row(task.sensordata, at, width.sensordata).begin());
  }
  return diverged;
}

}  // namespace

struct Rollout::Impl {
  explicit Impl(int threads) : pool(threads) {}
  Pool pool;
};

Rollout::Rollout(int threads) {
  if (threads < 0 || threads > kMostThreads)
    misuse("{} threads: must be 0 (all available) to {}", threads, kMostThreads);
  impl_ = std::make_unique<Impl>(threads);
}

Rollout::~Rollout() = default;

int Rollout::threads() const { return impl_->pool.threads(); }

std::vector<int> Rollout::run(const RolloutTask& task, std::span<Data* const> workers, int chunk) {
  check(task, workers, threads());
  const Widths width(*task.models[0], task.control_spec);
  std::vector<int> diverged(static_cast<std::size_t>(task.nroll), -1);
  if (chunk <= 0) chunk = std::max(1, task.nroll / (10 * threads()));
  impl_->pool.run(
      task.nroll,
      [&](int thread, int i) {
        const auto roll = static_cast<std::size_t>(i);
        diverged[roll] = simulate(task, roll, width, *workers[static_cast<std::size_t>(thread)]);
      },
      chunk);
  return diverged;
}

std::vector<int> Rollout::run(const RolloutTask& task) {
  if (task.models.empty()) misuse("0 models, needs 1 or {}", task.nroll);
  require_fresh(*task.models[0]);
  std::vector<std::unique_ptr<Data>> own;
  std::vector<Data*> workers;
  for (int t = 0; t < threads(); ++t) {
    own.push_back(std::make_unique<Data>(*task.models[0], Blank{}));
    workers.push_back(own.back().get());
  }
  return run(task, workers);
}

}  // namespace sinew
