#pragma once

#include <string>
#include <string_view>

#include "base/problems.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// The subject of a problem: "geom", the geom's name and its position in the file.
struct Place {
  std::string_view element;
  std::string_view name;
  spec::Origin origin;
  std::string_view info = {};  // the user's own words about the element
};

inline Place place(std::string_view element, const spec::Element& e) { return {element, e.name, e.origin, e.info}; }
/// The element name that MJCF uses for an object.
std::string_view element_name(ObjType type);

/// Turns the compiler's errors into Problems with file:line and the chain of includes.
class Report {
 public:
  Report(const Spec& spec, Problems& problems) : spec_(spec), problems_(problems) {}

  /// attribute may be empty, for the element as a whole; so may hint.
  void error(const Place& where, std::string_view attribute, std::string message, std::string hint = {});
  void warning(const Place& where, std::string_view attribute, std::string message, std::string hint = {});
  bool failed() const { return problems_.failed(); }

 private:
  Problem problem(const Place& where, std::string_view attribute, std::string message, std::string hint) const;

  const Spec& spec_;
  Problems& problems_;
};

}  // namespace sinew::compiling
