#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/problems.h"
#include "base/xml.h"
#include "sinew/load.h"

namespace sinew::mjcf {

/// Thrown by Report when reading must stop; caught where reading began, never seen by a user.
struct Stop {};

/// Location of a problem in the model's files.
struct Place {
  const XmlNode* node = nullptr;
  std::string_view attribute = {};
};

/// Collects problems, each with its file, line, element and the includes that led there. Without collect_all the
/// first error ends the reading.
class Report {
 public:
  Report(const LoadOptions& options, std::vector<Spec::File>& files) : options_(options), files_(files) {}

  void error(Place place, std::string message, std::string hint = {});
  void warning(Place place, std::string message, std::string hint = {});
  /// An error on a line of a file that is not an element yet, or in the whole file (line 0).
  void error_at(int file, int line, std::string message, std::string hint = {});

  /// "file:line" of an element.
  std::string where(const spec::Origin& origin) const;

  bool failed() const { return problems_.failed(); }
  Error take() { return Error(problems_.take()); }
  void hand_over_warnings();

 private:
  Problem problem(Severity severity, Place place, std::string message, std::string hint) const;
  void locate(Problem& problem, int file, int line) const;
  void add(Problem problem);

  const LoadOptions& options_;
  std::vector<Spec::File>& files_;
  Problems problems_;
};

}  // namespace sinew::mjcf
