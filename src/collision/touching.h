#pragma once

#include "collision/bounds.h"
#include "collision/filter.h"

namespace sinew {

/// MuJoCo's sweep runs along the first row of the eigenvectors of the covariance of the geoms' centers, in single
/// precision, and if the upper end of a body coincides exactly with the lower end of a later one, it removes the first
/// before adding the second. So bodies that merely touch along this axis have no contact.
class TouchingRule {
 public:
  /// Boxes whose overlap is below this fraction of their coordinates, no more than rounding and the slack of the boxes,
  /// merely touch.
  static constexpr double kHairs = 1e-10;

  TouchingRule(const Model& m, const Data& d) : m_(m), d_(d) {}

  /// Whether two bodies with these overlapping boxes merely touch and have no contact.
  bool drops(const BodyPair& bodies, const Box& a, const Box& b);

 private:
  struct Interval {
    double lo, hi;
  };
  void find_axis();
  Interval interval(int body) const;

  const Model& m_;
  const Data& d_;
  bool known_ = false;  // whether the axis is computed: few steps need it
  Vec3d axis_;
};

}  // namespace sinew
