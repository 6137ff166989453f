#include "derivative/moved_world.h"

#include "constraint/assemble.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/kinematics.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "math/quat.h"
#include "math/spatial.h"

namespace sinew {
namespace {

using Vector = Vec3<double>;

bool moves(const Model& m, int dof, int body) {
  int i = last_dof(m, body);
  while (i > dof) i = m.dof_parentid[i];
  return i == dof;
}

}  // namespace

void MovedWorld::move(int dof, double eps) {
  x_ = d_;
  std::vector<double> along(m_.nv, 0.0);
  along[dof] = 1;
  integrate_position(m_, x_.qpos.data(), static_cast<const double*>(along.data()), eps);
  kinematics(m_, x_);
  com_position(m_, x_);
  camera_and_light_poses(m_, x_);
  tendon_paths(m_, x_);
  composite_inertia(m_, x_);
  factor_inertia(m_, x_);
  if (d_.nefc > 0) {
    for (int c = 0; c < d_.ncon; ++c) move_contact(c, dof, eps);
    build_constraints(m_, x_);
  }
  transmission(m_, x_);
}

void MovedWorld::move_contact(int c, int dof, double eps) {
  Contact& contact = x_.contact[c];
  const ContactRate& rate = rates_[c];
  const Motion<double> axis = Motion<double>::load(&d_.cdof[6 * dof]);
  const Vector pos = Vector::load(contact.pos.data());
  Vector dx, turn;
  for (const int side : {0, 1}) {
    const int body = m_.geom_bodyid[contact.geom[side]];
    if (!moves(m_, dof, body)) continue;
    const Vector v = axis.v + cross(axis.w, from_reference(m_, d_, pos, body));
    dx += rate.side[side].x_w * axis.w + rate.side[side].x_v * v;
    turn += rate.side[side].t_w * axis.w + rate.side[side].t_v * v;
    contact.dist += eps * (dot(rate.side[side].dist_w, axis.w) + dot(rate.side[side].dist_v, v));
  }
  (pos + dx * eps).store(contact.pos.data());
  const Mat3<double> R = to_matrix(exp(turn * eps)), frame = Mat3<double>::load(contact.frame.data());
  (frame * transpose(R)).store(contact.frame.data());
}

}  // namespace sinew
