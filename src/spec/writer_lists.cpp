// Elements outside the tree of bodies: assets, contacts, flexes, equalities, tendons, actuators, sensors, custom data,
// keyframes.

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "spec/keywords.h"
#include "spec/writer.h"

namespace sinew::mjcf {
namespace {

/// The element of a section for a kind.
const Element& tagged(const Element& section, int tag) {
  for (const Element* child : section.children) {
    if (child->read && child->tag == tag) return *child;
  }
  return *section.children.front();
}

}  // namespace

void Writer::configs(const std::vector<spec::PluginConfig>& list) {
  for (const spec::PluginConfig& config : list) {
    xml_.open("config");
    xml_.attribute("key", config.key);
    xml_.attribute("value", config.value);
    xml_.close();
  }
}

void Writer::plugin(const std::optional<spec::PluginUse>& use) {
  if (!use) return;
  xml_.open("plugin", use->origin.file);
  if (!use->plugin.empty()) xml_.attribute("plugin", use->plugin);
  if (!use->instance.empty()) xml_.attribute("instance", use->instance);
  configs(use->config);
  xml_.close();
}

void Writer::extension() {
  const Element& section = this->section("extension");
  xml_.open(section.name);
  const auto open_plugin = [&](const spec::Plugin& own) {
    current_ = &own;
    open(*section.child("plugin"));
    xml_.attribute("plugin", own.name);
  };
  const auto find = [&](const std::string& name) {
    const spec::Plugin* found = nullptr;
    for (const spec::Plugin& own : spec_.plugins)
      if (found == nullptr && own.name == name) found = &own;
    return found;
  };
  // instances keep their order, so a plugin opens as often as instances of others stand between its own
  std::set<std::string_view> written;
  const spec::Plugin* opened = nullptr;
  for (const spec::PluginInstance& instance : spec_.plugin_instances) {
    if (opened == nullptr || opened->name != instance.plugin) {
      const spec::Plugin* of = find(instance.plugin);
      if (of == nullptr) continue;
      if (opened != nullptr) xml_.close();
      opened = of;
      written.insert(opened->name);
      open_plugin(*opened);
    }
    xml_.open("instance", opened->origin.file);
    xml_.attribute("name", instance.name);
    configs(instance.config);
    xml_.close();
  }
  if (opened != nullptr) xml_.close();
  for (const spec::Plugin& own : spec_.plugins) {
    if (!written.insert(own.name).second) continue;
    open_plugin(own);
    xml_.close();
  }
  xml_.close_section();
}

void Writer::custom() {
  const Element& section = this->section("custom");
  const auto list = [&](std::string_view name, const auto& items) {
    const Element& element = *section.child(name);
    for (const auto& item : items) {
      current_ = &item;
      this->element(element, &item, element.blank.get());
    }
  };
  xml_.open(section.name);
  list("numeric", spec_.numerics);
  list("text", spec_.texts);
  const Element& tuple = *section.child("tuple");
  for (const spec::Tuple& own : spec_.tuples) {
    current_ = &own;
    open(tuple);
    attributes(tuple, &own, tuple.blank.get());
    const Element& item = *tuple.child("element");
    for (const spec::Tuple::Item& part : own.items) element(item, &part, item.blank.get());
    xml_.close();
  }
  xml_.close_section();
}

/// Textures by role: a single color texture is an attribute; otherwise layers, which exclude that attribute.
void Writer::material(const Element& element, const spec::Material& own, const spec::Material& base) {
  constexpr auto kRgb = static_cast<std::size_t>(TextureRole::Rgb);
  bool layered = false;
  for (std::size_t role = 0; role < own.textures.size(); ++role)
    layered = layered || (role != kRgb && own.textures[role] != base.textures[role]);
  spec::Material flat = own;
  if (layered) flat.textures[kRgb] = base.textures[kRgb];
  attributes(element, &flat, &base);
  if (!layered) return;
  for (std::size_t role = 0; role < own.textures.size(); ++role) {
    if (own.textures[role] == base.textures[role]) continue;
    xml_.open("layer");
    xml_.attribute("texture", own.textures[role]);
    xml_.attribute("role", print_keyword(static_cast<int>(role), kTextureRole));
    xml_.close();
  }
}

void Writer::assets() {
  const Element& section = this->section("asset");
  xml_.open(section.name);
  const auto list = [&](std::string_view name, const auto& items) {
    const Element& element = *section.child(name);
    for (const auto& item : items) {
      current_ = &item;
      this->element(element, &item, element.blank.get());
    }
  };
  list("texture", spec_.textures);
  const Element& surface = *section.child("material");
  for (const spec::Material& own : spec_.materials) {
    const spec::Material& base = class_of(own).material;
    open(surface);
    material(surface, own, base);
    xml_.close();
  }
  for (const spec::Mesh& own : spec_.meshes) {
    const spec::Mesh& base = class_of(own).mesh;
    const Element& mesh = *section.child("mesh");
    open(mesh);
    attributes(mesh, &own, &base);
    plugin(own.plugin);
    xml_.close();
  }
  list("hfield", spec_.hfields);
  xml_.close_section();
}

void Writer::skins() {
  const Element& section = this->section("deformable");
  const Element& skin = *section.child("skin");
  const Element& bone = *skin.child("bone");
  xml_.open(section.name);
  for (const spec::Skin& own : spec_.skins) {
    current_ = &own;
    open(skin);
    attributes(skin, &own, skin.blank.get());
    for (const spec::Skin::Bone& part : own.bones) element(bone, &part, bone.blank.get());
    xml_.close();
  }
  xml_.close_section();
}

void Writer::contact() {
  const Element& section = this->section("contact");
  xml_.open(section.name);
  for (const spec::Pair& own : spec_.pairs) {
    const spec::Pair& base = class_of(own).pair;
    element(*section.child("pair"), &own, &base);
  }
  const Element& exclude = *section.child("exclude");
  for (const spec::Exclude& own : spec_.excludes) {
    current_ = &own;
    element(exclude, &own, exclude.blank.get());
  }
  xml_.close_section();
}

void Writer::deformable() {
  const Element& section = this->section("deformable");
  const Element& flex = *section.child("flex");
  xml_.open(section.name);
  for (const spec::Flex& own : spec_.flexes) {
    current_ = &own;
    open(flex);
    attributes(flex, &own, flex.blank.get());
    const auto part = [&](std::string_view name, const void* object) {
      const Element& inside = *flex.child(name);
      xml_.open(name);
      attributes(inside, object, inside.blank.get());
      xml_.close_section();
    };
    part("contact", &own.contact);
    part("edge", &own.edge);
    part("elasticity", &own.elasticity);
    xml_.close();
  }
  xml_.close_section();
}

void Writer::equality() {
  const Element& section = this->section("equality");
  xml_.open(section.name);
  for (const spec::Equality& own : spec_.equalities) {
    const Element& element = tagged(section, static_cast<int>(own.type));
    spec::Equality base = class_of(own).equality;
    // the reader gives a weld of bodies and a flexstrain their own data, everything else starts with the class data
    const bool weld = own.type == EqualityType::Weld && own.objtype != ObjType::Site;
    if (weld || own.type == EqualityType::FlexStrain)
      base.data = static_cast<const spec::Equality*>(element.blank.get())->data;
    this->element(element, &own, &base);
  }
  xml_.close_section();
}

void Writer::tendon() {
  const Element& section = this->section("tendon");
  xml_.open(section.name);
  for (const spec::Tendon& own : spec_.tendons) {
    const Element& element = tagged(section, own.spatial ? 1 : 0);
    const spec::Tendon& base = class_of(own).tendon;
    for (const Attribute& row : tagged(section, 1).attributes) {  // a fixed tendon takes its appearance from its class
      if (!element.attribute(row.name) && row.print(&own, row) != row.print(&base, row))
        fail(element, row.name, "MJCF cannot express this for a fixed tendon");
    }
    open(element);
    attributes(element, &own, &base);
    for (const spec::Wrap& wrap : own.path) {
      const Element& part = tagged(element, static_cast<int>(wrap.type));
      this->element(part, &wrap, part.blank.get());
    }
    xml_.close();
  }
  xml_.close_section();
}

void Writer::actuator(const spec::Actuator& own) {
  const Element& section = this->section("actuator");
  const spec::Actuator& record = class_of(own).actuator;
  const Element& general = tagged(section, static_cast<int>(Shortcut::General));
  if (own.plugin) {
    const Element& element = tagged(section, static_cast<int>(Shortcut::Plugin));
    const ActuatorWords words(own), base(record);
    open(element);
    attributes(element, &words, &base);
    configs(own.plugin->config);
    return xml_.close();
  }
  if (own.inheritrange != record.inheritrange) {
    for (const Shortcut shortcut : {Shortcut::Position, Shortcut::IntVelocity, Shortcut::Pid}) {
      if (servo(tagged(section, static_cast<int>(shortcut)), own, record)) return;
    }
    return fail(general, "inheritrange", "MJCF can express this only for a position, intvelocity or pid servo");
  }
  const ActuatorWords words(own), base(record);
  element(general, &words, &base);
}

/// Only servos have inheritrange. Writes the actuator as this kind of servo if that reads back exactly.
bool Writer::servo(const Element& element, const spec::Actuator& own, const spec::Actuator& record) {
  const ActuatorWords blank, base(record);
  ActuatorWords words(own);
  words.kp = -own.biasprm[1];
  if (own.biasprm[2] > 0) words.dampratio = own.biasprm[2];
  if (own.biasprm[2] < 0) words.kv = -own.biasprm[2];
  if (own.dyntype == DynType::FilterExact) words.timeconst = own.dynprm[0];
  if (own.dyntype == DynType::Pid) {
    words.ki = own.gainprm[0];
    words.imax = own.dynprm[0];
    words.slewmax = own.dynprm[1];
  }
  // read what would be written, as the reader does
  ActuatorWords again = base;
  for (const Attribute& row : element.attributes) {
    const std::string text = row.print ? row.print(&words, row) : std::string();
    const bool differs = !text.empty() && text != row.print(row.in_default ? &base : &blank, row);
    if (differs && row.read(&again, text, row)) return false;
  }
  again.gives_input = !element.attribute("input") || words.input != base.input;
  if (apply_shortcut(static_cast<Shortcut>(element.tag), again)) return false;
  const Element& general = tagged(section("actuator"), static_cast<int>(Shortcut::General));
  for (const Attribute& row : general.attributes) {
    if (row.print(&again, row) != row.print(&words, row)) return false;
  }
  this->element(element, &words, &base);
  return true;
}

void Writer::sensors() {
  const Element& section = this->section("sensor");
  xml_.open(section.name);
  for (const spec::Sensor& own : spec_.sensors) {
    current_ = &own;
    const Element* found = nullptr;
    for (const Element* child : section.children) {
      if (child->read && static_cast<const spec::Sensor*>(child->blank.get())->type == own.type) found = child;
    }
    if (!found) {
      fail(section, "type", "MJCF has no element for this kind of sensor");
      continue;
    }
    open(*found);
    attributes(*found, &own, found->blank.get());
    if (own.plugin) configs(own.plugin->config);
    xml_.close();
  }
  xml_.close_section();
}

void Writer::keyframe() {
  const Element& section = this->section("keyframe");
  const Element& key = *section.child("key");
  xml_.open(section.name);
  for (const spec::Key& own : spec_.keys) {
    current_ = &own;
    element(key, &own, key.blank.get());
  }
  xml_.close_section();
}

}  // namespace sinew::mjcf
