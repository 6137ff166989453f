#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// Names resolved, rules checked, elements connected, elastic constants computed, for all flexes. Needs the tree.
void compile_flexes(Context& context);
void add_flex_sizes(const Context& context, Model& m);
/// Their arrays; the bounding-volume trees come after those of the meshes.
void copy_flexes(const Context& context, Model& m);
void append_flex_trees(const Context& context, Model& m);

}  // namespace sinew::compiling
