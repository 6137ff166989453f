#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/arena.h"
#include "sinew/data.h"

// All contents of Data as named lists of numbers, and garbage to fill them with.

namespace sinew::test {

enum class NumberType : std::uint8_t { Real, Int, Byte };

/// A field of Data: numbers in groups of `inner`, `stride` bytes apart.
struct Field {
  std::string name;
  NumberType type;
  std::byte* base;
  std::size_t inner, stride;
  std::size_t size;   // numbers in memory
  std::size_t valid;  // those in use

  std::size_t bytes() const { return type == NumberType::Real ? 8 : type == NumberType::Int ? 4 : 1; }
  std::byte* at(std::size_t i) const { return base + i / inner * stride + i % inner * bytes(); }
  /// The bits of a number.
  std::uint64_t get(std::size_t i) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at(i), bytes());
    return bits;
  }
  void set(std::size_t i, std::uint64_t bits) const { std::memcpy(at(i), &bits, bytes()); }
};

template <class T>
constexpr NumberType number_type() {
  if (std::is_same_v<T, double>) return NumberType::Real;
  return std::is_same_v<T, int> ? NumberType::Int : NumberType::Byte;
}

/// The fields by their names in the contracts, in the order of docs/step.py: scalars, arrays, rows, contacts, solver
/// statistics.
inline std::vector<Field> fields_of(Data& d) {
  std::vector<Field> out;
  const auto list = [&](const std::string& name, auto* first, std::size_t size, std::size_t valid) {
    using T = std::remove_pointer_t<decltype(first)>;
    out.push_back({name, number_type<T>(), reinterpret_cast<std::byte*>(first), 1, sizeof(T), size, valid});
  };
  const auto number = [&](const std::string& name, auto& x) { list(name, &x, 1, 1); };
  const auto member = [&]<class T>(const std::string& name, std::size_t count, T* first, std::size_t stride,
                                   std::size_t size, std::size_t valid) {
    out.push_back(
        {name, number_type<T>(), reinterpret_cast<std::byte*>(first), count, stride, count * size, count * valid});
  };

  static_assert(sizeof(WarningStat) == 2 * sizeof(int));
  const auto scalar = [&](const std::string& name, auto& x) {
    using T = std::remove_reference_t<decltype(x)>;
    if constexpr (std::is_arithmetic_v<T>) {
      number(name, x);
    } else if constexpr (std::is_same_v<T, decltype(d.warning)>) {
      list(name, &x[0].lastinfo, 2 * x.size(), 2 * x.size());
    } else if (name == "energy") {  // its two numbers are written by different stages
      number(name + "[0]", x[0]);
      number(name + "[1]", x[1]);
    } else {
      list(name, x.data(), x.size(), x.size());
    }
  };
#define SINEW_SCALAR(name, doc, ...) scalar(#name, d.name);
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR
  d.for_each_field(
      [&](auto name, auto& field, auto...) { list(std::string(name), field.data(), field.size(), field.size()); });
  d.for_each_row_field([&](auto name, auto& field, std::int64_t rows, std::int64_t cols, auto...) {
    list(std::string(name), field.data(), field.size(), static_cast<std::size_t>(rows * cols));
  });
  Contact no_contact;
  Contact& contact = d.contact.empty() ? no_contact : d.contact[0];
  const auto contacts = d.contact.size(), valid = static_cast<std::size_t>(d.ncon);
#define SINEW_CONTACT(type, name, value, doc) \
  member("contact." #name, 1, &contact.name, sizeof(Contact), contacts, valid);
#define SINEW_CONTACT_ARRAY(type, name, count, doc, ...) \
  member("contact." #name, count, contact.name.data(), sizeof(Contact), contacts, valid);
#include "sinew/contact_fields.def"
#undef SINEW_CONTACT
#undef SINEW_CONTACT_ARRAY
  SolverStat no_stat;
  SolverStat& stat = d.solver.empty() ? no_stat : d.solver[0];
#define SINEW_SOLVER_STAT(type, name, doc) \
  member("solver." #name, 1, &stat.name, sizeof(SolverStat), d.solver.size(), d.solver.size());
#include "sinew/solver_stat_fields.def"
#undef SINEW_SOLVER_STAT
  return out;
}

/// Plausible garbage changes results but does not crash. Absurd garbage is a signaling NaN that identifies its field,
/// so that any arithmetic changes its bits, or an index far out of range.
enum class Garbage : std::uint8_t { Plausible, Absurd };

inline std::uint64_t garbage(const Field& field, std::size_t i, std::uint64_t old, Garbage kind) {
  const std::uint64_t id = (std::hash<std::string>()(field.name) + 0x9e3779b97f4a7c15u * (i + 1)) >> 14;  // 50 bits
  switch (field.type) {
    case NumberType::Real: {
      if (kind == Garbage::Absurd) return 0x7ff0000000000001u | id << 1;
      std::uint64_t bits;
      const double value = 0.2 + static_cast<double>(id % 1000003) * 1e-6;
      std::memcpy(&bits, &value, 8);
      return bits;
    }
    case NumberType::Int: {
      if (kind == Garbage::Absurd) return (id & 1 ? 0x40000000u : 0xb0000000u) | (id & 0xfffffff);
      const int value = static_cast<int>(old);
      return static_cast<std::uint32_t>(value > 0 ? value - 1 : value + 1);
    }
    case NumberType::Byte: break;
  }
  return kind == Garbage::Absurd ? 0xa5 : old == 0;
}

inline void poison(const Field& field, Garbage kind) {
  for (std::size_t i = 0; i < field.size; ++i) field.set(i, garbage(field, i, field.get(i), kind));
}

/// Scratch memory starts with garbage too: a stage must not rely on its contents.
inline void poison_scratch(Data& d) {
  constexpr std::size_t kNumbers = 1 << 14;
  Scratch scratch(d.scratch());
  auto* memory = scratch.take<std::uint64_t>(kNumbers);
  for (std::size_t i = 0; i < kNumbers; ++i) memory[i] = 0x7ff4000000000000u + i;
}

}  // namespace sinew::test
