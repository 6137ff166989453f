#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "dynamics/subtree.h"
#include "record/sink.h"
#include "sinew/support.h"

namespace sinew {
namespace {

struct Form {
  std::string_view ending;
  Result<std::unique_ptr<RecordSink>> (*open)(const SinkPlan&);
};
constexpr Form kForms[] = {
    {".csv", open_csv}, {".jsonl", open_json_lines}, {".json", open_json}, {".npz", open_npz}, {".svg", open_plot}};

using Clock = std::chrono::steady_clock;

}  // namespace

struct Recorder::State {
  Signals signals;
  RecordOptions options;
  std::unique_ptr<RecordSink> sink;
  std::vector<double> row;
  std::int64_t samples = 0;
  std::size_t rows = 0;
  bool body_forces = false, subtrees = false;
  Clock::time_point flushed = Clock::now();
  std::optional<Error> failure;  // the first

  Result<bool> flush(bool last) {
    if (!sink) return failure ? Result<bool>(*failure) : Result<bool>(true);
    flushed = Clock::now();
    Result<bool> done = sink->flush(last);
    if (!done && !failure) failure = done.error();
    return failure ? Result<bool>(*failure) : done;
  }
};

Recorder::Recorder(std::unique_ptr<State> state) : state_(std::move(state)) {}
Recorder::Recorder(Recorder&& other) noexcept = default;
Recorder& Recorder::operator=(Recorder&& other) noexcept {
  if (this != &other) {
    if (state_) (void)close();
    state_ = std::move(other.state_);
  }
  return *this;
}
Recorder::~Recorder() {
  if (state_) (void)close();
}

Result<Recorder> Recorder::open(const Model& model, const std::string& path, const RecordOptions& options) {
  const auto* form = std::ranges::find_if(kForms, [&](const Form& f) { return path.ends_with(f.ending); });
  if (form == std::end(kForms)) {
    std::string endings;
    for (const Form& f : kForms) endings += fmt::format(" {}", f.ending);
    return Error::message(fmt::format("'{}': the extension must be one of{}", path, endings));
  }
  if (options.every < 1) return Error::message(fmt::format("'{}': every is {}; must be positive", path, options.every));
  Result<Signals> signals = Signals::choose(model, options.signals);
  if (!signals) return signals.error();

  auto state = std::make_unique<State>();
  state->signals = std::move(*signals);
  state->options = options;
  state->row.resize(state->signals.columns().size());
  for (const char* name : {"cacc", "cfrc_int", "cfrc_ext"}) state->body_forces |= state->signals.has(name);
  for (const char* name : {"subtree_linvel", "subtree_angmom"}) state->subtrees |= state->signals.has(name);
  auto sink = form->open({path, state->signals, options.title});
  if (!sink) return sink.error();
  state->sink = std::move(*sink);
  // an empty file first: an unwritable path is refused before the work, not after
  if (Result<bool> done = state->flush(false); !done) return done.error();
  return Recorder(std::move(state));
}

const std::vector<std::string>& Recorder::columns() const { return state_->signals.columns(); }
const std::vector<RecordQuantity>& Recorder::quantities() const { return state_->signals.quantities(); }
std::size_t Recorder::rows() const { return state_->rows; }
bool Recorder::due() const { return state_->sink && state_->samples % state_->options.every == 0; }

void Recorder::complete(const Model& model, Data& data) const {
  if (state_->body_forces) body_forces(model, data);
  if (state_->subtrees) subtree_velocity(model, data);
}

void Recorder::sample(const Data& data) {
  const bool now = due();
  ++state_->samples;
  if (!now) return;
  state_->signals.read(data, state_->row);
  state_->sink->row(state_->row);
  ++state_->rows;
  const std::chrono::duration<double> since = Clock::now() - state_->flushed;
  if (since.count() >= state_->options.flush_seconds) (void)state_->flush(false);
}

Result<bool> Recorder::flush() { return state_->flush(false); }

Result<bool> Recorder::close() {
  Result<bool> done = state_->flush(true);
  state_->sink.reset();
  return done;
}

std::vector<std::string> record_endings() {
  std::vector<std::string> out;
  for (const Form& form : kForms) out.emplace_back(form.ending);
  return out;
}

}  // namespace sinew
