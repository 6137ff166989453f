#pragma once

#include <string>

#include "derivative/state.h"
#include "sinew/data.h"

namespace sinew {

/// Why the derivative of a step of this world is not known in closed form; empty where it is.
std::string analytic_refusal(const Model& m, const Data& d);

/// The derivative of one step with all the memory that it needs.
class StepDerivative {
 public:
  explicit StepDerivative(const Model& m);

  /// Runs one forward pass at the state and inputs of `data`, from its warm start, and differentiates the step. Throws
  /// where analytic_refusal has a reason.
  void compute(const Model& m, const Data& data);

  /// ndx rows: q⁺, v⁺, act⁺; columns of `columns`.
  const Matrix& next() const { return next_; }
  const ColumnLayout& columns() const { return state_.columns; }
  DerivativeState& state() { return state_; }
  Data& world() { return world_; }

 private:
  Data world_;
  DerivativeState state_;
  Matrix next_;
};

}  // namespace sinew
