#pragma once

#include <string>
#include <vector>

#include "sinew/spec.h"
#include "sinew/write.h"
#include "spec/xml_write.h"

namespace sinew::mjcf {

/// A model in as many files as it was read from: elements from an included file go back to it and are replaced by an
/// <include>. [0] is the main file, with an empty path; the other paths are relative to its folder.
std::vector<WrittenFile> split_by_file(const XmlElement& root, const std::vector<Spec::File>& files);

}  // namespace sinew::mjcf
