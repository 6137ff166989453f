#pragma once

#include <array>

namespace sinew {

/// Settings for a viewer: what <visual> sets. They do not affect the simulation. One struct per child element,
/// generated from visual_fields.def.
struct Visual {
  using Rgba = std::array<float, 4>;
  using Rgb = std::array<float, 3>;
#define SINEW_VISUAL_BEGIN(group) struct group##_t {
#define SINEW_VISUAL(group, type, name, ...) type name = __VA_ARGS__;
#define SINEW_VISUAL_END(group)                      \
  bool operator==(const group##_t&) const = default; \
  }                                                  \
  group;
#include "sinew/visual_fields.def"
#undef SINEW_VISUAL_BEGIN
#undef SINEW_VISUAL
#undef SINEW_VISUAL_END
};

}  // namespace sinew
