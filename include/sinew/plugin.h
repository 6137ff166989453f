#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/model.h"

// Plugins: actuators, sensors, passive forces and signed distance fields that a program adds to the language. A model
// names them in <extension> and configures instances of them; a registry that is passed to load (LoadOptions::plugins)
// says what implements the names. MuJoCo's own plugins are known without registration. docs/extending.md has a
// complete example of each kind.

namespace sinew {

/// What a plugin can do: bits of Plugin::capabilities.
enum PluginCapability : int { kPluginActuator = 1, kPluginSensor = 2, kPluginPassive = 4, kPluginSdf = 8 };

/// The configuration of one instance: texts by the names that the plugin declares.
class PluginConfig {
 public:
  PluginConfig(std::vector<std::string> attributes, std::vector<std::string> values)
      : attributes_(std::move(attributes)), values_(std::move(values)) {}

  /// The text given in the model; empty if there is none.
  std::string_view text(std::string_view attribute) const;
  /// The text as one number; `otherwise` if it is empty or blank, an error that names it if it is no number.
  Result<double> number(std::string_view attribute, double otherwise) const;

 private:
  std::vector<std::string> attributes_, values_;
};

/// The configuration of an instance of a compiled model.
PluginConfig plugin_config(const Model& model, int instance);
/// The part of plugin_state that belongs to an instance.
std::span<double> plugin_state(const Model& model, Data& data, int instance);

/// A signed distance field in the frame of its geom: negative inside, at most the distance to the surface outside. It
/// belongs to the model, so all worlds use it at the same time.
class SignedDistance {
 public:
  struct Box {
    std::array<double, 3> center{}, half{};
  };

  virtual ~SignedDistance() = default;
  virtual double distance(const double x[3]) const = 0;
  /// By default forward differences with a step of 1e-8 m.
  virtual void gradient(const double x[3], double gradient[3]) const;
  /// Contains the surface: where it is triangulated, to give the geom a mesh.
  virtual Box box() const = 0;
};

/// An instance in one world. Members of a derived class are the data of that world: made with the Data, copied and
/// destroyed with it. Numbers that belong to the state of the world are kept in plugin_state instead. Functions are
/// called inside a step: they should not allocate. One that throws ends the step with a Status that has its message.
class PluginInstance {
 public:
  virtual ~PluginInstance() = default;
  virtual std::unique_ptr<PluginInstance> clone() const = 0;
  /// Takes over the data of another instance of the same type without allocation; false: clone is used.
  virtual bool assign(const PluginInstance&) { return false; }

  /// plugin_state is zero before it.
  virtual void reset(const Model&, Data&) {}
  /// Actuators: act_dot of the activations that the plugin defines. The last one of an actuator with dyntype follows
  /// that; the others are zero before it.
  virtual void compute_act_dot(const Model&, Data&) {}
  /// Actuators: actuator_force, before it is limited to forcerange.
  virtual void compute_actuator_force(const Model&, Data&) {}
  /// Adds to qfrc_passive.
  virtual void add_passive_force(const Model&, Data&) {}
  /// Writes the values of its sensors to sensordata, after the built-in sensors of its stage. They are zero before it
  /// and limited to cutoff after it.
  virtual void compute_sensors(const Model&, Data&) {}
  /// At the end of a step, after the state has advanced.
  virtual void advance(const Model&, Data&) {}
};

/// clone and assign of an instance whose type T can be copied.
template <class T>
class CopiedInstance : public PluginInstance {
 public:
  std::unique_ptr<PluginInstance> clone() const override { return std::make_unique<T>(static_cast<const T&>(*this)); }
  bool assign(const PluginInstance& other) override {
    const T* same = dynamic_cast<const T*>(&other);
    if (same) static_cast<T&>(*this) = *same;
    return same != nullptr;
  }
};

/// A kind of plugin, known to models by its name.
class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual std::string name() const = 0;
  /// PluginCapability bits.
  virtual int capabilities() const = 0;
  /// Names that may be configured.
  virtual std::vector<std::string> attributes() const { return {}; }
  /// Of its sensors. Stage::None counts as Stage::Pos.
  virtual Stage stage() const { return Stage::Acc; }
  /// Number of values of a sensor.
  virtual Result<int> sensor_size(const PluginConfig&) const { return 0; }
  /// Number of values in plugin_state.
  virtual Result<int> state_size(const PluginConfig&) const { return 0; }
  /// The instance in a new world; null if it has nothing to do. An error refuses the model.
  virtual Result<std::unique_ptr<PluginInstance>> make(const Model&, int instance) const;
  /// The distance field of an instance, for plugins that have one.
  virtual Result<std::unique_ptr<SignedDistance>> shape(const PluginConfig&) const;
};

/// Plugins by name. MuJoCo's come first and are always there.
class PluginRegistry {
 public:
  PluginRegistry();

  /// Fails if the name is empty or taken.
  Result<bool> add(std::shared_ptr<const Plugin> plugin);
  /// Index in plugins(), or -1.
  int find(std::string_view name) const;
  std::span<const std::shared_ptr<const Plugin>> plugins() const { return plugins_; }

 private:
  std::vector<std::shared_ptr<const Plugin>> plugins_;
};

/// What implements the instances of a model, by instance.
struct ModelPlugins {
  std::vector<std::shared_ptr<const Plugin>> plugin;
  std::vector<std::shared_ptr<const SignedDistance>> shape;  // null: none
  std::vector<int> slot;                                     // index in the registry, as in Model::plugin
  std::vector<int> capabilities;
  std::vector<Stage> stage;  // of its sensors
};

}  // namespace sinew
