#pragma once

#include <map>
#include <string>

#include "sinew/error.h"
#include "sinew/spec.h"

namespace sinew {

struct WriteOptions {
  /// The files that the tree was read with, where they were not on disk: LoadOptions::files.
  const std::map<std::string, std::string>* files = nullptr;
};

/// The tree as MJCF text that compiles to the same model, bit for bit. Attributes that are as in the element's default
/// class are left out, included files and attached models are part of the text, every actuator is a <general> unless
/// only a shortcut can say it. Files of assets are named as in the tree where one folder holds them all, else from the
/// folder of the settings; the text belongs into Spec::directory.
///
/// Parts of attached models that have other compiler settings are rewritten for those of this one: angles in radians,
/// explicit inertias, the numbers that a keyframe leaves open.
///
/// An attribute that a default class sets and an element of that class does not have stands with the elements instead,
/// because MJCF cannot unset it. Refused, with the element that is meant: what MJCF has no words for, such as a class
/// that does not exist.
Result<std::string> write_mjcf(const Spec& spec, const WriteOptions& options = {});

/// The same into a file; where it lies in another folder than the tree's, the folders of the assets are adapted.
Result<bool> write_mjcf_file(const Spec& spec, const std::string& path, const WriteOptions& options = {});

}  // namespace sinew
