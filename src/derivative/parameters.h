#pragma once

#include <memory>

#include "derivative/constraint.h"
#include "derivative/state.h"
#include "sinew/analytic.h"

namespace sinew {

/// The columns of s.parameters in s.residual, s.integrator and s.act_dot: ∂G/∂θ, dM a - dW a' and ∂act_dot/∂θ at the
/// instant that s differentiates.
void add_parameter_columns(const Model& m, const Data& d, DerivativeState& s);

/// The model value behind a parameter. Throws sinew::Exception if there is none.
const double& parameter_value(const Model& m, const Parameter& p);
double& parameter_value(Model& m, const Parameter& p);

/// Extrapolated centered differences of the forces that depend on a parameter, in a copy of the model, for parameters
/// without a closed form. Neither solver nor collision detection is involved.
class ParameterDifference {
 public:
  enum class Forces { Fluid, Actuators };

  ParameterDifference(const Model& m, const Data& d, const DerivativeState& s);

  /// Adds to the parameter's column.
  void add(const Parameter& p, Forces forces, int column, DerivativeState& s);

 private:
  struct Outcome {
    std::vector<double> force, slope, act_dot;  // slope: D a' of the integrator's matrix
    void add(const Outcome& x, double scale);
  };
  Outcome evaluate(Forces forces);
  Outcome centered(const Parameter& p, Forces forces, double step);
  void add_slope(std::vector<double>& out) const;

  const Model& m_;
  const Data& d_;
  const std::vector<double>& acc_used_;
  bool matrix_;
  Model trial_;
  Data x_;
};

/// Closed forms.
class ParameterColumns {
 public:
  ParameterColumns(const Model& m, const Data& d, DerivativeState& s);

  void add(const Parameter& parameter, int column);

 private:
  double& residual(int row, int column) { return s_.residual(row, s_.columns.param() + column); }
  double& integrator(int row, int column) { return s_.integrator(row, s_.columns.param() + column); }

  void add_inertial(const Parameter& p, int column);
  void add_gravity(int component, int column);
  void add_damping(int dof, int column);
  void add_stiffness(int jnt, int column);
  void add_frictionloss(int dof, int column);
  void add_actuator(const Parameter& p, int column);
  void add_geom_friction(int geom, int component, int column);
  void add_pyramid(int row, int nrow, const double* dfriction, int column);
  void add_cone(int row, int nrow, const double* dfriction, int column);
  ParameterDifference& difference();

  const Model& m_;
  const Data& d_;
  DerivativeState& s_;
  RigidSweep sweep_;            // velocities and accelerations of bodies
  RigidSweep faster_, slower_;  // the same at the velocities v ± a', without accelerations
  CarriedMotion difference_;    // for a - a'
  std::unique_ptr<ParameterDifference> by_difference_;
};

}  // namespace sinew
