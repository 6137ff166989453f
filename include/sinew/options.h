#pragma once

#include <array>

#include "sinew/enums.h"

namespace sinew {

/// Physics options: what <option> sets. Fields and defaults: option_fields.def.
struct Option {
#define SINEW_OPTION(type, name, value, doc) type name = value;
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) std::array<type, count> name = {__VA_ARGS__};
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY

  bool disabled(DisableFlag flag) const { return (disableflags & flag) != 0; }
  bool enabled(EnableFlag flag) const { return (enableflags & flag) != 0; }
};

/// Scales of the model at qpos0: what <statistic> overrides. The table is statistic_fields.def.
struct Statistic {
#define SINEW_STATISTIC(type, name, value, doc) type name = value;
#define SINEW_STATISTIC_ARRAY(type, name, count, doc, ...) std::array<type, count> name = {__VA_ARGS__};
#include "sinew/statistic_fields.def"
#undef SINEW_STATISTIC
#undef SINEW_STATISTIC_ARRAY

  bool operator==(const Statistic&) const = default;
};

/// How length ranges of actuators are found by simulation: <compiler><lengthrange …/>. The table is
/// length_range_fields.def.
struct LengthRangeOptions {
#define SINEW_LENGTH_RANGE(type, name, value, doc) type name = value;
#include "sinew/length_range_fields.def"
#undef SINEW_LENGTH_RANGE

  bool operator==(const LengthRangeOptions&) const = default;
};

}  // namespace sinew
