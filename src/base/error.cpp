#include "sinew/error.h"

#include <algorithm>

namespace sinew {

std::string Problem::text() const {
  std::string out;
  if (!file.empty()) {
    out += file;
    if (line > 0) out += ":" + std::to_string(line);
    out += ": ";
  }
  out += severity == Severity::Warning ? "warning: " : "error: ";
  if (!element.empty()) {
    out += "<" + element;
    if (!name.empty()) out += " name=\"" + name + "\"";
    if (!attribute.empty()) out += " " + attribute;
    out += ">: ";
  }
  out += message;
  if (!hint.empty()) out += " (" + hint + ")";
  for (const std::string& place : included_from) out += "\n  included from " + place;
  return out;
}

Error Error::message(std::string text) {
  Problem problem;
  problem.message = std::move(text);
  return Error(std::move(problem));
}

const Problem& Error::first() const {
  const auto it =
      std::find_if(problems_.begin(), problems_.end(), [](const Problem& p) { return p.severity == Severity::Error; });
  return it != problems_.end() ? *it : problems_.front();
}

std::string Error::text() const {
  std::string out;
  for (const Problem& problem : problems_) {
    if (!out.empty()) out += "\n";
    out += problem.text();
  }
  return out;
}

}  // namespace sinew
