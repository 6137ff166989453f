#pragma once

#include <array>

#include "sinew/enums.h"

namespace sinew {

/// Physics options: what <option> sets. Every field with its default; the table is option_fields.def.
struct Option {
#define SINEW_OPTION(type, name, value, doc) type name = value;
#define SINEW_OPTION_ARRAY(type, name, count, doc, ...) std::array<type, count> name = {__VA_ARGS__};
#include "sinew/option_fields.def"
#undef SINEW_OPTION
#undef SINEW_OPTION_ARRAY

  bool disabled(DisableFlag flag) const { return (disableflags & flag) != 0; }
  bool enabled(EnableFlag flag) const { return (enableflags & flag) != 0; }
};

/// Scales of the model at qpos0: what <statistic> overrides.
struct Statistic {
  double meaninertia = 1;                    // mean diagonal of the joint-space inertia
  double meanmass = 1;                       // kg
  double meansize = 0.2;                     // m
  double extent = 2;                         // m, longest side of the box around everything
  std::array<double, 3> center = {0, 0, 0};  // m, centre of that box

  bool operator==(const Statistic&) const = default;
};

/// How length ranges of actuators are found by simulation: <compiler><lengthrange …/>.
struct LengthRangeOptions {
  LengthRangeMode mode = LengthRangeMode::Muscle;  // which actuators
  bool useexisting = true;                         // keep a range that the model gives
  bool uselimit = false;                           // take the range of a limited joint or tendon instead of simulating
  double accel = 20;                               // target acceleration of the pulling force
  double maxforce = 0;                             // bound of that force; 0: none
  double timeconst = 1;                            // s, velocity decay
  double timestep = 0.01;                          // s; 0: the model's
  double inttotal = 10;                            // s of simulation for each end
  double interval = 2;                             // s at the end over which the length is measured
  double tolrange = 0.05;                          // allowed drift, relative to the range

  bool operator==(const LengthRangeOptions&) const = default;
};

}  // namespace sinew
