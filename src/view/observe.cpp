#include <fmt/format.h>
#include <lodepng.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/elementary.h"
#include "sim/forward.h"
#include "sim/integrator_table.h"
#include "sinew/query.h"
#include "sinew/step.h"
#include "sinew/support.h"
#include "view/simulation.h"
#ifdef SINEW_HAS_RENDER
#include "sinew/render.h"
#endif

// What clients are told of the numbers of a world: plots, watches, status, pictures.

namespace sinew::view {
namespace {

constexpr double kSamplePeriod = 0.05, kProfilePeriod = 1;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

Json numbers(const double* p, std::size_t n) {
  Json out = Json::array();
  for (std::size_t i = 0; i < n; ++i) out.push_back(p[i]);
  return out;
}

}  // namespace

Simulation::Watcher::Columns Simulation::columns_of(const std::vector<std::string>& names) const {
  constexpr std::size_t kMostColumns = 2000;
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"sensor:", "sensordata."}, {"ctrl:", "ctrl."}, {"joint:", "qpos."}};
  Watcher::Columns out;
  std::vector<std::string> patterns;
  for (std::string name : names) {
    if (own_signals_.contains(name)) {
      out.own.push_back(name);
      continue;
    }
    for (const auto& [prefix, meaning] : kShort)
      if (name.starts_with(prefix)) name = std::string(meaning) + name.substr(prefix.size());
    const std::size_t open = name.find('[');
    if (open != std::string::npos && name.ends_with(']')) {  // quantity[i], by flat index
      const std::string quantity = name.substr(0, open), digits = name.substr(open + 1, name.size() - open - 2);
      const Result<Signals> all = Signals::choose(*m_, {quantity});
      if (!all) throw Refused{all.error().first().text()};
      if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos ||
          at(std::stoi(digits)) + 1 >= all->columns().size())
        throw Refused{fmt::format("{} has the indices 0..{}", quantity, static_cast<int>(all->columns().size()) - 2)};
      name = all->columns()[at(std::stoi(digits)) + 1];
    }
    patterns.push_back(std::move(name));
  }
  if (!patterns.empty()) {
    Result<Signals> signals = Signals::choose(*m_, patterns);
    if (!signals) throw Refused{signals.error().first().text()};
    out.names.assign(signals->columns().begin() + 1, signals->columns().end());
    out.units.resize(out.names.size());
    for (const RecordQuantity& quantity : signals->quantities())
      for (std::size_t i = 0; i < quantity.count; ++i) out.units[quantity.first - 1 + i] = quantity.unit;
    out.signals = std::move(*signals);
  }
  for (const std::string& name : out.own) {
    out.names.push_back(name);
    out.units.emplace_back();
  }
  if (out.names.size() > kMostColumns) throw Refused{fmt::format("these are more than {} numbers", kMostColumns)};
  return out;
}

void Simulation::read_columns(const Watcher::Columns& columns, std::vector<double>& row) const {
  row.assign(columns.size() + 1, 0);
  row[0] = d_->time;
  std::size_t next = 1;
  if (columns.signals) {
    next = columns.signals->columns().size();
    columns.signals->read(*d_, std::span(row).first(next));
  }
  for (const std::string& name : columns.own) {
    const auto found = own_signals_.find(name);
    row[next++] = found == own_signals_.end() ? 0 : found->second;
  }
}

int Simulation::steps_per_pair(const Watcher& w) const {
  const double wanted = speed_ > 0 && !passive_ && !playing_ ? speed_ / m_->opt.timestep : steps_per_second_;
  return wanted <= 1.01 * w.plot_rate ? 1 : static_cast<int>(std::min(1e9, std::ceil(2 * wanted / w.plot_rate)));
}

void Simulation::sample() {
  constexpr std::size_t kMostNumbers = 1 << 20;  // between two messages
  std::vector<double>& row = row_;
  for (auto& [client, w] : watchers_) {
    if (w.plot.size() == 0) continue;
    if (w.jumps != jumps_) {
      w.jumps = jumps_;
      w.line_broken = true;
      w.rows.clear();
      w.joined = 0;
    }
    if (w.rows.size() > kMostNumbers) continue;
    read_columns(w.plot, row);
    const int joined = steps_per_pair(w);
    if (joined == 1) {
      w.rows.insert(w.rows.end(), row.begin(), row.end());
      continue;
    }
    if (w.joined == 0) {
      w.low = w.high = row;
    } else {
      for (std::size_t i = 1; i < row.size(); ++i) {
        w.low[i] = std::min(w.low[i], row[i]);
        w.high[i] = std::max(w.high[i], row[i]);
      }
      w.high[0] = row[0];
    }
    if (++w.joined < joined) continue;
    w.rows.insert(w.rows.end(), w.low.begin(), w.low.end());
    w.rows.insert(w.rows.end(), w.high.begin(), w.high.end());
    w.joined = 0;
  }
}

void Simulation::send_samples(double now) {
  for (auto& [client, w] : watchers_) {
    if (!w.rows.empty() && now - w.samples_at >= kSamplePeriod) {
      w.samples_at = now;
      const std::size_t columns = w.plot.size(), count = w.rows.size() / (columns + 1);
      Bytes out;
      out.put(static_cast<std::uint8_t>(Kind::Samples))
          .put(static_cast<std::uint8_t>(w.line_broken ? 1 : 0))
          .put(static_cast<std::uint16_t>(columns))
          .put(static_cast<std::uint32_t>(count));
      for (std::size_t r = 0; r < count; ++r) {
        out.put(w.rows[r * (columns + 1)]);
        for (std::size_t c = 1; c <= columns; ++c) out.put(static_cast<float>(w.rows[r * (columns + 1) + c]));
      }
      send_bytes(client, std::move(out).take());
      w.line_broken = false;
      w.rows.clear();
    }
    if (w.watch.size() > 0 && now - w.values_at >= w.watch_period) {
      w.values_at = now;
      std::vector<double> row;
      read_columns(w.watch, row);
      if (std::equal(row.begin() + 1, row.end(), w.last_values.begin() + (w.last_values.empty() ? 0 : 1),
                     w.last_values.end()))
        continue;
      w.last_values = row;
      Bytes out;
      out.put(static_cast<std::uint8_t>(Kind::Values))
          .put(std::uint8_t{0})
          .put(static_cast<std::uint16_t>(w.watch.size()))
          .put(row[0]);
      for (std::size_t i = 1; i < row.size(); ++i) out.put(static_cast<float>(row[i]));
      send_bytes(client, std::move(out).take());
    }
  }
}

Json Simulation::selection() {
  const Model& m = *m_;
  const int b = shown.perturb.select > 0 && shown.perturb.select < m.nbody ? shown.perturb.select : 0;
  if (picked_.body != b) picked_ = {};
  std::array<double, 6> velocity{};  // rotation, translation
  object_velocity(m, *d_, ObjType::Body, b, velocity.data(), false);
  std::array<double, 3> point{};
  for (std::size_t k = 0; k < 3; ++k) {
    point[k] = d_->xpos[3 * at(b) + k];
    for (std::size_t j = 0; j < 3; ++j) point[k] += d_->xmat[9 * at(b) + 3 * k + j] * shown.perturb.localpos[j];
  }
  return {{"body", b},
          {"name", std::string(m.name(ObjType::Body, b))},
          {"geom", picked_.geom},
          {"flex", picked_.flex},
          {"skin", picked_.skin},
          {"geom_name", std::string(picked_.geom >= 0 ? m.name(ObjType::Geom, picked_.geom) : "")},
          {"point", numbers(point.data(), 3)},
          {"mass", m.body_mass[at(b)]},
          {"pos", numbers(&d_->xpos[3 * at(b)], 3)},
          {"quat", numbers(&d_->xquat[4 * at(b)], 4)},
          {"linvel", numbers(velocity.data() + 3, 3)},
          {"angvel", numbers(velocity.data(), 3)}};
}

Json Simulation::contacts() const {
  constexpr int kMostContacts = 100;
  const Model& m = *m_;
  Json all = Json::array();
  const int rows = static_cast<int>(d_->contact.size());
  for (int i = 0; i < std::min({d_->ncon, rows, kMostContacts}); ++i) {
    const Contact& c = d_->contact[at(i)];
    const auto name = [&](std::size_t side) {
      if (c.geom[side] >= 0) {
        const std::string_view given = m.name(ObjType::Geom, c.geom[side]);
        return given.empty() ? fmt::format("{}", c.geom[side]) : std::string(given);
      }
      return c.elem[side] >= 0 ? fmt::format("f{}.e{}", c.flex[side], c.elem[side])
                               : fmt::format("f{}.v{}", c.flex[side], c.vert[side]);
    };
    const auto body = [&](std::size_t side) { return c.geom[side] >= 0 ? int{m.geom_bodyid[at(c.geom[side])]} : -1; };
    const auto force = contact_force(m, *d_, i);
    all.push_back({{"geom1", name(0)},
                   {"geom2", name(1)},
                   {"body1", body(0)},
                   {"body2", body(1)},
                   {"pos", numbers(c.pos.data(), 3)},
                   {"dist", c.dist},
                   {"force", force[0]},
                   {"friction", elementary::hypot(force[1], force[2])}});
  }
  return all;
}

/// The time of each stage, in a step of a copy: the world itself is stepped as always.
Json Simulation::profile() {
  if (!profile_data_) profile_data_.emplace(*m_);
  Data& d = *profile_data_;
  Json out = Json::object();
  const auto run = [&](std::span<const NamedStage> stages) {
    for (const NamedStage& stage : stages) {
      const double start = seconds();
      stage.run(*m_, d);
      const std::string name(stage.name);
      out[name] = out.value(name, 0.0) + 1e6 * (seconds() - start);
    }
  };
  copy_state(*m_, *d_, d, kStateIntegration);
  run(position_stages());
  run(velocity_stages());
  run(acceleration_stages());
  const double start = seconds();
  integrator(m_->opt.integrator).integrate(*m_, d);
  out["integrate"] = 1e6 * (seconds() - start);
  return out;
}

void Simulation::send_status(double now) {
  const double elapsed = std::max(1e-3, now - status_at_);
  status_at_ = now;
  if (!m_) return;
  const Data& d = *d_;
  const double simulated = d.time - std::exchange(time_at_status_, d.time);
  steps_per_second_ = static_cast<double>(steps_ - std::exchange(steps_at_status_, steps_)) / elapsed;
  const double frames = static_cast<double>(number_ - std::exchange(number_at_status_, number_)) / elapsed;
  const double step_ms = 1e3 * std::exchange(step_seconds_, 0) / elapsed;
  const double scene_ms = 1e3 * std::exchange(scene_seconds_, 0) / elapsed;
  int nefc = d.nefc;
  Json status = {{"op", "status"},
                 {"time", d.time},
                 {"running", running_.load()},
                 {"speed", speed_},
                 {"rtf", running_ ? std::max(0.0, simulated / elapsed) : 0},
                 {"steps_per_second", running_ ? std::max(0.0, steps_per_second_) : 0},
                 {"fps", frames},
                 {"ncon", d.ncon},
                 {"nefc", nefc},
                 {"nisland", d.nisland},
                 {"niter", std::accumulate(d.solver_niter.begin(), d.solver_niter.end(), 0)}};
  double improvement = 0, gradient = 0;
  if (const int n = d.solver_niter[0]; n > 0 && at(std::min(n, kNumSolver)) <= d.solver.size()) {
    improvement = d.solver[at(std::min(n, kNumSolver) - 1)].improvement;
    gradient = d.solver[at(std::min(n, kNumSolver) - 1)].gradient;
  }
  status["solver"] = {{"improvement", improvement}, {"gradient", gradient}};
  status["energy"] = m_->opt.enabled(kEnableEnergy) ? numbers(d.energy.data(), 2) : Json(nullptr);
  status["warnings"] = warnings_.lines();
  status["diverged"] = diverged_;
  const auto range = [&] {
    Json out = {{"start", history_.empty() ? d.time : history_[0].time},
                {"end", history_.empty() ? d.time : history_[history_.size() - 1].time},
                {"count", history_.size()},
                {"now", in_history_ || playing_ ? now_ : history_.size()}};
    return out;
  }();
  status["history"] = range;
  if (playing_) {
    status["recording"] = range;
    status["recording"]["loop"] = loop_;
  }
  status["cpu"] = {{"step", step_ms}, {"scene", scene_ms}, {"idle", std::max(0.0, 1000 - step_ms - scene_ms)}};
  const double step_seconds = steps_per_second_ > 0 ? step_ms / 1e3 / steps_per_second_ : 0;
  constexpr double kSlowStep = 5e-3;  // s; beyond it one more step per second would be felt
  if (running_ && !passive_ && step_seconds < kSlowStep && now - profile_at_ >= kProfilePeriod) {
    profile_at_ = now;
    stages_ = profile();
  }
  if (!stages_.is_null()) status["stages"] = stages_;
  if (shown.perturb.select > 0) status["selection"] = selection();
  const std::string text = text_of(status);
  Json with_contacts;
  for (const auto& [client, w] : watchers_) {
    if (w.contacts) {
      if (with_contacts.is_null()) {
        with_contacts = status;
        with_contacts["contacts"] = contacts();
      }
      send(client, with_contacts);
    } else {
      const std::lock_guard lock(io_);
      events_.push_back({client, false, text});
      has_news_ = true;
    }
  }
}

#ifdef SINEW_HAS_RENDER

/// Draws pictures in a thread of its own, one at a time.
struct Simulation::Painter {
  explicit Painter(const Model& m, int generation_) : renderer(m), generation(generation_) {}
  Renderer renderer;
  int generation;
};

void Simulation::draw_pictures(double now) {
  if (painting_) return;
  for (auto& [client, w] : watchers_) {
    const bool due = w.picture_once || (w.picture_period > 0 && now - w.picture_at >= w.picture_period);
    if (w.picture_width == 0 || !due) continue;
    w.picture_at = now;
    w.picture_once = false;
    if (!painter_ || painter_->generation != generation_) painter_ = std::make_shared<Painter>(*m_, generation_);
    auto scene = std::make_shared<Scene>(*m_);
    if (!make_scene(camera_of(client), *scene)) return;
    painting_ = true;
    work([this, scene, painter = painter_, client = client, width = w.picture_width, height = w.picture_height,
          time = d_->time] {
      std::vector<std::uint8_t> rgb(3 * at(width) * at(height));
      std::vector<unsigned char> png;
      try {
        painter->renderer.render(*scene, Image{width, height, rgb, {}, {}});
        lodepng::encode(png, rgb, static_cast<unsigned>(width), static_cast<unsigned>(height), LCT_RGB, 8);
      } catch (const std::exception&) {
        png.clear();
      }
      Bytes out;
      out.put(static_cast<std::uint8_t>(Kind::Picture))
          .put(std::uint8_t{0})
          .put(static_cast<std::uint16_t>(width))
          .put(static_cast<std::uint16_t>(height))
          .put(std::uint16_t{0})
          .put(time)
          .put_text({reinterpret_cast<const char*>(png.data()), png.size()});
      {
        const std::lock_guard inner(io_);
        if (!png.empty()) events_.push_back({client, true, std::move(out).take()});
      }
      painting_ = false;
      wake_();
    });
    return;
  }
}

#else

struct Simulation::Painter {};
void Simulation::draw_pictures(double) {}

#endif

}  // namespace sinew::view
