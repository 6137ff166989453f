#pragma once

#include <limits>

namespace sinew {

/// Up to this number of geoms every bounding sphere is compared with all others; this is quadratic, but the sweep has a
/// higher setup cost. Measured with boxes that do not touch: 16 of them 0.3 µs against 0.5 µs of the sweep, 64 of them
/// 2.7 against 2.8, 80 of them 4.0 against 3.8. The instructions of a whole step without it: 18 % more for
/// models/cradle.xml, 6 % for gripper, 4 % for quadruped, 1 % fewer for humanoid.
inline constexpr int kFewGeoms = 64;

/// The geoms that may collide, grouped by body, with the data to compare them, contiguous in memory.
struct SphereCandidates {
  static constexpr int kRoom = kFewGeoms + 4;  // the last comparison, four at a time, may read past the end
  template <class T>
  using Array = T[kRoom];

  // the bounding sphere, widened by the geom's share of the margin and a tiny slack; infinite for unbounded geoms
  Array<double> x, y, z, radius;
  Array<double> reach;  // the share of the margin
  // as in BodyFilter; the world does not count as a parent
  Array<long long> contype, conaffinity, weld, parent;
  Array<long long> moves;  // -1: the weld group has dofs, else 0
  Array<int> geom, type;
  Array<int> body;  // index among the bodies that have candidates
  Array<int> end;   // of such a body's candidates
  int count = 0, nbody = 0;

  /// Four entries past the end that are close to nothing.
  void pad() {
    for (int i = count; i < count + 4; ++i) {
      x[i] = std::numeric_limits<double>::quiet_NaN();
      contype[i] = conaffinity[i] = weld[i] = parent[i] = moves[i] = 0;
    }
  }
};

/// Pairs of different bodies that may collide, and whose spheres overlap, or reach the plane if the first geom is one,
/// each as i << 8 | j in ascending order. Returns their number; `near` has space for count²/2 + 4. Scalar reference:
/// tests/collision/plain_kernels.h.
int near_pairs(const SphereCandidates& c, const double* geom_xmat, int* near);

}  // namespace sinew
