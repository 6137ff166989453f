#include "base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

namespace sinew {
namespace {

constexpr std::size_t kLongestWord = 64;     // longer words are not compared
constexpr std::size_t kLongestList = 16;     // words that a hint lists
constexpr std::size_t kMostCompared = 2000;  // words that are compared

/// Edits that turn one word into the other: change, insert or drop a letter, or swap two neighbors (restricted
/// Damerau-Levenshtein distance). Case is ignored.
std::size_t edits(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string suggest(std::string_view found, const std::vector<std::string_view>& allowed) {
  std::string_view nearest;
  std::size_t least = kLongestWord;
  for (const std::string_view word : std::span(allowed).first(std::min(allowed.size(), kMostCompared))) {
    const std::size_t distance = std::max(found.size(), word.size()) > kLongestWord ? kLongestWord : edits(found, word);
    if (distance < least) {
      least = distance;
      nearest = word;
    }
  }
  // one edit in three letters is a typo; more is a different word
  if (!nearest.empty() && least <= std::max<std::size_t>(1, nearest.size() / 3))
    return fmt::format("did you mean '{}'?", nearest);
  if (allowed.empty() || allowed.size() > kLongestList) return {};
  std::string list = "allowed:";
  for (const std::string_view word : allowed) list += fmt::format(" {}", word);
  return list;
}

}  // namespace sinew
