#include "spec/value.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/suggest.h"

namespace sinew::mjcf {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

Outcome not_a(std::string_view kind, std::string_view word) {
  const bool separator = word.find_first_of(",;") != std::string_view::npos;
  return Complaint{fmt::format("'{}' is not {}", word.substr(0, 40), kind),
                   separator ? "numbers are separated by spaces" : ""};
}

/// The words inf, infinity and nan, which strtod accepts.
std::optional<double> non_finite(std::string_view word) {
  std::string lower(word);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower == "inf" || lower == "infinity") return std::numeric_limits<double>::infinity();
  if (lower == "nan" || (lower.starts_with("nan(") && lower.ends_with(")")))
    return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

template <class Real>
Outcome parse_real(std::string_view word, bool nan_allowed, Real& out) {
  std::string_view digits = word;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  if (const std::optional<double> special = non_finite(digits)) {
    if (!std::isnan(*special) || !nan_allowed)
      return Complaint{fmt::format("'{}': only finite numbers are allowed", word.substr(0, 40))};
    out = static_cast<Real>(*special);
    return {};
  }
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (hexadecimal) digits.remove_prefix(2);
  // from_chars accepts a sign, which must not follow ours
  if (digits.starts_with('-') || digits.starts_with('+')) return not_a("a number", word);
  Real value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value,
                                            hexadecimal ? std::chars_format::hex : std::chars_format::general);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) return not_a("a number", word);
  const bool denormal = value != 0 && std::abs(value) < std::numeric_limits<Real>::min();
  if (error == std::errc::result_out_of_range || denormal) {
    return Complaint{fmt::format("'{}' is too large or too small for a floating-point number", word.substr(0, 40))};
  }
  out = negative ? -value : value;
  return {};
}

template <class Integer>
Outcome parse_integer(std::string_view word, Integer& out) {
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.starts_with('-') && digits.size() != word.size()) return not_a("an integer", word);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) return not_a("an integer", word);
  if (error == std::errc::result_out_of_range) {
    return Complaint{fmt::format("'{}' is too large for an integer", word.substr(0, 40)),
                     fmt::format("it must be between {} and {}", std::numeric_limits<Integer>::min(),
                                 std::numeric_limits<Integer>::max())};
  }
  return {};
}

std::vector<std::string_view> words_of(Keywords keywords) {
  std::vector<std::string_view> words;
  for (const Keyword& keyword : keywords) words.push_back(keyword.word);
  return words;
}

const Keyword* find(std::string_view word, Keywords keywords) {
  const auto it = std::find_if(keywords.begin(), keywords.end(), [&](const Keyword& k) { return k.word == word; });
  return it == keywords.end() ? nullptr : &*it;
}

Outcome unknown_keyword(std::string_view word, Keywords keywords) {
  return Complaint{fmt::format("unknown keyword '{}'", word.substr(0, 40)), suggest(word, words_of(keywords))};
}

}  // namespace

std::string_view next_word(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_space(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

bool blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

Outcome parse_number(std::string_view word, bool nan_allowed, double& out) {
  return parse_real(word, nan_allowed, out);
}
Outcome parse_number(std::string_view word, bool nan_allowed, float& out) { return parse_real(word, nan_allowed, out); }
Outcome parse_number(std::string_view word, bool, int& out) { return parse_integer(word, out); }
Outcome parse_number(std::string_view word, bool, std::int64_t& out) { return parse_integer(word, out); }

Outcome check_count(std::size_t found, const Attribute& row) {
  const std::size_t least = static_cast<std::size_t>(row.least);
  const std::size_t most = static_cast<std::size_t>(row.most);
  if (found >= least && (row.most == 0 || found <= most)) return {};
  const std::string_view unit = found == 1 ? "number" : "numbers";
  if (least == most) return Complaint{fmt::format("has {} {}, needs {}", found, unit, most)};
  return Complaint{fmt::format("has {} {}, takes {} to {}", found, unit, least, most)};
}

Outcome check_bounds(double value, const Attribute& row) {
  if (value < row.lower || (row.above_lower && value <= row.lower)) {
    return Complaint{
        fmt::format("is {}, must be {} {}", value, row.above_lower ? "greater than" : "at least", row.lower)};
  }
  if (value > row.upper) return Complaint{fmt::format("is {}, must be at most {}", value, row.upper)};
  return {};
}

Outcome parse_keyword(std::string_view text, Keywords keywords, int& out) {
  const Keyword* keyword = find(text, keywords);
  if (!keyword) return unknown_keyword(text, keywords);
  out = keyword->value;
  return {};
}

Outcome parse_keyword_list(std::string_view text, const Attribute& row, int& out) {
  int value = 0;
  const Keyword* last = nullptr;
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    const Keyword* keyword = find(word, row.keywords);
    if (!keyword) return unknown_keyword(word, row.keywords);
    if (value & keyword->value) return Complaint{fmt::format("'{}' is given twice", word)};
    if (row.ordered && last && last > keyword) {
      return Complaint{fmt::format("'{}' must come before '{}'", word, last->word),
                       "order: " + print_keyword_list(-1, row.keywords)};
    }
    value |= keyword->value;
    last = keyword;
  }
  out = value;
  return {};
}

std::string print_keyword(int value, Keywords keywords) {
  const auto it = std::find_if(keywords.begin(), keywords.end(), [&](const Keyword& k) { return k.value == value; });
  return it == keywords.end() ? std::string() : std::string(it->word);
}

std::string print_keyword_list(int value, Keywords keywords) {
  std::string out;
  for (const Keyword& keyword : keywords) {
    if (value & keyword.value) out += fmt::format("{}{}", out.empty() ? "" : " ", keyword.word);
  }
  return out;
}

}  // namespace sinew::mjcf
