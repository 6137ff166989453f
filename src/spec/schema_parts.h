#pragma once

// The parts of the schema table, one function per group of sections.

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
