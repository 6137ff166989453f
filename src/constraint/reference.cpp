#include "constraint/reference.h"

#include "base/arena.h"
#include "constraint/equality.h"
#include "constraint/kinds.h"
#include "constraint/problem_view.h"
#include "dynamics/all_zero.h"
#include "dynamics/jacobian.h"
#include "model/equality_kinds.h"
#include "solver/rows.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;
using Quaternion = Quat<double>;

/// efc_vel = J qvel
void row_velocities(Data& d) {
  Scratch scratch(d.scratch());
  RowBlock* blocks = scratch.take<RowBlock>(d.nefc);
  std::size_t nblock = 0;
  for (int row = 0; row < d.nefc; row += blocks[nblock++].nrow) blocks[nblock] = block_at(d, row);
  multiply_rows({blocks, nblock}, d.qvel.data(), d.efc_vel.data(), d.scratch());
}

/// Surfaces of flexes (geom -1) do not move.
bool surface_moves(const Model& m, int geom) { return geom >= 0 && !all_zero({&m.geom_surfacevel[6 * geom], 6}); }

/// Velocity of a geom's moving surface at the contact: translation and rotation in world axes.
Motion<double> surface_velocity(const Model& m, const Data& d, int geom, const Vector& point) {
  if (geom < 0) return {};
  const Motion<double> local = {Vector::load(&m.geom_surfacevel[6 * geom + 3]),
                                Vector::load(&m.geom_surfacevel[6 * geom])};
  const Mat3<double> R = Mat3<double>::load(&d.geom_xmat[9 * geom]);
  const Vector w = R * local.w;
  return {w, R * local.v + cross(w, point - Vector::load(&d.geom_xpos[3 * geom]))};
}

/// Conveyor belts: the tangential and spin part of the surfaces' relative velocity adds to the row's.
void add_surface_velocities(const Model& m, Data& d) {
  for (int c = 0; c < d.ncon; ++c) {
    const Contact& contact = d.contact[c];
    if (contact.efc_address < 0) continue;
    if (!surface_moves(m, contact.geom[0]) && !surface_moves(m, contact.geom[1])) continue;
    const Vector pos = Vector::load(contact.pos.data());
    const Motion<double> v1 = surface_velocity(m, d, contact.geom[0], pos);
    const Motion<double> v2 = surface_velocity(m, d, contact.geom[1], pos);
    const Mat3<double> frame = Mat3<double>::load(contact.frame.data());
    const Vector u = frame * (v2.v - v1.v), w = frame * (v2.w - v1.w);
    const double s[6] = {0, u.y, u.z, w.x, 0, 0};
    double* vel = &d.efc_vel[contact.efc_address];
    if (d.efc_type[contact.efc_address] == static_cast<int>(ConstraintKind::ContactPyramidal)) {
      for (int k = 1; k < contact.dim; ++k) {
        vel[2 * k - 2] += contact.friction[k - 1] * s[k];
        vel[2 * k - 1] -= contact.friction[k - 1] * s[k];
      }
    } else {
      for (int k = 1; k < contact.dim; ++k) vel[k] += s[k];
    }
  }
}

/// The pull of an adhesive contact is a passive force; the row is shifted so that the two balance at rest.
void add_adhesion(Data& d) {
  for (int c = 0; c < d.ncon; ++c) {
    const Contact& contact = d.contact[c];
    const int row = contact.efc_address;
    if (row < 0 || !(contact.adhesion > 0)) continue;
    const bool pyramid = d.efc_type[row] == static_cast<int>(ConstraintKind::ContactPyramidal);
    const int nrow = pyramid ? contact_rows(contact.dim, false) : 1;
    for (int r = row; r < row + nrow; ++r) d.efc_aref[r] += d.efc_R[r] * contact.adhesion / nrow;
  }
}

/// J̇ qvel of a connect or weld.
void subtract_bias_acceleration(const Model& m, Data& d, int eq, double* aref) {
  const EqualityFrames f = equality_frames(m, d, eq);
  const Motion<double> a0 = bias_acceleration(m, d, f.point[0], f.body[0]);
  const Motion<double> a1 = bias_acceleration(m, d, f.point[1], f.body[1]);
  const Vector apart = a0.v - a1.v;
  for (int r = 0; r < 3; ++r) aref[r] -= apart[r];
  if (!equality_kind(m, eq).holds_orientation()) return;

  // d/dt of ½ vec(conj(Q1) (0, w0 - w1) Q0)
  const auto pure = [](const Vector& v) { return Quaternion(0, v.x, v.y, v.z); };
  const auto half = [](const Quaternion& q) { return Quaternion(0.5 * q.w, 0.5 * q.x, 0.5 * q.y, 0.5 * q.z); };
  const Vector w0 = Vector::load(&d.cvel[6 * f.body[0]]), w1 = Vector::load(&d.cvel[6 * f.body[1]]);
  const Quaternion &Q0 = f.frame[0], &Q1 = f.frame[1];
  const Quaternion Q0_rate = half(pure(w0) * Q0), Q1_rate = half(pure(w1) * Q1);
  const Quaternion dw = pure(w0 - w1), da = pure(a0.w - a1.w);
  const Vector turn =
      (conjugate(Q1_rate) * dw * Q0).vec() + (conjugate(Q1) * da * Q0).vec() + (conjugate(Q1) * dw * Q0_rate).vec();
  const double torquescale = m.eq_data[kNumEqData * eq + 10];
  for (int r = 0; r < 3; ++r) aref[3 + r] -= 0.5 * torquescale * turn[r];
}

}  // namespace

void constraint_reference(const Model& m, Data& d) {
  row_velocities(d);
  add_surface_velocities(m, d);
  for (int i = 0; i < d.nefc; ++i) {
    const double* KBIP = &d.efc_KBIP[4 * i];
    d.efc_aref[i] = -KBIP[1] * d.efc_vel[i] - KBIP[0] * KBIP[2] * (d.efc_pos[i] - d.efc_margin[i]);
  }
  add_adhesion(d);
  for (int i = 0; i < d.ne;) {
    const EqualityKind& kind = equality_kind(m, d.efc_id[i]);
    if (kind.holds_frames()) subtract_bias_acceleration(m, d, d.efc_id[i], &d.efc_aref[i]);
    i += d.efc_J_rowsuper[i] + 1;
  }
}

}  // namespace sinew
