#include "view/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sinew/step.h"
#include "view/simulation.h"

namespace sinew::view {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// The fields of a message; what is missing or out of range is refused.
class Fields {
 public:
  explicit Fields(const Json& body) : body_(body) {}

  bool has(const char* name) const { return body_.contains(name); }
  const Json& json(const char* name) const {
    const auto found = body_.find(name);
    if (found == body_.end()) throw Refused{fmt::format("'{}' is missing", name)};
    return *found;
  }
  double number(const char* name, double low = -1e30, double high = 1e30) const {
    return in_range(json(name), name, low, high);
  }
  int index(const char* name, std::int64_t count) const { return whole(name, 0, static_cast<double>(count) - 1); }
  int whole(const char* name, double low, double high) const {
    const double x = number(name, low, high);
    if (x != std::round(x)) throw Refused{fmt::format("'{}' must be a whole number", name)};
    return static_cast<int>(x);
  }
  bool flag(const char* name) const {
    const Json& value = json(name);
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number()) return value.get<double>() != 0;
    throw Refused{fmt::format("'{}' must be true or false", name)};
  }
  std::string text(const char* name) const {
    const Json& value = json(name);
    if (!value.is_string()) throw Refused{fmt::format("'{}' must be a text", name)};
    return value.get<std::string>();
  }
  std::vector<double> numbers(const char* name, std::size_t count, double low = -1e30, double high = 1e30) const {
    const Json& value = json(name);
    if (!value.is_array() || value.size() != count)
      throw Refused{fmt::format("'{}' must have {} numbers", name, count)};
    std::vector<double> out;
    for (const Json& each : value) out.push_back(in_range(each, name, low, high));
    return out;
  }
  std::vector<std::string> texts(const char* name, std::size_t most) const {
    const Json& value = json(name);
    if (!value.is_array() || value.size() > most)
      throw Refused{fmt::format("'{}' must be a list of at most {} texts", name, most)};
    std::vector<std::string> out;
    for (const Json& each : value) {
      if (!each.is_string()) throw Refused{fmt::format("'{}' must be a list of texts", name)};
      out.push_back(each.get<std::string>());
    }
    return out;
  }

 private:
  static double in_range(const Json& value, const char* name, double low, double high) {
    const double x = value.is_number()    ? value.get<double>()
                     : value.is_boolean() ? (value.get<bool>() ? 1 : 0)
                                          : std::nan("");
    if (!std::isfinite(x)) throw Refused{fmt::format("'{}' must be a number", name)};
    if (!(x >= low && x <= high)) throw Refused{fmt::format("'{}' = {} is not in {}..{}", name, x, low, high)};
    return x;
  }
  const Json& body_;
};

/// The quaternion of qpos that number i belongs to, or -1.
int quaternion_at(const Model& m, int i) {
  for (int j = 0; j < m.njnt; ++j) {
    const int type = m.jnt_type[at(j)];
    const int first = m.jnt_qposadr[at(j)] + (type == static_cast<int>(JointType::Free) ? 3 : 0);
    if (type > static_cast<int>(JointType::Ball)) continue;
    if (i >= first && i < first + 4) return first;
  }
  return -1;
}

void set_position(const Model& m, Data& d, int i, double v) {
  d.qpos[at(i)] = v;
  const int q = quaternion_at(m, i);
  if (q < 0) return;
  double length = 0;
  for (int k = 0; k < 4; ++k) length += d.qpos[at(q + k)] * d.qpos[at(q + k)];
  length = std::sqrt(length);
  for (int k = 0; k < 4; ++k) {
    if (length > kMinVal)
      d.qpos[at(q + k)] /= length;
    else
      d.qpos[at(q + k)] = k == 0 ? 1 : 0;
  }
}

template <std::size_t N>
void set_flags(const Json& value, std::array<std::uint8_t, N>& flags) {
  const auto bit = [](const Json& x) -> std::uint8_t {
    if (x.is_boolean()) return x.get<bool>() ? 1 : 0;
    if (!x.is_number() || !std::isfinite(x.get<double>())) throw Refused{"a flag must be 0 or 1"};
    return x.get<double>() != 0 ? 1 : 0;
  };
  auto changed = flags;
  if (value.is_array()) {
    if (value.size() != N) throw Refused{fmt::format("there are {} of these flags", N)};
    for (std::size_t i = 0; i < N; ++i) changed[i] = bit(value[i]);
  } else if (value.is_object()) {
    for (const auto& [key, x] : value.items()) {
      std::size_t i = 0;
      if (key.empty() || key.size() > 2 || key.find_first_not_of("0123456789") != std::string::npos ||
          (i = static_cast<std::size_t>(std::stoi(key))) >= N)
        throw Refused{fmt::format("there is no flag '{}'", key)};
      changed[i] = bit(x);
    }
  } else {
    throw Refused{"flags must be a list, or an object by number"};
  }
  flags = changed;
}

int whole_of(const Json& value, int low, int high) {
  if (!value.is_number()) throw Refused{"an option must be a number"};
  const double x = value.get<double>();
  if (!(x >= low && x <= high)) throw Refused{fmt::format("an option must be in {}..{}", low, high)};
  return static_cast<int>(x);
}

std::string join(std::span<const double> numbers) {
  std::string out;
  for (const double x : numbers) out += fmt::format("{}{}", out.empty() ? "" : " ", x);
  return out;
}

Json array_of(std::span<const double> numbers) {
  Json out = Json::array();
  for (const double x : numbers) out.push_back(x);
  return out;
}

}  // namespace

/// One function per operation.
struct Operations {
  using Run = void (*)(Simulation&, int client, const Fields&, const Request&);
  struct Row : Operation {
    Run run;
    bool needs_model = true;
  };
  static const std::vector<Row>& table();

  static void cam(Simulation& s, int client, const Fields& f, const Request&) {
    SceneCamera camera = s.camera_of(client);
    const Model& m = *s.m_;
    if (f.has("type")) camera.type = f.whole("type", 0, 2);
    if (f.has("fixedcamid")) camera.fixedcamid = f.whole("fixedcamid", -1, static_cast<double>(m.ncam) - 1);
    if (f.has("trackbodyid")) camera.trackbodyid = f.whole("trackbodyid", -1, static_cast<double>(m.nbody) - 1);
    if (f.has("lookat")) {
      const std::vector<double> p = f.numbers("lookat", 3, -1e9, 1e9);
      camera.lookat = {p[0], p[1], p[2]};
    }
    if (f.has("distance")) camera.distance = f.number("distance", 1e-9, 1e9);
    if (f.has("azimuth")) camera.azimuth = f.number("azimuth", -1e6, 1e6);
    if (f.has("elevation")) camera.elevation = f.number("elevation", -1e6, 1e6);
    if (camera.type == kCameraFixed && camera.fixedcamid < 0) throw Refused{"a fixed camera needs 'fixedcamid'"};
    if (camera.type == kCameraTracking && camera.trackbodyid < 0)
      throw Refused{"a tracking camera needs 'trackbodyid'"};
    s.camera_of(client) = camera;
    if (client == s.master_) s.shown.camera = camera;
  }
  static void master(Simulation& s, int client, const Fields&, const Request&) {
    s.master_ = client;
    if (s.m_ && s.watchers_[client].has_camera) s.shown.camera = s.camera_of(client);
  }
  static void leave(Simulation& s, int client, const Fields&, const Request&) { s.watchers_.erase(client); }
  static void join_in(Simulation& s, int, const Fields&, const Request&) { s.shown_is_old_ = true; }

  static void run(Simulation& s, int, const Fields&, const Request&) {
    if (s.running_) return;
    s.running_ = true;
    s.diverged_.clear();
    s.shown_is_old_ = true;
    if (s.playing_ && s.now_ + 1 >= s.history_.size()) s.go_to(0);
    s.sim0_ = s.d_->time;
    s.wall0_ = s.seconds();
  }
  static void pause(Simulation& s, int, const Fields&, const Request&) {
    s.running_ = false;
    s.dirty_ = s.dirty_ || !s.passive_;
    s.shown_is_old_ = true;
  }
  static void step(Simulation& s, int, const Fields& f, const Request&) {
    s.step_by(f.has("n") ? f.whole("n", -1000, 1000) : 1);
  }
  static void reset(Simulation& s, int, const Fields&, const Request&) {
    if (s.playing_)
      s.go_to(0);
    else
      s.reset_world(s.options_.key);
  }
  static void key(Simulation& s, int, const Fields& f, const Request&) {
    if (s.playing_) throw Refused{"a recording has no keyframes"};
    const std::int64_t own = s.m_->nkey;
    const int k = f.index("k", own + static_cast<std::int64_t>(s.saved_keys_.size()));
    if (k < own) {
      s.reset_world(k);
      return;
    }
    s.leave_history();
    s.change(
        [state = s.saved_keys_[at(k - own)].state](Model& m, Data& d) { set_state(m, d, state, kStateIntegration); });
    s.jumped();
  }
  static void key_save(Simulation& s, int, const Fields& f, const Request&) {
    constexpr std::size_t kMostKeys = 1000;
    if (s.saved_keys_.size() >= kMostKeys) throw Refused{"there are too many saved states"};
    std::string name = f.has("name") ? f.text("name") : "";
    if (name.empty()) name = fmt::format("saved {}", s.saved_keys_.size() + 1);
    Simulation::Key key{name.substr(0, 100), s.d_->time, std::vector<double>(at(state_size(*s.m_, kStateIntegration)))};
    get_state(*s.m_, *s.d_, key.state, kStateIntegration);
    s.saved_keys_.push_back(std::move(key));
    s.set_text(kTextKeys, s.keys_text());
  }
  static void state(Simulation& s, int client, const Fields&, const Request& request) {
    const Data& d = *s.d_;
    std::string mjcf = fmt::format("<key time=\"{}\"", d.time);
    const auto add = [&](const char* name, std::span<const double> numbers) {
      if (!numbers.empty()) mjcf += fmt::format(" {}=\"{}\"", name, join(numbers));
    };
    add("qpos", d.qpos);
    add("qvel", d.qvel);
    add("act", d.act);
    add("ctrl", d.ctrl);
    add("mpos", d.mocap_pos);
    add("mquat", d.mocap_quat);
    Json answer = {{"op", "state"},
                   {"mjcf", mjcf + "/>"},
                   {"qpos", array_of(d.qpos)},
                   {"qvel", array_of(d.qvel)},
                   {"act", array_of(d.act)},
                   {"ctrl", array_of(d.ctrl)},
                   {"time", d.time}};
    if (request.body.contains("id")) answer["id"] = request.body["id"];
    s.send(client, answer);
  }
  static void reload(Simulation& s, int, const Fields&, const Request&) {
    if (s.passive_) throw Refused{"the model belongs to the program that shows it"};
    if (s.file_.empty() || s.files_.empty()) throw Refused{"the model did not come from a file"};
    s.load_later(s.file_, nullptr, true);
  }
  static void uploaded(Simulation& s, int, const Fields& f, const Request& request) {
    s.load_later(f.text("main"), request.files, false);
  }
  static void speed(Simulation& s, int, const Fields& f, const Request&) {
    const double x = f.number("x", 0, 100);
    if (x > 0 && x < 0.001) throw Refused{"the speed must be 0, or in 0.001..100"};
    s.speed_ = x;
    s.sim0_ = s.m_ ? s.d_->time : 0;
    s.wall0_ = s.seconds();
  }
  static void ctrl(Simulation& s, int, const Fields& f, const Request&) {
    if (!f.has("i")) {
      s.change([v = f.numbers("v", at(s.m_->nu), -kMaxVal, kMaxVal)](Model&, Data& d) {
        std::ranges::copy(v, d.ctrl.begin());
      });
      return;
    }
    s.change(
        [i = at(f.index("i", s.m_->nu)), v = f.number("v", -kMaxVal, kMaxVal)](Model&, Data& d) { d.ctrl[i] = v; });
  }
  static void qpos(Simulation& s, int, const Fields& f, const Request&) {
    if (s.playing_) throw Refused{"a recording cannot be changed"};
    s.leave_history();
    s.change([i = f.index("i", s.m_->nq), v = f.number("v", -kMaxVal, kMaxVal)](Model& m, Data& d) {
      set_position(m, d, i, v);
    });
  }
  static void eq(Simulation& s, int, const Fields& f, const Request&) {
    s.change([i = at(f.index("i", s.m_->neq)), on = f.flag("on")](Model&, Data& d) { d.eq_active[i] = on ? 1 : 0; });
  }
  static void option(Simulation& s, int, const Fields& f, const Request&) {
    const Json& given = f.json("option");
    if (!given.is_object()) throw Refused{"'option' must be an object"};
    SceneOption o = s.drawing_.option;
    for (const auto& [name, value] : given.items()) {
      if (name == "label")
        o.label = whole_of(value, 0, kLabelIsland);
      else if (name == "frame")
        o.frame = whole_of(value, 0, kFrameWorld);
      else if (name == "geomgroup")
        set_flags(value, o.geomgroup);
      else if (name == "sitegroup")
        set_flags(value, o.sitegroup);
      else if (name == "jointgroup")
        set_flags(value, o.jointgroup);
      else if (name == "tendongroup")
        set_flags(value, o.tendongroup);
      else if (name == "actuatorgroup")
        set_flags(value, o.actuatorgroup);
      else if (name == "flexgroup")
        set_flags(value, o.flexgroup);
      else if (name == "skingroup")
        set_flags(value, o.skingroup);
      else if (name == "flags")
        set_flags(value, o.flags);
      else if (name == "bvh_depth")
        o.bvh_depth = whole_of(value, 0, 100);
      else if (name == "flex_layer")
        o.flex_layer = whole_of(value, 0, 1000);
      else
        throw Refused{fmt::format("there is no option '{}'", name)};
    }
    s.drawing_.option = s.shown.option = o;
    s.flex_at_ = -1;
    settings_changed(s);
  }
  static void rnd(Simulation& s, int, const Fields& f, const Request&) {
    set_flags(f.json("flags"), s.drawing_.flags);
    s.shown.flags = s.drawing_.flags;
    settings_changed(s);
  }
  static void vis(Simulation& s, int, const Fields& f, const Request&) {
    const std::string path = f.text("path");
    const Json& value = f.json("value");
    if (const auto problem = assign_visual(s.m_->vis, path, value)) throw Refused{*problem};
    s.change([path, value](Model& m, Data&) { assign_visual(m.vis, path, value); });
    std::erase_if(s.visual_changes_, [&](const auto& old) { return old.first == path; });
    s.visual_changes_.emplace_back(path, value);
    s.lights_are_old_ = true;
    settings_changed(s);
  }
  static void opt(Simulation& s, int, const Fields& f, const Request&) {
    const std::string path = f.text("path");
    const Json& value = f.json("value");
    const Option before = s.m_->opt;
    if (const auto problem = assign_option(s.m_->opt, path, value)) throw Refused{*problem};
    if (path == "timestep" && !(s.m_->opt.timestep > 0)) {
      s.m_->opt = before;
      throw Refused{"timestep must be positive"};
    }
    if (const Status status = forward(*s.m_, *s.d_); !status) {
      const std::string text(status.text());
      s.m_->opt = before;
      throw Refused{text};
    }
    s.change([path, value](Model& m, Data&) { assign_option(m.opt, path, value); });
    s.sim0_ = s.d_->time;
    s.wall0_ = s.seconds();
    settings_changed(s);
  }
  static void settings_changed(Simulation& s) {
    s.set_text(kTextSettings, describe_settings(*s.m_, s.drawing_));
    s.shown_is_old_ = true;
  }

  static void choose(Simulation& s, int client, const ScenePick& pick, const Request& request) {
    Perturb& p = s.shown.perturb;
    p.active = 0;
    p.select = std::max(0, pick.body);
    p.flexselect = pick.flex;
    p.skinselect = pick.skin;
    if (p.select > 0) {
      // the point in the body: R' (point - x)
      const double* x = &s.d_->xpos[3 * at(p.select)];
      const double* r = &s.d_->xmat[9 * at(p.select)];
      for (std::size_t k = 0; k < 3; ++k) {
        p.localpos[k] = 0;
        for (std::size_t j = 0; j < 3; ++j) p.localpos[k] += r[3 * j + k] * (pick.point[j] - x[j]);
      }
    }
    s.picked_ = pick;
    s.shown_is_old_ = true;
    Json answer = {{"op", "selection"}};
    answer.update(s.selection());
    if (request.body.contains("id")) answer["id"] = request.body["id"];
    s.send(client, answer);
  }
  static void select(Simulation& s, int client, const Fields& f, const Request& request) {
    const double x = f.number("x", 0, 1), y = f.number("y", 0, 1), aspect = f.number("aspect", 0.01, 100);
    Scene scene(*s.m_);
    if (const Status status = s.make_scene(s.camera_of(client), scene); !status)
      throw Refused{std::string(status.text())};
    choose(s, client, pick(*s.m_, *s.d_, s.drawing_.option, aspect, x, y, scene), request);
  }
  static void select_body(Simulation& s, int client, const Fields& f, const Request& request) {
    ScenePick pick;
    pick.body = f.index("body", s.m_->nbody);
    for (std::size_t k = 0; k < 3; ++k) pick.point[k] = s.d_->xipos[3 * at(pick.body) + k];
    choose(s, client, pick, request);
  }
  static void drag(Simulation& s, int client, const Fields& f, const Request&) {
    if (s.playing_) throw Refused{"a recording cannot be changed"};
    const std::string name = f.text("action");
    const int action = name == "rotate_v"   ? kMouseRotateV
                       : name == "rotate_h" ? kMouseRotateH
                       : name == "move_v"   ? kMouseMoveV
                       : name == "move_h"   ? kMouseMoveH
                                            : 0;
    if (action == 0) throw Refused{fmt::format("there is no action '{}'", name)};
    const double dx = f.number("dx", -10, 10), dy = f.number("dy", -10, 10);
    Perturb& p = s.shown.perturb;
    if (p.select <= 0) throw Refused{"nothing is selected"};
    s.leave_history();
    Scene& scene = s.scene_;
    if (const Status status = update_camera(*s.m_, *s.d_, s.camera_of(client), scene); !status)
      throw Refused{std::string(status.text())};
    const int bit = action == kMouseRotateV || action == kMouseRotateH ? kPerturbRotate : kPerturbTranslate;
    if (p.active == 0) init_perturb(*s.m_, *s.d_, scene, p);
    p.active = bit;
    move_perturb(*s.m_, *s.d_, action, dx, dy, scene, p);
    s.dirty_ = s.dirty_ || !s.passive_;
    s.shown_is_old_ = true;
  }
  static void release(Simulation& s, int, const Fields&, const Request&) {
    s.shown.perturb.active = 0;
    s.dirty_ = s.dirty_ || !s.passive_;
    s.shown_is_old_ = true;
  }

  static void plot(Simulation& s, int client, const Fields& f, const Request& request) {
    Simulation::Watcher& w = s.watchers_[client];
    Json answer = {{"op", "plot"}, {"columns", Json::array()}, {"units", Json::array()}};
    w.plot = {};
    w.rows.clear();
    w.joined = 0;
    w.line_broken = true;
    w.plot_rate = f.has("rate") ? f.number("rate", 1, 1000) : 200;
    const std::vector<std::string> names = f.texts("signals", 200);
    try {
      if (!names.empty()) w.plot = s.columns_of(names);
      answer["columns"] = w.plot.names;
      answer["units"] = w.plot.units;
    } catch (const Refused& e) {
      answer["error"] = e.text;
    }
    if (request.body.contains("id")) answer["id"] = request.body["id"];
    s.send(client, answer);
  }
  static void watch(Simulation& s, int client, const Fields& f, const Request& request) {
    Simulation::Watcher& w = s.watchers_[client];
    const std::vector<std::string> names = f.has("signals") ? f.texts("signals", 1000) : std::vector<std::string>();
    w.watch = {};
    w.last_values.clear();
    w.watch_period = 1 / (f.has("hz") ? f.number("hz", 1, 30) : 10);
    w.contacts = f.has("contacts") && f.flag("contacts");
    Json answer = {{"op", "watch"}, {"columns", Json::array()}};
    try {
      if (!names.empty()) w.watch = s.columns_of(names);
      answer["columns"] = w.watch.names;
    } catch (const Refused& e) {
      answer["error"] = e.text;
    }
    if (request.body.contains("id")) answer["id"] = request.body["id"];
    s.send(client, answer);
  }
  static void signals(Simulation& s, int client, const Fields& f, const Request& request) {
    constexpr std::size_t kMostNames = 200;
    const std::string search = f.text("search");
    Json names = Json::array();
    bool more = false;
    const auto offer = [&](const std::string& name) {
      if (name == "time" || name.find(search) == std::string::npos) return;
      if (names.size() < kMostNames)
        names.push_back(name);
      else
        more = true;
    };
    for (const auto& [name, value] : s.own_signals_) offer(name);
    if (const Result<Signals> all = Signals::choose(*s.m_, {"*"}); all)
      for (const std::string& name : all->columns()) offer(name);
    Json answer = {{"op", "signals"}, {"names", std::move(names)}, {"more", more}};
    if (request.body.contains("id")) answer["id"] = request.body["id"];
    s.send(client, answer);
  }
  static void seek(Simulation& s, int, const Fields& f, const Request&) {
    if (s.passive_) throw Refused{"the program that shows this world decides its time"};
    if (s.history_.empty()) throw Refused{"there is no history yet"};
    s.running_ = false;
    if (f.has("frame"))
      s.go_to(at(f.index("frame", static_cast<std::int64_t>(s.history_.size()))));
    else
      s.go_to(s.history_.at_time(f.number("time", -1e12, 1e12)));
  }
  static void play_range(Simulation& s, int, const Fields& f, const Request&) {
    if (!s.playing_) throw Refused{"this is not a recording"};
    s.loop_ = f.flag("loop");
  }
  static void focus(Simulation& s, int, const Fields& f, const Request&) {
    const int k = f.index("k", s.worlds());
    if (f.has("layout")) {
      const std::string layout = f.text("layout");
      if (layout != "grid" && layout != "overlay") throw Refused{fmt::format("there is no layout '{}'", layout)};
      s.drawing_.overlay = layout == "overlay";
    }
    if (k != s.drawing_.focus && s.batch_) s.focus_on(k);
    s.drawing_.focus = k;
    settings_changed(s);
  }
  static void keypress(Simulation& s, int, const Fields& f, const Request&) {
    const int code = f.whole("key", 0, 1000);
    if (s.options_.on_key) s.keys_pressed_.push_back(code);
  }
  static void picture(Simulation& s, int client, const Fields& f, const Request&) {
#ifdef SINEW_HAS_RENDER
    Simulation::Watcher& w = s.watchers_[client];
    const int width = f.whole("width", 0, 1024);
    w.picture_width = width;
    w.picture_height = width > 0 ? f.whole("height", 1, 1024) : 0;
    const double hz = f.has("hz") ? f.number("hz", 0, 10) : 0;
    w.picture_once = width > 0 && hz == 0;
    w.picture_period = hz > 0 ? 1 / hz : 0;
    w.picture_at = -1;
#else
    static_cast<void>(s);
    static_cast<void>(client);
    static_cast<void>(f);
    throw Refused{"this sinew was built without pictures"};
#endif
  }
  static void viewport(Simulation& s, int client, const Fields& f, const Request&) {
    const int width = f.whole("width", 0, 32768), height = f.whole("height", 0, 32768);
    if (client == s.master_) {
      s.shown.width = width;
      s.shown.height = height;
    }
  }
  static void quit(Simulation& s, int, const Fields&, const Request&) { s.quit = true; }
};

const std::vector<Operations::Row>& Operations::table() {
  static const std::vector<Row> rows = {
      {{"cam", false}, cam},
      {{"run", true}, run},
      {{"pause", true}, pause},
      {{"step", true}, step},
      {{"reset", true}, reset},
      {{"key", true}, key},
      {{"key_save", true}, key_save},
      {{"state", false}, state},
      {{"reload", true}, reload, false},
      {{"speed", true}, speed, false},
      {{"ctrl", true}, ctrl},
      {{"qpos", true}, qpos},
      {{"eq", true}, eq},
      {{"option", true}, option},
      {{"rnd", true}, rnd},
      {{"vis", true}, vis},
      {{"opt", true}, opt},
      {{"select", true}, select},
      {{"select_body", true}, select_body},
      {{"drag", true}, drag},
      {{"release", true}, release},
      {{"plot", false}, plot},
      {{"watch", false}, watch},
      {{"signals", false}, signals},
      {{"seek", true}, seek},
      {{"play_range", true}, play_range},
      {{"world", true}, focus},
      {{"keypress", false}, keypress, false},
      {{"picture", false}, picture},
      {{"viewport", false}, viewport, false},
      {{"quit", true}, quit, false},
      // of the network itself, not of a client
      {{"+master", false}, master, false},
      {{"+leave", false}, leave, false},
      {{"+join", false}, join_in, false},
      {{"+uploaded", false}, uploaded, false},
  };
  return rows;
}

const Operation* find_operation(std::string_view op) {
  for (const Operations::Row& row : Operations::table())
    if (row.op == op && !op.starts_with('+')) return &row;
  return nullptr;
}

void Simulation::execute(const Request& request) {
  const std::string op = request.body.value("op", "");
  try {
    for (const Operations::Row& row : Operations::table()) {
      if (row.op != op) continue;
      if (row.needs_model && !m_) throw Refused{"there is no model"};
      row.run(*this, request.client, Fields(request.body), request);
      return;
    }
  } catch (const Refused& refused) {
    Json answer = {{"op", "error"}, {"text", refused.text}, {"for", op}};
    if (request.body.contains("id")) answer["id"] = request.body["id"];
    send(request.client, answer);
  }
}

}  // namespace sinew::view
