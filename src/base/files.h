#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "sinew/error.h"

namespace sinew {

/// Where models and assets are read from: contents that a program holds in memory, then the disk.
class Files {
 public:
  /// memory: contents by file name, may be null. A key is found by its whole path, or by its last part without case.
  explicit Files(const std::map<std::string, std::string>* memory) : memory_(memory) {}

  bool exists(const std::string& path) const;
  /// The content of a regular file of at most limits::kFileBytes, whose bytes are taken from the budget first.
  Result<std::string> read(const std::string& path, Budget& budget) const;

 private:
  const std::string* in_memory(const std::string& path) const;

  const std::map<std::string, std::string>* memory_;
};

/// Makes `bytes` the content of the file: written beside it and renamed, so that a failure leaves what was there.
Result<bool> replace_file(const std::string& path, std::string_view bytes);

}  // namespace sinew
