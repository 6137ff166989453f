#include "spec_value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "spec/value.h"

namespace sinew::python {
namespace {

namespace py = pybind11;
using mjcf::Attribute;
using mjcf::Keyword;
using mjcf::ValueType;

bool is_flag(const Attribute& row) {
  return row.keywords.size() == 2 && row.keywords[0].word == "false" && row.keywords[1].word == "true";
}

template <class Number>
std::vector<Number> numbers_in(std::string_view text) {
  std::vector<Number> out;
  for (std::string_view word = mjcf::next_word(text); !word.empty(); word = mjcf::next_word(text)) {
    Number number{};
    std::from_chars(word.data(), word.data() + word.size(), number);
    out.push_back(number);
  }
  return out;
}

template <class Number>
py::object array_of(const std::vector<Number>& values) {
  return py::array_t<Number>(static_cast<py::ssize_t>(values.size()), values.data());
}

template <class Number>
py::object numbers_to_python(const Attribute& row, const std::string& text, Number missing) {
  std::vector<Number> values = numbers_in<Number>(text);
  if (values.empty()) values.assign(static_cast<std::size_t>(row.most), missing);
  if (row.most == 1) return py::cast(values[0]);
  return array_of(values);
}

int keyword_value(const Attribute& row, const std::string& text) {
  if (row.type == ValueType::KeywordList) {
    int bits = 0;
    (void)mjcf::parse_keyword_list(text, row, bits);
    return bits;
  }
  int value = -1;
  (void)mjcf::parse_keyword(text, row.keywords, value);
  return value;
}

/// A keyword that exists; one that does not is not of the enumeration's type.
std::string checked_keyword(const Attribute& row, std::string word) {
  int ignored = 0;
  const mjcf::Outcome bad = row.type == ValueType::KeywordList ? mjcf::parse_keyword_list(word, row, ignored)
                                                               : mjcf::parse_keyword(word, row.keywords, ignored);
  if (bad) throw py::type_error(bad->message + (bad->hint.empty() ? "" : " (" + bad->hint + ")"));
  return word;
}

std::string keyword_text(const Attribute& row, py::handle value) {
  if (py::isinstance<py::str>(value)) return checked_keyword(row, value.cast<std::string>());
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) {
    PyErr_Clear();
    throw py::type_error(is_flag(row) ? "must be True or False" : "must be a member of the enumeration or its keyword");
  }
  int overflow = 0;
  const long any = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
  const int wanted = static_cast<int>(any);
  if (overflow != 0 || wanted != any) throw py::value_error("is too large");
  if (row.type == ValueType::KeywordList) return mjcf::print_keyword_list(wanted, row.keywords);
  const std::string word = mjcf::print_keyword(wanted, row.keywords);
  if (!word.empty()) return word;
  std::string allowed;
  for (const Keyword& keyword : row.keywords)
    allowed += fmt::format("{}{} ({})", allowed.empty() ? "" : ", ", keyword.value, keyword.word);
  throw py::value_error(fmt::format("{} is not one of {}", wanted, allowed));
}

std::string numbers_text(const Attribute& row, py::handle value) {
  const bool integers = row.type == ValueType::Integer;
  const py::array array = py::array::ensure(value);
  const char type = array ? array.dtype().kind() : '?';
  const bool number = type == 'i' || type == 'u' || type == 'f' || type == 'b' || (array && array.size() == 0);
  if (!number) throw py::type_error(row.most == 1 ? "must be a number" : "must be numbers");
  const py::array_t<double, py::array::c_style | py::array::forcecast> numbers(array);
  std::string out;
  for (py::ssize_t i = 0; i < numbers.size(); ++i) {
    const double x = numbers.data()[i];
    if (integers && x != std::floor(x)) throw py::type_error(fmt::format("{} is not an integer", x));
    out += integers ? fmt::format("{:.0f} ", x) : fmt::format("{} ", x);
  }
  return out;
}

}  // namespace

py::object to_python(const Attribute& row, const std::string& text) {
  switch (row.type) {
    case ValueType::Real: return numbers_to_python(row, text, std::numeric_limits<double>::quiet_NaN());
    case ValueType::Integer: return numbers_to_python(row, text, 0);
    case ValueType::Keyword:
      if (is_flag(row)) return py::bool_(text == "true");
      [[fallthrough]];
    case ValueType::KeywordList: return py::int_(keyword_value(row, text));
    case ValueType::Text:
    case ValueType::Other: break;
  }
  return py::str(text);
}

std::string to_text(const Attribute& row, py::handle value) {
  switch (row.type) {
    case ValueType::Real:
    case ValueType::Integer: return numbers_text(row, value);
    case ValueType::Keyword:
    case ValueType::KeywordList: return keyword_text(row, value);
    case ValueType::Text:
    case ValueType::Other: break;
  }
  if (!py::isinstance<py::str>(value)) throw py::type_error("must be a str");
  return value.cast<std::string>();
}

std::string to_text(const SpecAttribute& row, py::handle value) {
  std::string text = to_text(row.attribute, value);
  const Attribute& attribute = row.attribute;
  if (attribute.type != ValueType::Real && attribute.type != ValueType::Integer) return text;
  if (attribute.most <= 1) return text;
  const auto found = static_cast<int>(numbers_in<double>(text).size());
  const int least = row.zero_rest ? 1 : attribute.least;
  if (found < least || found > attribute.most) {
    const std::string size =
        least == attribute.most ? std::to_string(least) : fmt::format("{} to {}", least, attribute.most);
    throw py::value_error(fmt::format("{} should be a list/array of size {}.", row.name, size));
  }
  if (row.zero_rest)
    for (int i = found; i < attribute.most; ++i) text += "0 ";
  return text;
}

}  // namespace sinew::python
