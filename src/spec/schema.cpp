#include "spec/schema.h"

#include <algorithm>

#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

spec::DefaultClass& current_class(Reader& r) { return r.spec.classes[static_cast<std::size_t>(r.scope.dclass)]; }

/// Fills one element of the class being read.
template <auto Record>
void read_record(Reader& r, const XmlNode& node, const Element& element) {
  r.attributes(node, element, &(current_class(r).*Record));
}

/// Elements first, then nested classes: these start as copies of the finished parent.
void read_class(Reader& r, const XmlNode& node, const Element& element, int index) {
  const Reader::Scope outside = r.scope;
  r.scope.dclass = index;
  for (const XmlNode& child : node.children) {
    const Element* known = element.child(child.name);
    if (known && known != &element) known->read(r, child, *known);
  }
  for (const XmlNode& child : node.children) {
    if (child.name != element.name) continue;
    const int nested = r.add_class(child, child.value("class"), index);
    if (nested >= 0) read_class(r, child, element, nested);
  }
  r.scope = outside;
}

/// A top-level section: all of them fill the class main.
void read_default(Reader& r, const XmlNode& node, const Element& element) {
  const std::string_view name = node.value("class");
  if (!name.empty() && name != r.spec.classes[0].name) {
    r.report.error({&node, "class"},
                   fmt::format("the top-level class is named '{}', not '{}'", r.spec.classes[0].name, name),
                   "put a <default> around it");
  }
  read_class(r, node, element, 0);
}

const Element* default_section(Schema& schema, const AssetElements& assets, const TreeElements& tree,
                               const ConstraintElements& constraints, const ActuatorElements& actuators) {
  using D = spec::DefaultClass;
  Table<D> t;
  t.at<&D::name>("class");
  Element& section =
      schema.add(t.element("default", "initial values of elements; nested ones are separate classes", read_default));
  section.holds({assets.mesh_default, &schema.default_form(*assets.material, "material", read_default_material),
                 &schema.default_form(*tree.joint, "joint", read_record<&D::joint>),
                 &schema.default_form(*tree.geom, "geom", read_record<&D::geom>),
                 &schema.default_form(*tree.site, "site", read_record<&D::site>),
                 &schema.default_form(*tree.camera, "camera", read_record<&D::camera>),
                 &schema.default_form(*tree.light, "light", read_record<&D::light>),
                 &schema.default_form(*constraints.pair, "pair", read_record<&D::pair>),
                 &schema.default_form(*constraints.any_equality, "equality", read_record<&D::equality>),
                 &schema.default_form(*constraints.spatial, "tendon", read_record<&D::tendon>)});
  for (const Element* shortcut : actuators.shortcuts) {
    section.holds({&schema.default_form(*shortcut, shortcut->name, read_default_actuator).tagged(shortcut->tag)});
  }
  return &section.holds({&section});
}

}  // namespace

Schema::Schema() {
  Table<Spec> t;
  t.at<&Spec::modelname>("model");
  Element& root =
      add(t.element("mujoco", "a model", [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); }));

  const AssetElements assets = asset_elements(*this);
  const TreeElements tree = tree_elements(*this);
  const ConstraintElements constraints = constraint_elements(*this);
  const ActuatorElements actuators = actuator_elements(*this);
  root.holds(settings_sections(*this));
  root.holds({default_section(*this, assets, tree, constraints, actuators), assets.section, tree.section,
              constraints.contact, constraints.equality, constraints.tendon, actuators.section, sensor_section(*this)});
  root.holds(other_sections(*this));
  root_ = &root;
}

Element& Schema::refused(std::string_view name, std::string_view attributes, std::string_view doc) {
  Element element;
  element.name = name;
  element.doc = doc;
  for (std::string_view word = next_word(attributes); !word.empty(); word = next_word(attributes)) {
    Attribute& row = element.attributes.emplace_back();
    row.name = word;
    row.type = ValueType::Other;
  }
  return add(std::move(element));
}

Element& Schema::default_form(const Element& element, std::string_view name, Handler read) {
  Element form = element;
  form.name = name;
  form.form_of = &element;
  form.read = read;
  form.times = Times::Once;
  std::erase_if(form.attributes, [](const Attribute& row) { return !row.in_default; });
  std::erase_if(form.rules, [&](const Rule& rule) {
    const auto gone = [&](std::string_view name) { return !form.attribute(name); };
    return rule.kind == Rule::Kind::Needs ||
           std::any_of(rule.groups.begin(), rule.groups.end(),
                       [&](const auto& group) { return std::any_of(group.begin(), group.end(), gone); });
  });
  // children that a class cannot have: the path of a tendon, plugins of a geom
  std::erase_if(form.children, [](const Element* child) { return child->name != "layer"; });
  return add(std::move(form));
}

const Schema& schema() {
  static const Schema table;
  return table;
}

}  // namespace sinew::mjcf
