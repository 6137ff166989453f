#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "sinew/error.h"

namespace sinew {

/// Source of models and assets: contents held in memory, then the disk.
class Files {
 public:
  /// memory: contents by file name, may be null. A key matches by full path, or by file name ignoring case.
  /// only_memory: the disk is not looked at.
  explicit Files(const std::map<std::string, std::string>* memory, bool only_memory = false)
      : memory_(memory), only_memory_(only_memory) {}

  bool exists(const std::string& path) const;
  /// The content of a regular file of at most limits::kFileBytes, charged to the budget first.
  Result<std::string> read(const std::string& path, Budget& budget) const;

 private:
  const std::string* in_memory(const std::string& path) const;

  const std::map<std::string, std::string>* memory_;
  bool only_memory_;
};

/// Replaces the content of the file by `bytes`: written to a temporary and renamed, so a failure leaves the old file.
Result<bool> replace_file(const std::string& path, std::string_view bytes);

}  // namespace sinew
