#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// Reads and compiles all meshes and height fields; before the tree, whose geoms take their sizes from them.
void compile_meshes(Context& context);
void compile_hfields(Context& context);

/// Their arrays in the model, the meshes' bounding-volume trees behind those of the bodies.
void add_mesh_sizes(const Context& context, Model& m);
/// Releases what the model has then.
void copy_meshes(Context& context, Model& m);
void copy_hfields(const Context& context, Model& m);

}  // namespace sinew::compiling
