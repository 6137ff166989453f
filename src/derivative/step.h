#pragma once

#include "derivative/state.h"
#include "sinew/data.h"

namespace sinew {

/// The derivative of one step, with its memory.
class StepDerivative {
 public:
  explicit StepDerivative(const Model& m);

  /// Runs one forward pass at the state and inputs of `data`, from its warm start, and differentiates the accelerations
  /// at the start of the step. With `with_rows`, state().residual is da/dx, and the changes of the constraint rows are
  /// available.
  void begin(const Model& m, const Data& data, bool with_rows);
  /// The rest of the step.
  void finish(const Model& m);
  void compute(const Model& m, const Data& data) {
    begin(m, data, false);
    finish(m);
  }

  /// ndx rows: q⁺, v⁺, act⁺; columns as in `columns`.
  const Matrix& next() const { return next_; }
  /// dy/dx and df/dx of the constraint rows.
  const Matrix& row_change() const { return row_change_; }
  const Matrix& force_change() const { return force_change_; }
  const ColumnLayout& columns() const { return state_.columns; }
  DerivativeState& state() { return state_; }
  Data& world() { return world_; }

 private:
  Data world_;
  DerivativeState state_;
  Matrix next_, row_change_, force_change_;
};

}  // namespace sinew
