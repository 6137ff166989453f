// worldbody: bodies and their contents.

#include "base/limits.h"
#include "spec/keywords.h"
#include "spec/reader.h"
#include "spec/schema_parts.h"
#include "spec/schema_pose.h"
#include "spec/value.h"

namespace sinew::mjcf {
namespace {

/// name and class, which only an element has.
template <class T>
void add_identity(Table<T>& t) {
  t.template at<&T::name>("name").element_only();
  t.template at<&T::dclass>("class").element_only();
}

/// The current body, or null with an error if it is the world.
spec::Body* moving_body(Reader& r, const XmlNode& node, std::string_view what) {
  if (!r.scope.in_world) return r.scope.body;
  r.report.error({&node}, fmt::format("the world body cannot have {}", what));
  return nullptr;
}

/// An element of the current body.
template <class T>
T& add_to_body(Reader& r, const XmlNode& node, const Element& element, ObjType kind, T spec::DefaultClass::*record,
               spec::List<T> spec::Body::*list) {
  T item = r.start(kind, node, element, record);
  item.frame = r.scope.frame;
  return (r.scope.body->*list).add(std::move(item));
}

void read_joint(Reader& r, const XmlNode& node, const Element& element) {
  if (!moving_body(r, node, "joints")) return;
  add_to_body(r, node, element, ObjType::Joint, &spec::DefaultClass::joint, &spec::Body::joints);
}

/// A free joint ignores default classes.
void read_freejoint(Reader& r, const XmlNode& node, const Element& element) {
  if (!moving_body(r, node, "joints")) return;
  spec::Joint joint;
  joint.type = JointType::Free;
  r.attributes(node, element, &joint);
  r.claim(ObjType::Joint, node, joint);
  joint.frame = r.scope.frame;
  r.scope.body->joints.add(std::move(joint));
}

void read_geom(Reader& r, const XmlNode& node, const Element& element) {
  add_to_body(r, node, element, ObjType::Geom, &spec::DefaultClass::geom, &spec::Body::geoms);
}

void read_inertial(Reader& r, const XmlNode& node, const Element& element) {
  spec::Body* body = moving_body(r, node, "inertia");
  if (!body) return;
  spec::Inertial inertial;
  inertial.origin = {node.file, node.line};
  r.attributes(node, element, &inertial);
  inertial.has_diaginertia = node.attribute("diaginertia") != nullptr;
  body->inertial = inertial;
}

void read_frame(Reader& r, const XmlNode& node, const Element& element) {
  spec::Frame frame;
  r.attributes(node, element, &frame);
  r.claim(ObjType::Frame, node, frame);
  frame.frame = r.scope.frame;
  r.scope.body->frames.add(std::move(frame));

  const Reader::Scope outside = r.scope;
  r.scope.frame = static_cast<int>(r.scope.body->frames.size()) - 1;
  r.enter_childclass(node);
  r.children(node, element);
  r.scope = outside;
}

void read_body(Reader& r, const XmlNode& node, const Element& element) {
  spec::Body added;
  r.attributes(node, element, &added);
  r.claim(ObjType::Body, node, added);
  added.frame = r.scope.frame;

  const Reader::Scope outside = r.scope;
  r.scope.body = &r.scope.body->bodies.add(std::move(added));
  r.scope.frame = -1;
  r.scope.in_world = false;
  ++r.scope.depth;
  r.enter_childclass(node);
  r.children(node, element);
  r.scope = outside;
}

void read_worldbody(Reader& r, const XmlNode& node, const Element& element) {
  r.scope = {&r.spec.world, -1, true, 0};
  r.children(node, element);
  r.scope = {};
}

Element& joint_element(Schema& schema) {
  using J = spec::Joint;
  Table<J> t;
  add_identity(t);
  t.at<&J::type>("type").words(kJointType);
  t.at<&J::pos>("pos");
  t.at<&J::axis>("axis");
  add_joint_laws(t);
  t.at<&J::springdamper>("springdamper");
  t.at<&J::ref>("ref");
  t.at<&J::springref>("springref");
  t.at<&J::actuatorfrclimited>("actuatorfrclimited").words(kTri);
  t.at<&J::actuatorfrcrange>("actuatorfrcrange");
  t.at<&J::actuatorgravcomp>("actuatorgravcomp");
  t.at<&J::user>("user");
  return schema.add(t.element("joint", "a degree of freedom of the body relative to its parent", read_joint));
}

const Element* freejoint_element(Schema& schema) {
  using J = spec::Joint;
  Table<J> t;
  t.at<&J::name>("name");
  t.at<&J::group>("group");
  t.at<&J::align>("align").words(kTri);
  return &schema.add(t.element("freejoint", "six degrees of freedom; default classes do not apply", read_freejoint));
}

Element& geom_element(Schema& schema) {
  using G = spec::Geom;
  Table<G> t;
  add_identity(t);
  t.at<&G::type>("type").words(kGeomType);
  add_pose(t);
  add_geom_matter(t);
  t.at<&G::shellinertia>("shellinertia");
  t.at<&G::fromto>("fromto");
  t.at<&G::hfield>("hfield");
  t.at<&G::mesh>("mesh");
  t.at<&G::fitscale>("fitscale");
  t.at<&G::fluidshape>("fluidshape").words(kFluidShape);
  t.at<&G::fluidcoef>("fluidcoef").partial();
  t.at<&G::user>("user");
  Element& geom = schema.add(t.element("geom", "a shape for collision, mass and rendering", read_geom));
  return one_orientation(geom).holds({&schema.refused("plugin", "instance plugin", "plugins")
                                           .holds({&schema.refused("config", "key value", "plugins")})});
}

Element& site_element(Schema& schema) {
  using S = spec::Site;
  Table<S> t;
  add_identity(t);
  t.at<&S::type>("type").words(kSiteType);
  t.at<&S::group>("group");
  add_pose(t);
  t.at<&S::material>("material");
  t.at<&S::size>("size").partial();
  t.at<&S::fromto>("fromto");
  t.at<&S::rgba>("rgba");
  t.at<&S::user>("user");
  Element& site =
      schema.add(t.element("site", "a location on a body for sensors, tendons and actuators",
                           [](Reader& r, const XmlNode& n, const Element& e) {
                             add_to_body(r, n, e, ObjType::Site, &spec::DefaultClass::site, &spec::Body::sites);
                           }));
  return one_orientation(site);
}

Element& camera_element(Schema& schema) {
  using C = spec::Camera;
  Table<C> t;
  add_identity(t);
  t.at<&C::mode>("mode").words(kCamLightMode);
  t.at<&C::target>("target").element_only();
  add_pose(t);
  t.at<&C::projection>("projection").words(kProjection);
  t.at<&C::fovy>("fovy");
  t.at<&C::ipd>("ipd");
  t.at<&C::resolution>("resolution").at_most(limits::kCameraPixels);
  t.at<&C::output>("output").word_list(kCameraOutput);
  t.at<&C::sensorsize>("sensorsize");
  t.at<&C::focal>("focal");
  t.at<&C::focalpixel>("focalpixel");
  t.at<&C::principal>("principal");
  t.at<&C::principalpixel>("principalpixel");
  t.at<&C::user>("user");
  Element& camera = schema.add(
      t.element("camera", "a camera for viewers and camera sensors", [](Reader& r, const XmlNode& n, const Element& e) {
        add_to_body(r, n, e, ObjType::Camera, &spec::DefaultClass::camera, &spec::Body::cameras);
      }));
  return one_orientation(camera).exclusive({{"fovy"}, {"sensorsize"}});
}

Element& light_element(Schema& schema) {
  using L = spec::Light;
  Table<L> t;
  add_identity(t);
  t.at<&L::mode>("mode").words(kCamLightMode);
  t.at<&L::target>("target").element_only();
  t.at<&L::texture>("texture").element_only();
  t.at<&L::type>("type").words(kLightType);
  t.add<bool>(
       "directional",
       [](void* object, std::string_view text, const Attribute& row) -> Outcome {
         int directional = 0;
         if (Outcome bad = parse_keyword(text, row.keywords, directional)) return bad;
         static_cast<L*>(object)->type = directional ? LightType::Directional : LightType::Spot;
         return {};
       },
       [](const void*, const Attribute&) { return std::string(); })
      .remark("legacy form of type: directional or spot");
  t.at<&L::castshadow>("castshadow");
  t.at<&L::active>("active");
  t.at<&L::pos>("pos");
  t.at<&L::dir>("dir");
  t.at<&L::bulbradius>("bulbradius");
  t.at<&L::intensity>("intensity");
  t.at<&L::range>("range");
  t.at<&L::attenuation>("attenuation");
  t.at<&L::cutoff>("cutoff");
  t.at<&L::exponent>("exponent");
  t.at<&L::softness>("softness");
  t.at<&L::ambient>("ambient");
  t.at<&L::diffuse>("diffuse");
  t.at<&L::specular>("specular");
  return schema
      .add(t.element("light", "a light for a viewer",
                     [](Reader& r, const XmlNode& n, const Element& e) {
                       add_to_body(r, n, e, ObjType::Light, &spec::DefaultClass::light, &spec::Body::lights);
                     }))
      .exclusive({{"directional"}, {"type"}});
}

const Element* inertial_element(Schema& schema) {
  using I = spec::Inertial;
  Table<I> t;
  add_pose(t);
  t.at<&I::mass>("mass").need();
  t.at<&I::diaginertia>("diaginertia");
  t.at<&I::fullinertia>("fullinertia").remark("xx yy zz xy xz yz");
  Element element = t.element("inertial", "mass and inertia of the body, instead of those of its geoms", read_inertial);
  for (Attribute& row : element.attributes) {
    if (row.name == "pos") row.need();
  }
  return &schema.add(std::move(element))
              .once()
              .exclusive({{"fullinertia"}, {"quat"}, {"axisangle"}, {"xyaxes"}, {"zaxis"}, {"euler"}});
}

Element& frame_element(Schema& schema) {
  using F = spec::Frame;
  Table<F> t;
  t.at<&F::name>("name");
  t.at<&F::childclass>("childclass");
  add_pose(t);
  return one_orientation(schema.add(t.element("frame", "transforms its contents; compiled away", read_frame)));
}

Element& body_element(Schema& schema) {
  using B = spec::Body;
  Table<B> t;
  t.at<&B::name>("name");
  t.at<&B::childclass>("childclass");
  add_pose(t);
  t.at<&B::mocap>("mocap");
  t.at<&B::gravcomp>("gravcomp");
  t.at<&B::sleep>("sleep").words(kSleep);
  t.at<&B::simple>("simple").words(kSimple);
  t.at<&B::user>("user");
  return one_orientation(
      schema.add(t.element("body", "a rigid body, its joints to the parent and its child bodies", read_body)));
}

/// Elements that generate many others, and plugins.
std::vector<const Element*> macros_in_body(Schema& schema) {
  const Element* config = &schema.refused("config", "key value", "plugins");
  const Element* plugin = &schema.refused("plugin", "instance plugin", "plugins").holds({config});
  return {attach_element(schema), plugin, composite_element(schema, plugin), flexcomp_element(schema, plugin)};
}

}  // namespace

void add_joint_laws(Table<spec::Joint>& t) {
  using J = spec::Joint;
  t.at<&J::group>("group");
  t.at<&J::limited>("limited").words(kTri);
  t.at<&J::range>("range");
  t.at<&J::margin>("margin");
  t.at<&J::solreflimit>("solreflimit").partial();
  t.at<&J::solimplimit>("solimplimit").partial();
  t.at<&J::solreffriction>("solreffriction").partial();
  t.at<&J::solimpfriction>("solimpfriction").partial();
  t.at<&J::stiffness>("stiffness").partial();
  t.at<&J::damping>("damping").partial();
  t.at<&J::armature>("armature");
  t.at<&J::frictionloss>("frictionloss");
}

void add_geom_matter(Table<spec::Geom>& t) {
  using G = spec::Geom;
  t.at<&G::contype>("contype");
  t.at<&G::conaffinity>("conaffinity");
  t.at<&G::condim>("condim");
  t.at<&G::group>("group");
  t.at<&G::priority>("priority");
  t.at<&G::size>("size").partial();
  t.at<&G::material>("material");
  t.at<&G::rgba>("rgba");
  t.at<&G::friction>("friction").partial();
  t.at<&G::mass>("mass");
  t.at<&G::density>("density");
  t.at<&G::solmix>("solmix");
  t.at<&G::solref>("solref").partial();
  t.at<&G::solimp>("solimp").partial();
  t.at<&G::margin>("margin");
  t.at<&G::gap>("gap");
  t.at<&G::surfacevel>("surfacevel").partial();
  t.at<&G::adhesion>("adhesion");
}

TreeElements tree_elements(Schema& schema) {
  TreeElements tree{};
  tree.joint = &joint_element(schema);
  tree.geom = &geom_element(schema);
  tree.site = &site_element(schema);
  tree.camera = &camera_element(schema);
  tree.light = &light_element(schema);
  Element& frame = frame_element(schema);
  Element& body = body_element(schema);
  Element& replicate = replicate_element(schema);

  std::vector<const Element*> inside = {inertial_element(schema),
                                        tree.joint,
                                        freejoint_element(schema),
                                        tree.geom,
                                        tree.site,
                                        tree.camera,
                                        tree.light,
                                        &body,
                                        &frame,
                                        &replicate};
  for (const Element* refused : macros_in_body(schema)) inside.push_back(refused);
  Element world;
  world.name = "worldbody";
  world.doc = "the world: static elements and the tree of bodies";
  world.read = read_worldbody;
  for (Element* element : {&body, &frame, &replicate, &world}) element->holds(inside);
  tree.section = &schema.add(std::move(world));
  return tree;
}

}  // namespace sinew::mjcf
