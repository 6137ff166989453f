#pragma once

#include <string>
#include <string_view>

#include "base/problems.h"
#include "sinew/spec.h"

namespace sinew::compiling {

/// What a problem is about: "geom", the geom's name and where it stands.
struct Place {
  std::string_view element;
  std::string_view name;
  spec::Origin origin;
};

inline Place place(std::string_view element, const spec::Element& e) { return {element, e.name, e.origin}; }
/// The element name that MJCF uses for an object.
std::string_view element_name(ObjType type);

/// Turns what the compiler finds wrong into Problems with file:line and the chain of includes.
class Report {
 public:
  Report(const Spec& spec, Problems& problems) : spec_(spec), problems_(problems) {}

  /// attribute may be empty: the element as a whole is meant; hint too.
  void error(const Place& where, std::string_view attribute, std::string message, std::string hint = {});
  void warning(const Place& where, std::string_view attribute, std::string message, std::string hint = {});
  bool failed() const { return problems_.failed(); }

 private:
  Problem problem(const Place& where, std::string_view attribute, std::string message, std::string hint) const;

  const Spec& spec_;
  Problems& problems_;
};

}  // namespace sinew::compiling
