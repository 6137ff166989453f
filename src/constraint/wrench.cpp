#include "constraint/wrench.h"

#include <algorithm>

#include "constraint/equality.h"
#include "constraint/kinds.h"
#include "dynamics/body_accelerations.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

void add_contact_wrench(const Model& m, Data& d, int c) {
  const Contact& contact = d.contact[c];
  if (contact.efc_address < 0 || contact.geom[0] < 0 || contact.geom[1] < 0) return;
  double local[6];
  contact_force(d, c, local);
  const Mat3<double> frame = Mat3<double>::load(contact.frame.data());
  const Vector force = mul_transposed(frame, Vector::load(local));
  const Vector torque = mul_transposed(frame, Vector::load(local + 3));
  const Vector pos = Vector::load(contact.pos.data());
  add_body_force(m, d, m.geom_bodyid[contact.geom[0]], -force, -torque, pos);
  add_body_force(m, d, m.geom_bodyid[contact.geom[1]], force, torque, pos);
}

void add_equality_wrench(const Model& m, Data& d, int row) {
  const int eq = d.efc_id[row];
  const bool weld = m.eq_type[eq] == static_cast<int>(EqualityType::Weld);
  const Vector force = Vector::load(&d.efc_force[row]);
  // the torque of a weld is reported as its rows' forces, in world axes
  const Vector torque = weld ? Vector::load(&d.efc_force[row + 3]) : Vector();
  const EqualityFrames f = equality_frames(m, d, eq);
  add_body_force(m, d, f.body[0], force, torque, f.point[0]);
  add_body_force(m, d, f.body[1], -force, -torque, f.point[1]);
}

}  // namespace

void contact_force(const Data& d, int c, double force[6]) {
  const Contact& contact = d.contact[c];
  std::fill_n(force, 6, 0.0);
  if (contact.efc_address < 0) return;
  const double* rows = &d.efc_force[contact.efc_address];
  if (d.efc_type[contact.efc_address] == static_cast<int>(ConstraintKind::ContactPyramidal)) {
    for (int k = 1; k < contact.dim; ++k) {
      force[0] += rows[2 * k - 2] + rows[2 * k - 1];
      force[k] = (rows[2 * k - 2] - rows[2 * k - 1]) * contact.friction[k - 1];
    }
  } else {
    std::copy_n(rows, contact.dim, force);
  }
  force[0] -= contact.adhesion;
}

void constraint_body_forces(const Model& m, Data& d) {
  for (int c = 0; c < d.ncon; ++c) add_contact_wrench(m, d, c);
  for (int row = 0; row < d.ne;) {
    const auto type = static_cast<EqualityType>(m.eq_type[d.efc_id[row]]);
    const bool frames = type == EqualityType::Connect || type == EqualityType::Weld;
    if (frames) add_equality_wrench(m, d, row);
    row += d.efc_J_rowsuper[row] + 1;
  }
}

}  // namespace sinew
