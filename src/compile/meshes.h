#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// Reads and compiles all meshes and height fields; runs before the tree, whose geoms take their sizes from them.
void compile_meshes(Context& context);
void compile_hfields(Context& context);

/// Their arrays in the model; the meshes' bounding-volume trees come after those of the bodies.
void add_mesh_sizes(const Context& context, Model& m);
/// Releases data that has been copied into the model.
void copy_meshes(Context& context, Model& m);
void copy_hfields(const Context& context, Model& m);

}  // namespace sinew::compiling
