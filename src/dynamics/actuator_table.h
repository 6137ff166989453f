#pragma once

#include <array>

#include "dynamics/actuator_bias.h"
#include "dynamics/actuator_dynamics.h"
#include "dynamics/actuator_gain.h"
#include "dynamics/dcmotor.h"
#include "dynamics/muscle.h"
#include "model/kind_table.h"

// The kinds of actuator parts. A new kind needs an enumeration value, a row here and the functions it names. A null
// function means that the part contributes nothing and its force does not depend on velocity.

namespace sinew {

template <class Real>
struct DynamicsRow {
  DynType type;
  void (*rate)(const Actuator<Real>&, Real* act_dot);                  // rates of all slots
  Real (*next)(const Actuator<Real>&, int slot, const Real& act_dot);  // a slot after one timestep
};

template <class Real>
struct GainRow {
  GainType type;
  void (*force)(const Actuator<Real>&, Real* force);  // per output
  Real (*slope)(const Actuator<Real>&);               // d force / d velocity at fixed input
  Real (*shaft_force)(const Actuator<Real>&);         // added after the force limits
};

template <class Real>
struct BiasRow {
  BiasType type;
  Real (*force)(const Actuator<Real>&, int output);
  Real (*slope)(const Actuator<Real>&);  // d force / d velocity
};

template <class Real>
inline constexpr std::array<DynamicsRow<Real>, 8> kDynamicsTable = {{
    {DynType::None, nullptr, nullptr},
    {DynType::Integrator, integrator_rate<Real>, euler_next<Real>},
    {DynType::Filter, filter_rate<Real>, euler_next<Real>},
    {DynType::FilterExact, filter_rate<Real>, filterexact_next<Real>},
    {DynType::Muscle, muscle_rate<Real>, euler_next<Real>},
    {DynType::DcMotor, dcmotor_rate<Real>, dcmotor_next<Real>},
    {DynType::Pid, pid_rate<Real>, euler_next<Real>},
    {DynType::User, user_rate<Real>, euler_next<Real>},
}};

template <class Real>
inline constexpr std::array<GainRow<Real>, 7> kGainTable = {{
    {GainType::Fixed, fixed_gain<Real>, nullptr, nullptr},
    {GainType::Affine, affine_gain<Real>, affine_gain_slope<Real>, nullptr},
    {GainType::Muscle, muscle_gain<Real>, muscle_gain_slope<Real>, nullptr},
    {GainType::DcMotor, dcmotor_gain<Real>, dcmotor_gain_slope<Real>, dcmotor_shaft_force<Real>},
    {GainType::So3, so3_gain<Real>, nullptr, nullptr},
    {GainType::Pid, pid_gain<Real>, nullptr, nullptr},
    {GainType::User, user_gain<Real>, nullptr, nullptr},
}};

template <class Real>
inline constexpr std::array<BiasRow<Real>, 6> kBiasTable = {{
    {BiasType::None, nullptr, nullptr},
    {BiasType::Affine, affine_bias<Real>, affine_bias_slope<Real>},
    {BiasType::Muscle, muscle_bias<Real>, nullptr},
    {BiasType::DcMotor, dcmotor_bias<Real>, dcmotor_bias_slope<Real>},
    {BiasType::So3, so3_bias<Real>, affine_bias_slope<Real>},
    {BiasType::User, user_bias<Real>, nullptr},
}};

static_assert(rows_stand_at_their_type(kDynamicsTable<double>) && rows_stand_at_their_type(kGainTable<double>) &&
              rows_stand_at_their_type(kBiasTable<double>));

template <class Real>
const DynamicsRow<Real>& dynamics_row(const Model& m, int actuator) {
  return kDynamicsTable<Real>[std::size_t(m.actuator_dyntype[actuator])];
}
template <class Real>
const GainRow<Real>& gain_row(const Model& m, int actuator) {
  return kGainTable<Real>[std::size_t(m.actuator_gaintype[actuator])];
}
template <class Real>
const BiasRow<Real>& bias_row(const Model& m, int actuator) {
  return kBiasTable<Real>[std::size_t(m.actuator_biastype[actuator])];
}

}  // namespace sinew
