#pragma once

#include "compile/context.h"

namespace sinew::compiling {

/// Lists the instances of plugins, checks their configuration and what they are used for.
void compile_plugins(Context& context);
void add_plugin_sizes(const Context& context, Model& m);
void copy_plugins(const Context& context, Model& m);
/// Makes each instance once: what its plugin refuses is an error of the model.
void make_plugins(Context& context);

}  // namespace sinew::compiling
