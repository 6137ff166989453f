#include "compile/plugins.h"

#include <algorithm>
#include <exception>

#include "base/limits.h"
#include "base/suggest.h"
#include "spec/references.h"

namespace sinew::compiling {
namespace {

using Config = std::vector<spec::PluginConfig>;

/// A place where an element uses a plugin, and what for.
struct Use {
  const spec::PluginUse* use;
  Place where;
  PluginCapability capability;
};

std::string_view task(PluginCapability capability) {
  switch (capability) {
    case kPluginActuator: return "actuators";
    case kPluginSensor: return "sensors";
    case kPluginPassive: return "passive forces";
    case kPluginSdf: return "signed distance fields";
  }
  return "";
}

std::vector<Use> uses_in(const Spec& spec) {
  std::vector<Use> out;
  const auto add = [&](const auto& element, std::string_view name, PluginCapability capability) {
    if (element.plugin) out.push_back({&*element.plugin, place(name, element), capability});
  };
  for (const spec::Mesh& mesh : spec.meshes) add(mesh, "mesh", kPluginSdf);
  for (const spec::Actuator& actuator : spec.actuators) add(actuator, actuator.element, kPluginActuator);
  for (const spec::Sensor& sensor : spec.sensors) add(sensor, "plugin", kPluginSensor);
  add(spec.world, "worldbody", kPluginPassive);
  mjcf::for_each_below(spec.world, [&](ObjType kind, const auto& element) {
    if constexpr (requires { element.plugin; })
      kind == ObjType::Body ? add(element, "body", kPluginPassive) : add(element, "geom", kPluginSdf);
  });
  return out;
}

/// The instances of one compilation.
class Instances {
 public:
  explicit Instances(Context& context) : context_(context), uses_(uses_in(context.spec)) {}

  void run() {
    if (context_.spec.plugins.empty() && context_.spec.plugin_instances.empty() && uses_.empty()) return;
    check_activated();
    list();
    connect();
  }

 private:
  void check_activated() {
    for (const spec::Plugin& plugin : context_.spec.plugins) {
      if (context_.registry.find(plugin.name) >= 0) continue;
      std::vector<std::string> names;
      for (const auto& known : context_.registry.plugins()) names.push_back(known->name());
      const std::vector<std::string_view> words(names.begin(), names.end());
      context_.report.error({"plugin", {}, plugin.origin}, "plugin", "plugin '" + plugin.name + "' not found",
                            suggest(plugin.name, words));
    }
  }

  /// Declared instances first, then those of macros and elements in the order of reading.
  void list() {
    struct Source {
      int order;
      Place where;
      std::string_view name, plugin;
      const Config* config;
      const spec::PluginUse* own;
    };
    std::vector<Source> sources;
    for (const spec::PluginInstance& in : context_.spec.plugin_instances)
      sources.push_back({in.order, {"instance", in.name, in.origin}, in.name, in.plugin, &in.config, nullptr});
    for (const Use& use : uses_) {
      const spec::PluginUse& in = *use.use;
      if (!in.instance.empty()) continue;
      if (in.plugin.empty()) {
        context_.report.error(use.where, "plugin", "neither 'plugin' nor 'instance' is specified");
        continue;
      }
      // elements that a program made have no order: they come after the declared ones too
      sources.push_back({std::max(in.order, 1), use.where, "", in.plugin, &in.config, use.use});
    }
    std::stable_sort(sources.begin(), sources.end(),
                     [](const Source& a, const Source& b) { return a.order < b.order; });
    for (const Source& source : sources) {
      const int id = static_cast<int>(context_.plugins.size());
      if (source.own) context_.plugin_ids.emplace(source.own, id);
      if (!source.name.empty() && !named_.emplace(source.name, id).second)
        context_.report.error(source.where, "name", "repeated name '" + std::string(source.name) + "' in plugin");
      PluginNode& node = context_.plugins.emplace_back();
      node.where = source.where;
      node.name = source.name;
      fill(node, source.plugin, *source.config);
    }
  }

  void fill(PluginNode& node, std::string_view name, const Config& config) {
    if (!mjcf::activates(context_.spec, name)) {
      context_.report.error(node.where, "plugin", "unrecognized plugin '" + std::string(name) + "'",
                            "<extension> must name it");
      return;
    }
    node.slot = context_.registry.find(name);
    if (node.slot < 0) return;  // reported where it is activated
    node.plugin = context_.registry.plugins()[static_cast<std::size_t>(node.slot)];
    const std::vector<std::string> attributes = node.plugin->attributes();
    node.values.resize(attributes.size());
    std::vector<bool> given(attributes.size());
    for (const spec::PluginConfig& entry : config) {
      const auto at = std::find(attributes.begin(), attributes.end(), entry.key);
      if (at == attributes.end()) {
        const std::vector<std::string_view> words(attributes.begin(), attributes.end());
        context_.report.error(
            node.where, "config",
            "unrecognized attribute 'plugin:" + entry.key + "' for plugin '" + std::string(name) + "'",
            suggest(entry.key, words));
        continue;
      }
      const auto i = static_cast<std::size_t>(at - attributes.begin());
      if (given[i]) context_.report.error(node.where, "config", "duplicate config key '" + entry.key + "'");
      given[i] = true;
      if (entry.value.find('\0') == std::string::npos) node.values[i] = entry.value;
    }
    if (!context_.report.failed()) ask(node, {attributes, node.values});
  }

  /// What follows from the configuration alone.
  void ask(PluginNode& node, const PluginConfig& config) {
    guarded(node, [&] {
      const int can = node.plugin->capabilities();
      const auto take = [&](Result<int> size, int& out, std::string_view what) {
        if (!size)
          context_.report.error(node.where, "config", size.error().first().message);
        else if (*size < 0 || *size > limits::kUserSensorNumbers)
          context_.report.error(node.where, "",
                                "the plugin asks for " + std::to_string(*size) + " " + std::string(what));
        else
          out = *size;
      };
      take(node.plugin->state_size(config), node.states, "state numbers");
      if (can & kPluginSensor) take(node.plugin->sensor_size(config), node.sensor_values, "sensor values");
      if (!(can & kPluginSdf)) return;
      Result<std::unique_ptr<SignedDistance>> shape = node.plugin->shape(config);
      if (!shape)
        context_.report.error(node.where, "config", shape.error().first().message);
      else if (!*shape)
        context_.report.error(node.where, "", "the plugin has no signed distance field");
      else
        node.shape = std::move(*shape);
    });
  }

  template <class Work>
  void guarded(const PluginNode& node, Work&& work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      context_.report.error(node.where, "", std::string("the plugin failed: ") + e.what());
    }
  }

  /// The instance of each use, and whether its plugin can do what it is used for.
  void connect() {
    for (const Use& use : uses_) {
      const spec::PluginUse& in = *use.use;
      if (!in.instance.empty()) {
        const auto found = named_.find(in.instance);
        if (found == named_.end()) {
          context_.report.error(use.where, "instance", "unrecognized name '" + in.instance + "' for plugin instance",
                                suggest_key(named_, in.instance));
          continue;
        }
        context_.plugin_ids.emplace(&in, found->second);
      }
      const auto id = context_.plugin_ids.find(&in);
      if (id == context_.plugin_ids.end()) continue;
      const PluginNode& node = context_.plugins[static_cast<std::size_t>(id->second)];
      if (!node.plugin) continue;
      const std::string name = node.plugin->name();
      if (!in.instance.empty() && !in.plugin.empty() && in.plugin != name)
        context_.report.error(use.where, "plugin",
                              "is '" + in.plugin + "', but the instance '" + in.instance + "' is of '" + name + "'");
      if (!(node.plugin->capabilities() & use.capability))
        context_.report.error(use.where, "plugin",
                              "plugin '" + name + "' does not support " + std::string(task(use.capability)));
    }
  }

  Context& context_;
  std::vector<Use> uses_;
  std::unordered_map<std::string_view, int> named_;
};

}  // namespace

void compile_plugins(Context& context) { Instances(context).run(); }

void add_plugin_sizes(const Context& context, Model& m) {
  m.nplugin = static_cast<std::int64_t>(context.plugins.size());
  for (const PluginNode& node : context.plugins) {
    for (const std::string& value : node.values) m.npluginattr += static_cast<std::int64_t>(value.size()) + 1;
    m.npluginstate += node.states;
  }
}

void copy_plugins(const Context& context, Model& m) {
  auto implementation = std::make_shared<ModelPlugins>();
  int attribute = 0, state = 0;
  for (std::size_t i = 0; i < context.plugins.size(); ++i) {
    const PluginNode& node = context.plugins[i];
    m.plugin[i] = node.slot;
    m.plugin_attradr[i] = attribute;
    m.plugin_stateadr[i] = state;
    m.plugin_statenum[i] = node.states;
    for (const std::string& value : node.values) {
      std::copy(value.begin(), value.end(), m.plugin_attr.edit().begin() + attribute);
      attribute += static_cast<int>(value.size()) + 1;
    }
    state += node.states;
    const Stage stage = node.plugin->stage();
    implementation->plugin.push_back(node.plugin);
    implementation->shape.push_back(node.shape);
    implementation->slot.push_back(node.slot);
    implementation->capabilities.push_back(node.plugin->capabilities());
    implementation->stage.push_back(stage == Stage::None ? Stage::Pos : stage);
  }
  if (!context.plugins.empty()) m.plugins = std::move(implementation);

  const auto set = [&](Field<int>& field, std::size_t count, auto&& use_of) {
    field.assign(field.size(), -1);
    for (std::size_t i = 0; i < count && !context.plugins.empty(); ++i) field[i] = context.plugin_of(use_of(i));
  };
  const Spec& spec = context.spec;
  set(
      m.body_plugin,
      context.tree.bodies.size(), [&](std::size_t i) -> auto& { return context.tree.bodies[i]->in->plugin; });
  set(
      m.geom_plugin, context.geoms.size(), [&](std::size_t i) -> auto& { return context.geoms[i]->in->plugin; });
  set(
      m.actuator_plugin, spec.actuators.size(), [&](std::size_t i) -> auto& { return spec.actuators[i].plugin; });
  set(
      m.sensor_plugin, spec.sensors.size(), [&](std::size_t i) -> auto& { return spec.sensors[i].plugin; });
}

void make_plugins(Context& context) {
  for (std::size_t i = 0; i < context.plugins.size(); ++i) {
    const PluginNode& node = context.plugins[i];
    try {
      const auto made = node.plugin->make(context.model, static_cast<int>(i));
      if (!made) context.report.error(node.where, "", made.error().first().message, made.error().first().hint);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      context.report.error(node.where, "", std::string("the plugin failed: ") + e.what());
    }
  }
}

}  // namespace sinew::compiling
