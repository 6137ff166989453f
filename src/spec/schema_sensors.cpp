// sensor: one element per type. They differ in the objects that they refer to.

#include "base/limits.h"
#include "model/sensor_kinds.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

using S = spec::Sensor;
using SensorTable = Table<S>;

void read_sensor(Reader& r, const XmlNode& node, const Element& element) {
  spec::Sensor sensor = *static_cast<const spec::Sensor*>(element.blank.get());
  r.attributes(node, element, &sensor);
  if (sensor.plugin) finish_plugin_use(r, node, element, *sensor.plugin);
  r.claim(ObjType::Sensor, node, sensor);
  r.spec.sensors.add(std::move(sensor));
}

void add_common(SensorTable& t) {
  t.at<&S::name>("name");
  t.at<&S::cutoff>("cutoff");
  t.at<&S::noise>("noise");
  t.at<&S::user>("user");
}

void add_history(SensorTable& t) {
  t.at<&S::nsample>("nsample").at_most(limits::kSamples);
  t.at<&S::interp>("interp").words(kInterp);
  t.at<&S::delay>("delay");
  t.at<&S::interval>("interval").partial();
}

SensorTable sensor_table() {
  SensorTable t;
  add_common(t);
  add_history(t);
  return t;
}

template <ObjType Kind>
Attribute& object(SensorTable& t, std::string_view name) {
  return t.object<&S::objtype, Kind, &S::objname>(name);
}

template <ObjType Kind>
Attribute& reference(SensorTable& t, std::string_view name) {
  return t.object<&S::reftype, Kind, &S::refname>(name);
}

class Section {
 public:
  explicit Section(Schema& schema) : schema_(schema) {
    section_.name = "sensor";
    section_.doc = "sensors";
    section_.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  }

  Element& add(const SensorTable& table, const SensorKind& kind) {
    spec::Sensor blank;
    blank.type = kind.type;
    if (kind.dim == kByContactData) blank.intprm = {1, 0, 1};  // found; none; one contact
    if (kind.dim == kByRangeData) blank.intprm = {1, 0, 0};    // dist
    Element& element = schema_.add(table.element(kind.element, kind.doc, read_sensor));
    element.blank = std::make_shared<const spec::Sensor>(std::move(blank));
    section_.holds({&element});
    return element;
  }
  /// finish(element) for all kinds with these attachment and reference object kinds.
  template <class Finish>
  void add_all(const SensorTable& table, SensorTarget target, SensorReference reference, Finish&& finish) {
    for (const SensorKind& kind : sensor_kinds())
      if (kind.target == target && kind.reference == reference) finish(add(table, kind));
  }
  void add_all(const SensorTable& table, SensorTarget target, SensorReference reference = SensorReference::None) {
    add_all(table, target, reference, [](Element&) {});
  }
  const Element* finish() { return &schema_.add(std::move(section_)); }

 private:
  Schema& schema_;
  Element section_;
};

void add_frame_sensors(Section& section) {
  SensorTable absolute = sensor_table();
  absolute.at<&S::objtype>("objtype").words(kFrameObject).need();
  absolute.at<&S::objname>("objname").need();
  section.add_all(absolute, SensorTarget::Frame);

  SensorTable inside = absolute;
  reference<ObjType::Site>(inside, "site").need();
  section.add_all(inside, SensorTarget::Frame, SensorReference::Site);

  SensorTable relative = absolute;
  relative.at<&S::reftype>("reftype").words(kFrameObject);
  relative.at<&S::refname>("refname");
  section.add_all(relative, SensorTarget::Frame, SensorReference::OptionalFrame, [](Element& element) {
    element.together({"reftype", "refname"});
  });
}

void add_distance_sensors(Section& section) {
  SensorTable t = sensor_table();
  object<ObjType::Geom>(t, "geom1");
  object<ObjType::Body>(t, "body1");
  reference<ObjType::Geom>(t, "geom2");
  reference<ObjType::Body>(t, "body2");
  section.add_all(t, SensorTarget::GeomOrBody, SensorReference::GeomOrBody, [](Element& element) {
    element.exclusive({{"geom1"}, {"body1"}})
        .exclusive({{"geom2"}, {"body2"}})
        .needs({{"geom1"}, {"body1"}})
        .needs({{"geom2"}, {"body2"}});
  });
}

void add_contact_sensors(Section& section) {
  SensorTable t = sensor_table();
  object<ObjType::Geom>(t, "geom1");
  object<ObjType::Body>(t, "body1");
  object<ObjType::XBody>(t, "subtree1");
  object<ObjType::Site>(t, "site");
  reference<ObjType::Geom>(t, "geom2");
  reference<ObjType::Body>(t, "body2");
  reference<ObjType::XBody>(t, "subtree2");
  t.item<&S::intprm, 0>("data").word_list(kContactData).in_order();
  t.item<&S::intprm, 1>("reduce").words(kReduce);
  t.item<&S::intprm, 2>("num").never_blank().between(1, limits::kContactsOfSensor);
  section.add(t, sensor_kind(SensorType::Contact))
      .exclusive({{"geom1"}, {"body1"}, {"subtree1"}, {"site"}})
      .exclusive({{"geom2"}, {"body2"}, {"subtree2"}});

  SensorTable tactile;
  tactile.at<&S::name>("name");
  tactile.at<&S::user>("user");
  add_history(tactile);
  object<ObjType::Mesh>(tactile, "mesh").need();
  reference<ObjType::Geom>(tactile, "geom").need();
  section.add(tactile, sensor_kind(SensorType::Tactile));
}

void add_optical_sensors(Section& section) {
  SensorTable projection = sensor_table();
  object<ObjType::Site>(projection, "site").need();
  reference<ObjType::Camera>(projection, "camera").need();
  section.add(projection, sensor_kind(SensorType::CamProjection));

  SensorTable range = sensor_table();
  object<ObjType::Site>(range, "site");
  object<ObjType::Camera>(range, "camera");
  range.item<&S::intprm, 0>("data").word_list(kRayData).in_order();
  section.add(range, sensor_kind(SensorType::Rangefinder))
      .exclusive({{"site"}, {"camera"}})
      .needs({{"site"}, {"camera"}});
}

void add_user_sensor(Section& section) {
  SensorTable t;
  add_common(t);
  t.at<&S::objtype>("objtype").words(kObject);
  t.at<&S::objname>("objname");
  t.at<&S::datatype>("datatype").words(kDataType);
  t.at<&S::needstage>("needstage").words(kStage);
  t.at<&S::dim>("dim").between(0, limits::kUserSensorNumbers).need();
  section.add(t, sensor_kind(SensorType::User)).together({"objtype", "objname"});
}

void add_plugin_sensor(Schema& schema, Section& section) {
  SensorTable t;
  add_plugin_names(t);
  t.at<&S::name>("name");
  t.at<&S::cutoff>("cutoff");
  t.at<&S::objtype>("objtype").words(kObject);
  t.at<&S::objname>("objname");
  t.at<&S::reftype>("reftype").words(kObject);
  t.at<&S::refname>("refname");
  t.at<&S::user>("user");
  section.add(t, sensor_kind(SensorType::Plugin))
      .needs({{"plugin"}, {"instance"}})
      .together({"objtype", "objname"})
      .together({"reftype", "refname"})
      .holds({plugin_config_element(schema)});
}

}  // namespace

const Element* sensor_section(Schema& schema) {
  Section section(schema);
  SensorTable site = sensor_table(), joint = site, tendon = site, actuator = site, body = site;
  const SensorTable global = site;
  object<ObjType::Site>(site, "site").need();
  object<ObjType::Joint>(joint, "joint").need();
  object<ObjType::Tendon>(tendon, "tendon").need();
  object<ObjType::Actuator>(actuator, "actuator").need();
  object<ObjType::Body>(body, "body").need();
  section.add_all(site, SensorTarget::Site);
  add_optical_sensors(section);
  for (const SensorTarget target : {SensorTarget::ScalarJoint, SensorTarget::BallJoint, SensorTarget::LimitedJoint})
    section.add_all(joint, target);
  for (const SensorTarget target : {SensorTarget::Tendon, SensorTarget::LimitedTendon}) section.add_all(tendon, target);
  section.add_all(actuator, SensorTarget::Actuator);
  add_frame_sensors(section);
  section.add_all(body, SensorTarget::Body);
  add_distance_sensors(section);
  add_contact_sensors(section);
  section.add_all(global, SensorTarget::None);
  add_user_sensor(section);
  add_plugin_sensor(schema, section);
  return section.finish();
}

}  // namespace sinew::mjcf
