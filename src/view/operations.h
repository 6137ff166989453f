#pragma once

#include <string_view>

namespace sinew::view {

/// What a client may ask of the simulation (docs/viewer_protocol.md).
struct Operation {
  std::string_view op;
  bool needs_controls;
};
/// Null if there is no such operation of the simulation.
const Operation* find_operation(std::string_view op);

}  // namespace sinew::view
