#pragma once

#include <array>
#include <cstdint>

#include "struct_table.h"

namespace sinew::python {

/// Type and length of a member of a struct.
template <class T>
struct StructKind;
template <>
struct StructKind<double> {
  static constexpr Number number = Number::Float64;
  static constexpr int count = 0;
};
template <>
struct StructKind<float> {
  static constexpr Number number = Number::Float32;
  static constexpr int count = 0;
};
template <>
struct StructKind<int> {
  static constexpr Number number = Number::Int32;
  static constexpr int count = 0;
};
template <>
struct StructKind<std::uint8_t> {
  static constexpr Number number = Number::UInt8;
  static constexpr int count = 0;
};
template <>
struct StructKind<char> {
  static constexpr Number number = Number::Char;
  static constexpr int count = 0;
};
template <>
struct StructKind<bool> {
  static constexpr Number number = Number::Bool;
  static constexpr int count = 0;
};
template <class T, std::size_t N>
struct StructKind<std::array<T, N>> {
  static constexpr Number number = StructKind<T>::number;
  static constexpr int count = static_cast<int>(N);
};

template <class T>
void fill_struct(void* at) {
  new (at) T();
}

}  // namespace sinew::python
