#include "report.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/suggest.h"
#include "command.h"
#include "sinew/load.h"
#include "sinew/model_file.h"

namespace sinew::tool {
namespace {

constexpr std::string_view kBold = "\033[1m", kRed = "\033[1;31m", kMagenta = "\033[1;35m", kGreen = "\033[1;32m",
                           kPlain = "\033[0m";
constexpr std::size_t kWidest = 100;  // characters of a source line that are shown

std::string painted(std::string_view text, std::string_view paint, bool colored) {
  return colored ? fmt::format("{}{}{}", paint, text, kPlain) : std::string(text);
}

bool starts_utf8_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Where in the text of a file a problem is.
struct Span {
  std::size_t begin, end;
};

/// The attribute with its value between two places of the text.
std::optional<Span> find_attribute(const std::string& text, std::size_t from, std::size_t to, const std::string& name) {
  for (std::size_t at = from; !name.empty() && at < to; ++at) {
    at = text.find(name, at);
    if (at >= to) break;
    const std::size_t equal = text.find_first_not_of(" \t\n", at + name.size());
    const bool whole = at == 0 || std::isspace(static_cast<unsigned char>(text[at - 1])) != 0;
    if (!whole || equal >= to || text[equal] != '=') continue;
    const std::size_t quote = text.find_first_of("\"'", equal);
    const std::size_t end = quote < to ? text.find(text[quote], quote + 1) : std::string::npos;
    return Span{at, end < text.size() ? end + 1 : equal};
  }
  return std::nullopt;
}

/// The attribute if the line, or the element that starts in it, has it; else the element's tag, else the line.
std::optional<Span> find_in_source(const std::string& text, std::size_t line_start, const Problem& problem) {
  const std::size_t line_end = std::min(text.find('\n', line_start), text.size());
  const std::string tag = "<" + problem.element;
  const std::size_t open = problem.element.empty() ? std::string::npos : text.find(tag, line_start);
  const std::size_t from = open < line_end ? open : line_start;
  const std::size_t to = open < line_end ? std::min(text.find('>', open), text.size()) : line_end;
  if (const std::optional<Span> attribute = find_attribute(text, from, to, problem.attribute)) return attribute;
  if (open < line_end) return Span{open, std::min(open + tag.size(), line_end)};
  const std::size_t first = text.find_first_not_of(" \t", line_start);
  if (first >= line_end) return std::nullopt;
  return Span{first, line_end};
}

/// The line of the problem and a caret below it; empty if the file cannot be read.
std::string excerpt(const Problem& problem, bool colored) {
  constexpr std::uintmax_t kLargest = std::uintmax_t{64} << 20;
  std::error_code failed;
  if (problem.line <= 0 || !std::filesystem::is_regular_file(problem.file, failed) ||
      std::filesystem::file_size(problem.file, failed) > kLargest || failed)
    return {};
  std::ifstream file(problem.file, std::ios::binary);
  std::stringstream all;
  all << file.rdbuf();
  const std::string text = all.str();

  std::size_t line_start = 0;
  int line = 1;
  const auto next_line = [&](std::size_t limit) {
    const std::size_t end = text.find('\n', line_start);
    if (end >= limit) return false;
    line_start = end + 1;
    ++line;
    return true;
  };
  while (line < problem.line)
    if (!next_line(text.size())) return {};
  const std::optional<Span> found = find_in_source(text, line_start, problem);
  if (!found) return {};
  while (next_line(found->begin)) {
  }

  const std::size_t line_end = std::min(text.find('\n', line_start), text.size());
  std::size_t from = line_start;
  if (found->begin - line_start > kWidest - 20) from = found->begin - 20;
  while (from < found->begin && !starts_utf8_character(text[from])) ++from;
  std::string shown = text.substr(from, std::min(line_end - from, kWidest));
  while (!shown.empty() && (shown.back() == '\r' || !starts_utf8_character(shown.back()))) shown.pop_back();
  std::string below;
  for (std::size_t i = from; i < std::min(found->end, from + shown.size()); ++i) {
    if (!starts_utf8_character(text[i])) continue;
    if (i < found->begin)
      below += text[i] == '\t' ? '\t' : ' ';
    else
      below += i == found->begin ? '^' : '~';
  }
  for (char& c : shown)  // a file must not control the terminal
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
  return fmt::format("{:>6} | {}\n       | {}\n", line, shown, painted(below, kGreen, colored));
}

/// Files beside a path that does not exist, for a suggestion.
std::string similar_file(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return {};
  const std::filesystem::path wanted(path);
  const std::string folder = wanted.parent_path().string();
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, failed)) {
    names.push_back((wanted.parent_path() / entry.path().filename()).string());
    if (names.size() >= 2000) break;
  }
  std::ranges::sort(names);
  return near_miss(path, {names.begin(), names.end()});
}

}  // namespace

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

Style style_of(std::FILE* stream) {
  const bool terminal = isatty(fileno(stream)) != 0;
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const kind = std::getenv("TERM");
  const bool capable = terminal && kind && std::string_view(kind) != "dumb";
  const bool wanted = color == Color::Auto ? capable && !(no_color && *no_color) : color == Color::Always;
  return {.colored = wanted, .excerpt = terminal || color == Color::Always};
}

int refuse(const std::string& message) {
  const bool colored = style_of(stderr).colored;
  note("{} {} {}", painted("sinew:", kBold, colored), painted("error:", kRed, colored), message);
  return kRefused;
}

void report(const Problem& problem, std::FILE* stream) {
  const Style style = style_of(stream);
  std::string text = problem.text();
  if (style.colored) {
    const bool warning = problem.severity == Severity::Warning;
    const std::string_view word = warning ? "warning:" : "error:";
    const std::size_t place = problem.file.empty() ? 0 : text.find(word, problem.file.size());
    if (place != std::string::npos)
      text = painted(text.substr(0, place), kBold, true) + painted(word, warning ? kMagenta : kRed, true) +
             text.substr(place + word.size());
  }
  fmt::print(stream, "{}\n", text);
  if (style.excerpt) fmt::print(stream, "{}", excerpt(problem, style.colored));
}

int refuse(const Error& error) {
  for (const Problem& problem : error.problems())
    if (problem.severity == Severity::Error) report(problem);
  return kRefused;
}

std::string near_miss(std::string_view found, const std::vector<std::string_view>& words) {
  const std::string hint = suggest(found, words);
  return hint.starts_with("did you mean") ? fmt::format(" ({})", hint) : "";
}

std::optional<Model> load_and_report(const std::string& path, std::vector<Problem>* warnings) {
  std::vector<Problem> own;
  LoadOptions options;
  options.warnings = warnings ? warnings : &own;
  Result<Model> model = path.ends_with(kBinaryEnding)
                            ? load_model(path, memory_limit)
                            : interruptible(options, [&](const auto& o) { return load(path, o); });
  for (const Problem& problem : own) report(problem);
  if (model) return std::move(model).value();
  refuse(model.error());
  if (const std::string similar = similar_file(path); !similar.empty()) note("{}: not found{}", path, similar);
  return std::nullopt;
}

std::string human_bytes(std::size_t bytes) {
  constexpr const char* kUnits[] = {"B", "kB", "MB", "GB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace sinew::tool
