#pragma once

#include "sinew/data.h"

namespace sinew {

/// Parameters of a contact from its two geoms, or from the explicit pair that names them.
struct ContactParams {
  int dim;
  double margin;    // m, a constraint exists below this distance
  double adhesion;  // N
  std::array<double, 5> friction;
  std::array<double, 2> solref, solreffriction;
  std::array<double, 5> solimp;
};

/// Distance below which contacts of the two geoms are listed, their margin and gap; pair: explicit pair, or -1.
inline double detection_margin(const Model& m, int geom1, int geom2, int pair) {
  const double gap = pair >= 0 ? m.pair_gap[pair] : m.geom_gap[geom1] + m.geom_gap[geom2];
  if (m.opt.enabled(kEnableOverride)) return m.opt.o_margin + gap;
  return (pair >= 0 ? m.pair_margin[pair] : m.geom_margin[geom1] + m.geom_margin[geom2]) + gap;
}

/// All other parameters. Geoms in the order of the contact.
ContactParams contact_params(const Model& m, int geom1, int geom2, int pair);

}  // namespace sinew
