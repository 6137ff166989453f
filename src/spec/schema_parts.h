#pragma once

// The parts of the schema table, one function per group of sections.

#include <optional>
#include <string>
#include <vector>

#include "sinew/spec.h"
#include "spec/schema.h"
#include "spec/value.h"

namespace sinew::mjcf {

/// compiler, option, size, statistic, visual.
std::vector<const Element*> settings_sections(Schema& schema);

struct AssetElements {
  const Element* section;
  const Element* material;
  const Element* mesh_default;
};
AssetElements asset_elements(Schema& schema);
/// In asset or deformable.
const Element* skin_element(Schema& schema);
void read_default_material(Reader& reader, const XmlNode& node, const Element& element);

struct TreeElements {
  const Element* section;  // worldbody
  const Element* joint;
  const Element* geom;
  const Element* site;
  const Element* camera;
  const Element* light;
};
TreeElements tree_elements(Schema& schema);

/// Attributes that a joint or geom of the tree shares with those of a composite: limits, springs and friction; contact,
/// mass and appearance.
void add_joint_laws(Table<spec::Joint>& t);
void add_geom_matter(Table<spec::Geom>& t);

/// Without its children: those of a body.
Element& replicate_element(Schema& schema);

/// extension.
const Element* extension_section(Schema& schema);
/// <plugin> inside an element that reads it with read_plugin_child; inside a body; its <config>.
const Element* plugin_element(Schema& schema);
const Element* body_plugin_element(Schema& schema);
const Element* plugin_config_element(Schema& schema);
std::vector<spec::PluginConfig> read_plugin_config(Reader& reader, const XmlNode& node, const Element& element);
/// Origin, configuration and order of a use whose names were read.
void finish_plugin_use(Reader& reader, const XmlNode& node, const Element& element, spec::PluginUse& use);
/// The <plugin> child of an element, if it has one.
std::optional<spec::PluginUse> read_plugin_child(Reader& reader, const XmlNode& node, const Element& element);
/// For a macro that makes many elements: its own instance gets a name, so that they all share it.
spec::PluginUse shared_plugin(Reader& reader, const XmlNode& macro, spec::PluginUse use, const std::string& name);

/// The names of an element that is itself the use of a plugin.
template <class Owner>
void add_plugin_names(Table<Owner>& t) {
  const auto row = [&]<std::string spec::PluginUse::*Name>(std::string_view name) -> Attribute& {
    return t.template add<std::string>(
        name,
        [](void* o, std::string_view text, const Attribute&) -> Outcome {
          auto& plugin = static_cast<Owner*>(o)->plugin;
          if (!plugin) plugin.emplace();
          (*plugin).*Name = text;
          return {};
        },
        [](const void* o, const Attribute&) {
          const auto& plugin = static_cast<const Owner*>(o)->plugin;
          return plugin ? (*plugin).*Name : std::string();
        });
  };
  row.template operator()<&spec::PluginUse::plugin>("plugin").element_only();
  row.template operator()<&spec::PluginUse::instance>("instance").element_only();
}

const Element* model_element(Schema& schema);
const Element* attach_element(Schema& schema);
const Element* composite_element(Schema& schema, const Element* plugin);
const Element* flexcomp_element(Schema& schema, const Element* plugin);
const Element* flex_element(Schema& schema);

struct ConstraintElements {
  const Element* contact;
  const Element* pair;
  const Element* equality;
  const Element* any_equality;  // common to all equalities
  const Element* tendon;
  const Element* spatial;
};
ConstraintElements constraint_elements(Schema& schema);

struct ActuatorElements {
  const Element* section;
  std::vector<const Element*> shortcuts;
};
ActuatorElements actuator_elements(Schema& schema);
void read_default_actuator(Reader& reader, const XmlNode& node, const Element& element);

const Element* sensor_section(Schema& schema);

/// extension, deformable, custom, keyframe.
std::vector<const Element*> other_sections(Schema& schema);

}  // namespace sinew::mjcf
