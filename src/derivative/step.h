#pragma once

#include <functional>

#include "derivative/state.h"
#include "sinew/data.h"

namespace sinew {

/// The derivative of one step with all the memory that it needs.
class StepDerivative {
 public:
  explicit StepDerivative(const Model& m);

  /// Called at the start of the step, when accelerations and rows have been differentiated: s.residual = da/dx, dy and
  /// df of the constraint rows.
  using Visit = std::function<void(Data& d, DerivativeState& s, const Matrix& dy, const Matrix& df)>;

  /// Runs one forward pass at the state and inputs of `data`, from its warm start, and differentiates the step. Throws
  /// where analytic_refusal has a reason. visit is called where `with_rows` is set.
  void compute(const Model& m, const Data& data, bool with_rows = false, const Visit& visit = {});

  /// ndx rows: q⁺, v⁺, act⁺; columns of `columns`.
  const Matrix& next() const { return next_; }
  const ColumnLayout& columns() const { return state_.columns; }
  DerivativeState& state() { return state_; }
  Data& world() { return world_; }

 private:
  Data world_;
  DerivativeState state_;
  Matrix next_, row_change_, force_change_;
};

}  // namespace sinew
