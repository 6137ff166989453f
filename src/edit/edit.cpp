#include "sinew/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "edit/match.h"
#include "spec/keywords.h"
#include "spec/references.h"

namespace sinew {
namespace {

/// visit(kind, list) for every list below a body, its own first.
template <class Visit>
void for_each_list(spec::Body& body, Visit& visit) {
  mjcf::for_each_own_list(visit, body);
  for (spec::Body& child : body.bodies) for_each_list(child, visit);
}

template <class Visit>
void for_each_list(Spec& spec, Visit visit) {
  for_each_list(spec.world, visit);
  mjcf::for_each_list(spec, visit);
}

using mjcf::Reference;

/// Required references of an element: what it connects, what it looks at, and its shape.
template <class T>
std::vector<Reference> needs_of(T& item) {
  std::vector<Reference> out;
  if constexpr (std::is_same_v<T, spec::Geom>) {
    out = {{ObjType::Mesh, &item.mesh}, {ObjType::Hfield, &item.hfield}};
  } else if constexpr (requires { mjcf::links_of(item); } && !std::is_same_v<T, spec::Tuple>) {
    for (const mjcf::Link& link : mjcf::links_of(item)) out.insert(out.end(), link.begin(), link.end());
  } else if (std::string* target = mjcf::target_of(item)) {
    out = {{ObjType::Body, target}};
  }
  return out;
}

/// Optional references of an element: its appearance, and the objects of a tuple.
template <class T>
std::vector<Reference> options_of(T& item) {
  std::vector<Reference> out;
  if constexpr (std::is_same_v<T, spec::Material>) {
    for (std::string& texture : item.textures) out.push_back({ObjType::Texture, &texture});
  } else if constexpr (std::is_same_v<T, spec::Light>) {
    out = {{ObjType::Texture, &item.texture}};
  } else if constexpr (std::is_same_v<T, spec::Tuple>) {
    for (spec::Tuple::Item& part : item.items) out.push_back({part.objtype, &part.objname});
  } else if constexpr (requires { item.material; }) {
    out = {{ObjType::Material, &item.material}};
  }
  return out;
}

/// The names that are removed, or about to be.
using Names = std::set<std::pair<ObjType, std::string>>;

bool contains(const Names& names, const Reference& reference) {
  return !reference.name->empty() && names.contains({mjcf::named_kind(reference.kind), *reference.name});
}

void add_names(Names& names, ObjType kind, spec::Element& element) {
  if (!element.name.empty()) names.emplace(kind, element.name);
}
void add_names(Names& names, ObjType kind, spec::Body& body) {
  add_names(names, kind, static_cast<spec::Element&>(body));
  auto visit = [&](ObjType inner, auto& list) {
    for (auto& item : list) add_names(names, inner, static_cast<spec::Element&>(item));
  };
  for_each_list(body, visit);
}

/// Whether a required reference of the element is removed.
template <class T>
bool is_orphan(T& item, const Names& gone) {
  const std::vector<Reference> needs = needs_of(item);
  return std::any_of(needs.begin(), needs.end(), [&](const Reference& r) { return contains(gone, r); });
}

void forget(Spec& spec, const Names& gone) {
  const auto clear = [&](const std::vector<Reference>& references) {
    for (const Reference& reference : references) {
      if (contains(gone, reference)) reference.name->clear();
    }
  };
  for_each_list(spec, [&](ObjType, auto& list) {
    for (auto& item : list) clear(options_of(item));
  });
  for (spec::DefaultClass& record : spec.classes) {
    clear(options_of(record.geom));
    clear(options_of(record.site));
    clear(options_of(record.tendon));
    clear(options_of(record.material));
    clear(needs_of(record.geom));
  }
  for (spec::Tuple& tuple : spec.tuples)
    std::erase_if(tuple.items, [](const spec::Tuple::Item& item) { return item.objname.empty(); });
}

/// Removes a frame of a body with its contents; elements of other frames follow them to their new indices.
void take_out_frame(spec::Body& body, std::size_t place, Names& gone) {
  std::vector<int> moved;  // new indices of the frames, -1: removed; inner frames come after outer ones
  int kept = 0;
  for (const spec::Frame& frame : body.frames) {
    const bool inside = frame.frame >= 0 && moved[static_cast<std::size_t>(frame.frame)] < 0;
    moved.push_back(inside || moved.size() == place ? -1 : kept++);
  }
  auto visit = [&](ObjType kind, auto& list) {
    for (std::size_t i = list.size(); i-- > 0;) {
      int& frame = list[i].frame;
      const bool inside = frame >= 0 && moved[static_cast<std::size_t>(frame)] < 0;
      if (inside || (kind == ObjType::Frame && moved[i] < 0)) {
        add_names(gone, kind, list[i]);
        list.erase(i);
      } else if (frame >= 0) {
        frame = moved[static_cast<std::size_t>(frame)];
      }
    }
  };
  mjcf::for_each_own_list(visit, body);
}

/// Removes the element itself; adds its names, and those of its subtree, to `gone`.
bool take_out(Spec& spec, ObjType kind, std::string_view name, Names& gone) {
  bool found = false;
  const auto in_list = [&](ObjType own, auto& list) {
    for (std::size_t i = 0; !found && own == kind && i < list.size(); ++i) {
      if (list[i].name != name) continue;
      add_names(gone, own, list[i]);
      list.erase(i);
      found = true;
    }
  };
  if (kind != ObjType::Body && kind != ObjType::Frame) {
    for_each_list(spec, in_list);
    return found;
  }
  const std::function<void(spec::Body&)> search = [&](spec::Body& body) {
    if (kind == ObjType::Body) in_list(ObjType::Body, body.bodies);
    for (std::size_t i = 0; !found && kind == ObjType::Frame && i < body.frames.size(); ++i) {
      if (body.frames[i].name != name) continue;
      take_out_frame(body, i, gone);
      found = true;
    }
    for (std::size_t i = 0; !found && i < body.bodies.size(); ++i) search(body.bodies[i]);
  };
  search(spec.world);
  return found;
}

/// Removes elements whose required references are gone, until none is left.
void take_out_orphans(Spec& spec, Names& gone) {
  for (bool again = true; again;) {
    again = false;
    for_each_list(spec, [&](ObjType kind, auto& list) {
      for (std::size_t i = list.size(); i-- > 0;) {
        if (!is_orphan(list[i], gone)) continue;
        add_names(gone, kind, list[i]);
        list.erase(i);
        again = true;
      }
    });
  }
  forget(spec, gone);
}

/// The first reference to a removed object.
std::optional<Problem> first_reference(Spec& spec, const Names& gone) {
  std::optional<Problem> found;
  for_each_list(spec, [&](ObjType kind, auto& list) {
    for (auto& item : list) {
      std::vector<Reference> references = needs_of(item);
      for (const Reference& reference : options_of(item)) references.push_back(reference);
      for (const Reference& reference : references) {
        if (found || !contains(gone, reference)) continue;
        found.emplace();
        const auto file = static_cast<std::size_t>(item.origin.file);
        if (item.origin.file >= 0 && file < spec.files.size()) found->file = spec.files[file].path;
        found->line = item.origin.line;
        found->element = mjcf::print_keyword(static_cast<int>(kind), mjcf::kObject);
        found->name = item.name;
        found->message = fmt::format("refers to '{}', which cannot be removed alone", *reference.name);
        found->hint = "remove this first, or everything that refers to it with References::Remove";
      }
    }
  });
  return found;
}

bool has_state(const Spec& spec) {
  for (const spec::Key& key : spec.keys) {
    const bool any = !key.qpos.empty() || !key.qvel.empty() || !key.act.empty() || !key.ctrl.empty() ||
                     !key.mpos.empty() || !key.mquat.empty();
    if (any) return true;
  }
  return false;
}

/// An array of a keyframe for the new model; one that is not given stays so.
void adapt(std::vector<double>& values, const std::vector<compiling::Run>& runs, std::int64_t count, int width = 1) {
  if (values.empty()) return;
  std::vector<double> out(static_cast<std::size_t>(count * width));
  compiling::copy_runs(runs, values, out, width);
  values = std::move(out);
}

/// The keyframes of `before` without the numbers of what `after` no longer has.
Result<spec::List<spec::Key>> adapted_keys(const Spec& before, Spec after, const LoadOptions& options) {
  spec::List<spec::Key> keys = after.keys;
  after.keys.clear();
  const Result<Model> old_model = compile(before, options), new_model = compile(after, options);
  if (!old_model) return old_model.error();
  if (!new_model) return new_model.error();
  const compiling::Match same = compiling::match(*old_model, *new_model);
  for (spec::Key& key : keys) {
    adapt(key.qpos, same.qpos, new_model->nq);
    adapt(key.qvel, same.dof, new_model->nv);
    adapt(key.act, same.act, new_model->na);
    adapt(key.ctrl, same.ctrl, new_model->nu);
    adapt(key.mpos, same.mocap, new_model->nmocap, 3);
    adapt(key.mquat, same.mocap, new_model->nmocap, 4);
  }
  return keys;
}

}  // namespace

spec::Element* find(Spec& spec, ObjType kind, std::string_view name) {
  spec::Element* found = nullptr;
  kind = mjcf::named_kind(kind);
  if (name.empty()) return nullptr;
  if (kind == ObjType::Body && name == spec.world.name) return &spec.world;
  for_each_list(spec, [&](ObjType own, auto& list) {
    if (own != kind || found) return;
    for (auto& item : list) {
      if (!found && item.name == name) found = &item;
    }
  });
  return found;
}

const spec::Element* find(const Spec& spec, ObjType kind, std::string_view name) {
  return find(const_cast<Spec&>(spec), kind, name);  // only reads
}

Result<bool> remove(Spec& spec, ObjType kind, std::string_view name, References references,
                    const LoadOptions& options) {
  kind = mjcf::named_kind(kind);
  const spec::Element* target = find(spec, kind, name);
  if (!target) return Error::message(fmt::format("no such element to remove: '{}'", name));
  if (target == &spec.world) return Error::message("the world cannot be removed");
  Names gone;
  Spec trial = spec;
  take_out(trial, kind, name, gone);
  if (references == References::Refuse) {
    if (const std::optional<Problem> problem = first_reference(trial, gone)) return Error(*problem);
  }
  take_out_orphans(trial, gone);
  const bool adapts = has_state(trial);
  const Result<spec::List<spec::Key>> keys =
      adapts ? adapted_keys(spec, trial, options) : Result<spec::List<spec::Key>>(spec::List<spec::Key>());
  if (!keys) return keys.error();
  // now in the tree itself, so that the remaining elements do not move
  gone.clear();
  take_out(spec, kind, name, gone);
  take_out_orphans(spec, gone);
  for (std::size_t i = 0; adapts && i < spec.keys.size(); ++i) spec.keys[i] = (*keys)[i];
  return true;
}

Result<bool> remove_class(Spec& spec, std::string_view name) {
  std::vector<int> moved;  // new indices of the classes, -1: removed; a class comes after its parent
  std::set<std::string, std::less<>> gone;
  int kept = 0;
  for (const spec::DefaultClass& record : spec.classes) {
    const bool below = record.parent >= 0 && moved[static_cast<std::size_t>(record.parent)] < 0;
    const bool goes = below || record.name == name;
    if (goes) gone.insert(record.name);
    moved.push_back(goes ? -1 : kept++);
  }
  if (gone.empty()) return Error::message(fmt::format("there is no default class '{}'", name));
  if (moved[0] < 0) return Error::message(fmt::format("the default class '{}' cannot be removed", name));
  for (std::size_t i = spec.classes.size(); i-- > 0;) {
    int& parent = spec.classes[i].parent;
    if (moved[i] < 0) {
      spec.classes.erase(i);
    } else if (parent >= 0) {
      parent = moved[static_cast<std::size_t>(parent)];
    }
  }
  for_each_list(spec, [&](ObjType, auto& list) {
    for (auto& item : list) {
      if (gone.contains(item.dclass)) item.dclass.clear();
      if constexpr (requires { item.childclass; }) {
        if (gone.contains(item.childclass)) item.childclass.clear();
      }
    }
  });
  return true;
}

}  // namespace sinew
