#include "spec/actuator_shortcuts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/dcmotor_parameters.h"

namespace sinew::mjcf {
namespace {

using Words = ActuatorWords;

void set_types(Words& a, DynType dyn, GainType gain, BiasType bias) {
  a.dyntype = dyn;
  a.gaintype = gain;
  a.biastype = bias;
}

Outcome motor(Words& a) {
  a.gainprm[0] = 1;
  set_types(a, DynType::None, GainType::Fixed, BiasType::None);
  return {};
}

/// bias2 of a servo: -kv, or the damping ratio as a positive number that the compiler converts to -kv.
Outcome servo_damping(Words& a) {
  if (a.kv && a.dampratio) return Complaint{"kv and dampratio cannot both be given", {}, "dampratio"};
  if (a.kv && *a.kv < 0) return Complaint{"kv cannot be negative", {}, "kv"};
  if (a.dampratio && *a.dampratio < 0) return Complaint{"dampratio cannot be negative", {}, "dampratio"};
  if (a.kv) a.biasprm[2] = -*a.kv;
  if (a.dampratio) a.biasprm[2] = *a.dampratio;
  return {};
}

bool is_given(const spec::Reals<2>& range) { return range[0] != 0 || range[1] != 0; }

Outcome both_ranges(std::string_view range) {
  return Complaint{std::string(range) + " and inheritrange cannot both be given", {}, "inheritrange"};
}

/// force = kp (ctrl - length) - kv velocity
Outcome position(Words& a) {
  a.gainprm[0] = a.kp.value_or(a.gainprm[0]);
  a.biasprm[1] = -a.gainprm[0];
  if (Outcome bad = servo_damping(a)) return bad;
  if (a.timeconst && *a.timeconst < 0) return Complaint{"timeconst cannot be negative", {}, "timeconst"};
  if (a.inheritrange > 0 && is_given(a.ctrlrange)) return both_ranges("ctrlrange");
  DynType dynamics = a.dyntype;
  if (a.timeconst) {
    a.dynprm[0] = *a.timeconst;
    dynamics = *a.timeconst > 0 ? DynType::FilterExact : DynType::None;
  }
  set_types(a, dynamics, GainType::Fixed, BiasType::Affine);
  return {};
}

/// A position servo behind an integrator. MuJoCo drops the servo's errors here, and what the servo would have set after
/// the error keeps the class value.
Outcome intvelocity(Words& a) {
  if (a.inheritrange > 0 && is_given(a.actrange)) return both_ranges("actrange");
  (void)position(a);
  a.dyntype = DynType::Integrator;
  return {};
}

Outcome velocity(Words& a) {
  a.gainprm[0] = a.kv.value_or(a.gainprm[0]);
  a.biasprm = {};
  a.biasprm[2] = -a.gainprm[0];
  set_types(a, DynType::None, GainType::Fixed, BiasType::Affine);
  return {};
}

/// The servo of a ball joint or a site: force = kp log(error) - kv velocity
Outcome orientation(Words& a) {
  a.gainprm[0] = a.kp.value_or(a.gainprm[0]);
  a.biasprm[1] = -a.gainprm[0];
  if (Outcome bad = servo_damping(a)) return bad;
  set_types(a, DynType::None, GainType::So3, BiasType::So3);
  return {};
}

Outcome pid(Words& a) {
  const bool inherited = a.dyntype == DynType::Pid;
  a.biasprm[1] = -a.kp.value_or(-a.biasprm[1]);
  if (Outcome bad = servo_damping(a)) return bad;
  const double ki = a.ki.value_or(inherited ? a.gainprm[0] : 0);
  const double slewmax = a.slewmax.value_or(inherited ? a.dynprm[1] : 0);
  if (slewmax < 0) return Complaint{"slewmax cannot be negative", {}, "slewmax"};
  if (a.posrange) a.ctrlrange = *a.posrange;
  if (a.inheritrange > 0 && is_given(a.ctrlrange)) return both_ranges("posrange");
  a.gainprm[0] = ki;
  a.dynprm[1] = slewmax;
  if (ki != 0) a.dynprm[0] = a.imax.value_or(inherited ? a.dynprm[0] : 0);
  set_types(a, ki != 0 || slewmax != 0 ? DynType::Pid : DynType::None, GainType::Pid, BiasType::Affine);
  return {};
}

/// force = -kv ctrl velocity, with a control that is never negative
Outcome damper(Words& a) {
  const double inherited = a.gaintype == GainType::Affine ? -a.gainprm[2] : 0;
  const double kv = a.kv.value_or(inherited);
  if (kv < 0) return Complaint{"damping coefficient cannot be negative", {}, "kv"};
  if (a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0)
    return Complaint{"damper control range cannot be negative", {}, "ctrlrange"};
  a.gainprm = {};
  a.gainprm[2] = -kv;
  a.ctrllimited = spec::Tri::True;
  set_types(a, DynType::None, GainType::Affine, BiasType::None);
  return {};
}

Outcome cylinder(Words& a) {
  a.dynprm[0] = a.timeconst.value_or(a.dynprm[0]);
  if (a.bias) std::copy(a.bias->begin(), a.bias->end(), a.biasprm.begin());
  a.gainprm[0] = a.area.value_or(a.gainprm[0]);
  if (a.diameter && *a.diameter >= 0) a.gainprm[0] = kPi / 4 * *a.diameter * *a.diameter;
  set_types(a, DynType::Filter, GainType::Fixed, BiasType::Affine);
  return {};
}

/// Negative values, which make no sense, count as not given.
void replace(double& value, const std::optional<double>& given) {
  if (given && *given >= 0) value = *given;
}

Outcome muscle(Words& a) {
  // replace the built-in defaults of a general actuator by those of a muscle
  if (a.dynprm[0] == 1) a.dynprm[0] = 0.01;
  if (a.dynprm[1] == 0) a.dynprm[1] = 0.04;
  static constexpr double kGain[9] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
  for (std::size_t i = 0; i < 9; ++i) {
    if (a.gainprm[i] == (i == 0 ? 1 : 0)) a.gainprm[i] = kGain[i];
  }
  a.dynprm[2] = a.tausmooth.value_or(a.dynprm[2]);
  if (a.muscle_timeconst) {
    replace(a.dynprm[0], (*a.muscle_timeconst)[0]);
    replace(a.dynprm[1], (*a.muscle_timeconst)[1]);
  }
  if (a.range) {
    replace(a.gainprm[0], (*a.range)[0]);
    replace(a.gainprm[1], (*a.range)[1]);
  }
  const std::optional<double>* const rest[] = {&a.force, &a.scale, &a.lmin, &a.lmax, &a.vmax, &a.fpmax, &a.fvmax};
  for (std::size_t i = 0; i < std::size(rest); ++i) replace(a.gainprm[2 + i], *rest[i]);
  std::copy_n(a.gainprm.begin(), 9, a.biasprm.begin());
  set_types(a, DynType::Muscle, GainType::Muscle, BiasType::Muscle);
  return {};
}

Outcome adhesion(Words& a) {
  a.gainprm[0] = a.gain.value_or(a.gainprm[0]);
  if (a.gainprm[0] < 0) return Complaint{"adhesion gain cannot be negative", {}, "gain"};
  if (a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0)
    return Complaint{"adhesion control range cannot be negative", {}, "ctrlrange"};
  a.ctrllimited = spec::Tri::True;
  a.gaintype = GainType::Fixed;
  a.biastype = BiasType::None;
  return {};
}

double given(double value, double otherwise) { return std::isnan(value) ? otherwise : value; }

/// Back-EMF constant from the no-load speed: vn = Ke w0 + R B w0 / Ke with damping B, without R from the stall torque.
double back_emf(const Words& a, double resistance, double vn, double stall_torque, double no_load_speed) {
  const double damping = a.damping[0];
  const double undamped = vn / no_load_speed;
  if (damping > 0 && resistance > 0) {
    const double discriminant = vn * vn - 4 * resistance * damping * no_load_speed * no_load_speed;
    return discriminant > 0 ? (vn + std::sqrt(discriminant)) / (2 * no_load_speed) : undamped;
  }
  if (damping > 0 && stall_torque > 0) {
    const double damped = undamped - vn * damping / stall_torque;
    return damped > 0 ? damped : undamped;
  }
  return undamped;
}

/// Motor constant K and resistance R. `inherited`: the class is a dcmotor, so missing values come from there.
Outcome dcmotor_constants(Words& a, bool inherited) {
  double resistance = a.resistance.value_or(inherited ? a.gainprm[dc_motor::kResistance] : 0);
  const double kt = given(a.motorconst[0], inherited ? a.gainprm[dc_motor::kConstant] : 0);
  double ke = given(a.motorconst[1], 0);
  const double vn = given(a.nominal[0], 0);
  const double stall_torque = given(a.nominal[1], 0);
  const double no_load_speed = given(a.nominal[2], 0);
  if (ke <= 0 && vn > 0 && no_load_speed > 0) ke = back_emf(a, resistance, vn, stall_torque, no_load_speed);
  const double constant = kt > 0 && ke > 0 ? std::sqrt(kt * ke) : kt > 0 ? kt : ke;
  if (resistance == 0 && vn > 0 && stall_torque > 0 && constant > 0) resistance = constant * vn / stall_torque;
  if (constant <= 0)
    return Complaint{"the motor constant K must be positive", "give motorconst or nominal", "motorconst"};
  if (resistance <= 0)
    return Complaint{"the resistance R must be positive", "give resistance or nominal", "resistance"};
  a.gainprm[dc_motor::kResistance] = resistance;
  a.gainprm[dc_motor::kConstant] = constant;
  return {};
}

/// thermal: RT C tau alpha T0 Ta, of which one of RT, C, tau may be missing.
Outcome dcmotor_thermal(Words& a, bool inherited) {
  double rt = given(a.thermal[0], inherited ? a.dynprm[dc_motor::kThermalResistance] : 0);
  double capacity = given(a.thermal[1], inherited ? a.dynprm[dc_motor::kHeatCapacity] : 0);
  const double tau = given(a.thermal[2], 0);
  const double alpha = given(a.thermal[3], inherited ? a.gainprm[dc_motor::kTemperatureCoefficient] : 0);
  const double reference = given(a.thermal[4], inherited ? a.gainprm[dc_motor::kReferenceTemperature] : 0);
  const double ambient = given(a.thermal[5], inherited ? a.dynprm[dc_motor::kAmbientTemperature] : 0);
  if (!(rt > 0 || capacity > 0 || tau > 0)) {
    for (const auto i : {dc_motor::kThermalResistance, dc_motor::kHeatCapacity, dc_motor::kAmbientTemperature})
      a.dynprm[i] = 0;
    for (const auto i : {dc_motor::kTemperatureCoefficient, dc_motor::kReferenceTemperature}) a.gainprm[i] = 0;
    return {};
  }
  if (tau > 0 && rt > 0 && capacity <= 0) capacity = tau / rt;
  if (tau > 0 && capacity > 0 && rt <= 0) rt = tau / capacity;
  if (rt <= 0) return Complaint{"the thermal resistance must be positive", "give two of RT, C and tau", "thermal"};
  if (capacity <= 0)
    return Complaint{"the thermal capacitance must be positive", "give two of RT, C and tau", "thermal"};
  a.dynprm[dc_motor::kThermalResistance] = rt;
  a.dynprm[dc_motor::kHeatCapacity] = capacity;
  a.dynprm[dc_motor::kAmbientTemperature] = ambient;
  a.gainprm[dc_motor::kTemperatureCoefficient] = alpha;
  a.gainprm[dc_motor::kReferenceTemperature] = reference;
  return {};
}

Outcome dcmotor(Words& a) {
  const bool inherited = a.dyntype == DynType::DcMotor;
  if (!inherited) {
    a.gainprm.fill(0);
    a.dynprm.fill(0);
    a.biasprm.fill(0);
  }
  if (Outcome bad = dcmotor_constants(a, inherited)) return bad;

  const double inductance = given(a.inductance[0], 0);
  if (inductance < 0) return Complaint{"inductance must be non-negative", {}, "inductance"};
  const double te = inductance > 0 ? inductance / a.gainprm[dc_motor::kResistance]
                                   : given(a.inductance[1], a.dynprm[dc_motor::kElectricalTime]);
  if (te < 0) return Complaint{"the electrical time constant must be non-negative", {}, "inductance"};
  a.dynprm[dc_motor::kElectricalTime] = te;

  const double torque = given(a.saturation[0], 0);
  const double current = given(a.saturation[1], 0);
  double& max_current_rate = a.dynprm[dc_motor::kMaxCurrentRate];
  if (const double rate = given(a.saturation[2], max_current_rate); rate > 0) max_current_rate = rate;
  const double bound = torque > 0 ? torque : current > 0 ? a.gainprm[dc_motor::kConstant] * current : 0;
  if (bound > 0) {
    a.forcerange = {-bound, bound};
    a.forcelimited = spec::Tri::True;
  }

  for (std::size_t i = 0; i < 3; ++i) {
    double& cogging = a.biasprm[dc_motor::kCogging + i];
    cogging = given(a.cogging[i], cogging);
    double& gain = a.gainprm[dc_motor::kProportionalGain + i];
    gain = given(a.controller[i], gain);
  }
  a.dynprm[dc_motor::kMaxSlewRate] = given(a.controller[3], a.dynprm[dc_motor::kMaxSlewRate]);
  a.dynprm[dc_motor::kMaxIntegral] = given(a.controller[4], a.dynprm[dc_motor::kMaxIntegral]);
  double& max_voltage = a.gainprm[dc_motor::kMaxVoltage];
  if (const double vmax = given(a.controller[5], max_voltage); vmax > 0) max_voltage = vmax;

  if (Outcome bad = dcmotor_thermal(a, inherited)) return bad;

  // bristle friction: s0 s1 in the dynamics, tc ts ws in the bias
  double& stiffness = a.dynprm[dc_motor::kBristleStiffness];
  const bool bristle = given(a.lugre[0], stiffness) > 0;
  stiffness = bristle ? given(a.lugre[0], stiffness) : 0;
  a.dynprm[dc_motor::kBristleDamping] = bristle ? given(a.lugre[1], a.dynprm[dc_motor::kBristleDamping]) : 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double& friction = a.biasprm[dc_motor::kCoulombFriction + i];
    friction = bristle ? given(a.lugre[2 + i], friction) : 0;
  }

  if (!inherited && !a.gives_input) a.input = 0;  // inputs of another kind of servo mean nothing here
  a.actdim = dc_motor::Slots(a.gainprm.data(), a.dynprm.data()).count;
  a.actearly = true;
  a.actlimited = spec::Tri::False;
  set_types(a, DynType::DcMotor, GainType::DcMotor, BiasType::DcMotor);
  return {};
}

}  // namespace

ActuatorWords::ActuatorWords(const spec::Actuator& record) : spec::Actuator(record) {
  constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();
  motorconst.fill(kNotGiven);
  inductance.fill(kNotGiven);
  nominal.fill(kNotGiven);
  saturation.fill(kNotGiven);
  cogging.fill(kNotGiven);
  lugre.fill(kNotGiven);
  controller.fill(kNotGiven);
  thermal.fill(kNotGiven);
}

Outcome apply_shortcut(Shortcut shortcut, ActuatorWords& words) {
  switch (shortcut) {
    case Shortcut::General: return {};
    case Shortcut::Motor: return motor(words);
    case Shortcut::Position: return position(words);
    case Shortcut::Velocity: return velocity(words);
    case Shortcut::IntVelocity: return intvelocity(words);
    case Shortcut::Orientation: return orientation(words);
    case Shortcut::Pid: return pid(words);
    case Shortcut::Damper: return damper(words);
    case Shortcut::Cylinder: return cylinder(words);
    case Shortcut::Muscle: return muscle(words);
    case Shortcut::Adhesion: return adhesion(words);
    case Shortcut::DcMotor: return dcmotor(words);
    case Shortcut::Plugin: set_types(words, words.dyntype, GainType::Fixed, BiasType::None); return {};
  }
  return {};
}

}  // namespace sinew::mjcf
