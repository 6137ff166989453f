#include "compile/names.h"

#include <algorithm>

#include "base/suggest.h"

namespace sinew::compiling {

std::size_t NameIndex::kind(ObjType type) {
  if (type == ObjType::XBody) return static_cast<std::size_t>(ObjType::Body);  // another frame of the same object
  return type == ObjType::Frame ? kKinds - 1 : std::min(static_cast<std::size_t>(type), kKinds - 1);
}

void NameIndex::add(ObjType type, const spec::Element& element, int id, Report& report) {
  if (element.name.empty()) return;
  if (names_[kind(type)].emplace(element.name, id).second) return;
  report.error(place(element_name(type), element), "name",
               "the name '" + element.name + "' is already used by another " + std::string(element_name(type)),
               "names must be unique within a kind of object");
}

void NameIndex::build(const Spec& spec, const Tree& tree, Report& report) {
  for (Names& names : names_) names.clear();
  int joint = 0, geom = 0, site = 0, camera = 0, light = 0;
  for (const BodyNode* body : tree.bodies) {
    add(ObjType::Body, *body->in, body->id, report);
    for (const spec::Frame& frame : body->in->frames) add(ObjType::Frame, frame, 0, report);
    for (const JointNode& node : body->joints) add(ObjType::Joint, *node.in, joint++, report);
    for (const GeomNode& node : body->geoms) add(ObjType::Geom, *node.in, geom++, report);
    for (const SiteNode& node : body->sites) add(ObjType::Site, *node.in, site++, report);
    for (const CameraNode& node : body->cameras) add(ObjType::Camera, *node.in, camera++, report);
    for (const LightNode& node : body->lights) add(ObjType::Light, *node.in, light++, report);
  }
  const auto add_all = [&](ObjType type, const auto& list) {
    int id = 0;
    for (const auto& element : list) add(type, element, id++, report);
  };
  add_all(ObjType::Hfield, spec.hfields);
  add_all(ObjType::Texture, spec.textures);
  add_all(ObjType::Material, spec.materials);
  add_all(ObjType::Pair, spec.pairs);
  add_all(ObjType::Exclude, spec.excludes);
  add_all(ObjType::Flex, spec.flexes);
  add_all(ObjType::Equality, spec.equalities);
  add_all(ObjType::Tendon, spec.tendons);
  add_all(ObjType::Actuator, spec.actuators);
  add_all(ObjType::Sensor, spec.sensors);
  add_all(ObjType::Numeric, spec.numerics);
  add_all(ObjType::Text, spec.texts);
  add_all(ObjType::Tuple, spec.tuples);
  add_all(ObjType::Key, spec.keys);
}

void NameIndex::add_all(ObjType type, const std::vector<const spec::Element*>& elements, Report& report) {
  int id = 0;
  for (const spec::Element* element : elements) add(type, *element, id++, report);
}

void NameIndex::reorder(ObjType type, const std::vector<int>& order) {
  std::vector<int> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<int>(i);
  for (auto& [name, id] : names_[kind(type)]) id = position[id];
}

int NameIndex::find(ObjType type, std::string_view name) const {
  const Names& names = names_[kind(type)];
  const auto it = names.find(name);
  return it == names.end() ? -1 : it->second;
}

std::string NameIndex::suggestion(ObjType type, std::string_view name) const {
  return suggest_key(names_[kind(type)], name);
}

std::string suggest_key(const std::unordered_map<std::string_view, int>& ids, std::string_view name) {
  std::vector<std::pair<int, std::string_view>> known;
  known.reserve(ids.size());
  for (const auto& [word, id] : ids) known.emplace_back(id, word);
  std::sort(known.begin(), known.end());
  std::vector<std::string_view> words(known.size());
  std::transform(known.begin(), known.end(), words.begin(), [](const auto& entry) { return entry.second; });
  return suggest(name, words);
}

int resolve(const NameIndex& names, Report& report, const Place& where, std::string_view attribute,
            std::pair<ObjType, std::string_view> reference) {
  const auto [type, name] = reference;
  const std::string kind(element_name(type));
  if (name.empty()) {
    report.error(where, attribute, "the name of a " + kind + " is missing");
    return -1;
  }
  const int id = names.find(type, name);
  if (id < 0) {
    report.error(where, attribute, "there is no " + kind + " named '" + std::string(name) + "'",
                 names.suggestion(type, name));
  }
  return id;
}

}  // namespace sinew::compiling
