#pragma once

#include <map>
#include <string>
#include <vector>

#include "sinew/error.h"
#include "sinew/spec.h"

namespace sinew {

struct WriteOptions {
  /// The files that the tree was read from if not on disk: LoadOptions::files.
  const std::map<std::string, std::string>* files = nullptr;
  /// Keep included files as separate files: see write_mjcf_files. Otherwise everything goes into one text.
  bool keep_includes = false;
  /// A comment at the top of the text.
  std::string comment = {};
  /// With what MuJoCo's writer always writes: the model's name, angles in radians, the sizes of user data.
  bool like_mujoco = false;
};

/// The tree as MJCF text that compiles to the same model, bit for bit. Attributes equal to those of the element's
/// default class are omitted, included files and attached models are part of the text (keep_includes is for files), and
/// every actuator is a <general> unless only a shortcut can express it. Asset files are named as in the tree if one
/// folder holds them all, else relative to the folder in the settings; the text belongs in Spec::directory.
///
/// Parts of attached models with other compiler settings are rewritten for the settings of this one: angles in radians,
/// explicit inertias, the numbers that a keyframe leaves out.
///
/// An attribute that a default class sets but some element of that class does not have is written with the elements
/// instead, because MJCF cannot unset it. What MJCF cannot express, such as a class that does not exist, is refused
/// with an error that names the element.
Result<std::string> write_mjcf(const Spec& spec, const WriteOptions& options = {});

struct WrittenFile {
  std::string path;  // relative to the folder of the main file; empty: the main file itself
  std::string text;
};

/// The same as the files that the tree was read from, the main one first: each has the elements that came from it, as
/// they are now, replaced by an <include> in the including file. New elements go with their neighbors. Settings and
/// default classes, which are global, go into the main file. A file is named relative to the main file's folder, one
/// outside that folder by its base name. Elements of one file that are no longer contiguous go into the file that
/// included it. `folder` is where the main file will be.
Result<std::vector<WrittenFile>> write_mjcf_files(const Spec& spec, const std::string& folder,
                                                  const WriteOptions& options = {});

/// The same to a file; if it is not in the tree's folder, the asset folders are adapted. Meshes that MJCF cannot name
/// (COLLADA, ASCII STL) are written as binary STL files to the folder NAME_assets beside it. With keep_includes the
/// included files are written too; those that already have the right contents are not touched.
Result<bool> write_mjcf_file(const Spec& spec, const std::string& path, const WriteOptions& options = {});

}  // namespace sinew
