#pragma once

#include "spec/reader.h"

namespace sinew::mjcf {

/// What becomes of the options, sizes and visual settings of a model that is attached, by the compiler's `conflict`:
/// reported and left (warning), taken over or combined (merge), or refused (error).
void settle_conflicts(Reader& reader, const XmlNode& macro, Reader::Child& child);

}  // namespace sinew::mjcf
