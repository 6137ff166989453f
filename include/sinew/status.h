#pragma once

#include <string_view>

namespace sinew {

/// Whether something was done, or why not. Costs nothing to make and to ignore.
class Status {
 public:
  Status() = default;  // done
  /// Not done; the text must live as long as the status is asked for it.
  explicit Status(const char* problem) : problem_(problem) {}

  explicit operator bool() const { return problem_ == nullptr; }
  /// What is wrong; empty where nothing is. Valid until the model that it is about is edited or goes.
  std::string_view text() const { return problem_ ? problem_ : std::string_view(); }

 private:
  const char* problem_ = nullptr;
};

}  // namespace sinew
