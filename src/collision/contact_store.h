#pragma once

#include <algorithm>

#include "base/limits.h"
#include "collision/contact_params.h"
#include "collision/frame.h"

// From points and parameters to the world's contacts.

namespace sinew {

/// Makes room for `count` more contacts. A heap in which everything touches everything must not exhaust memory:
/// contacts beyond the limit are dropped, and counted in a warning.
inline bool room_for_contacts(Data& d, int count) {
  if (d.ncon > limits::kContacts - count) {
    WarningStat& full = d.warning[static_cast<int>(Warning::ContactFull)];
    ++full.number;
    full.lastinfo = d.ncon;
    return false;
  }
  const auto needed = static_cast<std::size_t>(d.ncon) + static_cast<std::size_t>(count);
  if (needed > d.contact.size()) d.contact.resize(std::max(needed, 2 * d.contact.size()));
  return true;
}

inline Mat3d frame_of(const ContactPoint& point) {
  Vec3d normal = point.normal;
  normalize(normal);
  return contact_frame(normal, point.tangent);
}

/// All but what touches.
inline void store_contact(const ContactPoint& point, const Mat3d& frame, const ContactParams& p, Contact& c) {
  c.dist = point.dist;
  point.pos.store(c.pos.data());
  frame.store(c.frame.data());
  c.includemargin = p.margin;
  c.friction = p.friction;
  c.solref = p.solref;
  c.solreffriction = p.solreffriction;
  c.solimp = p.solimp;
  c.adhesion = p.adhesion;
  c.mu = 0;
  c.efc_address = -1;
  const bool beyond = point.dist >= p.margin;
  c.exclude = beyond && p.adhesion == 0 ? 1 : 0;
  c.dim = beyond && p.adhesion != 0 ? 1 : p.dim;
}

}  // namespace sinew
