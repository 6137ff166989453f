#pragma once

#include "collision/convex.h"

namespace sinew {

struct Penetration {
  bool found = false;
  double depth = 0;  // m
  Vec3d dir;         // unit, from the first object to the second
  Vec3d pos;         // m, middle of the overlap
};

/// Penetration of two objects by Minkowski portal refinement (Snethen 2008): what MuJoCo computes, through libccd, with
/// the flag nativeccd off. Less exact than EPA, and only for overlapping objects.
Penetration portal_penetration(Convex& o1, Convex& o2, double tolerance, int iterations);

/// Replaces the normal of a contact found by portal refinement by that of the round surfaces involved: spheres,
/// capsules, ellipsoids, sides of cylinders. If both are round, the mean of the two.
void mend_normal(const Shape& a, const Shape& b, ContactPoint& contact);
/// The same if only the first shape is known: the second is an element of a flex, and flat.
void mend_normal(const Shape& a, ContactPoint& contact);

}  // namespace sinew
