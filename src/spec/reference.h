#pragma once

#include <string>

namespace sinew {

/// The reference page of the MJCF language, docs/mjcf.md, generated from the schema table.
std::string schema_reference();

}  // namespace sinew
