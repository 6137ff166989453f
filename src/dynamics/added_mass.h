#pragma once

#include "math/vec3.h"

namespace sinew {

/// Mass and inertia of the fluid displaced by an accelerating ellipsoid, per unit of fluid density.
struct AddedMass {
  Vec3<double> mass;
  Vec3<double> inertia;
};

/// semiaxes in m, all positive (Tuckerman 1925, in the form of Lamb's added-mass coefficients).
AddedMass added_mass(const Vec3<double>& semiaxes);

}  // namespace sinew
