#include <array>

#include "constraint/equality.h"
#include "dynamics/body_accelerations.h"
#include "model/equality_kinds.h"
#include "sinew/query.h"
#include "sinew/support.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

void add_contact_wrench(const Model& m, Data& d, int c) {
  const Contact& contact = d.contact[c];
  if (contact.efc_address < 0 || contact.geom[0] < 0 || contact.geom[1] < 0) return;
  const std::array<double, 6> local = contact_force(m, d, c);
  const Mat3<double> frame = Mat3<double>::load(contact.frame.data());
  const Vector force = mul_transposed(frame, Vector::load(&local[0]));
  const Vector torque = mul_transposed(frame, Vector::load(&local[3]));
  const Vector pos = Vector::load(contact.pos.data());
  add_body_force(m, d, m.geom_bodyid[contact.geom[0]], -force, -torque, pos);
  add_body_force(m, d, m.geom_bodyid[contact.geom[1]], force, torque, pos);
}

void add_equality_wrench(const Model& m, Data& d, int row) {
  const int eq = d.efc_id[row];
  const bool weld = equality_kind(m, eq).holds_orientation();
  const Vector force = Vector::load(&d.efc_force[row]);
  // a weld's torque is reported as the forces of its rows, in world axes
  const Vector torque = weld ? Vector::load(&d.efc_force[row + 3]) : Vector();
  const EqualityFrames f = equality_frames(m, d, eq);
  add_body_force(m, d, f.body[0], force, torque, f.point[0]);
  add_body_force(m, d, f.body[1], -force, -torque, f.point[1]);
}

/// Adds the wrenches of all contacts, connects and welds to cfrc_ext.
void constraint_body_forces(const Model& m, Data& d) {
  for (int c = 0; c < d.ncon; ++c) add_contact_wrench(m, d, c);
  for (int row = 0; row < d.ne;) {
    if (equality_kind(m, d.efc_id[row]).holds_frames()) add_equality_wrench(m, d, row);
    row += d.efc_J_rowsuper[row] + 1;
  }
}

}  // namespace

void body_forces(const Model& m, Data& d) {
  applied_body_forces<double>(m, d);
  constraint_body_forces(m, d);
  body_accelerations<double>(m, d);
}

}  // namespace sinew
