#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "dynamics/actuator.h"
#include "plugin/first_party.h"

// mujoco.pid: a servo with an integral term and a limit on the rate of its setpoint. Its activations are the integral
// of the error (if ki is not 0), the setpoint of the previous step (if slewmax is given), and that of its dyntype.

namespace sinew {
namespace {

/// The beginning of a text as a number, 0 if there is none: MuJoCo accepts anything here.
std::optional<double> leading_number(const PluginConfig& config, std::string_view attribute) {
  const std::string text(config.text(attribute));
  if (text.find_first_not_of(" \t\n\v\f\r") == std::string::npos) return {};
  const double value = std::strtod(text.c_str(), nullptr);
  return std::isfinite(value) ? value : 0;
}

struct Gains {
  double kp = 0, ki = 0, kd = 0;
  std::optional<double> most_integral;  // of the error
  std::optional<double> slewmax;        // 1/s

  int states() const { return (ki != 0) + slewmax.has_value(); }
};

Result<Gains> read_gains(const PluginConfig& config) {
  Gains out;
  out.kp = leading_number(config, "kp").value_or(0);
  out.ki = leading_number(config, "ki").value_or(0);
  out.kd = leading_number(config, "kd").value_or(0);
  const std::optional<double> imax = leading_number(config, "imax");
  if (imax && out.ki != 0) out.most_integral = *imax / out.ki;
  out.slewmax = leading_number(config, "slewmax");
  if (out.most_integral && *out.most_integral < 0)
    return Error::message("config 'imax': imax / ki must not be negative");
  if (out.slewmax && *out.slewmax < 0) return Error::message("config 'slewmax': must not be negative");
  return out;
}

class Pid : public CopiedInstance<Pid> {
 public:
  Pid(const Gains& gains, std::vector<int> actuators) : gains_(gains), actuators_(std::move(actuators)) {}

  void compute_act_dot(const Model& m, Data& d) override {
    const double h = m.opt.timestep;
    for (const int i : actuators_) {
      if (gains_.states() == 0 || !fits(m, i) || is_asleep(m, d, i)) continue;
      int slot = m.actuator_actadr[i];
      const double u = setpoint(m, d, i, false);
      if (gains_.ki != 0) {
        d.act_dot[slot] = (integral(m, d, i, u - length(m, d, i)) - d.act[slot]) / h;
        ++slot;
      }
      if (gains_.slewmax) d.act_dot[slot] = (u - d.act[slot]) / h;
    }
  }

  void compute_actuator_force(const Model& m, Data& d) override {
    for (const int i : actuators_) {
      if (!fits(m, i) || is_asleep(m, d, i)) continue;
      const double error = setpoint(m, d, i, m.actuator_actearly[i]) - length(m, d, i);
      const double rate = has_dynamics(m, i) ? d.act_dot[last_slot(m, i)] : 0;
      const double error_rate = rate - d.actuator_velocity[m.actuator_outadr[i]];
      double force = gains_.kp * error + gains_.kd * error_rate;
      if (gains_.ki != 0) force += gains_.ki * integral(m, d, i, error);
      d.actuator_force[m.actuator_outadr[i]] = force;
    }
  }

 private:
  /// The model may have been edited since the instance was made.
  bool fits(const Model& m, int i) const {
    return m.actuator_actnum[i] == gains_.states() + has_dynamics(m, i) && m.actuator_ctrlnum[i] > 0;
  }
  static bool has_dynamics(const Model& m, int i) { return DynType(m.actuator_dyntype[i]) != DynType::None; }
  static int last_slot(const Model& m, int i) { return m.actuator_actadr[i] + m.actuator_actnum[i] - 1; }
  static double length(const Model& m, const Data& d, int i) { return d.actuator_length[m.actuator_outadr[i]]; }

  /// The control, or the activation of the dynamics (early: that of the next step), within reach of the previous one.
  double setpoint(const Model& m, const Data& d, int i, bool early) const {
    double u;
    if (!has_dynamics(m, i)) {
      const int c = m.actuator_ctrladr[i];
      u = d.ctrl[c];
      if (m.actuator_ctrllimited[c]) u = std::clamp(u, m.actuator_ctrlrange[2 * c], m.actuator_ctrlrange[2 * c + 1]);
    } else {
      const int slot = last_slot(m, i);
      const Actuator<double> a = {m, d, i, nullptr};
      u = early ? next_activation(a, m.actuator_actnum[i] - 1, d.act_dot[slot]) : d.act[slot];
    }
    if (gains_.slewmax && d.time > 0) {
      const double before = d.act[m.actuator_actadr[i] + (gains_.ki != 0)], reach = *gains_.slewmax * m.opt.timestep;
      u = std::clamp(u, before - reach, before + reach);
    }
    return u;
  }

  double integral(const Model& m, const Data& d, int i, double error) const {
    const double sum = d.act[m.actuator_actadr[i]] + error * m.opt.timestep;
    return gains_.most_integral ? std::clamp(sum, -*gains_.most_integral, *gains_.most_integral) : sum;
  }

  Gains gains_;
  std::vector<int> actuators_;
};

class PidPlugin : public Plugin {
 public:
  std::string name() const override { return "mujoco.pid"; }
  int capabilities() const override { return kPluginActuator; }
  std::vector<std::string> attributes() const override { return {"kp", "ki", "kd", "imax", "slewmax"}; }

  Result<std::unique_ptr<PluginInstance>> make(const Model& m, int instance) const override {
    const Result<Gains> gains = read_gains(plugin_config(m, instance));
    if (!gains) return gains.error();
    std::vector<int> actuators;
    for (int i = 0; i < m.nactuator; ++i)
      if (m.actuator_plugin[i] == instance) actuators.push_back(i);
    if (actuators.empty()) return Error::message("no actuator uses this instance of mujoco.pid");
    for (const int i : actuators) {
      const int needed = gains->states() + (DynType(m.actuator_dyntype[i]) != DynType::None);
      if (m.actuator_actnum[i] != needed)
        return Error::message("actuator " + std::to_string(i) + " has " + std::to_string(m.actuator_actnum[i]) +
                              " activations, mujoco.pid needs " + std::to_string(needed) + ": add actdim=\"" +
                              std::to_string(needed) + "\"");
    }
    return std::unique_ptr<PluginInstance>(std::make_unique<Pid>(*gains, std::move(actuators)));
  }
};

}  // namespace

std::shared_ptr<const Plugin> pid_plugin() { return std::make_shared<PidPlugin>(); }

}  // namespace sinew
