#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace sinew::tool {

/// Accepts a number of type T from `least` to `most`. CLI11's own checks let NaN pass and print every digit of the
/// largest number; its conversion replaces integers that are too large by the largest one.
template <class T>
CLI::Validator number(T least, T most, std::string name) {
  constexpr bool kInteger = std::is_integral_v<T>;
  const auto check = [least, most](const std::string& text) -> std::string {
    T value{};
    const char *begin = text.data(), *end = begin + text.size();
    if (begin != end && *begin == '+') ++begin;
    const auto [rest, error] = std::from_chars(begin, end, value);
    const bool read = error == std::errc() && rest == end;
    if (read && value >= least && value <= most) return {};
    std::string wanted = kInteger ? "an integer" : "a number";
    if (most < std::numeric_limits<T>::max() || (kInteger && error == std::errc::result_out_of_range))
      wanted += fmt::format(" from {} to {}", least, most);
    else if (!kInteger && least == std::numeric_limits<T>::min())
      wanted += " greater than 0";
    else
      wanted += fmt::format(" of at least {}", least);
    return fmt::format("'{}' is not {}", text.substr(0, 40), wanted);
  };
  return CLI::Validator(std::move(name)).operation([check](std::string& text) { return check(text); });
}
template <class T>
CLI::Validator number(T least, T most) {
  return number(
      least, most,
      fmt::format("{} in [{:g} - {:g}]", std::is_integral_v<T> ? "INT" : "FLOAT", double(least), double(most)));
}

template <class T>
CLI::Validator not_negative() {
  return number<T>(0, std::numeric_limits<T>::max(), "NONNEGATIVE");
}
template <class T>
CLI::Validator positive() {
  return number<T>(std::is_integral_v<T> ? T(1) : std::numeric_limits<T>::min(), std::numeric_limits<T>::max(),
                   "POSITIVE");
}

}  // namespace sinew::tool
