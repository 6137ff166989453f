#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/spec.h"

namespace sinew {

struct WriteOptions {
  /// The files that the tree was read with, where they were not on disk: LoadOptions::files.
  const std::map<std::string, std::string>* files = nullptr;
  /// Files that were included stay files of their own: see write_mjcf_files. Else all is one text.
  bool keep_includes = false;
};

/// The tree as MJCF text that compiles to the same model, bit for bit. Attributes that are as in the element's default
/// class are left out, included files and attached models are part of the text (keep_includes is for files), every
/// actuator is a <general> unless only a shortcut can say it. Files of assets are named as in the tree where one folder
/// holds them all, else from the folder of the settings; the text belongs into Spec::directory.
///
/// Parts of attached models that have other compiler settings are rewritten for those of this one: angles in radians,
/// explicit inertias, the numbers that a keyframe leaves open.
///
/// An attribute that a default class sets and an element of that class does not have stands with the elements instead,
/// because MJCF cannot unset it. Refused, with the element that is meant: what MJCF has no words for, such as a class
/// that does not exist.
Result<std::string> write_mjcf(const Spec& spec, const WriteOptions& options = {});

struct WrittenFile {
  std::string path;  // from the folder of the main file; empty: the main file itself
  std::string text;
};

/// The same as the files that the tree was read from, the main one first: each has the elements that came from it, as
/// they are now, and an <include> stands where they stood. New elements go with what is around them. Settings and
/// default classes, which hold for the whole model wherever they stand, come into the main file. A file is named as
/// from the main file's folder, one from outside of that folder by its name alone. Elements of one file that do not
/// stand together any more come into the file that included it.
/// folder: where the main file will lie.
Result<std::vector<WrittenFile>> write_mjcf_files(const Spec& spec, const std::string& folder,
                                                  const WriteOptions& options = {});

/// The same into a file; where it lies in another folder than the tree's, the folders of the assets are adapted. With
/// keep_includes the included files are written too; those that have the text already are not touched.
Result<bool> write_mjcf_file(const Spec& spec, const std::string& path, const WriteOptions& options = {});

}  // namespace sinew
