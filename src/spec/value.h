#pragma once

// Conversion between the text of an attribute and its C++ value, both ways, chosen by type.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spec/schema.h"

namespace sinew::mjcf {

/// The next whitespace-separated word of a text; empty at the end.
std::string_view next_word(std::string_view& text);
bool blank(std::string_view text);

/// One number. Reals as strtod reads them in the C locale, hexadecimal too; integers with base 10.
Outcome parse_number(std::string_view word, bool nan_allowed, double& out);
Outcome parse_number(std::string_view word, bool nan_allowed, float& out);
Outcome parse_number(std::string_view word, bool nan_allowed, int& out);
Outcome parse_number(std::string_view word, bool nan_allowed, std::int64_t& out);

Outcome check_count(std::size_t found, const Attribute& row);
Outcome check_bounds(double value, const Attribute& row);
Outcome parse_keyword(std::string_view text, Keywords keywords, int& out);
Outcome parse_keyword_list(std::string_view text, const Attribute& row, int& out);
std::string print_keyword(int value, Keywords keywords);
std::string print_keyword_list(int value, Keywords keywords);

inline constexpr Keyword kBooleans[] = {{"false", 0}, {"true", 1}};

/// Attribute properties implied by a C++ type.
template <class T>
struct ValueTraits {
  static constexpr bool kNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
  static constexpr int kCount = 1;
  using Number = T;
};
template <class T, std::size_t N>
struct ValueTraits<std::array<T, N>> {
  static constexpr bool kNumber = ValueTraits<T>::kNumber;
  static constexpr int kCount = static_cast<int>(N);
  using Number = T;
};
template <class T>
struct ValueTraits<std::vector<T>> {
  static constexpr bool kNumber = true;
  static constexpr int kCount = 0;
  using Number = T;
};
template <class T>
struct ValueTraits<std::optional<T>> : ValueTraits<T> {};

template <class T>
void describe(Attribute& row) {
  using Traits = ValueTraits<T>;
  if constexpr (Traits::kNumber) {
    row.type = std::is_floating_point_v<typename Traits::Number> ? ValueType::Real : ValueType::Integer;
    row.least = row.most = Traits::kCount;
  } else if constexpr (std::is_same_v<typename Traits::Number, bool>) {
    row.words(kBooleans);
  }
}

/// Reads the numbers of a list into consecutive places: at most `row.most`, the rest keep their values.
template <class Number, class Place>
Outcome parse_numbers(std::string_view text, const Attribute& row, Place place) {
  std::size_t count = 0;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    Number number{};
    if (Outcome bad = parse_number(word, row.nan_inherits && count == 0, number)) return bad;
    if (Outcome bad = check_bounds(static_cast<double>(number), row)) return bad;
    if (row.most == 0 || count < static_cast<std::size_t>(row.most)) place(count, number);
    ++count;
  }
  return check_count(count, row);
}

template <class T>
Outcome parse_value(std::string_view text, T& out, const Attribute& row) {
  if constexpr (std::is_same_v<T, std::string>) {
    out = text;
    return {};
  } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    int value = 0;
    if (Outcome bad = parse_keyword(text, row.keywords, value)) return bad;
    out = static_cast<T>(value);
    return {};
  } else {
    T value{};
    if (Outcome bad = parse_numbers<T>(text, row, [&](std::size_t, T number) { value = number; })) return bad;
    out = value;
    return {};
  }
}

/// An integer that holds a keyword or a set of them.
inline Outcome parse_value(std::string_view text, int& out, const Attribute& row) {
  if (row.type == ValueType::Keyword) return parse_keyword(text, row.keywords, out);
  if (row.type == ValueType::KeywordList) return parse_keyword_list(text, row, out);
  int value = 0;
  if (Outcome bad = parse_numbers<int>(text, row, [&](std::size_t, int number) { value = number; })) return bad;
  out = value;
  return {};
}

template <class T, std::size_t N>
Outcome parse_value(std::string_view text, std::array<T, N>& out, const Attribute& row) {
  std::array<T, N> values = out;
  if (Outcome bad = parse_numbers<T>(text, row, [&](std::size_t i, T number) { values[i] = number; })) return bad;
  out = values;
  return {};
}

template <class T>
Outcome parse_value(std::string_view text, std::vector<T>& out, const Attribute& row) {
  std::vector<T> values;
  if (Outcome bad = parse_numbers<T>(text, row, [&](std::size_t, T number) { values.push_back(number); })) return bad;
  out = std::move(values);
  return {};
}

template <class T>
Outcome parse_value(std::string_view text, std::optional<T>& out, const Attribute& row) {
  T value = out.value_or(T{});
  if (Outcome bad = parse_value(text, value, row)) return bad;
  out = std::move(value);
  return {};
}

template <class T>
std::string print_value(const T& value, const Attribute& row) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, bool> || std::is_enum_v<T>) {
    return print_keyword(static_cast<int>(value), row.keywords);
  } else {
    if (row.type == ValueType::Keyword) return print_keyword(static_cast<int>(value), row.keywords);
    if (row.type == ValueType::KeywordList) return print_keyword_list(static_cast<int>(value), row.keywords);
    return fmt::format("{}", value);
  }
}

template <class Numbers>
std::string print_numbers(const Numbers& numbers) {
  std::string out;
  for (const auto& number : numbers) out += fmt::format("{}{}", out.empty() ? "" : " ", number);
  return out;
}

template <class T, std::size_t N>
std::string print_value(const std::array<T, N>& value, const Attribute&) {
  return print_numbers(value);
}

template <class T>
std::string print_value(const std::vector<T>& value, const Attribute&) {
  return print_numbers(value);
}

template <class T>
std::string print_value(const std::optional<T>& value, const Attribute& row) {
  return value ? print_value(*value, row) : std::string();
}

template <class T>
concept PlainNumber = std::is_same_v<T, double> || std::is_same_v<T, float> || std::is_same_v<T, int>;

template <PlainNumber T>
constexpr Numbers::Type kNumberType = std::is_same_v<T, double>  ? Numbers::Type::Double
                                      : std::is_same_v<T, float> ? Numbers::Type::Float
                                                                 : Numbers::Type::Int;

/// Where a member of an object keeps its numbers; null if it is of another type.
template <auto Member, class Owner, class T>
constexpr auto locator(T Owner::*) -> Numbers (*)(void*) {
  if constexpr (PlainNumber<T>) {
    return [](void* o) { return Numbers{&(static_cast<Owner*>(o)->*Member), kNumberType<T>, 1}; };
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    if constexpr (PlainNumber<typename T::value_type>) {
      return [](void* o) {
        T& values = static_cast<Owner*>(o)->*Member;
        return Numbers{values.data(), kNumberType<typename T::value_type>, static_cast<int>(values.size())};
      };
    } else {
      return nullptr;
    }
  } else {
    return nullptr;
  }
}

/// Collects the rows of one kind of object. A row names the member that it fills.
template <class Owner>
class Table {
 public:
  template <auto Member>
  Attribute& at(std::string_view name) {
    return add<std::remove_cvref_t<decltype(std::declval<Owner&>().*Member)>>(
        name,
        [](void* o, std::string_view text, const Attribute& row) {
          return parse_value(text, static_cast<Owner*>(o)->*Member, row);
        },
        [](const void* o, const Attribute& row) { return print_value(static_cast<const Owner*>(o)->*Member, row); },
        locator<Member>(Member));
  }

  /// One entry of an array.
  template <auto Member, std::size_t Index>
  Attribute& item(std::string_view name) {
    return add<std::remove_cvref_t<decltype((std::declval<Owner&>().*Member)[Index])>>(
        name,
        [](void* o, std::string_view text, const Attribute& row) {
          return parse_value(text, (static_cast<Owner*>(o)->*Member)[Index], row);
        },
        [](const void* o, const Attribute& row) {
          return print_value((static_cast<const Owner*>(o)->*Member)[Index], row);
        });
  }

  /// Count entries of an array from First on.
  template <auto Member, std::size_t First, std::size_t Count>
  Attribute& slice(std::string_view name) {
    using Slice = std::array<double, Count>;
    return add<Slice>(
        name,
        [](void* o, std::string_view text, const Attribute& row) {
          auto& array = static_cast<Owner*>(o)->*Member;
          Slice part;
          std::copy_n(array.begin() + First, Count, part.begin());
          Outcome outcome = parse_value(text, part, row);
          if (!outcome) std::copy_n(part.begin(), Count, array.begin() + First);
          return outcome;
        },
        [](const void* o, const Attribute&) {
          Slice part;
          std::copy_n((static_cast<const Owner*>(o)->*Member).begin() + First, Count, part.begin());
          return print_numbers(part);
        });
  }

  /// A name that also sets the kind of object.
  template <auto TypeMember, auto Type, auto NameMember>
  Attribute& object(std::string_view name) {
    return add<std::string>(
        name,
        [](void* o, std::string_view text, const Attribute&) -> Outcome {
          Owner& owner = *static_cast<Owner*>(o);
          owner.*TypeMember = Type;
          owner.*NameMember = text;
          return {};
        },
        [](const void* o, const Attribute&) {
          const Owner& owner = *static_cast<const Owner*>(o);
          return owner.*TypeMember == Type ? owner.*NameMember : std::string();
        });
  }

  /// A row with its own conversion; T decides how it is described.
  template <class T>
  Attribute& add(std::string_view name, decltype(Attribute::read) read, decltype(Attribute::print) print,
                 decltype(Attribute::locate) locate = nullptr) {
    Attribute& row = rows_.emplace_back();
    row.name = name;
    describe<T>(row);
    row.read = read;
    row.print = print;
    row.locate = locate;
    return row;
  }

  /// The element that these rows belong to.
  Element element(std::string_view name, std::string_view doc, Handler read) const {
    Element out;
    out.name = name;
    out.doc = doc;
    out.attributes = rows_;
    out.read = read;
    out.blank = std::make_shared<const Owner>();
    out.object_bytes = sizeof(Owner);
    return out;
  }

 private:
  std::vector<Attribute> rows_;
};

}  // namespace sinew::mjcf
