#pragma once

#include "math/spatial.h"
#include "sinew/data.h"

namespace sinew {

/// How a contact moves when one of its two geoms moves with an angular velocity w and the velocity v of the geom's
/// point that is at the contact: dx = x_w w + x_v v; the frame turns by t_w w + t_v v; d dist = dist_w·w + dist_v·v.
struct ContactSideRate {
  Mat3<double> x_w, x_v, t_w, t_v;
  Vec3<double> dist_w, dist_v;
};

struct ContactRate {
  ContactSideRate side[2];  // by geom of the contact
  bool smooth = true;       // false: the number or kind of contact points changes within the differencing step
  bool curved = false;      // the pair function finds this contact to a tolerance only
};

/// Rates of the contacts first … first + count - 1, all of one pair of geoms, by the equations that the row of their
/// types names (ContactMotion in collision/pair_table.h). Pairs without, and poses that the equations do not know, by
/// centered differences of the pair function alone, in the nine directions that are independent (a translation of both
/// changes nothing but the position).
void contact_rates(const Model& m, Data& d, int first, int count, ContactRate* out);

/// The explicit pair that names both geoms; -1: none.
int explicit_pair(const Model& m, int geom1, int geom2);

/// The types have equations in closed form, though they may not know all poses.
bool has_closed_form(const Model& m, int geom1, int geom2);

/// The pair function finds the same contacts, a little moved, when the geoms move by `step` (m, rad) against each
/// other.
bool contacts_stay(const Model& m, Data& d, int first, int count, double step);

}  // namespace sinew
