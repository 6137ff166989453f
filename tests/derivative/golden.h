#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "derivative/fixtures.h"

// golden.json: results of MuJoCo for our own models.

namespace sinew::test {

using Json = nlohmann::json;

/// An entry of the file, printed by its name.
struct Golden {
  Json entry;

  const Json& at(const char* key) const { return entry.at(key); }
};
inline void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.entry.value("name", "an entry"); }

inline const Json& golden_file() {
  static const Json file = Json::parse(std::ifstream(SINEW_SOURCE_DIR "/tests/derivative/golden.json"));
  return file;
}
inline std::vector<Golden> golden(const std::string& part) {
  std::vector<Golden> entries;
  for (const Json& entry : golden_file().at(part)) entries.push_back({entry});
  return entries;
}

inline std::vector<double> numbers(const Json& entry, const std::string& name) {
  return entry.contains(name) ? entry.at(name).get<std::vector<double>>() : std::vector<double>{};
}

/// The model of a golden transition.
inline Model golden_model(const std::string& name) {
  for (const Json& entry : golden_file().at("transition"))
    if (entry.at("name") == name) return model_of(entry.at("model"));
  ADD_FAILURE() << "no golden transition " << name;
  return {};
}

/// A world with the golden inputs.
inline Data golden_world(const Model& m, const Golden& golden) {
  Data d = world_of(m);
  for (const auto& [name, values] : golden.at("in").items())
    d.for_each_field([&](auto key, auto& field, auto...) {
      if (key == name) std::copy(values.begin(), values.end(), field.begin());
    });
  return d;
}

inline std::string golden_name(const testing::TestParamInfo<Golden>& info) { return info.param.at("name"); }

}  // namespace sinew::test
