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

/// How the reader and the compiler report: with collect_all they go on after an error and return all that they find
/// (sinew check); warnings are appended to *warnings where it is given.
struct LoadOptions {
  bool collect_all = false;
  std::vector<Problem>* warnings = nullptr;
  /// Contents of files that need not be on disk: models, included files and assets, by name. Asked before the disk, by
  /// the whole path or else by the last part of it.
  const std::map<std::string, std::string>* files = nullptr;
  /// Bytes that the files, the tree, the model and one Data of it may take together. What would take more is refused
  /// before it is allocated, with an error that tells how much it needs. Sizes that a file only promises count too.
  std::uint64_t memory_limit = kDefaultMemoryLimit;
  /// Asked every 20 ms or more, in the thread that loads: true ends the loading with an error. May be empty.
  std::function<bool()> interrupt = nullptr;

  static constexpr std::uint64_t kDefaultMemoryLimit = std::uint64_t{4} << 30;
};

/// MJCF text or file to the typed tree: every attribute checked against the language, includes resolved.
Result<Spec> read_mjcf_file(const std::string& path, const LoadOptions& options = {});
Result<Spec> read_mjcf_string(std::string_view text, const LoadOptions& options = {});

/// The typed tree to the constants that are simulated.
Result<Model> compile(const Spec& spec, const LoadOptions& options = {});

/// Read and compile.
Result<Model> load(const std::string& path, const LoadOptions& options = {});
Result<Model> load_string(std::string_view text, const LoadOptions& options = {});

/// The same for those who prefer exceptions: throws sinew::Exception.
Model load_or_throw(const std::string& path);

}  // namespace sinew
