#include "recording.h"

#include <fmt/format.h>

#include <iterator>

#include "dynamics/joint_table.h"
#include "json.h"

namespace sinew::tool {

Recording::Recording(const Model& m) {
  columns_.push_back("time");
  const int njnt = static_cast<int>(m.njnt), nactuator = static_cast<int>(m.nactuator);
  begin("qpos", "m or rad");
  for (int j = 0; j < njnt; ++j) add(m, ObjType::Joint, j, joint_nq(joint_type(m, j)));
  begin("qvel", "m/s or rad/s");
  for (int j = 0; j < njnt; ++j) add(m, ObjType::Joint, j, joint_nv(joint_type(m, j)));
  begin("energy", "J");
  for (const char* word : {"potential", "kinetic"}) columns_.push_back(fmt::format("energy.{}", word));
  quantities_.back().count = 2;
  begin("actuator_force", "N or N m");
  for (int a = 0; a < nactuator; ++a) add(m, ObjType::Actuator, a, m.actuator_outnum[a]);
  begin("sensordata", "");
  for (int s = 0; s < static_cast<int>(m.nsensor); ++s) add(m, ObjType::Sensor, s, m.sensor_dim[s]);
}

void Recording::add(const Model& m, ObjType type, int id, int count) {
  Quantity& quantity = quantities_.back();
  const std::string_view given = m.name(type, id);
  const std::string name = given.empty() ? fmt::format("{}", id) : std::string(given);
  for (int i = 0; i < count; ++i)
    columns_.push_back(count == 1 ? fmt::format("{}.{}", quantity.name, name)
                                  : fmt::format("{}.{}.{}", quantity.name, name, i));
  quantity.count += static_cast<std::size_t>(count);
}

void Recording::sample(const Data& d) {
  const auto append = [&](const auto& values) { values_.insert(values_.end(), values.begin(), values.end()); };
  values_.push_back(d.time);
  append(d.qpos);
  append(d.qvel);
  append(d.energy);
  append(d.actuator_force);
  append(d.sensordata);
}

std::string Recording::csv() const {
  fmt::memory_buffer out;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    // a name from the model may hold anything: a quote inside of a quoted field is doubled
    std::string name = columns_[c];
    if (name.find_first_of(",\"\n") != std::string::npos) {
      for (std::size_t i = 0; (i = name.find('"', i)) != std::string::npos; i += 2) name.insert(i, 1, '"');
      name = '"' + name + '"';
    }
    fmt::format_to(std::back_inserter(out), "{}{}", c ? "," : "", name);
  }
  out.push_back('\n');
  for (std::size_t r = 0; r < rows(); ++r) {
    for (std::size_t c = 0; c < columns_.size(); ++c)
      fmt::format_to(std::back_inserter(out), "{}{:.17g}", c ? "," : "", at(r, c));
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

std::string Recording::json() const {
  Json out = Json::object();
  out["columns"] = columns_;
  Json rows_json = Json::array();
  for (std::size_t r = 0; r < rows(); ++r)
    rows_json.push_back(numbers(std::span(values_).subspan(r * columns_.size(), columns_.size())));
  out["rows"] = std::move(rows_json);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sinew::tool
