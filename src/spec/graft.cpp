#include "spec/graft.h"

#include <algorithm>
#include <type_traits>

#include "spec/bytes.h"

namespace sinew::mjcf {
namespace {

/// Extra bytes of a copy's name over its original.
double name_bytes(const Renaming& names) {
  return 3.0 * static_cast<double>(names.prefix.size() + names.suffix.size());
}

constexpr double kKeptNumbersBytes = 200;  // of one element in one keyframe: two lists and their entries in two indices

}  // namespace

template <class T>
void Graft::rename(ObjType kind, T& copy, const Renaming& names) {
  copy.name = names(copy.name);
  if (std::string* target = target_of(copy)) *target = names(*target);
  if (names.foreign) {
    for (std::string* asset : assets_of(copy)) *asset = names(*asset);
    copy.dclass = names(copy.dclass);
    if constexpr (requires { copy.childclass; }) copy.childclass = names(copy.childclass);
  }
  reader_.claim_copy(kind, macro_, copy);
}

void Graft::hang(const spec::Body& part, spec::Body& host, int frame, const Renaming& names) {
  const int first = static_cast<int>(host.frames.size());
  const auto copy_all = [&](ObjType kind, const auto& items, auto& into) {
    for (const auto& item : items) {
      auto& copy = into.add(item);
      copy.frame = item.frame < 0 ? frame : first + item.frame;
      move_numbers(reader_.keys, item, copy);
      rename(kind, copy, names);
    }
  };
  for_each_part_list(copy_all, part, host);
  for (const spec::Body& body : part.bodies) {
    hang_body(body, host, body.frame < 0 ? frame : first + body.frame, names);
  }
}

void Graft::hang_body(const spec::Body& body, spec::Body& host, int frame, const Renaming& names) {
  spec::Body& copy = host.bodies.add(body);
  copy.frame = frame;
  move_numbers(reader_.keys, body, copy);
  rename(ObjType::Body, copy, names);
  for_each_below(copy, [&](ObjType kind, auto& element) { rename(kind, element, names); });
}

/// Changes the names of a link to their meaning in the model being read. False if there is no such object.
bool Graft::link_to(const Link& link, const Renaming& names, bool& renamed) const {
  const auto all = [&](auto&& name) {
    return std::all_of(link.begin(), link.end(),
                       [&](const Reference& r) { return reader_.exists(r.kind, name(*r.name)); });
  };
  if (all(names)) {
    for (const Reference& r : link) *r.name = names(*r.name);
    return renamed = true;
  }
  return all([](const std::string& name) { return name; });
}

template <class T>
void Graft::copy_list(ObjType kind, spec::List<T> Spec::*list, const Renaming& names) {
  const spec::List<T>& source = from_.*list;
  const auto [found, fresh] = candidates_.try_emplace(kind);
  std::vector<std::size_t>& candidates = found->second;
  if (fresh) {
    for (std::size_t i = 0; i < source.size(); ++i) candidates.push_back(i);
  }
  const std::size_t count = candidates.size();
  for (std::size_t i = 0; i < count; ++i) {
    T copy = source[candidates[i]];
    const std::vector<Link> links = links_of(copy);
    bool renamed = links.empty();
    if (!std::all_of(links.begin(), links.end(), [&](const Link& l) { return link_to(l, names, renamed); })) continue;
    if (!renamed) continue;
    reader_.count_copies(macro_, 1, bytes_of(copy) + name_bytes(names));
    rename(kind, copy, names);
    const T& added = (reader_.spec.*list).add(std::move(copy));
    reader_.keys.move(source[candidates[i]], added);
    // the next copy of the same part finds this one too: MuJoCo 3.12.0 doubles elements without references
    if (links.empty() && &from_ == &reader_.spec) candidates.push_back(source.size() - 1);
  }
}

void Graft::copy_relations(const Renaming& names) {
  copy_list(ObjType::Pair, &Spec::pairs, names);
  copy_list(ObjType::Exclude, &Spec::excludes, names);
  copy_list(ObjType::Flex, &Spec::flexes, names);
  copy_list(ObjType::Tendon, &Spec::tendons, names);
  copy_list(ObjType::Equality, &Spec::equalities, names);
  copy_list(ObjType::Actuator, &Spec::actuators, names);
  copy_list(ObjType::Sensor, &Spec::sensors, names);
  if (names.foreign) copy_list(ObjType::Tuple, &Spec::tuples, names);
}

template <class T>
void Graft::copy_all(ObjType kind, spec::List<T> Spec::*list, const Renaming& names) {
  for (const T& item : from_.*list) {
    reader_.count_copies(macro_, 1, bytes_of(item) + name_bytes(names));
    T copy = item;
    rename(kind, copy, names);
    (reader_.spec.*list).add(std::move(copy));
  }
}

/// The classes of the other model become classes of this one; this model's main class does not affect them.
void Graft::copy_classes(const Renaming& names) {
  std::vector<int> place;  // index of the other model's classes in this one
  for (const spec::DefaultClass& item : from_.classes) {
    spec::DefaultClass copy = item;
    copy.name = names(item.name);
    copy.parent = item.parent < 0 ? 0 : place[static_cast<std::size_t>(item.parent)];
    if (item.parent < 0 && copy.name == reader_.spec.classes[0].name) {  // without prefix: main already exists
      place.push_back(0);
      continue;
    }
    place.push_back(static_cast<int>(reader_.spec.classes.size()));
    const auto rename_assets = [&](auto& record) {
      for (std::string* asset : assets_of(record)) *asset = names(*asset);
    };
    rename_assets(copy.geom);
    rename_assets(copy.site);
    rename_assets(copy.tendon);
    rename_assets(copy.mesh);
    rename_assets(copy.material);
    reader_.add_class_copy(macro_, std::move(copy));
  }
}

void Graft::copy_assets(const Renaming& names) {
  copy_classes(names);
  copy_all(ObjType::Mesh, &Spec::meshes, names);
  copy_all(ObjType::Hfield, &Spec::hfields, names);
  copy_all(ObjType::Texture, &Spec::textures, names);
  copy_all(ObjType::Material, &Spec::materials, names);
  copy_all(ObjType::Numeric, &Spec::numerics, names);
  copy_all(ObjType::Text, &Spec::texts, names);
}

void Graft::copy_keys(const KeyStates::Parts& keys, const Renaming& names) {
  double bytes = 0;  // the numbers are kept separately for each element until all copies exist
  for (const KeyStates::Parts::Part& part : keys.keys)
    bytes += bytes_of(part.key) + kKeptNumbersBytes * static_cast<double>(part.numbers.size());
  reader_.count_copies(macro_, keys.keys.size(), bytes);
  reader_.keys.keep(keys, names);
  for (const KeyStates::Parts::Part& part : keys.keys) {
    spec::Key copy;
    copy.name = names(part.key.name);
    copy.origin = part.key.origin;
    reader_.claim_copy(ObjType::Key, macro_, copy);
  }
}

template <class T>
void Graft::prune(ObjType kind, spec::List<T>& list) {
  for (std::size_t i = 0; i < list.size();) {
    bool lost = false, broken = false;
    for (const Link& link : links_of(list[i])) {
      for (const Reference& r : link) {
        if (reader_.exists(r.kind, *r.name)) continue;
        const bool was_there = gone_.contains({named_kind(r.kind), *r.name});
        lost |= was_there;
        broken |= !was_there;
      }
    }
    if (!lost || broken) {  // references that were already broken are reported by the compiler
      ++i;
      continue;
    }
    reader_.release(kind, list[i].name);
    gone_.insert({kind, list[i].name});
    reader_.keys.forget(list[i]);
    list.erase(i);
  }
}

void Graft::remove(spec::Body& part) {
  for_each_below(part, [&](ObjType kind, const auto& element) {
    reader_.keys.forget(element);
    if (element.name.empty()) return;
    reader_.release(kind, element.name);
    gone_.insert({kind, element.name});
  });
  Spec& spec = reader_.spec;
  prune(ObjType::Pair, spec.pairs);
  prune(ObjType::Exclude, spec.excludes);
  prune(ObjType::Flex, spec.flexes);
  prune(ObjType::Tendon, spec.tendons);
  prune(ObjType::Equality, spec.equalities);
  prune(ObjType::Actuator, spec.actuators);
  prune(ObjType::Sensor, spec.sensors);
}

bool holds_name(const spec::Body& part, ObjType kind, const std::string& name) {
  bool found = false;
  for_each_below(part, [&](ObjType below, const auto& element) { found |= below == kind && element.name == name; });
  return found;
}

std::size_t count_below(const spec::Body& part) {
  std::size_t count = 0;
  for_each_below(part, [&](ObjType, const auto&) { ++count; });
  return count;
}

double bytes_below(const spec::Body& part) {
  double bytes = 0;
  for_each_below(part, [&](ObjType, const auto& element) { bytes += bytes_of(element); });
  return bytes;
}

std::size_t depth_below(const spec::Body& part) {
  std::size_t deepest = 0;
  std::vector<std::pair<const spec::Body*, std::size_t>> pending = {{&part, 0}};
  while (!pending.empty()) {
    const auto [body, depth] = pending.back();
    pending.pop_back();
    deepest = std::max(deepest, depth);
    for (const spec::Body& child : body->bodies) pending.emplace_back(&child, depth + 1);
  }
  return deepest;
}

}  // namespace sinew::mjcf
