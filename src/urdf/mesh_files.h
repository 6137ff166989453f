#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "urdf/input.h"

namespace sinew::urdf {

/// Finds mesh files by the names that robot descriptions use, and makes one mesh of each file and scale.
class MeshFiles {
 public:
  explicit MeshFiles(Input& in);

  /// Name of the mesh, empty after an error. attribute: of the node, if that has the file's name.
  std::string mesh(const XmlNode& node, std::string_view attribute, const std::string& uri,
                   const spec::Reals<3>& scale);

  /// Path of a file that an element of the file `from` names, empty if there is none; `tried` is for the message.
  std::string find(const std::string& uri, int from, std::string& tried) const;

 private:
  Input& in_;
  Files disk_;
  std::map<std::tuple<std::string, double, double, double>, std::string> meshes_;  // by path and scale
  std::map<std::string, int> of_file_name_;                                        // number of meshes
  std::set<std::string> names_;
};

}  // namespace sinew::urdf
