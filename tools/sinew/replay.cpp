#include <algorithm>
#include <memory>

#include "ask.h"
#include "command.h"
#include "replay_keys.h"
#include "sim/sleep.h"
#include "sinew/step.h"

namespace sinew::tool {
namespace {

/// The object under `key`, or an empty one.
Json part(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : Json::object();
}

/// Fills the keys of `asked` with value(key, its entry in `asked`); keys without a value are omitted.
template <class Value>
Json answers(const Json& asked, Value&& value) {
  Json out = Json::object();
  for (const auto& [key, below] : asked.items())
    if (Json answer = value(key, below); !answer.is_null()) out[key] = std::move(answer);
  return out;
}

/// Sets the recorded state: reset, then every field of "in". The first frame of a run (k = 0) keeps the sleep state of
/// reset: trees moved by a keyframe wake up in the step, as in a simulation.
void set_input(const Model& m, Data& d, const Json& frame) {
  reset(m, d);
  const Json in = part(frame, "in");
  const std::vector<int> at_reset(d.tree_asleep.begin(), d.tree_asleep.end());
  for (const auto& [key, values] : in.items()) {
    if (key == "time") {
      d.time = to_double(values);
      continue;
    }
    bool known = false;
    d.for_each_field([&](std::string_view name, auto& field, auto...) {
      if (name != key) return;
      known = true;
      if (!values.is_array() || values.size() != field.size())
        throw BadAsk(fmt::format("\"in\" has {} values for {}, the model needs {}", values.size(), key, field.size()));
      using T = typename std::remove_reference_t<decltype(field)>::element_type;
      std::ranges::transform(values, field.begin(), [](const Json& x) {
        if constexpr (std::is_floating_point_v<T>)
          return to_double(x);
        else
          return x.get<T>();
      });
    });
    if (!known) throw BadAsk(fmt::format("\"in\" has an unknown field {}", key));
  }
  if (m.opt.enabled(kEnableSleep) && in.contains("tree_asleep")) {
    const std::vector<int> asleep(d.tree_asleep.begin(), d.tree_asleep.end());
    if (frame.value("k", -1) != 0 || asleep != at_reset) restore_sleep(m, d, asleep);
  }
}

/// Teacher forcing: everything from the recorded state, nothing carried over from the previous frame.
Json replay_frame(const Model& m, Data& d, const Json& frame) {
  const auto from_data = [&](const std::string& key, const Json&) { return data_value(m, d, key); };
  Json out;
  out["k"] = frame.value("k", Json());
  set_input(m, d, frame);
  forward(m, d);
  out["fwd"] = answers(part(frame, "fwd"), from_data);
  inverse(m, d);
  out["inv"] = answers(part(frame, "inv"), from_data);
  set_input(m, d, frame);
  step(m, d);
  out["next"] = answers(part(frame, "next"), from_data);
  return out;
}

Json replay_model(Model& m, const Json& ask) {
  Json out;
  out["meta"] = answers(part(ask, "meta"), [&](const std::string& key, const Json&) { return meta_value(m, key); });
  out["model"] = answers(part(ask, "model"),
                         [&](const std::string& key, const Json& below) { return model_value(m, key, below); });
  m.opt.enableflags |= kEnableEnergy;  // the references were computed with it
  Data d(m);
  out["frames"] = Json::array();
  for (const Json& frame : ask.value("frames", Json::array())) out["frames"].push_back(replay_frame(m, d, frame));
  return out;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  struct Options {
    std::string model, ask;
  };
  CLI::App* sub = app.add_subcommand("replay", "Compute outputs at recorded states for conformance tests, as JSON");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->model, "MJCF, URDF or SDFormat file")->required();
  sub->add_option("ASK", options->ask, "JSON with the keys to fill and the state of each frame")->required();
  sub->footer(
      "ASK has the objects \"meta\", \"model\" and \"frames\"; each frame has a state \"in\" and the requested keys\n"
      "of \"fwd\" (after forward), \"inv\" (after inverse) and \"next\" (after a step). Keys that cannot be filled\n"
      "are omitted from the answer.\n\nExample:\n  sinew replay arm.xml ask.json > answer.json");
  sub->callback(
      [&action, options] { action = [options] { return answer_ask(options->model, options->ask, replay_model); }; });
}

}  // namespace sinew::tool
