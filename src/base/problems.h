#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/error.h"

namespace sinew {

/// Where the reader and the compiler put what they find wrong. Bounded: after kMost problems further ones are dropped.
class Problems {
 public:
  static constexpr std::size_t kMost = 200;

  void add(Problem problem) {
    if (problem.severity == Severity::Error) ++errors_;
    if (list_.size() < kMost || (problem.severity == Severity::Error && errors_ == 1))
      list_.push_back(std::move(problem));
  }
  bool failed() const { return errors_ > 0; }
  std::size_t errors() const { return errors_; }
  const std::vector<Problem>& list() const { return list_; }
  std::vector<Problem> take() { return std::move(list_); }

 private:
  std::vector<Problem> list_;
  std::size_t errors_ = 0;
};

}  // namespace sinew
