#include "spec_extras.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <map>

#include "loading.h"
#include "sinew/load.h"
#include "spec/asset_path.h"
#include "spec/references.h"
#include "spec_value.h"

namespace sinew::python {
namespace {

using Config = std::vector<std::pair<std::string, std::string>>;
using Use = std::tuple<std::string, std::string, Config, bool>;  // plugin, instance, config, whether it is active

Config pairs_of(const std::vector<spec::PluginConfig>& config) {
  Config out;
  for (const spec::PluginConfig& entry : config) out.emplace_back(entry.key, entry.value);
  return out;
}

std::vector<spec::PluginConfig> config_of(const Config& pairs) {
  std::vector<spec::PluginConfig> out;
  for (const auto& [key, value] : pairs) out.push_back({key, value});
  return out;
}

/// Where an element keeps its plugin.
std::optional<spec::PluginUse>& use_in(const Node& node) {
  switch (node.kind()) {
    case Kind::Body: return node.as<spec::Body>().plugin;
    case Kind::Geom: return node.as<spec::Geom>().plugin;
    case Kind::Mesh: return node.as<spec::Mesh>().plugin;
    case Kind::Actuator: return node.as<spec::Actuator>().plugin;
    case Kind::Sensor: return node.as<spec::Sensor>().plugin;
    default: throw py::value_error(node.title() + " has no plugin");
  }
}

Use plugin_of(const Node& node) {
  const std::optional<spec::PluginUse>& use = use_in(node);
  if (use) return {use->plugin, use->instance, pairs_of(use->config), true};
  const auto& idle = node.cell()->idle_plugins;
  const auto found = idle.find(node.address());
  if (found == idle.end()) return {};
  return {found->second.plugin, found->second.instance, pairs_of(found->second.config), false};
}

void set_plugin(const Node& node, const Use& given) {
  const auto& [plugin, instance, config, active] = given;
  SpecCell& cell = *node.cell();
  spec::PluginUse use{{}, plugin, instance, config_of(config), ++cell.plugin_order};
  std::optional<spec::PluginUse>& place = use_in(node);
  if (active) {
    cell.idle_plugins.erase(node.address());
    if (place) use.order = place->order;
    place = std::move(use);
  } else {
    place.reset();
    cell.idle_plugins[node.address()] = std::move(use);
  }
}

void bind_plugins(py::class_<Node, NodePtr>& node) {
  node.def("plugin", &plugin_of);
  node.def("set_plugin", &set_plugin);
  node.def_property(
      "config", [](const Node& n) { return pairs_of(n.as<spec::PluginInstance>().config); },
      [](const Node& n, const Config& config) { n.as<spec::PluginInstance>().config = config_of(config); });
  node.def_property(
      "is_active", [](const Node& n) { return !n.cell()->idle_plugins.contains(n.address()); },
      [](const Node& n, bool active) {
        if (active) {
          n.cell()->idle_plugins.erase(n.address());
        } else {
          n.cell()->idle_plugins[n.address()] = {};
        }
      });
}

using Bone = std::tuple<std::string, std::vector<float>, std::vector<float>, std::vector<int>, std::vector<float>>;

std::vector<Bone> bones_of(const Node& node) {
  std::vector<Bone> out;
  for (const spec::Skin::Bone& bone : node.as<spec::Skin>().bones)
    out.emplace_back(bone.body, std::vector<float>(bone.bindpos.begin(), bone.bindpos.end()),
                     std::vector<float>(bone.bindquat.begin(), bone.bindquat.end()), bone.vertid, bone.vertweight);
  return out;
}

void set_bones(Node& node, const std::vector<Bone>& bones) {
  std::vector<spec::Skin::Bone> made;
  for (const auto& [body, pos, quat, vertices, weights] : bones) {
    spec::Skin::Bone& bone = made.emplace_back();
    if (pos.size() != bone.bindpos.size() || quat.size() != bone.bindquat.size())
      throw py::value_error("a bone needs three numbers in bindpos and four in bindquat");
    bone.body = body;
    std::ranges::copy(pos, bone.bindpos.begin());
    std::ranges::copy(quat, bone.bindquat.begin());
    bone.vertid = vertices;
    bone.vertweight = weights;
  }
  node.as<spec::Skin>().bones = std::move(made);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

/// A <flexcomp> with these words: its own attributes, and those of the elements in it by name, or with the name of
/// the element before it (edgestiffness).
std::string flexcomp_text(const py::dict& words) {
  const mjcf::Element* comp = mjcf::schema().root().child("worldbody")->child("flexcomp");
  std::map<std::string, std::string> parts = {{"edge", ""}, {"elasticity", ""}, {"contact", ""}, {"pin", ""}};
  std::string own;
  const auto write = [&](std::string& to, const mjcf::Attribute& row, const py::handle& value) {
    to += fmt::format(" {}=\"{}\"", row.name, escaped(to_text(row, value)));
  };
  for (const auto& [key, value] : words) {
    const auto word = key.cast<std::string>();
    if (value.is_none()) continue;
    if (const mjcf::Attribute* row = comp->attribute(word)) {
      write(own, *row, value);
      continue;
    }
    bool found = false;
    for (const std::string part : {"edge", "elasticity", "contact", "pin"}) {
      const std::string inner = word.starts_with(part) ? word.substr(part.size()) : word;
      const mjcf::Attribute* row = comp->child(part)->attribute(inner);
      if (found || !row) continue;
      write(parts[part], *row, value);
      found = true;
    }
    if (!found) throw py::type_error(fmt::format("Invalid {} keyword argument.", word));
  }
  std::string text = "<flexcomp" + own + ">";
  for (const auto& [name, attributes] : parts)
    if (!attributes.empty()) text += fmt::format("<{}{}/>", name, attributes);
  return text + "</flexcomp>";
}

/// Makes a flex and the bodies of its vertices in a body, as <flexcomp> does; returns the flex.
NodePtr make_flex(Node& node, const py::dict& words) {
  const NodePtr host = node.shared_from_this();
  spec::Body& body = node.body();
  Spec& spec = node.cell()->spec;
  const std::map<std::string, std::string> files = node.cell()->files();
  py::dict given = words.attr("copy")();
  if (given.contains("file")) {
    const auto file = given["file"].cast<std::string>();
    if (!files.contains(file)) given["file"] = asset_path(spec, Files(nullptr), {AssetKind::Mesh, file, body.origin});
  }
  const std::string name = body.name.empty() ? "" : fmt::format(" name=\"{}\"", escaped(body.name));
  const bool in_world = !node.parent();
  const std::string text =
      fmt::format("<mujoco><worldbody>{}{}{}</worldbody></mujoco>", in_world ? "" : "<body" + name + ">",
                  flexcomp_text(given), in_world ? "" : "</body>");
  Result<Spec> read =
      load_unlocked(files, std::nullopt, [&](const LoadOptions& options) { return read_model_string(text, options); });
  if (!read) throw py::value_error("make_flex: " + read.error().first().message);
  spec::Body& made = in_world ? read->world : read->world.bodies[0];
  const auto forget_origin = [](ObjType, spec::Element& element) { element.origin = {}; };
  mjcf::for_each_below(made, forget_origin);
  mjcf::for_each_list(*read, [&](ObjType kind, auto& list) {
    for (auto& element : list) forget_origin(kind, element);
  });
  for (const spec::Flex& flex : read->flexes) node.cell()->claim(Kind::Flex, "", flex.name);
  mjcf::for_each_own_list([](ObjType, auto& from, auto& to) { to.take(from); }, made, body);
  mjcf::for_each_common_list([](ObjType, auto& from, auto& to) { to.take(from); }, *read, spec);
  node.cell()->names.clear();
  return all_nodes(node.cell(), Kind::Flex).back();
}

}  // namespace

void bind_spec_extras(py::class_<Node, NodePtr>& node) {
  bind_plugins(node);
  node.def("bones", &bones_of);
  node.def("set_bones", &set_bones);
  node.def("make_flex", &make_flex);
}

}  // namespace sinew::python
