#pragma once

#include "sinew/data.h"

namespace sinew {

/// What a contact takes from its two geoms, or from the explicit pair that names them.
struct ContactParams {
  int dim = 3;
  double margin = 0;    // m, a constraint exists below this distance
  double gap = 0;       // m, contacts are listed up to margin + gap
  double adhesion = 0;  // N
  std::array<double, 5> friction{};
  std::array<double, 2> solref{}, solreffriction{};
  std::array<double, 5> solimp{};
};

/// Distance below which contacts of the two geoms are listed; pair: explicit pair, or -1.
double detection_margin(const Model& m, int geom1, int geom2, int pair);

/// Everything else. Geoms in the order of the contact.
ContactParams contact_params(const Model& m, int geom1, int geom2, int pair);

}  // namespace sinew
