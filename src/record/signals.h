#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/record.h"

namespace sinew {

/// The chosen numbers of a world: their names, and how they are read.
class Signals {
 public:
  /// By the patterns of RecordOptions::signals. A pattern that matches nothing in the model is refused.
  static Result<Signals> choose(const Model& m, const std::vector<std::string>& patterns);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<RecordQuantity>& quantities() const { return quantities_; }
  bool has(std::string_view quantity) const;

  /// One row: time, then the quantities. `row` has as many numbers as there are columns.
  void read(const Data& d, std::span<double> row) const;

 private:
  /// The picked numbers of one quantity.
  struct Source {
    std::function<double(const Data&, std::size_t)> number;
    std::vector<std::size_t> picked;
  };

  std::vector<std::string> columns_;
  std::vector<RecordQuantity> quantities_;
  std::vector<Source> sources_;
};

}  // namespace sinew
