#pragma once

#include "spec/reader.h"

namespace sinew::mjcf {

/// Handles the options, sizes and visual settings of an attached model according to the compiler's `conflict`: reported
/// and dropped (warning), adopted or combined (merge), or refused (error).
void settle_conflicts(Reader& reader, const XmlNode& macro, Reader::Child& child);

}  // namespace sinew::mjcf
