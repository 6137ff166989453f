#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "sinew/model.h"

namespace sinew {

/// Where the numbers of a field are in a model.
struct ModelPlace {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::variant<std::span<double>, std::span<float>> values;
};

/// A field of floating-point numbers: an array of model_fields.def, "opt.NAME" of option_fields.def or "stat.NAME".
std::optional<ModelPlace> find_place(Model& m, std::string_view name);

/// The field exists, but is not floating-point and therefore the same in all worlds.
bool is_integer_field(const Model& m, std::string_view name);

}  // namespace sinew
