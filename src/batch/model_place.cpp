#include "batch/model_place.h"

#include <array>
#include <type_traits>
#include <vector>

namespace sinew {
namespace {

/// An option or scale: one number, or an array of them as one row.
std::span<double> numbers(double& value) { return {&value, 1}; }
template <std::size_t N>
std::span<double> numbers(std::array<double, N>& values) {
  return values;
}

/// visit("opt.NAME" or "stat.NAME", value) for every option and scale.
template <class Visit>
void for_each_setting(Model& m, Visit visit) {
#define SINEW_OPTION(type, name, value, doc) visit(std::string_view("opt." #name), m.opt.name);
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) visit(std::string_view("opt." #name), m.opt.name);
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY
#define SINEW_STATISTIC(type, name, value, doc) visit(std::string_view("stat." #name), m.stat.name);
#define SINEW_STATISTIC_ARRAY(type, name, count, doc, ...) visit(std::string_view("stat." #name), m.stat.name);
#include "sinew/statistic_fields.def"
#undef SINEW_STATISTIC
#undef SINEW_STATISTIC_ARRAY
}

}  // namespace

std::optional<ModelPlace> find_place(Model& m, std::string_view name) {
  std::optional<ModelPlace> found;
  m.for_each_field([&](std::string_view field, auto& array, std::int64_t rows, std::int64_t cols, auto) {
    using T = typename std::remove_reference_t<decltype(array)>::value_type;
    if constexpr (std::is_floating_point_v<T>) {
      if (field == name) found = ModelPlace{rows, cols, array.edit()};
    }
  });
  for_each_setting(m, [&](std::string_view setting, auto& value) {
    if constexpr (requires { numbers(value); }) {
      if (setting == name) found = ModelPlace{1, static_cast<std::int64_t>(numbers(value).size()), numbers(value)};
    }
  });
  return found;
}

bool is_integer_field(const Model& m, std::string_view name) {
  bool found = false;
  m.for_each_field([&](std::string_view field, const auto& array, auto...) {
    using T = typename std::remove_cvref_t<decltype(array)>::value_type;
    if constexpr (!std::is_floating_point_v<T>) found = found || field == name;
  });
  for_each_setting(const_cast<Model&>(m), [&](std::string_view setting, auto& value) {  // only reads
    if constexpr (!requires { numbers(value); }) found = found || setting == name;
  });
  return found;
}

}  // namespace sinew
