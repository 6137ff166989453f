// sensor: one element per type. They differ in the objects that they name.

#include "base/limits.h"
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

struct Kind {
  std::string_view name;
  SensorType type;
  std::string_view doc;
};

constexpr Kind kAtSite[] = {
    {"touch", SensorType::Touch, "sum of the normal forces of contacts inside of the site"},
    {"accelerometer", SensorType::Accelerometer, "linear acceleration, gravity included, in the site's frame"},
    {"velocimeter", SensorType::Velocimeter, "linear velocity in the site's frame"},
    {"gyro", SensorType::Gyro, "angular velocity in the site's frame"},
    {"force", SensorType::Force, "force between the site's body and its parent"},
    {"torque", SensorType::Torque, "torque between the site's body and its parent"},
    {"magnetometer", SensorType::Magnetometer, "magnetic flux in the site's frame"}};
constexpr Kind kAtJoint[] = {
    {"jointpos", SensorType::JointPos, "position of a hinge or slide"},
    {"jointvel", SensorType::JointVel, "velocity of a hinge or slide"},
    {"jointactuatorfrc", SensorType::JointActFrc, "force of all actuators on a hinge or slide"},
    {"ballquat", SensorType::BallQuat, "orientation of a ball joint"},
    {"ballangvel", SensorType::BallAngVel, "angular velocity of a ball joint"},
    {"jointlimitpos", SensorType::JointLimitPos, "distance to a joint limit"},
    {"jointlimitvel", SensorType::JointLimitVel, "velocity towards a joint limit"},
    {"jointlimitfrc", SensorType::JointLimitFrc, "force of a joint limit"}};
constexpr Kind kAtTendon[] = {{"tendonpos", SensorType::TendonPos, "length of a tendon"},
                              {"tendonvel", SensorType::TendonVel, "velocity of a tendon"},
                              {"tendonactuatorfrc", SensorType::TendonActFrc, "force of all actuators on a tendon"},
                              {"tendonlimitpos", SensorType::TendonLimitPos, "distance to a tendon limit"},
                              {"tendonlimitvel", SensorType::TendonLimitVel, "velocity towards a tendon limit"},
                              {"tendonlimitfrc", SensorType::TendonLimitFrc, "force of a tendon limit"}};
constexpr Kind kAtActuator[] = {{"actuatorpos", SensorType::ActuatorPos, "length of an actuator"},
                                {"actuatorvel", SensorType::ActuatorVel, "velocity of an actuator"},
                                {"actuatorfrc", SensorType::ActuatorFrc, "force of an actuator"}};
constexpr Kind kAtBody[] = {{"subtreecom", SensorType::SubtreeCom, "centre of mass of a body and all below it"},
                            {"subtreelinvel", SensorType::SubtreeLinVel, "velocity of that centre of mass"},
                            {"subtreeangmom", SensorType::SubtreeAngMom, "angular momentum about that centre of mass"}};
constexpr Kind kRelative[] = {{"framepos", SensorType::FramePos, "position of an object"},
                              {"framequat", SensorType::FrameQuat, "orientation of an object"},
                              {"framexaxis", SensorType::FrameXAxis, "x axis of an object"},
                              {"frameyaxis", SensorType::FrameYAxis, "y axis of an object"},
                              {"framezaxis", SensorType::FrameZAxis, "z axis of an object"},
                              {"framelinvel", SensorType::FrameLinVel, "linear velocity of an object"},
                              {"frameangvel", SensorType::FrameAngVel, "angular velocity of an object"}};
constexpr Kind kAbsolute[] = {{"framelinacc", SensorType::FrameLinAcc, "linear acceleration of an object"},
                              {"frameangacc", SensorType::FrameAngAcc, "angular acceleration of an object"}};
constexpr Kind kBetween[] = {{"distance", SensorType::GeomDist, "smallest distance of two geoms or bodies"},
                             {"normal", SensorType::GeomNormal, "direction of that distance"},
                             {"fromto", SensorType::GeomFromTo, "the two points of that distance"}};
constexpr Kind kGlobal[] = {{"e_potential", SensorType::EPotential, "potential energy"},
                            {"e_kinetic", SensorType::EKinetic, "kinetic energy"},
                            {"clock", SensorType::Clock, "time"}};

class Section {
 public:
  explicit Section(Schema& schema) : schema_(schema) {
    section_.name = "sensor";
    section_.doc = "what is measured";
    section_.read = [](Reader& r, const XmlNode& n, const Element& e) { r.children(n, e); };
  }

  Element& add(const SensorTable& table, const Kind& kind) {
    spec::Sensor blank;
    blank.type = kind.type;
    if (kind.type == SensorType::Contact) blank.intprm = {1, 0, 1};      // found; none; one contact
    if (kind.type == SensorType::Rangefinder) blank.intprm = {1, 0, 0};  // dist
    Element& element = schema_.add(table.element(kind.name, kind.doc, read_sensor));
    element.blank = std::make_shared<const spec::Sensor>(std::move(blank));
    section_.holds({&element});
    return element;
  }
  void add(const SensorTable& table, std::span<const Kind> kinds) {
    for (const Kind& kind : kinds) add(table, kind);
  }
  const Element* finish() {
    Element& plugin =
        schema_.refused("plugin", "cutoff instance name objname objtype plugin refname reftype user", "plugins");
    section_.holds({&plugin.holds({&schema_.refused("config", "key value", "plugins")})});
    return &schema_.add(std::move(section_));
  }

 private:
  Schema& schema_;
  Element section_;
};

void add_frame_sensors(Section& section) {
  SensorTable absolute = sensor_table();
  absolute.at<&S::objtype>("objtype").words(kFrameObject).need();
  absolute.at<&S::objname>("objname").need();
  section.add(absolute, kAbsolute);

  SensorTable inside = absolute;
  reference<ObjType::Site>(inside, "site").need();
  section.add(inside, {"insidesite", SensorType::InsideSite, "1 where the object is inside of the site, else 0"});

  SensorTable relative = absolute;
  relative.at<&S::reftype>("reftype").words(kFrameObject);
  relative.at<&S::refname>("refname");
  for (const Kind& kind : kRelative) section.add(relative, kind).together({"reftype", "refname"});
}

void add_distance_sensors(Section& section) {
  SensorTable t = sensor_table();
  object<ObjType::Geom>(t, "geom1");
  object<ObjType::Body>(t, "body1");
  reference<ObjType::Geom>(t, "geom2");
  reference<ObjType::Body>(t, "body2");
  for (const Kind& kind : kBetween) {
    section.add(t, kind)
        .exclusive({{"geom1"}, {"body1"}})
        .exclusive({{"geom2"}, {"body2"}})
        .needs({{"geom1"}, {"body1"}})
        .needs({{"geom2"}, {"body2"}});
  }
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
  section.add(t, {"contact", SensorType::Contact, "contacts between two things, the strongest or nearest first"})
      .exclusive({{"geom1"}, {"body1"}, {"subtree1"}, {"site"}})
      .exclusive({{"geom2"}, {"body2"}, {"subtree2"}});

  SensorTable tactile;
  tactile.at<&S::name>("name");
  tactile.at<&S::user>("user");
  add_history(tactile);
  object<ObjType::Mesh>(tactile, "mesh").need();
  reference<ObjType::Geom>(tactile, "geom").need();
  section.add(tactile, {"tactile", SensorType::Tactile, "contact forces at the vertices of a mesh"});
}

void add_optical_sensors(Section& section) {
  SensorTable projection = sensor_table();
  object<ObjType::Site>(projection, "site").need();
  reference<ObjType::Camera>(projection, "camera").need();
  section.add(projection, {"camprojection", SensorType::CamProjection, "where a camera sees a site, in pixels"});

  SensorTable range = sensor_table();
  object<ObjType::Site>(range, "site");
  object<ObjType::Camera>(range, "camera");
  range.item<&S::intprm, 0>("data").word_list(kRayData).in_order();
  section
      .add(range, {"rangefinder", SensorType::Rangefinder,
                   "distance to the nearest geom along z of a site, or for each pixel of a camera"})
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
  section.add(t, {"user", SensorType::User, "numbers that the user's own code computes"})
      .together({"objtype", "objname"});
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
  section.add(site, kAtSite);
  add_optical_sensors(section);
  section.add(joint, kAtJoint);
  section.add(tendon, kAtTendon);
  section.add(actuator, kAtActuator);
  add_frame_sensors(section);
  section.add(body, kAtBody);
  add_distance_sensors(section);
  add_contact_sensors(section);
  section.add(global, kGlobal);
  add_user_sensor(section);
  return section.finish();
}

}  // namespace sinew::mjcf
