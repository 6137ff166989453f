#pragma once

#include "sinew/data.h"

namespace sinew {

/// Parameters of a contact from its two geoms or flexes, or from the explicit pair that names them.
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

/// The same of a flex with a geom, or with another flex (geom -1) or itself, which has no margin.
inline double flex_detection_margin(const Model& m, int geom, int flex1, int flex2) {
  if (flex1 == flex2) return 0;
  const double gap = (geom >= 0 ? m.geom_gap[geom] : m.flex_gap[flex1]) + m.flex_gap[flex2];
  if (m.opt.enabled(kEnableOverride)) return m.opt.o_margin + gap;
  return (geom >= 0 ? m.geom_margin[geom] : m.flex_margin[flex1]) + m.flex_margin[flex2] + gap;
}
ContactParams flex_contact_params(const Model& m, int geom, int flex1, int flex2);

}  // namespace sinew
