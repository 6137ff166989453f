#include "report.h"

#include <unistd.h>

#include "command.h"
#include "sinew/load.h"
#include "sinew/model_file.h"

namespace sinew::tool {

bool on_terminal() { return isatty(STDERR_FILENO) != 0; }

int refuse(const std::string& message) {
  note("sinew: error: {}", message);
  return kRefused;
}

std::optional<Model> load_and_report(const std::string& path, std::vector<Problem>* warnings) {
  std::vector<Problem> own;
  LoadOptions options;
  options.warnings = warnings ? warnings : &own;
  Result<Model> model = path.ends_with(kBinaryEnding)
                            ? load_model(path, memory_limit)
                            : interruptible(options, [&](const auto& o) { return load(path, o); });
  for (const Problem& problem : own) note("{}", problem.text());
  if (model) return std::move(model).value();
  for (const Problem& problem : model.error().problems())
    if (problem.severity == Severity::Error) note("{}", problem.text());
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
