#include "view/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/forward.h"
#include "sim/integrator_table.h"
#include "sinew/edit.h"
#include "sinew/query.h"
#include "sinew/step.h"

namespace sinew::view {
namespace {

constexpr double kMostLate = 0.1;            // s out of step with real time before it gives up catching up
constexpr double kBusy = 0.7;                // of a turn that steps may take
constexpr double kHistoryPeriod = 1.0 / 60;  // s
constexpr double kStatusPeriod = 0.25, kSamplePeriod = 0.05, kFlexPeriod = 1.0 / 30, kWorldsPeriod = 0.1;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

Float3 float3(const double* p) {
  return {static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])};
}

Pose pose_of(const double* pos, const double* quat) {
  Pose pose{float3(pos), {}};
  for (std::size_t k = 0; k < 4; ++k) pose.quat[k] = static_cast<float>(quat[k]);
  return pose;
}

/// Everything of a world but its callbacks, into one of a model of the same sizes.
void copy_world(const Data& from, Data& to) {
  Data& source = const_cast<Data&>(from);  // for_each_field has no const form; nothing is written
  std::vector<std::pair<const void*, std::size_t>> arrays;
  source.for_each_field(
      [&](std::string_view, auto span, auto...) { arrays.emplace_back(span.data(), span.size_bytes()); });
  std::size_t next = 0;
  to.for_each_field([&](std::string_view, auto span, auto...) {
    const auto& [data, bytes] = arrays[next++];
    if (bytes == span.size_bytes() && bytes > 0) std::memcpy(span.data(), data, bytes);
  });
#define SINEW_SCALAR(name, doc, ...) to.name = from.name;
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR
  to.contact = from.contact;
#define SINEW_ROW(type, name, rows, cols, writer, doc) to.name = from.name;
#include "sinew/row_fields.def"
#undef SINEW_ROW
  to.solver = from.solver;
}

}  // namespace

Simulation::Simulation(const ViewOptions& options, std::function<void()> wake)
    : options_(options), wake_(std::move(wake)), speed_(std::max(0.0, options.speed)) {
  running_ = !options.paused;
  remake_texts();
}

Simulation::~Simulation() { stop(); }

void Simulation::start() {
  thread_ = std::thread([this] { thread_main(); });
}

void Simulation::stop() {
  {
    const std::lock_guard lock(io_);
    stopping_ = true;
  }
  asked_.notify_all();
  if (thread_.joinable()) thread_.join();
  std::vector<std::thread> workers;
  {
    const std::lock_guard lock(io_);
    workers.swap(workers_);
  }
  for (std::thread& worker : workers) worker.join();
}

void Simulation::thread_main() {
  for (;;) {
    const double wait = turn();
    std::unique_lock lock(io_);
    asked_.wait_for(lock, std::chrono::duration<double>(wait),
                    [&] { return stopping_ || !requests_.empty() || loaded_.has_value(); });
    if (stopping_) return;
  }
}

void Simulation::post(Request request) {
  {
    const std::lock_guard lock(io_);
    requests_.push_back(std::move(request));
  }
  asked_.notify_one();
}

std::shared_ptr<const Snapshot> Simulation::snapshot() const {
  const std::lock_guard lock(io_);
  return snapshot_;
}

std::vector<Event> Simulation::take_events() {
  const std::lock_guard lock(io_);
  return std::exchange(events_, {});
}

Blob Simulation::asset(const std::string& hash) const {
  const std::lock_guard lock(io_);
  for (const AssetStore* store : {&assets_, &old_assets_})
    if (const auto found = store->find(hash); found != store->end()) return found->second;
  return nullptr;
}

void Simulation::send(int client, const Json& message) {
  const std::lock_guard lock(io_);
  events_.push_back({client, false, text_of(message)});
  has_news_ = true;
}

void Simulation::send_bytes(int client, std::string bytes) {
  const std::lock_guard lock(io_);
  events_.push_back({client, true, std::move(bytes)});
  has_news_ = true;
}

void Simulation::set_text(TextKind kind, const Json& message) {
  auto json = std::make_shared<const std::string>(text_of(message));
  Text& text = texts_[kind];
  if (text.json && *text.json == *json && kind != kTextModel) return;
  text = {++text_version_, std::move(json)};
  shown_is_old_ = true;
}

// ---- the model

Result<bool> Simulation::open(const std::string& path, const LoadOptions& options) {
  load_options_ = options;
  load_options_.warnings = nullptr;
  load_options_.times = nullptr;
  if (options.files) {
    load_files_ = *options.files;
    load_options_.files = &load_files_;
  }
  Loaded loaded = load_now(path, load_options_.files, load_options_);
  const std::lock_guard lock(world);
  file_ = path;
  const std::vector<Problem> problems = loaded.problems;
  const bool good = loaded.model != nullptr;
  {
    const std::lock_guard inner(io_);
    loaded_ = std::move(loaded);
  }
  take_loaded();
  if (!good) return Error(problems);
  return true;
}

void Simulation::launch(std::unique_ptr<Model> model, const Data* data, std::string file) {
  const std::lock_guard lock(world);
  install(std::move(model), data, file, false);
  file_ = std::move(file);
}

Result<bool> Simulation::play(const std::string& path) {
  const std::lock_guard lock(world);
  if (!m_) return Error::message("there is no model for the recording");
  Result<std::vector<Moment>> moments = read_recording(*m_, path);
  if (!moments) return moments.error();
  history_.clear();
  for (Moment& moment : *moments) history_.add(std::move(moment));
  playing_ = true;
  go_to(0);
  wall0_ = seconds();
  sim0_ = d_->time;
  return true;
}

Simulation::Loaded Simulation::load_now(const std::string& path, const std::map<std::string, std::string>* files,
                                        const LoadOptions& base) {
  Loaded out;
  out.file = path;
  LoadOptions options = base;
  options.files = files;
  options.collect_all = true;
  options.warnings = &out.problems;
  out.files.push_back(path);
  try {
    if (path.ends_with(".snw") && !files) {
      Result<Model> model = load_model(path, options.memory_limit, options.plugins);
      if (model)
        out.model = std::make_unique<Model>(std::move(*model));
      else
        out.problems = model.error().problems();
      return out;
    }
    Result<Spec> spec = read_model_file(path, options);
    if (!spec) {
      out.problems = spec.error().problems();
      return out;
    }
    for (const Spec::File& file : spec->files) out.files.push_back(file.path);
    const auto add_asset = [&](const spec::Element& element, const std::string& folder, const std::string& file) {
      if (file.empty()) return;
      const spec::Compiler& compiler = spec->compiler_of(element.origin);
      const std::string& chosen = folder.empty() ? compiler.assetdir : folder;
      out.files.push_back((std::filesystem::path(spec->directory_of(element.origin)) / chosen / file).string());
    };
    for (const auto& e : spec->meshes) add_asset(e, spec->compiler_of(e.origin).meshdir, e.file);
    for (const auto& e : spec->hfields) add_asset(e, "", e.file);
    for (const auto& e : spec->textures) add_asset(e, spec->compiler_of(e.origin).texturedir, e.file);
    Result<Model> model = compile(*spec, options);
    if (model)
      out.model = std::make_unique<Model>(std::move(*model));
    else
      out.problems = model.error().problems();
  } catch (const std::exception& e) {
    out.problems.push_back(Error::message(e.what()).first());
  }
  return out;
}

void Simulation::load_later(std::string path, std::shared_ptr<std::map<std::string, std::string>> files,
                            bool keep_state) {
  if (loading_) throw Refused{"a model is being loaded already"};
  loading_ = true;
  work([this, path = std::move(path), files = std::move(files), keep_state] {
    Loaded loaded = load_now(path, files ? files.get() : load_options_.files, load_options_);
    loaded.keep_state = keep_state;
    loaded.is_new = true;
    if (files) loaded.files.clear();
    {
      const std::lock_guard inner(io_);
      loaded_ = std::move(loaded);
    }
    asked_.notify_one();
  });
}

void Simulation::work(std::function<void()> job) {
  const std::lock_guard lock(io_);
  // those that ended are joined here, so that days of reloading keep no threads
  if (workers_busy_ == 0) {
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
  }
  ++workers_busy_;
  workers_.emplace_back([this, job = std::move(job)] {
    job();
    --workers_busy_;
  });
}

void Simulation::take_loaded() {
  std::optional<Loaded> loaded;
  {
    const std::lock_guard lock(io_);
    loaded.swap(loaded_);
  }
  if (!loaded) return;
  loading_ = false;
  const bool good = loaded->model != nullptr;
  problems_ = std::move(loaded->problems);
  problems_title_ = problems_.empty() ? ""
                    : good            ? fmt::format("{} has warnings", loaded->file)
                    : m_              ? fmt::format("{} cannot be loaded; the old model goes on", loaded->file)
                                      : fmt::format("{} cannot be loaded", loaded->file);
  // of a broken file at least what was watched before, and what could be read
  std::set<std::string> watched(loaded->files.begin(), loaded->files.end());
  if (!good)
    for (const auto& [name, time] : files_) watched.insert(name);
  files_.clear();
  for (const std::string& name : watched) {
    std::error_code ignored;
    files_.emplace_back(name, std::filesystem::last_write_time(name, ignored));
  }
  if (good) {
    file_ = loaded->file;
    install(std::move(loaded->model), nullptr, loaded->file, loaded->keep_state);
    if (loaded->is_new) send(0, {{"op", "notice"}, {"text", fmt::format("loaded {}", loaded->file)}});
  } else {
    set_text(kTextProblems, describe_problems(problems_title_, problems_));
  }
}

void Simulation::look_at_files(double now) {
  if (!options_.watch || passive_ || loading_ || files_.empty() || now - files_at_ < 0.5) return;
  files_at_ = now;
  bool changed = false;
  for (auto& [name, time] : files_) {
    std::error_code error;
    const auto newer = std::filesystem::last_write_time(name, error);
    if (error || newer == time) continue;  // an editor may be replacing it
    time = newer;
    changed = true;
  }
  if (changed) load_later(file_, nullptr, true);
}

void Simulation::install(std::unique_ptr<Model> model, const Data* state, const std::string& file, bool keep_state) {
  for (const auto& [path, value] : visual_changes_) assign_visual(model->vis, path, value);
  // energy costs little and does not affect the motion
  if (!passive_) model->opt.enableflags |= kEnableEnergy;
  auto data = std::make_unique<Data>(*model);
  if (state)
    copy_state(*model, *state, *data, kStateIntegration);
  else
    reset_to_keyframe(*model, *data, options_.key);
  if (keep_state && d_) carry_state(*d_, *data);
  profile_data_.reset();
  batch_.reset();
  poses_.reset();
  d_ = std::move(data);
  m_ = std::move(model);
  if (file_.empty()) file_ = file;
  scene_ = Scene(*m_);
  parts_.emplace(*m_);
  ++generation_;
  steps_ = 0;
  history_.clear();
  in_history_ = false;
  playing_ = false;
  saved_keys_.clear();
  warnings_ = {};
  diverged_.clear();
  stages_ = {};
  shown.perturb = {};
  pulled_body_ = 0;
  drawing_.focus = 0;
  for (auto& [client, w] : watchers_) {
    w.plot = w.watch = {};
    w.rows.clear();
    w.has_camera = false;
  }
  compute();
  shown.camera = default_free_camera(*m_);
  if (options_.worlds > 1) make_worlds();
  remake_texts();
  jumped();
  wall0_ = seconds();
  sim0_ = d_->time;
}

Json Simulation::keys_text() const {
  Json all = Json::array();
  for (int k = 0; m_ && k < m_->nkey; ++k)
    all.push_back({{"name", std::string(m_->name(ObjType::Key, k))}, {"time", m_->key_time[at(k)]}});
  for (const Key& key : saved_keys_) all.push_back({{"name", key.name}, {"time", key.time}});
  return {{"op", "keys"}, {"keys", std::move(all)}};
}

void Simulation::remake_texts() {
  if (!m_) {
    set_text(kTextModel, {{"op", "no_model"}});
    set_text(kTextProblems, describe_problems(problems_title_, problems_));
    set_text(kTextSettings, {{"op", "settings"}});
    texts_[kTextSettings] = {};
  } else {
    AssetStore store;
    const AssetNames names = store_assets(*m_, store);
    {
      const std::lock_guard lock(io_);
      old_assets_ = std::exchange(assets_, std::move(store));
    }
    const ModelFacts facts{generation_, file_, worlds(), 1.2 * m_->stat.extent};
    set_text(kTextModel, describe_model(*m_, *d_, names, facts));
    set_text(kTextSettings, describe_settings(*m_, drawing_));
    set_text(kTextProblems, describe_problems(problems_title_, problems_));
    set_text(kTextKeys, keys_text());
    // after `model` a client has nothing: everything is told again
    for (Text& text : texts_)
      if (text.json) text.version = ++text_version_;
    lights_are_old_ = true;
  }
  shown_is_old_ = true;
}

void Simulation::update_assets(const Model& model) {
  if (!m_ || model.layout() != m_->layout()) return;
  *m_ = model;
  remake_texts();
}

// ---- time

double Simulation::turn() {
  std::unique_lock lock(world);
  take_loaded();
  std::vector<Request> requests;
  {
    const std::lock_guard inner(io_);
    requests.swap(requests_);
  }
  for (const Request& request : requests) execute(request);
  const double period = 1 / options_.fps;
  double now = seconds();
  if (m_) {
    if (playing_) {
      playback(now);
    } else if (passive_) {
      if (dirty_) compute();
    } else if (running_) {
      advance(now);
    } else if (dirty_ || shown.perturb.active) {
      before_step();
      compute();
    }
    now = seconds();
    if (shown_is_old_ && clients_ > 0 && now - shown_at_ >= 0.9 * period) publish();
    send_samples(now);
    if (clients_ > 0) draw_pictures(now);
  } else if (shown_is_old_) {
    publish();
  }
  if (clients_ > 0 && now - status_at_ >= kStatusPeriod) send_status(now);
  look_at_files(now);
  bool news = false;
  {
    const std::lock_guard inner(io_);
    news = std::exchange(has_news_, false);
  }
  if (news) wake_();
  if (!keys_pressed_.empty()) {  // the callback may take the lock, or wait for someone who has it
    const std::vector<int> keys = std::exchange(keys_pressed_, {});
    lock.unlock();
    for (const int key : keys) options_.on_key(key);
    lock.lock();
  }
  if (running_ && !passive_ && m_ && speed_ == 0 && !playing_) return 0;
  if (running_ && m_ && !playing_ && !passive_) {
    // until the next step is due, but no longer than a frame
    const double next = wall0_ + (d_->time + m_->opt.timestep - sim0_) / speed_;
    return std::clamp(next - seconds(), 0.0005, std::max(0.0005, shown_at_ + period - seconds()));
  }
  const bool moving = running_ || shown.perturb.active != 0;
  return std::max(0.0005, (moving ? period : 0.05) - (seconds() - now));
}

void Simulation::compute() {
  const Status status = forward(*m_, *d_);
  if (!status) diverge(std::string(status.text()));
  dirty_ = false;
  shown_is_old_ = true;
}

void Simulation::jumped() {
  ++jumps_;
  dirty_ = true;
  shown_is_old_ = true;
  poses_at_ = -1;
  if (d_) {
    sim0_ = d_->time;
    wall0_ = seconds();
  }
}

void Simulation::change(std::function<void(Model&, Data&)> what) {
  what(*m_, *d_);
  constexpr std::size_t kMostPending = 10000;  // of a caller that does not sync any more
  if (passive_ && pending_.size() < kMostPending) pending_.push_back(std::move(what));
  dirty_ = true;
}

void Simulation::before_step() {
  // only what the mouse itself applied is taken back
  if (pulled_body_ > 0) {
    std::fill_n(d_->xfrc_applied.begin() + 6 * pulled_body_, 6, 0.0);
    pulled_body_ = 0;
  }
  const Perturb& perturb = shown.perturb;
  if (perturb.active == 0 || perturb.select <= 0 || perturb.select >= m_->nbody) return;
  apply_perturb_pose(*m_, *d_, perturb, !running_);
  if (!running_) return;
  apply_perturb_force(*m_, *d_, perturb);
  pulled_body_ = perturb.select;
}

bool Simulation::step_once(bool show) {
  before_step();
  const Moment* last = history_.empty() ? nullptr : &history_[history_.size() - 1];
  if (!last || d_->time >= last->time + kHistoryPeriod - 1e-9 || d_->time < last->time) history_.add(*m_, *d_, steps_);
  const double time_before = d_->time;
  const int bad_before = [&] {
    int n = 0;
    for (const Warning kind : {Warning::BadQpos, Warning::BadQvel, Warning::BadQacc})
      n += d_->warning[static_cast<std::size_t>(kind)].number;
    return n;
  }();
  const double start = seconds();
  const Status begun = begin_step(*m_, *d_);
  const double after_forward = seconds();
  if (begun) {
    sample();
    if (show) publish();
  }
  const double before_finish = seconds();
  const Status status = begun ? finish_step(*m_, *d_) : begun;
  step_seconds_ += after_forward - start + seconds() - before_finish;
  if (!status) {
    diverge(std::string(status.text()));
    return false;
  }
  ++steps_;
  shown_is_old_ = true;
  warnings_.look(*d_, time_before);
  if (batch_) step_worlds();
  int bad = 0;
  for (const Warning kind : {Warning::BadQpos, Warning::BadQvel, Warning::BadQacc})
    bad += d_->warning[static_cast<std::size_t>(kind)].number;
  // a reset clears the counts, so one that was due to this warning leaves one
  if (bad > bad_before || (bad > 0 && d_->time < time_before)) {
    diverge(warnings_.news().empty() ? "the simulation is unstable" : warnings_.news());
    return false;
  }
  return true;
}

void Simulation::diverge(std::string text) {
  diverged_ = std::move(text);
  running_ = false;
  send(0, {{"op", "notice"}, {"text", diverged_}});
  jumped();
}

void Simulation::advance(double now) {
  leave_history();
  const double h = m_->opt.timestep;
  const double start = now;
  const double period = 1 / options_.fps;
  const bool free_running = speed_ == 0;
  double target = free_running ? std::numeric_limits<double>::infinity() : sim0_ + (now - wall0_) * speed_;
  if (!free_running && target - d_->time > std::max(kMostLate * speed_, h)) {  // too late to catch up
    sim0_ = d_->time;
    wall0_ = now;
    target = d_->time + h;
  }
  const bool watched = clients_ > 0;
  while (running_ && d_->time + h <= target + 1e-9 * h) {
    const double t = seconds();
    const bool last = d_->time + 2 * h > target + 1e-9 * h || t - start >= kBusy * period;
    const bool show = last && watched && t - shown_at_ >= 0.9 * period;
    if (!step_once(show)) break;
    if (last && t - start >= kBusy * period) break;
  }
}

void Simulation::step_by(int n) {
  running_ = false;
  if (passive_) {
    steps_asked_ += std::max(0, n);
    return;
  }
  if (playing_) {
    go_to(at(std::clamp<std::int64_t>(static_cast<std::int64_t>(now_) + n, 0,
                                      static_cast<std::int64_t>(history_.size()) - 1)));
    return;
  }
  if (n < 0) {
    step_back(-static_cast<std::int64_t>(n));
    return;
  }
  leave_history();
  for (int i = 0; i < n; ++i)
    if (!step_once(false)) return;
  jumped();
}

void Simulation::step_back(std::int64_t n) {
  // from the last moment before the wanted one, by simulating again
  const std::int64_t wanted = std::max<std::int64_t>(steps_ - n, 0);
  std::size_t i = in_history_ ? std::min(now_ + 1, history_.size()) : history_.size();
  while (i > 0 && history_[i - 1].step > wanted) --i;
  if (i == 0) {
    if (!history_.empty()) go_to(0);
    return;
  }
  const Moment& moment = history_[i - 1];
  set_state(*m_, *d_, moment.state, History::kBits);
  const std::size_t kept = i;
  for (steps_ = moment.step; steps_ < wanted; ++steps_)
    if (!step(*m_, *d_)) break;
  in_history_ = true;
  now_ = kept - 1;
  jumped();
}

void Simulation::go_to(std::size_t i) {
  if (history_.empty()) return;
  if (!in_history_ && !playing_) history_.add(*m_, *d_, steps_);  // so that the present can be reached again
  now_ = std::min(i, history_.size() - 1);
  const Moment& moment = history_[now_];
  set_state(*m_, *d_, moment.state, History::kBits);
  steps_ = moment.step;
  in_history_ = true;
  jumped();
}

void Simulation::leave_history() {
  if (!in_history_) return;
  // a new future begins here
  history_.truncate(now_ + 1);
  in_history_ = false;
  sim0_ = d_->time;
  wall0_ = seconds();
}

void Simulation::playback(double now) {
  if (running_ && !history_.empty()) {
    const double x = speed_ > 0 ? speed_ : 1;
    double time = sim0_ + (now - wall0_) * x;
    if (time > history_[history_.size() - 1].time) {
      if (loop_) {
        sim0_ = time = history_[0].time;
        wall0_ = now;
        ++jumps_;
      } else {
        running_ = false;
      }
    }
    if (const std::size_t i = history_.at_time(time); i != now_) {
      now_ = i;
      set_state(*m_, *d_, history_[i].state, History::kBits);
      steps_ = history_[i].step;
      dirty_ = true;
    }
  }
  if (!dirty_) return;
  compute();
  sample();
}

void Simulation::reset_world(int key) {
  leave_history();
  change([key](Model& m, Data& d) { reset_to_keyframe(m, d, key); });
  shown.perturb = {};
  pulled_body_ = 0;
  diverged_.clear();
  jumped();
}

// ---- a world that the caller steps

void Simulation::sync(Model& model, Data& data, bool state_only) {
  const std::lock_guard lock(world);
  const bool fits = m_ && model.layout() == m_->layout() && passive_;
  if (!fits) {
    passive_ = true;
    pending_.clear();
    install(std::make_unique<Model>(model), &data, "", false);
    d_->time = data.time;
  }
  for (const auto& what : pending_) what(model, data);
  pending_.clear();
  if (pulled_body_ > 0) {
    std::fill_n(data.xfrc_applied.begin() + 6 * pulled_body_, 6, 0.0);
    pulled_body_ = 0;
  }
  if (shown.perturb.active != 0 && shown.perturb.select > 0 && shown.perturb.select < model.nbody) {
    apply_perturb_pose(model, data, shown.perturb, !running_);
    apply_perturb_force(model, data, shown.perturb);
    pulled_body_ = shown.perturb.select;
  }
  ++steps_;
  const double now = seconds();
  if (fits && now - synced_at_ < 0.5 / options_.fps) return;
  synced_at_ = now;
  if (data.time < d_->time) ++jumps_;
  if (state_only) {
    copy_state(model, data, *d_, kStateIntegration);
    dirty_ = true;
  } else {
    const Visual vis = m_->vis;
    if (fits && !(model.vis.headlight == vis.headlight)) lights_are_old_ = true;
    *m_ = model;
    copy_world(data, *d_);
    dirty_ = false;
  }
  drawing_.option = shown.option;
  drawing_.flags = shown.flags;
  shown_is_old_ = true;
  sample();
}

void Simulation::sync(Batch& batch) {
  const std::lock_guard lock(world);
  if (!passive_ || !m_ || batch.model().layout() != m_->layout()) {
    passive_ = true;
    install(std::make_unique<Model>(batch.model()), nullptr, "", false);
    shown_worlds_ = batch.size();
    remake_texts();
  }
  const int focus = std::clamp(drawing_.focus, 0, batch.size() - 1);
  batch.copy_world(focus, *d_);
  dirty_ = true;
  shown_is_old_ = true;
  gather_worlds(batch, seconds());
}

// ---- many worlds

void Simulation::gather_worlds(const Batch& batch, double now) {
  if (now - poses_at_ < kWorldsPeriod || !batch.observes("xpos") || !batch.observes("xquat")) return;
  poses_at_ = now;
  auto poses = std::make_shared<WorldPoses>();
  poses->number = number_ + 1;
  poses->worlds = batch.size() - 1;
  for (int b = 1; b < m_->nbody; ++b)
    if (m_->body_weldid[at(b)] != 0 || m_->body_mocapid[at(b)] >= 0)
      poses->bodies.push_back(static_cast<std::uint16_t>(b));
  for (int w = 0; w < batch.size(); ++w)
    for (const int b : poses->bodies) {
      if (w == drawing_.focus) continue;
      const std::size_t row = at(w) * at(m_->nbody) + at(b);
      poses->poses.push_back(pose_of(&batch.xpos[3 * row], &batch.xquat[4 * row]));
    }
  poses_ = std::move(poses);
}

void Simulation::make_worlds() {
  batch_ = std::make_unique<Batch>(*m_, options_.worlds, BatchOptions{1, {"xpos", "xquat"}});
  const int bits = kStateIntegration, n = state_size(*m_, bits);
  std::vector<double> state(at(n));
  get_state(*m_, *d_, state, bits);
  batch_->reset_to_state(state, bits);
  // equal worlds would stay equal: a small push, the same in every run
  std::uint64_t seed = 1;
  for (double& v : batch_->qvel) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    v += 0.02 * (static_cast<double>(seed >> 40) / (1 << 23) - 1);
  }
}

void Simulation::step_worlds() {
  std::vector<int> others;
  for (int w = 0; w < batch_->size(); ++w)
    if (w != drawing_.focus) others.push_back(w);
  batch_->step(1, Worlds::list(others));
}

void Simulation::focus_on(int w) {
  const int bits = kStateIntegration;
  std::vector<double> state(at(state_size(*m_, bits)));
  get_state(*m_, *d_, state, bits);
  const int old = drawing_.focus;
  batch_->reset_to_state(state, bits, Worlds::list(std::span(&old, 1)));
  const double time = d_->time;
  batch_->copy_world(w, *d_);
  d_->time = time;
  drawing_.focus = w;
  history_.clear();
  in_history_ = false;
  jumped();
}

// ---- what is seen

SceneCamera& Simulation::camera_of(int client) {
  Watcher& w = watchers_[client];
  if (!w.has_camera) {
    w.camera = default_free_camera(*m_);
    w.has_camera = true;
  }
  return w.camera;
}

Status Simulation::make_scene(SceneCamera& camera, Scene& scene) {
  Status status = update_scene(*m_, *d_, drawing_.option, &shown.perturb, camera, kSceneAll, scene);
  if (!status) return status;
  for (const SceneGeom& geom : shown.geoms) {
    SceneGeom* place = scene.append();
    if (!place) break;
    *place = geom;
    place->category = kSceneDecor;
    place->segid = scene.ngeom - 1;
  }
  scene.flags = drawing_.flags;
  return status;
}

void fill_snapshot(const Model& m, const Data& d, const Scene& scene, PartTable& parts, Snapshot& s) {
  s.parts = parts.update(m, scene);
  s.time = d.time;
  s.tolerance = static_cast<float>(1e-5 * m.stat.extent);
  for (int b = 0; b < m.nbody; ++b) {
    s.bodies.push_back(pose_of(&d.xpos[3 * at(b)], &d.xquat[4 * at(b)]));
    s.subtree_com.push_back(float3(&d.subtree_com[3 * at(b)]));
  }
  for (int c = 0; c < m.ncam; ++c) {
    Float9 mat{};
    for (std::size_t k = 0; k < 9; ++k) mat[k] = static_cast<float>(d.cam_xmat[9 * at(c) + k]);
    s.cameras.push_back({float3(&d.cam_xpos[3 * at(c)]), quat_of(mat)});
  }
  for (int i = 0; i < scene.nlight; ++i) s.light_poses.push_back({scene.lights[at(i)].pos, scene.lights[at(i)].dir});
  for (int i = 0; i < scene.ngeom; ++i) {
    const SceneGeom& geom = scene.geoms[at(i)];
    if (geom.type != kSceneFlex || geom.objid < 0 || geom.objid >= m.nflex) continue;
    FlexPoints points{geom.objid, {}};
    const std::size_t first = 3 * at(m.flex_vertadr[at(geom.objid)]), n = 3 * at(m.flex_vertnum[at(geom.objid)]);
    for (std::size_t k = first; k < first + n; ++k) points.vert.push_back(static_cast<float>(d.flexvert_xpos[k]));
    s.flexes.push_back(std::move(points));
  }
}

void Simulation::publish() {
  const double start = seconds();
  shown_at_ = start;
  auto s = std::make_shared<Snapshot>();
  if (m_) {
    SceneCamera camera = shown.camera;
    if (!make_scene(camera, scene_)) {
      SceneCamera other = default_free_camera(*m_);  // that of a model before
      if (!make_scene(other, scene_)) return;
    }
    if (lights_are_old_ || static_cast<int>(scene_.nlight) != told_lights_) {
      set_text(kTextLights, describe_lights(scene_));
      told_lights_ = scene_.nlight;
      lights_are_old_ = false;
    }
    fill_snapshot(*m_, *d_, scene_, *parts_, *s);
    if (m_->nflex > 0 && start - flex_at_ >= 0.9 * kFlexPeriod) {
      flex_at_ = start;
      ++flex_number_;
    }
    s->flex_number = flex_number_;
    if (batch_) gather_worlds(*batch_, start);
    s->worlds = poses_;
  }
  s->number = ++number_;
  s->texts = texts_;
  s->jumps = jumps_;
  s->running = running_;
  {
    const std::lock_guard lock(io_);
    snapshot_ = std::move(s);
  }
  shown_is_old_ = false;
  scene_seconds_ += seconds() - start;
  wake_();
}

}  // namespace sinew::view
