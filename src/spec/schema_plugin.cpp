// extension: the plugins that a model uses, with named instances; and the <plugin> of the elements that use one.

#include <algorithm>

#include "spec/reader.h"
#include "spec/references.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

using Use = spec::PluginUse;

void read_by_parent(Reader&, const XmlNode&, const Element&) {}

/// An element with this name for <instance>, whose configuration several elements share.
void read_instance(Reader& r, const XmlNode& node, const Element& element, const std::string& plugin) {
  spec::PluginInstance instance;
  instance.plugin = plugin;
  r.attributes(node, element, &instance);
  if (instance.name.empty()) r.report.error({&node, "name"}, "an instance of a plugin needs a name");
  instance.config = read_plugin_config(r, node, element);
  r.claim(ObjType::Plugin, node, instance);
  r.spec.plugin_instances.add(std::move(instance));
}

void read_activation(Reader& r, const XmlNode& node, const Element& element) {
  spec::Plugin plugin;
  r.attributes(node, element, &plugin);
  plugin.origin = {node.file, node.line};
  for (const XmlNode& child : node.children)
    if (const Element* instance = element.child(child.name)) read_instance(r, child, *instance, plugin.name);
  if (!activates(r.spec, plugin.name)) r.spec.plugins.add(std::move(plugin));
}

}  // namespace

std::vector<spec::PluginConfig> read_plugin_config(Reader& r, const XmlNode& node, const Element& element) {
  std::vector<spec::PluginConfig> out;
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (!known || known->name != "config") continue;
    spec::PluginConfig config;
    r.attributes(child, *known, &config);
    if (std::any_of(out.begin(), out.end(), [&](const auto& other) { return other.key == config.key; }))
      r.report.error({&child, "key"}, fmt::format("duplicate config key '{}'", config.key));
    out.push_back(std::move(config));
  }
  return out;
}

void finish_plugin_use(Reader& r, const XmlNode& node, const Element& element, spec::PluginUse& use) {
  use.origin = {node.file, node.line};
  use.config = read_plugin_config(r, node, element);
  use.order = r.next_plugin_order();
  if (use.instance.empty() || use.config.empty()) return;
  r.report.warning({&node}, "config is ignored, as in MuJoCo: the instance '" + use.instance + "' has its own");
  use.config.clear();
}

std::optional<spec::PluginUse> read_plugin_child(Reader& r, const XmlNode& node, const Element& element) {
  std::optional<spec::PluginUse> out;
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (!known || known->name != "plugin") continue;
    out.emplace();
    r.attributes(child, *known, &*out);
    finish_plugin_use(r, child, *known, *out);
  }
  return out;
}

spec::PluginUse shared_plugin(Reader& r, const XmlNode& macro, spec::PluginUse use, const std::string& name) {
  if (!use.instance.empty()) return use;
  spec::PluginInstance instance;
  instance.name = name;
  instance.plugin = use.plugin;
  instance.config = std::move(use.config);
  instance.order = use.order;
  r.claim(ObjType::Plugin, macro, instance);
  instance.origin = use.origin;
  r.spec.plugin_instances.add(std::move(instance));
  use.instance = name;
  use.plugin.clear();
  use.config.clear();
  return use;
}

const Element* plugin_config_element(Schema& schema) {
  Table<spec::PluginConfig> t;
  t.at<&spec::PluginConfig::key>("key").need();
  t.at<&spec::PluginConfig::value>("value").need();
  return &schema.add(t.element("config", "the value of an attribute of the plugin", read_by_parent));
}

const Element* plugin_element(Schema& schema) {
  Table<Use> t;
  t.at<&Use::plugin>("plugin").remark("a plugin of <extension>: makes an instance with this configuration");
  t.at<&Use::instance>("instance").remark("a named instance of <extension>");
  Element& plugin = schema.add(t.element("plugin", "the plugin that computes it", read_by_parent));
  return &plugin.needs({{"plugin"}, {"instance"}}).holds({plugin_config_element(schema)});
}

const Element* body_plugin_element(Schema& schema) {
  Element plugin = *plugin_element(schema);
  plugin.doc = "the plugin that applies passive forces to the body";
  plugin.read = [](Reader& r, const XmlNode& node, const Element& element) {
    Use use;
    r.attributes(node, element, &use);
    finish_plugin_use(r, node, element, use);
    r.scope.body->plugin = std::move(use);
  };
  return &schema.add(std::move(plugin));
}

const Element* extension_section(Schema& schema) {
  Table<spec::PluginInstance> i;
  i.at<&spec::PluginInstance::name>("name").need();
  Element& instance =
      schema.add(i.element("instance", "a configuration that several elements may share", read_by_parent));
  instance.holds({plugin_config_element(schema)});
  Table<spec::Plugin> p;
  p.at<&spec::Plugin::name>("plugin").need().remark("one of MuJoCo's, or registered by the program");
  Element& plugin = schema.add(p.element("plugin", "a plugin that the model uses", read_activation));
  plugin.holds({&instance});
  Element section;
  section.name = "extension";
  section.doc = "plugins that the model needs";
  section.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  return &schema.add(std::move(section)).holds({&plugin});
}

}  // namespace sinew::mjcf
