#pragma once

#include <algorithm>
#include <vector>

namespace sinew::compiling {

/// Row i of a flat array: its values, as many as there are.
template <class T, class Values>
void put(std::vector<T>& field, std::int64_t row, const Values& values) {
  std::copy(values.begin(), values.end(), field.begin() + row * static_cast<std::int64_t>(values.size()));
}

/// Row i of an array whose rows are `width` long; what is missing stays 0.
template <class T, class Values>
void put_padded(std::vector<T>& field, std::int64_t row, std::int64_t width, const Values& values) {
  std::copy_n(values.begin(), std::min<std::int64_t>(width, values.size()), field.begin() + row * width);
}

}  // namespace sinew::compiling
