#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <ranges>
#include <stdexcept>
#include <type_traits>

namespace sinew::tool {

/// Keeps the insertion order of keys: output is compared and read by people.
using Json = nlohmann::ordered_json;

/// An invalid request of "replay" or "scene".
struct BadAsk : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A number; JSON cannot represent non-finite ones, so these become the strings "nan", "inf" and "-inf".
inline Json number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

/// A flat array of numbers; flags and characters become integers.
template <std::ranges::range Range>
Json numbers(const Range& values) {
  using T = std::remove_cvref_t<std::ranges::range_value_t<Range>>;
  Json out = Json::array();
  for (const T& x : values) {
    if constexpr (std::is_floating_point_v<T>) {
      out.push_back(number(x));
    } else {
      out.push_back(static_cast<std::int64_t>(x));
    }
  }
  return out;
}

/// The double for a JSON number or one of the three strings; throws nlohmann's type error for anything else.
inline double to_double(const Json& value) {
  if (value.is_string()) {
    const auto& word = value.get_ref<const std::string&>();
    if (word == "nan") return std::nan("");
    if (word == "inf") return INFINITY;
    if (word == "-inf") return -INFINITY;
  }
  return value.get<double>();
}

}  // namespace sinew::tool
