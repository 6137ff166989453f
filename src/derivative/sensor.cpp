#include "derivative/sensor.h"

#include <algorithm>

#include "constraint/assemble.h"
#include "constraint/reference.h"
#include "derivative/constraint.h"
#include "dynamics/acceleration.h"
#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/camera_light.h"
#include "dynamics/com.h"
#include "dynamics/energy.h"
#include "dynamics/inertia.h"
#include "dynamics/jacobian.h"
#include "dynamics/joint_table.h"
#include "dynamics/kinematics.h"
#include "dynamics/passive.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "dynamics/velocity.h"
#include "math/quat.h"
#include "sensor/sensors.h"

namespace sinew {
namespace {

constexpr double kStep = 1e-6;

using Vector = Vec3<double>;

/// Evaluates the sensors of a world that is moved along one column by a small amount.
class MovedSensors {
 public:
  MovedSensors(const Model& m, const Data& d, const DerivativeState& s, const Matrix& df, Data& world)
      : m_(m), d_(d), s_(s), df_(df), x_(world) {}

  void evaluate(int column, double eps) {
    const ColumnLayout& c = s_.columns;
    x_ = d_;
    if (column < c.v()) {
      std::vector<double> along(m_.nv, 0.0);
      along[column] = 1;
      integrate_position(m_, x_.qpos.data(), static_cast<const double*>(along.data()), eps);
      position(column, eps);
    } else if (column < c.act()) {
      x_.qvel[column - c.v()] += eps;
    } else if (column < c.ctrl()) {
      x_.act[column - c.act()] += eps;
    } else {
      x_.ctrl[column - c.ctrl()] += eps;
    }
    sensors(m_, x_, Stage::Pos);
    if (column < c.act()) velocity();
    sensors(m_, x_, Stage::Vel);
    actuation(m_, x_);
    smooth_acceleration(m_, x_);
    for (int i = 0; i < m_.nv; ++i) x_.qacc[i] = s_.acc[i] + eps * s_.residual(i, column);
    for (int r = 0; r < x_.nefc; ++r) x_.efc_force[r] = d_.efc_force[r] + (df_.rows() > 0 ? eps * df_(r, column) : 0);
    sensors(m_, x_, Stage::Acc);
  }

 private:
  /// The position level without collision: the contacts are moved as their rates say.
  void position(int dof, double eps) {
    kinematics(m_, x_);
    com_position(m_, x_);
    camera_and_light_poses(m_, x_);
    tendon_paths(m_, x_);
    composite_inertia(m_, x_);
    factor_inertia(m_, x_);
    if (df_.rows() > 0) {
      for (int c = 0; c < d_.ncon; ++c) move_contact(c, dof, eps);
      build_constraints(m_, x_);
    }
    transmission(m_, x_);
    if (m_.opt.enabled(kEnableEnergy)) potential_energy(m_, x_);
  }

  void velocity() {
    tendon_velocity(m_, x_);
    actuator_velocity(m_, x_);
    com_velocity(m_, x_);
    passive_forces(m_, x_);
    if (df_.rows() > 0) constraint_reference(m_, x_);
    bias_forces(m_, x_);
    if (m_.opt.enabled(kEnableEnergy)) kinetic_energy(m_, x_);
  }

  void move_contact(int c, int dof, double eps) {
    Contact& contact = x_.contact[c];
    const ContactRate& rate = s_.constraints->contact_rates()[c];
    const Motion<double> axis = Motion<double>::load(&d_.cdof[6 * dof]);
    const Vector pos = Vector::load(contact.pos.data());
    Vector dx, turn;
    for (const int side : {0, 1}) {
      const int body = m_.geom_bodyid[contact.geom[side]];
      if (!moves(dof, body)) continue;
      const Vector v = axis.v + cross(axis.w, from_reference(m_, d_, pos, body));
      dx += rate.side[side].x_w * axis.w + rate.side[side].x_v * v;
      turn += rate.side[side].t_w * axis.w + rate.side[side].t_v * v;
      contact.dist += eps * (dot(rate.side[side].dist_w, axis.w) + dot(rate.side[side].dist_v, v));
    }
    (pos + dx * eps).store(contact.pos.data());
    const Mat3<double> R = to_matrix(exp(turn * eps)), frame = Mat3<double>::load(contact.frame.data());
    (frame * transpose(R)).store(contact.frame.data());
  }

  bool moves(int dof, int body) const {
    int i = last_dof(m_, body);
    while (i > dof) i = m_.dof_parentid[i];
    return i == dof;
  }

  const Model& m_;
  const Data& d_;
  const DerivativeState& s_;
  const Matrix& df_;
  Data& x_;
};

}  // namespace

void sensor_columns(const Model& m, const Data& d, const DerivativeState& s, const Matrix& df, SensorShadow& shadow,
                    Matrix& out) {
  const int n = static_cast<int>(m.nsensordata);
  out.reset(n, s.columns.count());
  MovedSensors moved(m, d, s, df, shadow.world);
  for (int k = 0; k < s.columns.count(); ++k) {
    moved.evaluate(k, kStep);
    shadow.plus.assign(shadow.world.sensordata.begin(), shadow.world.sensordata.end());
    moved.evaluate(k, -kStep);
    for (int i = 0; i < n; ++i) out(i, k) = (shadow.plus[i] - shadow.world.sensordata[i]) / (2 * kStep);
  }
}

}  // namespace sinew
