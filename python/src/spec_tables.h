#pragma once

// The attributes of a model's elements with the names of MuJoCo's Python package, from the table of the MJCF language
// (spec/schema.h): an attribute added there is available here. Those that MJCF expresses differently have extra rows.

#include <string>
#include <string_view>
#include <vector>

#include "sinew/enums.h"
#include "sinew/spec.h"
#include "spec/schema.h"

namespace sinew::python {

// clang-format off
/// What a node of the tree can be: elements, then the settings.
enum class Kind : int {
  Body, Frame, Joint, Geom, Site, Camera, Light,
  Mesh, Hfield, Texture, Material, Pair, Exclude, Flex, Skin, Plugin, Equality, Tendon, Actuator, Sensor, Numeric, Text, Tuple, Key,
  Default, Compiler, LengthRange, Option, Size, Statistic,
  VisualGlobal, VisualQuality, VisualHeadlight, VisualMap, VisualScale, VisualRgba
};
// clang-format on
inline constexpr int kKinds = static_cast<int>(Kind::VisualRgba) + 1;

struct SpecAttribute {
  std::string_view name;      // in Python
  std::string_view mjcf;      // in MJCF; the same if MJCF has no such attribute
  mjcf::Attribute attribute;  // reads and prints the value
  bool words = false;         // of an mjcf::ActuatorWords, not of the actuator itself
  bool zero_rest = false;     // numbers that are not given become zero; otherwise they keep their values
};

struct KindInfo {
  std::string_view name;
  ObjType type = ObjType::Unknown;
  std::vector<SpecAttribute> attributes;

  /// By Python's name or by MJCF's; null if there is none.
  const SpecAttribute* find(std::string_view wanted) const;
};

const KindInfo& info(Kind kind);
/// Throws std::invalid_argument for a name that is not a kind.
Kind kind_of(std::string_view name);

/// The mass and inertia that a program gave without a position count, as in MuJoCo, for bodies without geoms only.
void settle_inertials(Spec& spec);

}  // namespace sinew::python
