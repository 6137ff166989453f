#include <algorithm>

#include "derivative/smooth.h"
#include "derivative/sparse_row.h"
#include "dynamics/actuation.h"
#include "dynamics/bias.h"
#include "dynamics/com.h"
#include "dynamics/inertia.h"
#include "dynamics/kinematics.h"
#include "dynamics/passive.h"
#include "dynamics/qderiv.h"
#include "dynamics/reflected.h"
#include "dynamics/tendon.h"
#include "dynamics/transmission.h"
#include "dynamics/velocity.h"
#include "model/joint_kinds.h"

namespace sinew {
namespace {

using World = BasicData<Dual4>;
constexpr int kLanes = Dual4::directions;

void position_level(const Model& m, World& x) {
  kinematics(m, x);
  com_position(m, x);
  tendon_paths(m, x);
  subtree_inertia(m, x);
  transmission(m, x);
}

void velocity_level(const Model& m, World& x) {
  tendon_velocity(m, x);
  actuator_velocity(m, x);
  com_velocity(m, x);
  passive_forces(m, x);
}

/// Sweeps over the columns and collects the derivatives of the stages.
class DualColumns {
 public:
  DualColumns(const Model& m, const Data& d, DerivativeState& s) : m_(m), d_(d), s_(s), x_(dual_world(m, d, s)) {
    const auto integrator = static_cast<Integrator>(m.opt.integrator);
    matrix_ = s.implicit && (integrator == Integrator::Implicit || integrator == Integrator::ImplicitFast);
    for (int t = 0; t < m.ntendon; ++t) armature_ |= total_tendon_armature(m, t) != 0;
  }

  /// Columns of controls and activations only if requested.
  void run(bool inputs) {
    const ColumnLayout& c = s_.columns;
    position_level(m_, x_);
    sweep(c.v(), m_.nv, x_.qvel, [&] { velocity_level(m_, x_); });
    if (inputs) {
      velocity_level(m_, x_);
      sweep(c.act(), static_cast<int>(m_.na), x_.act, [] {});
      sweep(c.ctrl(), static_cast<int>(m_.nu), x_.ctrl, [] {});
    }
    sweep_positions(m_, d_, x_, [&](int first, int n) {
      position_level(m_, x_);
      velocity_level(m_, x_);
      take(c.q() + first, n);
    });
  }

 private:
  /// Columns `first` … of the values `input`; level() computes what depends on them before actuation.
  template <class Level>
  void sweep(int first, std::int64_t count, std::span<Dual4> input, Level&& level) {
    for (int k = 0; k < count; k += kLanes) {
      const int n = std::min<int>(kLanes, static_cast<int>(count) - k);
      for (int l = 0; l < n; ++l) input[k + l].slope[l] = 1;
      level();
      take(first + k, n);
      for (int l = 0; l < n; ++l) input[k + l].slope[l] = 0;
    }
  }

  void take(int column, int n) {
    actuation(m_, x_);
    for (int i = 0; i < m_.nv; ++i)
      for (int l = 0; l < n; ++l)
        s_.residual(i, column + l) -=
            x_.qfrc_passive[i].slope[l] + (s_.forces != ForceSet::Passive ? x_.qfrc_actuator[i].slope[l] : 0);
    const auto copy = [&](std::span<const Dual4> from, Matrix& to) {
      for (int i = 0; i < to.rows(); ++i)
        for (int l = 0; l < n; ++l) to(i, column + l) = from[i].slope[l];
    };
    if (m_.na > 0) {
      copy(x_.act_dot, s_.act_dot);
      copy(x_.actuator_length, s_.act_length);
      copy(x_.actuator_velocity, s_.act_velocity);
    }
    if (armature_ && column < s_.columns.act()) take_armature(column, n);
    if (matrix_) take_matrix(column, n);
  }

  /// Tendon armature: a_t Jᵀ J a on the pattern of M, and its bias force.
  void take_armature(int column, int n) {
    std::vector<Dual4>&bias = s_.dual_bias, &inertial = s_.dual_inertial;
    bias.assign(m_.nv, Dual4(0));
    add_tendon_bias(m_, x_, bias.data());
    inertial.assign(m_.nv, Dual4(0));
    for (int t = 0; t < m_.ntendon; ++t) {
      const double armature = total_tendon_armature(m_, t);
      if (armature == 0) continue;
      const int begin = m_.ten_J_rowadr[t], end = begin + m_.ten_J_rownnz[t];
      for (int r = begin; r < end; ++r) {
        Dual4 along(0), apart(0);
        for (int k = begin; k < end; ++k) {
          const int dof = m_.ten_J_colind[k];
          if (!share_a_chain(m_, m_.ten_J_colind[r], dof)) continue;
          along += x_.ten_J[k] * Dual4(s_.acc[dof]);
          apart += x_.ten_J[k] * Dual4(s_.acc[dof] - s_.acc_used[dof]);
        }
        bias[m_.ten_J_colind[r]] += x_.ten_J[r] * along * Dual4(armature);
        inertial[m_.ten_J_colind[r]] += x_.ten_J[r] * apart * Dual4(armature);
      }
    }
    for (int i = 0; i < m_.nv; ++i)
      for (int l = 0; l < n; ++l) {
        s_.residual(i, column + l) += bias[i].slope[l];
        if (s_.implicit) s_.integrator(i, column + l) += inertial[i].slope[l];
      }
  }

  /// h (∂D/∂x) a'. implicitfast mirrors the lower triangle, except for standalone free bodies.
  void take_matrix(int column, int n) {
    const bool implicit = m_.opt.integrator == static_cast<int>(Integrator::Implicit);
    velocity_derivative(m_, x_, implicit);
    const double h = m_.opt.timestep;
    for (int i = 0; i < m_.nv; ++i) {
      const bool full = implicit || is_standalone_free_body(m_, m_.dof_bodyid[i]);
      for (int k = m_.D_rowadr[i]; k < m_.D_rowadr[i] + m_.D_rownnz[i]; ++k) {
        const int j = m_.D_colind[k];
        for (int l = 0; l < n; ++l) {
          const double slope = h * x_.qDeriv[k].slope[l];
          if (full || j <= i) s_.integrator(i, column + l) += slope * s_.acc_used[j];
          if (!full && j < i) s_.integrator(j, column + l) += slope * s_.acc_used[i];
        }
      }
    }
  }

  const Model& m_;
  const Data& d_;
  DerivativeState& s_;
  World& x_;
  bool matrix_ = false, armature_ = false;
};

}  // namespace

void seed_position(const Model& m, const Data& d, BasicData<Dual4>& x, int dof, int lane) {
  const int jnt = m.dof_jntid[dof], k = dof - m.jnt_dofadr[jnt];
  if (!turns_quaternion(m, dof)) {
    x.qpos[m.jnt_qposadr[jnt] + k].slope[lane] = 1;
    return;
  }
  const int adr = quaternion_address(m, jnt), along = k - joint_kind(m, jnt).translations;
  const Quat<double> half = {0, along == 0 ? 0.5 : 0, along == 1 ? 0.5 : 0, along == 2 ? 0.5 : 0};
  const Quat<double> rate = normalized(Quat<double>::load(&d.qpos[adr])) * half;
  const double slope[4] = {rate.w, rate.x, rate.y, rate.z};
  for (int i = 0; i < 4; ++i) x.qpos[adr + i].slope[lane] = slope[i];
}

bool drives_contacts(const Model& m) {
  for (int i = 0; i < m.nactuator; ++i)
    if (pulls_on_contacts(m, i)) return true;
  return false;
}

BasicData<Dual4>& dual_world(const Model& m, const Data& d, DerivativeState& s) {
  if (!s.dual) s.dual = std::make_unique<World>(m, Blank{});
  World& x = *s.dual;
  x.time = d.time;
  const auto copy = [](std::span<const double> from, std::span<Dual4> to) { std::ranges::copy(from, to.begin()); };
  copy(d.qpos, x.qpos);
  copy(d.qvel, x.qvel);
  copy(d.act, x.act);
  copy(d.history, x.history);
  copy(d.ctrl, x.ctrl);
  copy(d.mocap_pos, x.mocap_pos);
  copy(d.mocap_quat, x.mocap_quat);
  if (drives_contacts(m)) {
    // contacts fixed in space: their motion and their own adhesion belong to the constraint part
    x.contact = d.contact;
    x.ncon = d.ncon;
    for (Contact& contact : x.contact) contact.adhesion = 0;
  }
  for (int j = 0; j < m.njnt; ++j) {
    const int q = quaternion_address(m, j);
    if (q >= 0) normalized(Quat<Dual4>::load(&d.qpos[q])).store(&x.qpos[q]);
  }
  return x;
}

void add_forces_by_dual(const Model& m, const Data& d, DerivativeState& s) {
  const bool known = add_inputs_by_hand(m, d, s);
  DualColumns(m, d, s).run(!known);
  // the dual stages include the matrices of the implicit integrators, but not Euler's
  if (s.implicit && m.opt.integrator == static_cast<int>(Integrator::Euler)) add_damper_matrix_change(m, d, s);
}

void next_activations(const Model& m, const Data& d, DerivativeState& s, Matrix& next, int first_row) {
  if (m.na == 0) return;
  World& x = dual_world(m, d, s);
  std::vector<Dual4>& rate = s.dual_rate;
  rate.resize(m.na);
  for (int first = 0; first < s.columns.count(); first += kLanes) {
    const int n = std::min(kLanes, s.columns.count() - first);
    const auto seed = [&](std::span<const double> value, const Matrix& slopes, std::span<Dual4> to) {
      for (std::size_t i = 0; i < to.size(); ++i) {
        to[i] = value[i];
        for (int l = 0; l < n; ++l) to[i].slope[l] = slopes(static_cast<int>(i), first + l);
      }
    };
    seed(d.actuator_length, s.act_length, x.actuator_length);
    seed(d.actuator_velocity, s.act_velocity, x.actuator_velocity);
    seed(d.act_dot, s.act_dot, rate);
    for (int i = 0; i < m.na; ++i) {
      x.act[i] = d.act[i];
      const int lane = s.columns.act() + i - first;
      if (lane >= 0 && lane < n) x.act[i].slope[lane] = 1;
    }
    advance_activations(m, x, static_cast<const Dual4*>(rate.data()));
    for (int i = 0; i < m.na; ++i)
      for (int l = 0; l < n; ++l) next(first_row + i, first + l) = x.act[i].slope[l];
  }
}

}  // namespace sinew
