#pragma once

#include "constraint/equality.h"
#include "derivative/constraint.h"

namespace sinew {

/// Rows of connects and welds: the points p0 - p1, and for a weld vec(conj(Q1) Q0) times its torquescale. Their
/// reference contains J̇ v, whose derivatives follow from the bodies' velocity-product accelerations.
class FrameColumns {
 public:
  FrameColumns(const Model& m, Data& d, DerivativeState& s, ConstraintColumns& rows);

  void add(int row, int nrow);

 private:
  struct Body;  // changes of one of the two bodies' motions

  void begin_drift();
  Motion<double> drift(int body) const;
  Motion<double> beyond_change(int body, int dof, bool by_velocity) const;
  void position_column(int dof, bool moves0, bool moves1);
  void velocity_column(int dof, bool moves0, bool moves1);
  void scatter(int column, const double* z);

  const Model& m_;
  Data& d_;
  DerivativeState& s_;
  ConstraintColumns& rows_;
  bool has_drift_ = false;

  int row_ = 0, nrow_ = 0;
  EqualityFrames frames_;
  double torquescale_ = 1, size_ = 0;  // size_: norm of the residual
  Vec3<double> offset_[2], force_, torque_;
};

}  // namespace sinew
