#include "urdf/read.h"

#include <algorithm>

#include "sinew/urdf.h"
#include "spec/read.h"

namespace sinew {
namespace urdf {
namespace {

bool same_without_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; });
}

}  // namespace

bool read_robot(const XmlNode& root, Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session) {
  if (same_without_case(root.name, "robot")) {
    read_urdf(root, spec, report, session);
    return true;
  }
  if (root.name == "sdf") {
    read_sdf(root, spec, report, session);
    return true;
  }
  return false;
}

}  // namespace urdf

Result<Spec> read_urdf_file(const std::string& path, const UrdfOptions& urdf, const LoadOptions& options) {
  LoadOptions with = options;
  with.urdf = &urdf;
  return mjcf::whole(mjcf::read_file(path, with, urdf::read_robot));
}

Result<Spec> read_urdf_string(std::string_view text, const UrdfOptions& urdf, const LoadOptions& options) {
  LoadOptions with = options;
  with.urdf = &urdf;
  return mjcf::whole(mjcf::read_string(text, with, urdf::read_robot));
}

}  // namespace sinew
