#pragma once

#include "constraint/row_builder.h"
#include "math/quat.h"

namespace sinew {

/// The two frames held together by a connect or weld: points and orientations that move with two bodies.
struct EqualityFrames {
  int body[2];
  Vec3<double> point[2];  // world
  Quat<double> frame[2];  // weld: Q0 of object 1, Q1 of object 2
};

/// Current frames of a connect or weld. Bodies: anchors from eq_data; sites: the sites themselves.
EqualityFrames equality_frames(const Model& m, const Data& d, int eq);

/// Rows of all active equality constraints, by id.
/// connect  p1 - p2                                        (3)
/// weld     p1 - p2, torquescale * vec(conj(Q1) Q0)        (6)
/// flex, flexvert, flexstrain: see flex_equality.h
/// joint, tendon   y - c0 - (c1 x + c2 x² + c3 x³ + c4 x⁴)  (1), y and x relative to qpos0
void add_equalities(RowBuilder& rows);

}  // namespace sinew
