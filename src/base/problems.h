#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/error.h"

namespace sinew {

/// Where the reader and the compiler put what they find wrong. Bounded: after limits::kProblems further ones are
/// dropped, and a text of the user's that goes on and on is cut.
class Problems {
 public:
  void add(Problem problem);
  bool failed() const { return errors_ > 0; }
  /// There are so many errors that no more are kept.
  bool full() const;
  const std::vector<Problem>& list() const { return list_; }
  std::vector<Problem> take() { return std::move(list_); }

 private:
  std::vector<Problem> list_;
  std::size_t errors_ = 0;
};

}  // namespace sinew
