#pragma once

#include <array>

namespace sinew {

/// A point at which two geoms touch or are within their margin. The frame's first row is the normal, from geom[0] to
/// geom[1]; the other two rows are tangents. The table is contact_fields.def.
struct Contact {
#define SINEW_CONTACT(type, name, value, doc) type name = value;
#define SINEW_CONTACT_ARRAY(type, name, count, doc, ...) std::array<type, count> name = {__VA_ARGS__};
#include "sinew/contact_fields.def"
#undef SINEW_CONTACT
#undef SINEW_CONTACT_ARRAY
};

}  // namespace sinew
