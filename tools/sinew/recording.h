#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/data.h"

namespace sinew::tool {

/// A quantity over time: neighbouring columns of the recording.
struct Quantity {
  std::string name;  // "qpos"
  std::string unit;  // "m, rad"
  std::size_t first = 0;
  std::size_t count = 0;
};

/// What a run leaves behind: one row per sample. The first column is the time, then qpos, qvel, energy, actuator forces
/// and sensor values, each named by the joint, actuator or sensor that it belongs to.
class Recording {
 public:
  explicit Recording(const Model& m);

  /// A row from the world as it is: state, and what forward computed from it.
  void sample(const Data& d);

  std::size_t rows() const { return columns_.empty() ? 0 : values_.size() / columns_.size(); }
  double at(std::size_t row, std::size_t column) const { return values_[row * columns_.size() + column]; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<Quantity>& quantities() const { return quantities_; }

  std::string csv() const;
  std::string json() const;

 private:
  void begin(const char* name, const char* unit) { quantities_.push_back({name, unit, columns_.size(), 0}); }
  /// `count` columns of one object, numbered where there are several.
  void add(const Model& m, ObjType type, int id, int count);

  std::vector<std::string> columns_;
  std::vector<Quantity> quantities_;
  std::vector<double> values_;
};

}  // namespace sinew::tool
