#pragma once

#include "math/motion_to_force.h"
#include "sinew/data.h"

// Parts of velocity_derivative. Fluid and inertia act per body: each part adds, for every body, the map from the body's
// motion to its force at the tree's center of mass.

namespace sinew::detail {

/// coupling[body] += ∂(fluid force)/∂(motion).
template <class Real>
void add_fluid_coupling(const Model& m, const BasicData<Real>& d, bool symmetrize, MotionToForce<Real>* coupling);

/// qDeriv += ∂(actuator force)/∂qvel.
template <class Real>
void add_actuator_derivative(const Model& m, BasicData<Real>& d);

/// qDeriv += b jᵀ j for a sparse row j with ascending columns; entries outside the pattern of D are dropped.
template <class Real>
void add_outer_product(const Model& m, BasicData<Real>& d, const Real& b, int n, const int* columns, const Real* row);

}  // namespace sinew::detail
