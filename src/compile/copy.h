#pragma once

#include <algorithm>

#include "sinew/field.h"

namespace sinew::compiling {

/// Row i of a flat array: its values, as many as there are.
template <class T, bool Counted, class Values>
void put(Field<T, Counted>& field, std::int64_t row, const Values& values) {
  std::copy(values.begin(), values.end(), field.edit().begin() + row * static_cast<std::int64_t>(values.size()));
}

/// Row i of an array whose rows are `width` long; missing values stay 0.
template <class T, bool Counted, class Values>
void put_padded(Field<T, Counted>& field, std::int64_t row, std::int64_t width, const Values& values) {
  std::copy_n(values.begin(), std::min<std::int64_t>(width, values.size()), field.edit().begin() + row * width);
}

}  // namespace sinew::compiling
