#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// Reads files, resolves bodies and materials, normalizes weights.
void compile_skins(Context& context);
void add_skin_sizes(const Context& context, Model& m);
void copy_skins(const Context& context, Model& m);

}  // namespace sinew::compiling
