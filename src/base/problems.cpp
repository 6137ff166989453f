#include "base/problems.h"

#include "base/limits.h"

namespace sinew {
namespace {

/// Truncates a text to so many bytes at a UTF-8 character boundary, with … for the rest.
void shorten(std::string& text, std::size_t bytes) {
  if (text.size() <= bytes) return;
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  text.shrink_to_fit();
  text += "…";
}

}  // namespace

void Problems::add(Problem problem) {
  for (std::string* text : {&problem.element, &problem.name, &problem.attribute})
    shorten(*text, limits::kNameInMessage);
  for (std::string* text : {&problem.message, &problem.hint}) shorten(*text, limits::kMessageBytes);
  if (problem.severity == Severity::Error) ++errors_;
  if (list_.size() < limits::kProblems || (problem.severity == Severity::Error && errors_ == 1))
    list_.push_back(std::move(problem));
}

bool Problems::full() const { return errors_ >= limits::kProblems; }

}  // namespace sinew
