#pragma once

#include <map>
#include <string>

#include "urdf/input.h"

namespace sinew::urdf {

/// Names of one kind of object.
class Names {
 public:
  /// The name, or an empty one with a warning if it is taken.
  std::string claim(Input& in, const XmlNode& node, const std::string& name) {
    if (name.empty()) return {};
    const auto [first, is_new] = lines_.try_emplace(name, node.line);
    if (is_new) return name;
    in.warn({&node, "name"}, "the name '" + name + "' is already used; this one stays without a name",
            "first used on line " + std::to_string(first->second));
    return {};
  }

  /// Reports an error if the name is taken.
  void claim_or_refuse(Input& in, const XmlNode& node, const std::string& name) {
    const auto [first, is_new] = lines_.try_emplace(name, node.line);
    if (is_new) return;
    in.error({&node, "name"}, "the name '" + name + "' is already used by another joint",
             "first used on line " + std::to_string(first->second));
  }

 private:
  std::map<std::string, int> lines_;
};

}  // namespace sinew::urdf
