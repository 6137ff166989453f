#pragma once

#include <array>

namespace sinew {

/// One point where two geoms touch or are within their margin. The frame's first row is the normal, from geom[0] to
/// geom[1]; the other two rows are tangents.
struct Contact {
  double dist = 0;                   // m, distance between the nearest points; negative: penetration
  std::array<double, 3> pos{};       // m, midpoint, world frame
  std::array<double, 9> frame{};     // rows: normal, tangent, tangent
  double includemargin = 0;          // m, a constraint exists while dist is below this
  std::array<double, 5> friction{};  // tangent 1, tangent 2, spin, roll 1, roll 2
  std::array<double, 2> solref{};
  std::array<double, 2> solreffriction{};
  std::array<double, 5> solimp{};
  double adhesion = 0;  // N, constant pull along the normal
  double mu = 0;        // friction of the regularized cone, set with the constraint rows
  int dim = 0;          // 1, 3, 4 or 6
  std::array<int, 2> geom = {-1, -1};
  int exclude = 0;       // 0: makes rows; 1: in the gap; 2: fused; 3: no dofs
  int efc_address = -1;  // first constraint row, -1: none
};

}  // namespace sinew
