#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/error.h"

namespace sinew {

/// Collects the problems that the reader and the compiler find. Bounded: problems beyond limits::kProblems are dropped,
/// and long user text is truncated.
class Problems {
 public:
  void add(Problem problem);
  bool failed() const { return errors_ > 0; }
  /// The limit is reached: no more errors are kept.
  bool full() const;
  const std::vector<Problem>& list() const { return list_; }
  std::vector<Problem> take() { return std::move(list_); }

 private:
  std::vector<Problem> list_;
  std::size_t errors_ = 0;
};

}  // namespace sinew
