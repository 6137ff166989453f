#pragma once

#include "collision/bounds.h"
#include "collision/filter.h"

namespace sinew {

/// MuJoCo's sweep runs along the first row of the eigenvectors of the covariance of the geoms' centres, in single
/// precision, and where the upper end of a body meets exactly the lower end of a later one, it lets go of the first
/// before it meets the second. So bodies that merely touch across this axis have no contact.
class TouchingRule {
 public:
  /// Boxes whose overlap is below this part of their coordinates, no more than rounding and the hair that was added to
  /// them, merely touch.
  static constexpr double kHairs = 1e-10;

  TouchingRule(const Model& m, const Data& d) : m_(m), d_(d) {}

  /// Whether two bodies, whose overlapping boxes these are, merely touch and have no contact.
  bool drops(const BodyPair& bodies, const Box& a, const Box& b);

 private:
  struct Interval {
    double lo, hi;
  };
  void find_axis();
  Interval interval(int body) const;

  const Model& m_;
  const Data& d_;
  bool known_ = false;  // whether the axis is: few steps need it
  Vec3d axis_;
};

}  // namespace sinew
