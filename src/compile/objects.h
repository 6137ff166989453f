#pragma once

#include "compile/context.h"

namespace sinew::compiling {

// The objects outside the tree: names found, rules checked, sizes decided. Each fills its list in the context.

/// materials, textures and bodies that the elements of the tree name
void check_tree_references(Context& context);
void compile_pairs(Context& context);
void compile_excludes(Context& context);
void compile_equalities(Context& context);
void compile_tendons(Context& context);
/// needs tendons: an actuator may take over a tendon's range
void compile_actuators(Context& context);
/// needs tendons and actuators
void compile_sensors(Context& context);
void compile_custom(Context& context);
void compile_textures(Context& context);
void check_materials(Context& context);

}  // namespace sinew::compiling
