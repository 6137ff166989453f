#include "spec/report.h"

#include <fmt/format.h>

namespace sinew::mjcf {

void Report::error(Place place, std::string message, std::string hint) {
  add(problem(Severity::Error, place, std::move(message), std::move(hint)));
}

void Report::warning(Place place, std::string message, std::string hint) {
  add(problem(Severity::Warning, place, std::move(message), std::move(hint)));
}

void Report::error_at(int file, int line, std::string message, std::string hint) {
  Problem problem;
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  locate(problem, file, line);
  add(std::move(problem));
}

std::string Report::where(const spec::Origin& origin) const {
  if (origin.file < 0) return "an element added by a program";
  return fmt::format("{}:{}", files_[static_cast<std::size_t>(origin.file)].path, origin.line);
}

void Report::hand_over_warnings() {
  if (!options_.warnings) return;
  for (const Problem& problem : problems_.list()) {
    if (problem.severity == Severity::Warning) options_.warnings->push_back(problem);
  }
}

Problem Report::problem(Severity severity, Place place, std::string message, std::string hint) const {
  Problem problem;
  problem.severity = severity;
  problem.element = place.node->name;
  problem.name = place.node->value("name");
  problem.attribute = place.attribute;
  problem.message = std::move(message);
  problem.hint = std::move(hint);
  const XmlAttribute* attribute = place.node->attribute(place.attribute);
  locate(problem, place.node->file, attribute ? attribute->line : place.node->line);
  return problem;
}

void Report::locate(Problem& problem, int file, int line) const {
  if (file < 0) return;  // built by a program
  problem.file = files_[static_cast<std::size_t>(file)].path;
  problem.line = line;
  for (int i = file; files_[static_cast<std::size_t>(i)].parent >= 0;) {
    const Spec::File& included = files_[static_cast<std::size_t>(i)];
    problem.included_from.push_back(where({included.parent, included.included_from}));
    i = included.parent;
  }
}

void Report::add(Problem problem) {
  const bool stop = problem.severity == Severity::Error && (!options_.collect_all || problems_.full());
  problems_.add(std::move(problem));
  if (stop) throw Stop{};
}

}  // namespace sinew::mjcf
