#pragma once

#include "spec/reader.h"

namespace sinew::urdf {

/// Reads a model whose root element is that of URDF or SDFormat into the tree; false for any other root element.
bool read_robot(const XmlNode& root, Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session);

/// The two languages.
void read_urdf(const XmlNode& root, Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session);
void read_sdf(const XmlNode& root, Spec& spec, mjcf::Report& report, mjcf::Reader::Session& session);

}  // namespace sinew::urdf
