#pragma once

#include "math/spatial.h"
#include "sinew/data.h"

namespace sinew {

/// Motion of a contact when one of its two geoms moves with angular velocity w and velocity v of the geom's point at
/// the contact: dx = x_w w + x_v v; the frame rotates by t_w w + t_v v; d dist = dist_w·w + dist_v·v.
struct ContactSideRate {
  Mat3<double> x_w, x_v, t_w, t_v;
  Vec3<double> dist_w, dist_v;
};

struct ContactRate {
  ContactSideRate side[2];  // by geom of the contact
  bool smooth = true;       // false: the number or kind of contact points changes within the finite-difference step
  bool curved = false;      // the pair function finds this contact to a tolerance only
};

/// Rates of the contacts first … first + count - 1, all of one pair of geoms, from the equations listed for their types
/// (ContactMotion in collision/pair_table.h). Pairs without equations, and poses not covered by them: centered
/// differences of the pair function alone, in the nine independent directions (a translation of both only changes the
/// position).
void contact_rates(const Model& m, Data& d, int first, int count, ContactRate* out);

/// The explicit pair of these two geoms; -1: none.
int explicit_pair(const Model& m, int geom1, int geom2);

/// The types have closed-form equations, though these may not cover all poses.
bool has_closed_form(const Model& m, int geom1, int geom2);

/// The pair function finds the same contacts, slightly moved, when the geoms move by `step` (m, rad) relative to each
/// other.
bool contacts_stay(const Model& m, Data& d, int first, int count, double step);

}  // namespace sinew
