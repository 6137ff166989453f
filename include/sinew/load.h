#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/error.h"
#include "sinew/model.h"
#include "sinew/spec.h"

namespace sinew {

class PluginRegistry;  // sinew/plugin.h
struct UrdfOptions;    // sinew/urdf.h

/// Seconds that the parts of a compilation took.
struct CompileTimes {
  double total = 0;
  double assets = 0;  // all of them
  double textures = 0;
  double meshes = 0;
};

/// How the reader and the compiler report: with collect_all they continue after an error and return everything they
/// find (sinew check); warnings are appended to *warnings if given.
struct LoadOptions {
  bool collect_all = false;
  std::vector<Problem>* warnings = nullptr;
  /// Contents of files that need not be on disk: models, included files and assets, by name. Looked up before the disk,
  /// by full path or else by file name.
  const std::map<std::string, std::string>* files = nullptr;
  /// Nothing else is read: a model from a stranger cannot name files of this machine.
  bool only_files = false;
  /// Bytes that the files, the tree, the model and one Data of it may take together. Larger requests are refused before
  /// allocation, with an error that says how much they need. Sizes merely declared in a file count too.
  std::uint64_t memory_limit = kDefaultMemoryLimit;
  /// Polled at intervals of at least 20 ms in the loading thread: true ends loading with an error. May be empty.
  std::function<bool()> interrupt = nullptr;
  /// Plugins that the model may use besides MuJoCo's. The model keeps those that it uses.
  const PluginRegistry* plugins = nullptr;

  /// For a file that is URDF or SDFormat; null: the defaults.
  const UrdfOptions* urdf = nullptr;

  /// Filled by the compiler if given.
  CompileTimes* times = nullptr;

  static constexpr std::uint64_t kDefaultMemoryLimit = std::uint64_t{4} << 30;
};

/// MJCF text or file to the typed tree: every attribute checked against the schema, includes resolved.
Result<Spec> read_mjcf_file(const std::string& path, const LoadOptions& options = {});
Result<Spec> read_mjcf_string(std::string_view text, const LoadOptions& options = {});

/// The same for any model: the root element says whether it is MJCF, URDF (<robot>) or SDFormat (<sdf>).
Result<Spec> read_model_file(const std::string& path, const LoadOptions& options = {});
Result<Spec> read_model_string(std::string_view text, const LoadOptions& options = {});

/// Compiles the typed tree into a Model.
Result<Model> compile(const Spec& spec, const LoadOptions& options = {});

/// Read, by root element, and compile.
Result<Model> load(const std::string& path, const LoadOptions& options = {});
Result<Model> load_string(std::string_view text, const LoadOptions& options = {});

/// The same with exceptions: throws sinew::Exception.
Model load_or_throw(const std::string& path);

}  // namespace sinew
