#pragma once

#include <string>

#include "sinew/error.h"
#include "sinew/spec.h"

namespace sinew {

/// The tree as MJCF text that compiles to the same model, bit for bit. Attributes that are as in the element's default
/// class are left out, included files are part of the text, every actuator is a <general> unless only a shortcut can
/// say it. Files of assets are named as in the tree, so the text belongs into Spec::directory.
///
/// Refused, with the element that is meant: what MJCF has no words for, such as a geom without a mass of its own whose
/// default class has one.
Result<std::string> write_mjcf(const Spec& spec);

/// The same into a file; where it lies in another folder than the tree's, the folders of the assets are adapted.
Result<bool> write_mjcf_file(const Spec& spec, const std::string& path);

}  // namespace sinew
