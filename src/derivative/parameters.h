#pragma once

#include <span>

#include "derivative/constraint.h"
#include "derivative/state.h"
#include "sinew/analytic.h"

namespace sinew {

/// ∂G/∂θ and dM a - dW a' of parameters, at the instant that s has differentiated.
class ParameterColumns {
 public:
  ParameterColumns(const Model& m, const Data& d, DerivativeState& s, int count);

  void add(const Parameter& parameter, int column);

  Matrix residual, integrator;

 private:
  void add_inertial(const Parameter& p, int column);
  void add_gravity(int component, int column);
  void add_damping(int dof, int column);
  void add_stiffness(int jnt, int column);
  void add_frictionloss(int dof, int column);
  void add_actuator(const Parameter& p, int column);
  void add_geom_friction(int geom, int component, int column);
  void add_pyramid(int row, int nrow, const double* dfriction, int column);
  void add_cone(int row, int nrow, const double* dfriction, int column);

  const Model& m_;
  const Data& d_;
  DerivativeState& s_;
  RigidSweep sweep_;            // velocities and accelerations of bodies
  RigidSweep faster_, slower_;  // the same at the velocities v ± a', without accelerations
  CarriedMotion difference_;    // of a - a'
};

}  // namespace sinew
