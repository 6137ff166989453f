#pragma once

// The names by which elements refer to others: shared by renaming a copy and by checking whether it can be copied.

#include <string>
#include <vector>

#include "sinew/spec.h"

namespace sinew::mjcf {

/// Names of copies: the name of the original between these two; unnamed elements stay unnamed.
struct Renaming {
  std::string prefix;
  std::string suffix;
  bool foreign = false;  // from another model: assets and default classes get other names too

  std::string operator()(const std::string& name) const { return name.empty() ? name : prefix + name + suffix; }
};

struct Reference {
  ObjType kind;
  std::string* name;
};

/// References of one element that belong together: either all refer to renamed objects or none does.
using Link = std::vector<Reference>;

std::vector<Link> links_of(spec::Pair& pair);
std::vector<Link> links_of(spec::Exclude& exclude);
std::vector<Link> links_of(spec::Flex& flex);
std::vector<Link> links_of(spec::Equality& equality);
std::vector<Link> links_of(spec::Tendon& tendon);
std::vector<Link> links_of(spec::Actuator& actuator);
std::vector<Link> links_of(spec::Sensor& sensor);
std::vector<Link> links_of(spec::Tuple& tuple);

/// Names of assets that an element uses.
inline std::vector<std::string*> assets_of(spec::Element&) { return {}; }
inline std::vector<std::string*> assets_of(spec::Geom& g) { return {&g.mesh, &g.hfield, &g.material}; }
inline std::vector<std::string*> assets_of(spec::Site& s) { return {&s.material}; }
inline std::vector<std::string*> assets_of(spec::Light& l) { return {&l.texture}; }
inline std::vector<std::string*> assets_of(spec::Tendon& t) { return {&t.material}; }
inline std::vector<std::string*> assets_of(spec::Flex& f) { return {&f.material}; }
inline std::vector<std::string*> assets_of(spec::Mesh& m) { return {&m.material}; }
std::vector<std::string*> assets_of(spec::Material& material);

/// The name of the body that a camera or light looks at.
inline std::string* target_of(spec::Element&) { return nullptr; }
inline std::string* target_of(spec::Camera& camera) { return &camera.target; }
inline std::string* target_of(spec::Light& light) { return &light.target; }

/// The kind under which the names of a kind are kept: bodies by inertial frame are bodies.
inline ObjType named_kind(ObjType kind) { return kind == ObjType::XBody ? ObjType::Body : kind; }

/// f(kind, list…) for each list in a body except its bodies: the same list of every body given.
template <class F, class... Body>
void for_each_part_list(F&& f, Body&... body) {
  f(ObjType::Frame, body.frames...);
  f(ObjType::Joint, body.joints...);
  f(ObjType::Geom, body.geoms...);
  f(ObjType::Site, body.sites...);
  f(ObjType::Camera, body.cameras...);
  f(ObjType::Light, body.lights...);
}

/// The same, and then the bodies.
template <class F, class... Body>
void for_each_own_list(F&& f, Body&... body) {
  for_each_part_list(f, body...);
  f(ObjType::Body, body.bodies...);
}

/// The elements of a body except its bodies, each with its kind.
template <class Body, class F>
void for_each_part(Body& body, F&& f) {
  const auto visit = [&](ObjType kind, auto& list) {
    for (auto& part : list) f(kind, part);
  };
  for_each_part_list(visit, body);
}

/// A body's parts, then each child body and its parts, in document order.
template <class Body, class F>
void for_each_below(Body& body, F&& f) {
  std::vector<Body*> pending;  // an explicit stack: a tree built by a program may be too deep for recursion
  const auto enter = [&](Body& entered) {
    for_each_part(entered, f);
    for (std::size_t i = entered.bodies.size(); i-- > 0;) pending.push_back(&entered.bodies[i]);
  };
  enter(body);
  while (!pending.empty()) {
    Body& child = *pending.back();
    pending.pop_back();
    f(ObjType::Body, child);
    enter(child);
  }
}

/// f(kind, list) for the elements outside the tree of bodies.
template <class Tree, class F>
void for_each_list(Tree& spec, F&& f) {
  f(ObjType::Mesh, spec.meshes);
  f(ObjType::Hfield, spec.hfields);
  f(ObjType::Texture, spec.textures);
  f(ObjType::Material, spec.materials);
  f(ObjType::Pair, spec.pairs);
  f(ObjType::Exclude, spec.excludes);
  f(ObjType::Flex, spec.flexes);
  f(ObjType::Equality, spec.equalities);
  f(ObjType::Tendon, spec.tendons);
  f(ObjType::Actuator, spec.actuators);
  f(ObjType::Sensor, spec.sensors);
  f(ObjType::Numeric, spec.numerics);
  f(ObjType::Text, spec.texts);
  f(ObjType::Tuple, spec.tuples);
  f(ObjType::Key, spec.keys);
}

}  // namespace sinew::mjcf
