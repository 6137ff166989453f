#pragma once

#include "spec/reader.h"

namespace sinew::mjcf {

/// Which settings of a model count as given: those that its file gives, or also those that a program has changed.
enum class Given : std::uint8_t { InFile, OrChanged };

/// Handles the options, sizes and visual settings of an attached model according to the compiler's `conflict`: reported
/// and dropped (warning), adopted or combined (merge), or refused (error).
void settle_conflicts(Reader& reader, const XmlNode& macro, Spec& child, Given given = Given::InFile);

}  // namespace sinew::mjcf
