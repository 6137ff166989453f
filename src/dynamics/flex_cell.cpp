#include "dynamics/flex_cell.h"

namespace sinew {

Quat<double> nearest_rotation(const Mat3<double>& F) {
  constexpr int kMostTurns = 500;
  constexpr double kStill = 1e-9;
  Quat<double> q;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    const Mat3<double> R = to_matrix(q);
    Vec3<double> w;
    double along = 0;
    for (int k = 0; k < 3; ++k) {
      w += cross(R.column(k), F.column(k));
      along += dot(R.column(k), F.column(k));
    }
    w *= 1 / (std::abs(along) + kMinVal);
    const double angle = normalize(w);
    if (angle < kStill) break;
    q = normalized(axis_angle(w, angle) * q);
  }
  return q;
}

Quat<double> cell_rotation(const FlexCell& cell, const Vec3<double>* x) {
  if (cell.axis >= 0) {
    const FaceTangents at(cell, 0.5, 0.5, x);
    Vec3<double> columns[3];
    columns[(cell.axis + 1) % 3] = at.t[0];
    columns[(cell.axis + 2) % 3] = at.t[1];
    columns[cell.axis] = cross(at.t[0], at.t[1]);
    return nearest_rotation(Mat3<double>::from_columns(columns[0], columns[1], columns[2]));
  }
  const ShapeAxis s(cell.order, 0.5);
  Vec3<double> columns[3];
  for (int a = 0, n = 0; a <= cell.order; ++a) {
    for (int b = 0; b <= cell.order; ++b) {
      for (int c = 0; c <= cell.order; ++c, ++n) {
        const Vec3<double>& p = x[cell.node[n]];
        columns[0] += p * (s.slope[a] * s.value[b] * s.value[c]);
        columns[1] += p * (s.value[a] * s.slope[b] * s.value[c]);
        columns[2] += p * (s.value[a] * s.value[b] * s.slope[c]);
      }
    }
  }
  return nearest_rotation(Mat3<double>::from_columns(columns[0], columns[1], columns[2]));
}

}  // namespace sinew
