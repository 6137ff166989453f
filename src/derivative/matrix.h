#pragma once

#include <algorithm>
#include <vector>

#include "math/pack.h"

namespace sinew {

/// A dense matrix whose rows are padded to whole packs, so that row operations need no tail. It keeps its memory.
class Matrix {
 public:
  /// Sets the size and zeroes all entries.
  void reset(int rows, int cols) {
    rows_ = rows;
    cols_ = cols;
    stride_ = padded(cols);
    data_.assign(static_cast<std::size_t>(rows) * stride_, 0.0);
  }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  int stride() const { return stride_; }
  double* row(int i) { return data_.data() + static_cast<std::size_t>(i) * stride_; }
  const double* row(int i) const { return data_.data() + static_cast<std::size_t>(i) * stride_; }
  double& operator()(int i, int k) { return row(i)[k]; }
  double operator()(int i, int k) const { return row(i)[k]; }
  double* data() { return data_.data(); }
  const double* data() const { return data_.data(); }

 private:
  int rows_ = 0, cols_ = 0, stride_ = 0;
  std::vector<double> data_;
};

}  // namespace sinew
