#pragma once

#include "compile/context.h"

namespace sinew::compiling {

// The objects outside the tree: names resolved, rules checked, sizes determined. Each fills its list in the context.

/// A geom without its own material uses its mesh's.
const std::string& material_of(const Context& context, const GeomNode& geom);
/// materials, textures and bodies named by the elements of the tree
void check_tree_references(Context& context);
void compile_pairs(Context& context);
void compile_excludes(Context& context);
void compile_equalities(Context& context);
void compile_tendons(Context& context);
/// needs tendons: an actuator may inherit a tendon's range
void compile_actuators(Context& context);
/// needs tendons and actuators
void compile_sensors(Context& context);
/// Numbers per ray or contact of a sensor that selects its data by bits.
int selected_numbers(const spec::Sensor& sensor);
/// Whether a sensor of the compiled model is attached to a valid target and has the matching number of values.
bool sensor_fits(const Model& m, int sensor);
void compile_custom(Context& context);
void compile_textures(Context& context);
void check_materials(Context& context);

}  // namespace sinew::compiling
