#include <cmath>

#include "compile/objects.h"
#include "model/dcmotor_parameters.h"
#include "model/joint_kinds.h"
#include "model/transmission_kinds.h"
#include "spec/actuator_sizes.h"

namespace sinew::compiling {
namespace {

bool is_so3(const spec::Actuator& in) { return in.gaintype == GainType::So3; }

void compile_transmission(Context& context, const Place& where, const spec::Actuator& in, ActuatorNode& out) {
  const TransmissionKind& kind = transmission_kind(in.trntype);
  out.trntype = in.trntype;
  if (kind.attribute.empty() || in.target.empty()) {
    context.report.error(where, "", "has no target", "give it a joint, tendon, site or body to act on");
    return;
  }
  out.trnid[0] = context.resolve(where, kind.attribute, kind.target, in.target);
  if (kind.second == SecondSite::Slidersite) {
    out.trnid[1] = context.resolve(where, "slidersite", ObjType::Site, in.slidersite);
    if (!(in.cranklength > 0)) context.report.error(where, "cranklength", "must be positive with cranksite");
  } else if (!in.slidersite.empty() || in.cranklength != 0) {
    context.report.error(where, in.slidersite.empty() ? "cranklength" : "slidersite", "needs cranksite");
  }
  if (kind.second == SecondSite::Refsite && !in.refsite.empty()) {
    out.trnid[1] = context.resolve(where, "refsite", ObjType::Site, in.refsite);
  } else if (!in.refsite.empty()) {
    context.report.error(where, "refsite", "needs site");
  }
  if (!kind.follows_target && in.armature != 0)
    context.report.error(where, "armature", "needs a joint or a tendon as target");
  const bool damped = in.damping[0] != 0 || in.damping[1] != 0 || in.damping[2] != 0;
  if (!kind.follows_target && damped) context.report.error(where, "damping", "needs a joint or a tendon as target");
}

/// Actuators on the rotation group: three outputs, and a rotation vector or a quaternion as control.
void compile_so3(Context& context, const Place& where, const spec::Actuator& in, ActuatorNode& out) {
  if (in.gaintype != GainType::So3 || in.biastype != BiasType::So3) {
    context.report.error(where, "gaintype", "gaintype and biastype must both be so3, or neither");
    return;
  }
  if (in.dyntype != DynType::None && in.dyntype != DynType::Integrator)
    context.report.error(where, "dyntype", "must be none or integrator with so3");
  if (in.gainprm[0] != -in.biasprm[1])
    context.report.error(where, "biasprm", "the second number must be -gainprm[0] with so3");
  if (in.trntype == TrnType::Joint) {
    const bool known = out.trnid[0] >= 0;
    if (known && !joint_kind(context.joints[out.trnid[0]]->in->type).is_ball())
      context.report.error(where, "joint", "must be a ball joint with so3");
  } else if (in.trntype != TrnType::Site) {
    context.report.error(where, "", "so3 needs a ball joint or a site as target");
  } else if (in.refsite.empty()) {
    context.report.error(where, "refsite", "is needed with so3 and site");
  }
  if (out.forcelimited && in.forcerange[0] != 0)
    context.report.error(where, "forcerange", "bounds the norm of the force with so3, so its lower bound must be 0");
  out.trntype = TrnType::So3;
  out.outnum = transmission_kind(out.trntype).outputs;
  if (out.ctrlspec != kChartExpmap && out.ctrlspec != kChartQuat)
    context.report.error(where, "input", "must be expmap or quat with so3");
  const bool integrates = in.dyntype == DynType::Integrator;
  if (integrates && out.ctrlspec == kChartQuat) context.report.error(where, "input", "quat needs dyntype none");
  if (integrates && out.actnum != 3) context.report.error(where, "actdim", "must be 3 for an so3 integrator");
}

/// Servo with the inputs position, velocity, feed-forward; its states are the slew-limited setpoint and the integral.
void compile_pid(Context& context, const Place& where, const spec::Actuator& in, ActuatorNode& out) {
  const double ki = in.gainprm[0], imax = in.dynprm[0], slewmax = in.dynprm[1];
  const bool has_states = in.dyntype == DynType::Pid;
  if (in.biastype != BiasType::Affine) context.report.error(where, "biastype", "must be affine with gaintype pid");
  if (in.dyntype != DynType::None && !has_states)
    context.report.error(where, "dyntype", "must be none or pid with gaintype pid");
  if (transmission_kind(in.trntype).target == ObjType::Body)
    context.report.error(where, "body", "cannot be the target of a pid actuator");
  if (has_states && imax < 0) context.report.error(where, "dynprm", "imax, the first number, must not be negative");
  if (has_states && slewmax < 0)
    context.report.error(where, "dynprm", "slewmax, the second number, must not be negative");
  if (!has_states && ki != 0)
    context.report.error(where, "gainprm", "an integral gain (the first number) needs dyntype pid");
  if (out.ctrlspec & ~(kInputPos | kInputVel | kInputFf))
    context.report.error(where, "input", "must be among pos, vel and ff");
  if (has_states && !(out.ctrlspec & kInputPos))
    context.report.error(where, "input", "ki and slewmax need the input pos");
  // MuJoCo 3.12.0 rejects both states together by accident; they are compatible
  const int states = has_states ? (ki > 0) + (slewmax > 0) : 0;
  if (out.actnum != states)
    context.report.error(where, "actdim", "must be " + std::to_string(states) + ", one for each of ki and slewmax");
}

void compile_dc_motor(Context& context, const Place& where, const spec::Actuator& in, ActuatorNode& out) {
  const double kp = in.gainprm[dc_motor::kProportionalGain], ki = in.gainprm[dc_motor::kIntegralGain];
  const double kd = in.gainprm[dc_motor::kDerivativeGain], slewmax = in.dynprm[dc_motor::kMaxSlewRate];
  const bool controlled = (out.ctrlspec & (kInputPos | kInputVel | kInputFf)) != 0;
  if ((kp != 0 || ki != 0 || kd != 0 || slewmax > 0) && !controlled)
    context.report.error(where, "input", "controller gains need one of the inputs pos, vel, ff");
  else if (ki != 0 && !(out.ctrlspec & kInputPos))
    context.report.error(where, "input", "an integral gain needs the input pos");
  const int states = dc_motor::Slots(in.gainprm.data(), in.dynprm.data()).count;
  if (out.actnum != states)
    context.report.error(where, "actdim", "must be " + std::to_string(states) + ", the number of its states");
}

void check_activations(Context& context, const Place& where, const spec::Actuator& in, const ActuatorNode& out) {
  if (out.actnum > 1 && in.dyntype != DynType::User && in.dyntype != DynType::DcMotor &&
      in.gaintype != GainType::DcMotor && in.gaintype != GainType::So3 && in.gaintype != GainType::Pid) {
    context.report.error(where, "actdim",
                         "is " + std::to_string(out.actnum) + "; more than 1 needs dyntype user or dcmotor, or so3");
  }
  if (out.actnum > 0 && in.dyntype == DynType::None)
    context.report.error(where, "actdim", "is " + std::to_string(out.actnum) + ", but dyntype none has no state");
  if (out.actnum == 0 && in.dyntype != DynType::None && in.dyntype != DynType::DcMotor)
    context.report.error(where, "actdim", "is 0, but the dynamics need a state");
}

void check_muscle(Context& context, const Place& where, std::string_view attribute, const spec::Reals<10>& prm) {
  const double lmin = prm[4], lmax = prm[5];
  if (!(prm[0] < prm[1])) context.report.error(where, attribute, "range[0] must be below range[1] in a muscle");
  if (!(lmin < 1 && lmax > 1)) context.report.error(where, attribute, "lmin < 1 < lmax must hold in a muscle");
  if (!(prm[3] > 0 && prm[6] > 0 && prm[7] > 0 && prm[8] > 0))
    context.report.error(where, attribute, "scale, vmax, fpmax and fvmax must be positive in a muscle");
}

/// inheritrange: the target's range, scaled about its middle, for the control or the integrated setpoint of a servo.
void inherit_range(Context& context, const Place& where, const spec::Actuator& in, ActuatorNode& out) {
  const bool servo =
      in.biastype == BiasType::Affine &&
      ((in.gaintype == GainType::Fixed && in.gainprm[0] == -in.biasprm[1]) || in.gaintype == GainType::Pid);
  if (!servo || out.trnid[0] < 0) return;
  const bool integrates = in.dyntype == DynType::Integrator;
  const bool follows = in.dyntype == DynType::None || in.dyntype == DynType::FilterExact || in.dyntype == DynType::Pid;
  if (!integrates && !follows) return;
  const auto id = static_cast<std::size_t>(out.trnid[0]);
  std::array<double, 2> range{};
  if (in.trntype == TrnType::Joint) {
    const JointNode& joint = *context.joints[id];
    if (!joint_kind(joint.in->type).is_scalar()) {
      context.report.error(where, "inheritrange", "works with hinge and slide joints only");
      return;
    }
    range = joint.range;
  } else if (in.trntype == TrnType::Tendon) {
    range = context.spec.tendons[id].range;
  } else {
    context.report.error(where, "inheritrange", "works with a joint or a tendon as target only");
    return;
  }
  if (range[0] == range[1]) {
    context.report.error(where, "inheritrange", "the target '" + in.target + "' has no range");
    return;
  }
  const auto& own = integrates ? in.actrange : in.ctrlrange;
  if (own[0] != 0 || own[1] != 0) {
    context.report.error(where, "inheritrange",
                         std::string("is given together with ") + (integrates ? "actrange" : "ctrlrange"));
    return;
  }
  const double mean = 0.5 * (range[1] + range[0]), radius = 0.5 * (range[1] - range[0]) * in.inheritrange;
  (integrates ? out.actrange : out.ctrlrange) = {mean - radius, mean + radius};
}

void compile_limits(Context& context, const Place& where, const spec::Actuator& in, ActuatorNode& out) {
  out.ctrllimited = is_limited_and_valid(context, where, {"ctrllimited", "ctrlrange", in.ctrllimited, out.ctrlrange});
  out.forcelimited =
      is_limited_and_valid(context, where, {"forcelimited", "forcerange", in.forcelimited, in.forcerange});
  out.actlimited = is_limited_and_valid(context, where, {"actlimited", "actrange", in.actlimited, out.actrange});
  if (out.actlimited && in.dyntype == DynType::None)
    context.report.error(where, "actrange", "has no meaning with dyntype none");
}

ActuatorNode compile_actuator(Context& context, const spec::Actuator& in) {
  const Place where = place(in.element, in);
  check_user(context, where, in.user, {context.spec.size.nuser_actuator, "nuser_actuator"});
  ActuatorNode out;
  out.ctrlrange = in.ctrlrange;
  out.actrange = in.actrange;
  compile_transmission(context, where, in, out);
  if (in.inheritrange > 0) inherit_range(context, where, in, out);
  compile_limits(context, where, in, out);

  const bool motor = in.gaintype == GainType::DcMotor;
  const mjcf::ActuatorSizes sizes = mjcf::sizes_of(in);
  out.ctrlspec = sizes.input;
  out.ctrlnum = sizes.controls;
  out.actnum = sizes.activations;
  if (in.plugin) {  // its init checks the number of activations
    check_history(context, where, in.delay, in.nsample);
    return out;
  }
  if (is_so3(in) || in.biastype == BiasType::So3) compile_so3(context, where, in, out);
  if (in.gaintype == GainType::Pid) compile_pid(context, where, in, out);
  if (motor) compile_dc_motor(context, where, in, out);
  if (in.input != 0 && !is_so3(in) && in.gaintype != GainType::Pid && !motor)
    context.report.error(where, "input", "is only valid for so3, pid and dcmotor actuators");
  if (in.dyntype == DynType::DcMotor && !in.actearly)
    context.report.error(where, "actearly", "cannot be false for a dcmotor");
  if (in.dyntype == DynType::Pid && in.gaintype != GainType::Pid)
    context.report.error(where, "dyntype", "pid needs gaintype pid");
  check_activations(context, where, in, out);
  if (in.gaintype == GainType::Muscle) check_muscle(context, where, "gainprm", in.gainprm);
  if (in.biastype == BiasType::Muscle) check_muscle(context, where, "biasprm", in.biasprm);
  check_history(context, where, in.delay, in.nsample);
  if (in.nsample > 0 && out.ctrlnum == 0)
    context.report.error(where, "nsample", "a history keeps controls, but the actuator has no input");
  return out;
}

}  // namespace

void compile_actuators(Context& context) {
  for (const spec::Actuator& in : context.spec.actuators) context.actuators.push_back(compile_actuator(context, in));
}

}  // namespace sinew::compiling
