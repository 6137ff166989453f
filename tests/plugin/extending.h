#pragma once

// The plugins of docs/extending.md. A test compares the two texts.

#include <cmath>

#include "sinew/sinew.h"

namespace extending {

// [actuator]
/// demo.winch: a force that builds up with the control and leaks. Its state is the force, so it is kept in
/// plugin_state: snapshots, batches and rollouts carry it along.
class Winch : public sinew::CopiedInstance<Winch> {
 public:
  Winch(int instance, double gain, double leak) : instance_(instance), gain_(gain), leak_(leak) {}

  void compute_actuator_force(const sinew::Model& m, sinew::Data& d) override {
    for (int i = 0; i < m.nactuator; ++i)
      if (m.actuator_plugin[i] == instance_)
        d.actuator_force[m.actuator_outadr[i]] = sinew::plugin_state(m, d, instance_)[0];
  }
  void advance(const sinew::Model& m, sinew::Data& d) override {
    double& force = sinew::plugin_state(m, d, instance_)[0];
    for (int i = 0; i < m.nactuator; ++i)
      if (m.actuator_plugin[i] == instance_)
        force += m.opt.timestep * (gain_ * d.ctrl[m.actuator_ctrladr[i]] - leak_ * force);
  }

 private:
  int instance_;
  double gain_, leak_;
};

class WinchPlugin : public sinew::Plugin {
 public:
  std::string name() const override { return "demo.winch"; }
  int capabilities() const override { return sinew::kPluginActuator; }
  std::vector<std::string> attributes() const override { return {"gain", "leak"}; }
  sinew::Result<int> state_size(const sinew::PluginConfig&) const override { return 1; }
  sinew::Result<std::unique_ptr<sinew::PluginInstance>> make(const sinew::Model& m, int instance) const override {
    const sinew::PluginConfig config = sinew::plugin_config(m, instance);
    const sinew::Result<double> gain = config.number("gain", 1), leak = config.number("leak", 0);
    if (!gain) return gain.error();
    if (!leak) return leak.error();
    if (*leak < 0) return sinew::Error::message("config 'leak': must not be negative");
    return std::unique_ptr<sinew::PluginInstance>(std::make_unique<Winch>(instance, *gain, *leak));
  }
};
// [end]

// [sensor]
/// demo.speed: the speeds of the centers of mass of all bodies. It counts its evaluations, which is data of one world.
class Speed : public sinew::CopiedInstance<Speed> {
 public:
  explicit Speed(int instance) : instance_(instance) {}

  void compute_sensors(const sinew::Model& m, sinew::Data& d) override {
    ++evaluations;
    for (int i = 0; i < m.nsensor; ++i) {
      if (m.sensor_plugin[i] != instance_) continue;
      for (int b = 0; b < std::min<int>(m.sensor_dim[i], static_cast<int>(m.nbody)); ++b) {
        double velocity[6];
        sinew::object_velocity(m, d, sinew::ObjType::Body, b, velocity, false);
        d.sensordata[m.sensor_adr[i] + b] = std::hypot(velocity[3], velocity[4], velocity[5]);
      }
    }
  }

  int evaluations = 0;

 private:
  int instance_;
};

class SpeedPlugin : public sinew::Plugin {
 public:
  std::string name() const override { return "demo.speed"; }
  int capabilities() const override { return sinew::kPluginSensor; }
  std::vector<std::string> attributes() const override { return {"bodies"}; }
  sinew::Stage stage() const override { return sinew::Stage::Vel; }
  sinew::Result<int> sensor_size(const sinew::PluginConfig& config) const override {
    const sinew::Result<double> bodies = config.number("bodies", 1);
    if (!bodies) return bodies.error();
    return static_cast<int>(*bodies);
  }
  sinew::Result<std::unique_ptr<sinew::PluginInstance>> make(const sinew::Model&, int instance) const override {
    return std::unique_ptr<sinew::PluginInstance>(std::make_unique<Speed>(instance));
  }
};
// [end]

// [passive]
/// demo.drag: a force against the wind that grows with the square of the speed, on every body that uses it.
class Drag : public sinew::CopiedInstance<Drag> {
 public:
  Drag(int instance, double coefficient) : instance_(instance), coefficient_(coefficient) {}

  void add_passive_force(const sinew::Model& m, sinew::Data& d) override {
    for (int b = 1; b < m.nbody; ++b) {
      if (m.body_plugin[b] != instance_) continue;
      double velocity[6];
      sinew::object_velocity(m, d, sinew::ObjType::Body, b, velocity, false);
      const double speed = std::hypot(velocity[3], velocity[4], velocity[5]);
      double force[3];
      for (int k = 0; k < 3; ++k) force[k] = -coefficient_ * speed * velocity[3 + k];
      sinew::apply_ft(m, d, force, nullptr, &d.xipos[3 * b], b, d.qfrc_passive.data());
    }
  }

 private:
  int instance_;
  double coefficient_;
};

class DragPlugin : public sinew::Plugin {
 public:
  std::string name() const override { return "demo.drag"; }
  int capabilities() const override { return sinew::kPluginPassive; }
  std::vector<std::string> attributes() const override { return {"coefficient"}; }
  sinew::Result<std::unique_ptr<sinew::PluginInstance>> make(const sinew::Model& m, int instance) const override {
    const sinew::Result<double> coefficient = sinew::plugin_config(m, instance).number("coefficient", 1);
    if (!coefficient) return coefficient.error();
    return std::unique_ptr<sinew::PluginInstance>(std::make_unique<Drag>(instance, *coefficient));
  }
};
// [end]

// [sdf]
/// demo.dumbbell: two balls. Constant and shared by all worlds, so it has no instance, only a shape.
class Dumbbell : public sinew::SignedDistance {
 public:
  Dumbbell(double radius, double reach) : radius_(radius), reach_(reach) {}

  double distance(const double x[3]) const override {
    return std::hypot(std::abs(x[0]) - reach_, x[1], x[2]) - radius_;
  }
  Box box() const override { return {{0, 0, 0}, {1.1 * (reach_ + radius_), 1.1 * radius_, 1.1 * radius_}}; }

 private:
  double radius_, reach_;
};

class DumbbellPlugin : public sinew::Plugin {
 public:
  std::string name() const override { return "demo.dumbbell"; }
  int capabilities() const override { return sinew::kPluginSdf; }
  std::vector<std::string> attributes() const override { return {"radius", "reach"}; }
  sinew::Result<std::unique_ptr<sinew::SignedDistance>> shape(const sinew::PluginConfig& config) const override {
    const sinew::Result<double> radius = config.number("radius", 0.1), reach = config.number("reach", 0.3);
    if (!radius) return radius.error();
    if (!reach) return reach.error();
    return std::unique_ptr<sinew::SignedDistance>(std::make_unique<Dumbbell>(*radius, *reach));
  }
};
// [end]

// [registry]
inline sinew::PluginRegistry registry() {
  sinew::PluginRegistry registry;
  registry.add(std::make_shared<WinchPlugin>()).value_or_throw();
  registry.add(std::make_shared<SpeedPlugin>()).value_or_throw();
  registry.add(std::make_shared<DragPlugin>()).value_or_throw();
  registry.add(std::make_shared<DumbbellPlugin>()).value_or_throw();
  return registry;
}

inline constexpr const char* kModel = R"(<mujoco>
  <extension>
    <plugin plugin="demo.winch"/>
    <plugin plugin="demo.speed"/>
    <plugin plugin="demo.drag"/>
    <plugin plugin="demo.dumbbell"><instance name="bell"/></plugin>
  </extension>
  <asset><mesh name="bell" inertia="exact"><plugin instance="bell"/></mesh></asset>
  <worldbody>
    <geom type="box" size="1 1 .1" pos="0 0 -.1"/>
    <body pos="0 0 .15">
      <freejoint/>
      <geom type="sdf" mesh="bell"><plugin instance="bell"/></geom>
      <plugin plugin="demo.drag"><config key="coefficient" value="3"/></plugin>
    </body>
    <body pos="3 0 1">
      <joint name="slide" type="slide" axis="0 0 1"/>
      <geom size=".1"/>
    </body>
  </worldbody>
  <actuator><plugin joint="slide" plugin="demo.winch"><config key="gain" value="50"/></plugin></actuator>
  <sensor><plugin plugin="demo.speed"><config key="bodies" value="3"/></plugin></sensor>
</mujoco>)";

inline sinew::Model load() {
  const sinew::PluginRegistry plugins = registry();
  sinew::LoadOptions options;
  options.plugins = &plugins;
  return sinew::load_string(kModel, options).value_or_throw();
}
// [end]

}  // namespace extending
