#include "sinew/batch.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

#include "base/pool.h"
#include "batch/misuse.h"
#include "batch/varied.h"
#include "sinew/state.h"
#include "sinew/step.h"

namespace sinew {
namespace {

constexpr std::align_val_t kAlign{64};
constexpr Warning kBadNumber[] = {Warning::BadQpos, Warning::BadQvel, Warning::BadQacc};

struct AlignedDelete {
  void operator()(std::byte* memory) const { ::operator delete(memory, kAlign); }
};

/// The row of a world in an array of n rows.
template <class T>
std::span<T> row(std::span<T> array, int world, int n) {
  const std::size_t width = array.size() / static_cast<std::size_t>(n);
  return array.subspan(static_cast<std::size_t>(world) * width, width);
}

int checked_count(int worlds, int threads) {
  if (worlds < 1) misuse("a batch needs at least one world, not {}", worlds);
  if (threads < 0 || threads > kMostThreads)
    misuse("{} threads: must be 0 (all available) to {}", threads, kMostThreads);
  return worlds;
}

void copy_arrays(const Data& from, Data& to) {
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) std::ranges::copy(from.name, to.name.begin());
#include "sinew/data_fields.def"
#undef SINEW_DATA
}

/// A list with one entry for all worlds, or one for each.
void check_length(std::string_view what, std::size_t has, std::size_t width, std::size_t worlds) {
  if (has != width && has != width * worlds)
    misuse("{} has {} numbers, needs {} or {} x {}", what, has, width, worlds, width);
}

/// The batch owns its model: nobody edits it later.
Model refreshed_copy(const Model& source) {
  Model model = source;
  if (const Status status = refresh(model); !status) misuse("{}", status.text());
  return model;
}

}  // namespace

struct Batch::Impl {
  Impl(Batch& owner, const Model& source, int worlds, const BatchOptions& options)
      : batch(owner),
        model(refreshed_copy(source)),
        n(checked_count(worlds, options.threads)),
        pool(options.threads),
        varied(model, n, pool.threads()),
        whole_worlds(model.opt.enabled(kEnableSleep) || model.nplugin > 0) {
    const int count = whole_worlds ? n : pool.threads();
    for (int i = 0; i < count; ++i) datas.push_back(std::make_unique<Data>(model, Blank{}));
    choose(options.observe);
    allocate();
  }

  /// The outputs to keep.
  void choose(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      bool known = false;
      datas[0]->for_each_field([&](std::string_view field, auto&, auto, auto, FieldGroup group, auto...) {
        if (field != name && (name != "*" || group != FieldGroup::Output)) return;
        known = true;
        if (std::ranges::find(observed, field) == observed.end()) observed.emplace_back(field);
      });
      if (!known) misuse("a world has no array '{}' to observe", name);
    }
  }

  template <class T>
  void allocate(std::span<T>& array, std::size_t width) {
    static_assert(std::is_trivially_destructible_v<T>);
    const std::size_t count = width * static_cast<std::size_t>(n);
    if (count == 0) return;
    storage.emplace_back(static_cast<std::byte*>(::operator new(count * sizeof(T), kAlign)));
    array = {reinterpret_cast<T*>(storage.back().get()), count};
    std::uninitialized_fill(array.begin(), array.end(), T{});
    row_bytes += width * sizeof(T);
  }

  void allocate() {
    Data& d = *datas[0];
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) \
  if (FieldGroup::group != FieldGroup::Output || observes(#name)) allocate(batch.name, d.name.size());
#include "sinew/data_fields.def"
#undef SINEW_DATA
    allocate(batch.time, 1);
    allocate(batch.energy, d.energy.size());
    allocate(batch.warning, d.warning.size());
    allocate(batch.diverged, 1);
    allocate(batch.ncon, 1);
    allocate(batch.nefc, 1);
  }

  /// A plugin failed in a world: kept for report(), of the first such world.
  void note(int world, const Status& status) {
    if (status) return;
    const std::lock_guard lock(failed_mutex);
    if (failed_world >= 0 && failed_world <= world) return;
    failed_world = world;
    failure = status.text();
  }
  void report() {
    if (failed_world >= 0) misuse("world {}: {}", std::exchange(failed_world, -1), failure);
  }

  bool observes(std::string_view name) const { return std::ranges::find(observed, name) != observed.end(); }

  /// The Data in which a thread computes a world. A tree that sleeps keeps the results of the step in which it fell
  /// asleep, and plugin instances have data of their own, so models with either need one per world.
  Data& data(int thread, int world) { return *datas[static_cast<std::size_t>(whole_worlds ? world : thread)]; }

  /// visit(row of the world, its counterpart in the Data) for everything that is kept.
  template <class Visit>
  void for_each_row(int world, Data& d, Visit visit) {
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) \
  if (!batch.name.empty()) visit(row(batch.name, world, n), d.name);
#include "sinew/data_fields.def"
#undef SINEW_DATA
    visit(row(batch.time, world, n), std::span(&d.time, 1));
    visit(row(batch.energy, world, n), std::span(d.energy));
    visit(row(batch.warning, world, n), std::span(d.warning));
  }

  void load(int world, Data& d) {
    for_each_row(world, d, [](auto kept, auto computed) { std::ranges::copy(kept, computed.begin()); });
  }

  void store(int world, Data& d) {
    for_each_row(world, d, [](auto kept, auto computed) { std::ranges::copy(computed, kept.begin()); });
    const auto w = static_cast<std::size_t>(world);
    const auto met = [&](Warning kind) { return d.warning[static_cast<std::size_t>(kind)].number > 0; };
    batch.diverged[w] = std::ranges::any_of(kBadNumber, met);
    batch.ncon[w] = d.ncon;
    batch.nefc[w] = d.nefc;
  }

  /// job(model, data, world, position in the list) for each of the worlds, on the pool.
  template <class Job>
  void for_each(const Worlds& which, Job job) {
    const std::vector<int> list = which.indices(n);
    pool.run(static_cast<int>(list.size()), [&](int thread, int i) {
      const int world = list[static_cast<std::size_t>(i)];
      job(varied.model_of(thread, world), data(thread, world), world, static_cast<std::size_t>(i));
    });
  }

  Batch& batch;
  std::mutex failed_mutex;
  int failed_world = -1;
  std::string failure;
  Model model;
  int n;
  Pool pool;
  VariedFields varied;
  bool whole_worlds;
  std::mutex mutex;  // one operation at a time
  std::vector<std::unique_ptr<Data>> datas;
  std::vector<std::string> observed;
  std::vector<std::unique_ptr<std::byte, AlignedDelete>> storage;
  std::size_t row_bytes = 0;
};

Batch::Batch(const Model& model, int n, const BatchOptions& options)
    : impl_(std::make_unique<Impl>(*this, model, n, options)) {
  reset();
}

Batch::~Batch() = default;

int Batch::size() const { return impl_->n; }
int Batch::threads() const { return impl_->pool.threads(); }
const Model& Batch::model() const { return impl_->model; }
bool Batch::observes(std::string_view output) const { return impl_->observes(output); }

void Batch::step(int nstep, const Worlds& which) {
  const std::lock_guard lock(impl_->mutex);
  impl_->for_each(which, [&](const Model& m, Data& d, int world, std::size_t) {
    impl_->load(world, d);
    Status status;
    for (int i = 0; i < nstep && status; ++i) status = sinew::step(m, d);
    impl_->note(world, status);
    impl_->store(world, d);
  });
  impl_->report();
}

void Batch::forward(const Worlds& which) {
  const std::lock_guard lock(impl_->mutex);
  impl_->for_each(which, [&](const Model& m, Data& d, int world, std::size_t) {
    impl_->load(world, d);
    impl_->note(world, sinew::forward(m, d));
    impl_->store(world, d);
  });
  impl_->report();
}

void Batch::reset(const Worlds& which) {
  const std::lock_guard lock(impl_->mutex);
  impl_->for_each(which, [&](const Model& m, Data& d, int world, std::size_t) {
    impl_->note(world, sinew::reset(m, d));
    impl_->store(world, d);
  });
  impl_->report();
}

void Batch::reset_to_keyframe(std::span<const int> keys, const Worlds& which) {
  const std::lock_guard lock(impl_->mutex);
  for (const int key : keys)
    if (key < 0 || key >= impl_->model.nkey) misuse("keyframe {}: the model has {}", key, impl_->model.nkey);
  check_length("the list of keyframes", keys.size(), 1, which.indices(impl_->n).size());
  impl_->for_each(which, [&](const Model& m, Data& d, int world, std::size_t i) {
    sinew::reset_to_keyframe(m, d, keys[keys.size() == 1 ? 0 : i]);
    impl_->store(world, d);
  });
}

void Batch::reset_to_state(std::span<const double> states, int bits, const Worlds& which) {
  const std::lock_guard lock(impl_->mutex);
  const auto width = static_cast<std::size_t>(state_size(impl_->model, bits));
  check_length("the state", states.size(), width, which.indices(impl_->n).size());
  impl_->for_each(which, [&](const Model& m, Data& d, int world, std::size_t i) {
    sinew::reset(m, d);
    set_state(m, d, states.subspan(states.size() == width ? 0 : i * width, width), bits);
    impl_->store(world, d);
  });
}

void Batch::get_state(std::span<double> states, int bits, const Worlds& which) const {
  const std::lock_guard lock(impl_->mutex);
  const auto width = static_cast<std::size_t>(state_size(impl_->model, bits));
  const std::size_t worlds = which.indices(impl_->n).size();
  if (states.size() != width * worlds) misuse("the state has {} numbers, needs {} x {}", states.size(), worlds, width);
  impl_->for_each(which, [&](const Model& m, Data& d, int world, std::size_t i) {
    impl_->load(world, d);
    sinew::get_state(m, d, states.subspan(i * width, width), bits);
  });
}

BatchField Batch::vary(std::string_view name) {
  const std::lock_guard lock(impl_->mutex);
  return impl_->varied.vary(name);
}

std::vector<BatchField> Batch::varied() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->varied.all();
}

void Batch::update_constants(const Worlds& which) {
  const std::lock_guard lock(impl_->mutex);
  const std::vector<int> list = which.indices(impl_->n);
  impl_->varied.begin_derive();
  impl_->pool.run(static_cast<int>(list.size()),
                  [&](int thread, int i) { impl_->varied.derive(thread, list[static_cast<std::size_t>(i)]); });
  impl_->varied.end_derive();
}

void Batch::copy_world(int world, Data& to) const {
  const std::lock_guard lock(impl_->mutex);
  const std::vector<int> checked = Worlds::list(std::span(&world, 1)).indices(impl_->n);
  impl_->for_each_row(checked[0], to, [&](auto kept, auto computed) {
    if (kept.size() != computed.size()) misuse("the Data belongs to another model");
  });
  sinew::reset(to.model(), to);
  if (impl_->whole_worlds) copy_arrays(*impl_->datas[static_cast<std::size_t>(world)], to);  // including sleeping trees
  impl_->load(world, to);
}

Model Batch::world_model(int world) const {
  const std::lock_guard lock(impl_->mutex);
  Model model = impl_->varied.model_of(0, Worlds::list(std::span(&world, 1)).indices(impl_->n)[0]);
  model.count_edit();  // invalidates what is derived from the varied fields
  if (const Status status = refresh(model); !status) misuse("{}", status.text());
  return model;
}

std::size_t Batch::bytes() const {
  const std::lock_guard lock(impl_->mutex);
  std::size_t bytes = sizeof(*this) + sizeof(Impl) + impl_->model.bytes() + impl_->varied.bytes() +
                      impl_->row_bytes * static_cast<std::size_t>(impl_->n);
  for (const auto& data : impl_->datas) bytes += data->bytes();
  return bytes;
}

std::size_t Batch::bytes_per_world() const {
  const std::lock_guard lock(impl_->mutex);
  const std::size_t whole = impl_->whole_worlds ? impl_->datas[0]->bytes() : 0;
  return impl_->row_bytes + impl_->varied.bytes_per_world() + whole;
}

}  // namespace sinew
