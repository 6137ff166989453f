#include "compile/report.h"

#include <array>

namespace sinew::compiling {
namespace {

// Included files form a chain; a spec built by a program could contain a cycle.
constexpr std::size_t kLongestIncludeChain = 100;

}  // namespace

Problem Report::problem(const Place& where, std::string_view attribute, std::string message, std::string hint) const {
  Problem out;
  out.element = where.element;
  out.name = where.name;
  out.attribute = attribute;
  out.message = std::move(message);
  out.hint = std::move(hint);
  if (!where.info.empty()) out.hint += (out.hint.empty() ? "" : "; ") + std::string(where.info);
  const auto known = [this](int file) { return file >= 0 && file < static_cast<int>(spec_.files.size()); };
  if (!known(where.origin.file)) return out;
  const Spec::File* file = &spec_.files[where.origin.file];
  out.file = file->path;
  out.line = where.origin.line;
  while (known(file->parent) && out.included_from.size() < kLongestIncludeChain) {
    const Spec::File* parent = &spec_.files[file->parent];
    out.included_from.push_back(parent->path + ":" + std::to_string(file->included_from));
    file = parent;
  }
  return out;
}

void Report::error(const Place& where, std::string_view attribute, std::string message, std::string hint) {
  problems_.add(problem(where, attribute, std::move(message), std::move(hint)));
}

void Report::warning(const Place& where, std::string_view attribute, std::string message, std::string hint) {
  Problem warning = problem(where, attribute, std::move(message), std::move(hint));
  warning.severity = Severity::Warning;
  problems_.add(std::move(warning));
}

std::string_view element_name(ObjType type) {
  constexpr std::array<std::string_view, 26> kNames = {
      "object", "body",     "body",   "joint",   "dof",     "geom",     "site", "camera",  "light",
      "flex",   "mesh",     "skin",   "hfield",  "texture", "material", "pair", "exclude", "equality",
      "tendon", "actuator", "sensor", "numeric", "text",    "tuple",    "key",  "plugin"};
  const auto i = static_cast<std::size_t>(type);
  if (i < kNames.size()) return kNames[i];
  return type == ObjType::Frame ? "frame" : type == ObjType::Default ? "default" : "model";
}

}  // namespace sinew::compiling
