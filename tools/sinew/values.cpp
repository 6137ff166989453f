#include "values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "report.h"

namespace sinew::tool {

int object_id(const Model& m, ObjType type, const char* what, const std::string& text) {
  if (const int id = m.id(type, text); id >= 0) return id;
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= 0 && number < m.count(type)) return number;
  std::string names;
  std::vector<std::string_view> all;
  for (std::int64_t i = 0; i < m.count(type); ++i) all.push_back(m.name(type, i));
  for (std::int64_t i = 0; i < m.count(type) && names.size() < 200; ++i)
    if (!m.name(type, i).empty()) names += fmt::format("{}{}", names.empty() ? "" : ", ", m.name(type, i));
  throw BadValue(fmt::format("no {} \"{}\": the model has {}{}{}{}", what, text, m.count(type),
                             names.empty() ? "" : ": ", names, near_miss(text, all)));
}

void set_control(const Model& m, Data& d, const std::string& assignment) {
  const std::size_t equals = assignment.rfind('=');
  if (equals == std::string::npos) throw BadValue(fmt::format("--ctrl {}: expected NAME=VALUE", assignment));
  const int actuator = object_id(m, ObjType::Actuator, "actuator", assignment.substr(0, equals));
  const char* next = assignment.data() + equals + 1;
  const char* const end = assignment.data() + assignment.size();
  std::vector<double> values;
  while (next < end) {
    double value = 0;
    const auto [stop, error] = std::from_chars(next, end, value);
    if (error != std::errc() || !std::isfinite(value) || (stop != end && *stop != ','))
      throw BadValue(fmt::format("--ctrl {}: \"{}\" is not a number", assignment, std::string(next, end)));
    values.push_back(value);
    next = stop == end ? end : stop + 1;
  }
  const auto needed = static_cast<std::size_t>(m.actuator_ctrlnum[actuator]);
  if (values.size() != needed)
    throw BadValue(
        fmt::format("--ctrl {}: {} values, the actuator has {} controls", assignment, values.size(), needed));
  std::ranges::copy(values, d.ctrl.begin() + m.actuator_ctrladr[actuator]);
}

std::string plain(const Error& error) {
  const Problem& problem = error.first();
  return problem.hint.empty() ? problem.message : fmt::format("{} ({})", problem.message, problem.hint);
}

}  // namespace sinew::tool
