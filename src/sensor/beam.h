#pragma once

#include "dynamics/jacobian.h"

// Rays of the rangefinders.

namespace sinew {

/// What a rangefinder writes for one ray: bits of intprm[0], in this order.
enum RangeField { Dist, Dir, Origin, Point, Normal, Depth };

/// One ray of a rangefinder, and how its depth is measured.
struct Beam {
  Vec3<double> origin, direction;             // unit
  const FramePose<double>* camera = nullptr;  // depth along its axis; null: along the ray
};

/// The ray through the middle of a pixel; row 0 is the top.
Beam pixel_beam(const Model& m, int camera, const FramePose<double>& eye, int row, int column);

}  // namespace sinew
