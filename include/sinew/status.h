#pragma once

#include <string_view>

namespace sinew {

/// Success, or the reason for failure. Costs nothing to create or ignore.
class Status {
 public:
  Status() = default;  // success
  /// Failure; the text must outlive the status.
  explicit Status(const char* problem) : problem_(problem) {}

  explicit operator bool() const { return problem_ == nullptr; }
  /// What is wrong; empty on success. Valid until the model concerned is edited or destroyed.
  std::string_view text() const { return problem_ ? problem_ : std::string_view(); }

 private:
  const char* problem_ = nullptr;
};

}  // namespace sinew
