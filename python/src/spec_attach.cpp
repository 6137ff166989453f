#include "spec_attach.h"

#include <map>
#include <utility>

#include "sinew/edit.h"
#include "spec/references.h"

namespace sinew::python {
namespace {

int index_of_frame(const Node& frame) {
  const spec::Body& body = frame.parent()->body();
  std::size_t i = 0;
  while (&body.frames[i] != frame.address()) ++i;
  return static_cast<int>(i);
}

/// Whether an element in a frame of a body is in the frame `around`, which may be -1: the body itself.
bool is_inside(const spec::Body& body, int frame, int around) {
  while (frame >= 0 && frame != around) frame = body.frames[static_cast<std::size_t>(frame)].frame;
  return frame == around;
}

void move_contents(spec::Body& from, spec::Body& to) {
  std::swap(from.childclass, to.childclass);
  std::swap(from.user, to.user);
  std::swap(from.plugin, to.plugin);
  mjcf::for_each_own_list([](ObjType, auto& list, auto& into) { into.take(list); }, from, to);
}

/// Puts all that the world contains into a body of it, which stands for the world when that is attached.
spec::Body& enclose_world(Spec& spec) {
  spec::Body body;
  body.name = spec.world.name;
  move_contents(spec.world, body);
  return spec.world.bodies.add(std::move(body));
}

/// The inverse.
void release_world(Spec& spec) {
  const std::shared_ptr<spec::Body> body = spec.world.bodies.share(0);
  spec.world.bodies.clear();
  move_contents(*body, spec.world);
}

/// Lengths of the lists before copies are appended.
struct Lengths {
  std::vector<std::size_t> body;
  std::map<ObjType, std::size_t> tree;

  Lengths(Spec& spec, spec::Body& host) {
    mjcf::for_each_own_list([&](ObjType, auto& list) { body.push_back(list.size()); }, host);
    mjcf::for_each_list(spec, [&](ObjType kind, auto& list) { tree[kind] = list.size(); });
  }
};

}  // namespace

/// Makes attached elements part of the other tree: the objects behind the copies and their originals change places, so
/// that nodes and arrays of the originals now belong to the other tree. The source keeps its values in new objects,
/// which lead to the moved ones.
class Move {
 public:
  Move(SpecCell& from, const NodePtr& host) : from_(from), host_(host) {}

  /// One element of a list of the source becomes the one at a place of a list of the host.
  template <class T>
  void element(spec::List<T>& sources, std::size_t i, spec::List<T>& copies, std::size_t place, const NodePtr& parent) {
    copies.trade(place, sources, i);
    const NodePtr node = adopt(kKindOf<T>, copies.share(place), &copies[place], parent);
    from_.moved[&sources[i]] = node;
    if constexpr (std::is_same_v<T, spec::Body>) {
      const auto match = [&](ObjType, auto& inner, auto& inner_copies) {
        for (std::size_t k = 0; k < inner.size(); ++k) element(inner, k, inner_copies, k, node);
      };
      mjcf::for_each_own_list(match, sources[i], copies[place]);
    }
  }

  /// The contents of a frame of a body, -1: all of it.
  void contents(spec::Body& source, int frame, const Lengths& before) {
    std::size_t which = 0;
    const auto match = [&](ObjType, auto& sources, auto& copies) {
      std::size_t next = before.body[which++];
      for (std::size_t i = 0; i < sources.size(); ++i) {
        using T = std::remove_cvref_t<decltype(sources[i])>;
        const bool itself = std::is_same_v<T, spec::Frame> && static_cast<int>(i) == frame;
        if (itself || is_inside(source, sources[i].frame, frame)) element(sources, i, copies, next++, host_);
      }
    };
    mjcf::for_each_own_list(match, source, host_->body());
  }

  /// Elements outside the body tree, by name.
  void relations(const Attachment& what, const Lengths& before) {
    Spec& spec = host_->cell()->spec;
    const auto match = [&](ObjType kind, auto& sources, auto& copies) {
      std::map<std::string, std::size_t> places;
      for (std::size_t i = before.tree.at(kind); i < copies.size(); ++i) places[copies[i].name] = i;
      for (std::size_t i = 0; i < sources.size(); ++i) {
        const auto copy = places.find(what.prefix + sources[i].name + what.suffix);
        if (!sources[i].name.empty() && copy != places.end()) element(sources, i, copies, copy->second, nullptr);
      }
    };
    mjcf::for_each_common_list(match, from_.spec, spec);
  }

 private:
  NodePtr adopt(Kind kind, std::shared_ptr<void> object, const void* anchor, const NodePtr& parent) {
    const std::shared_ptr<SpecCell>& cell = host_->cell();
    from_.moved.erase(object.get());  // if it stood for an element that was attached before
    const auto known = from_.nodes.find(object.get());
    if (known != from_.nodes.end()) {
      if (const NodePtr node = known->second.lock()) {
        node->cell_ = cell;
        node->parent_ = parent;
        cell->nodes[object.get()] = node;
      }
      from_.nodes.erase(known);
    }
    return cell->node(kind, std::move(object), parent, anchor);
  }

  SpecCell& from_;
  NodePtr host_;
};

NodePtr attach_part(const NodePtr& place, const NodePtr& part, const std::shared_ptr<SpecCell>& from,
                    const std::string& prefix, const std::string& suffix) {
  place->element();  // throws if it was deleted
  if (part) part->element();
  const bool is_world = part && part->address() == &from->spec.world;
  if (is_world && from != place->cell()) {
    std::shared_ptr<SpecCell> source = from;
    if (from->copy_during_attach || place->cell()->copy_during_attach) {
      source = std::make_shared<SpecCell>(Spec(from->spec));
      source->copy_during_attach = true;
    }
    const spec::Body& body = enclose_world(source->spec);
    try {
      const NodePtr stand_in = source->node(Kind::Body, source->spec.world.bodies.share(0), world_node(source), &body);
      return attach_part(place, stand_in, source, prefix, suffix);
    } catch (...) {
      release_world(source->spec);
      throw;
    }
  }
  const bool in_frame = place->kind() == Kind::Frame;
  const NodePtr host = in_frame ? place->parent() : place;
  spec::Body& body = host->body();
  Spec& spec = host->cell()->spec;

  std::vector<Problem> warnings;
  Attachment what{.from = &from->spec, .prefix = prefix, .suffix = suffix, .warnings = &warnings};
  const bool of_frame = part && part->kind() == Kind::Frame;
  if (of_frame) what.frame = index_of_frame(*part);
  if (part) what.body = of_frame ? &part->parent()->body() : &part->body();

  int frame = in_frame ? index_of_frame(*place) : -1;
  NodePtr around;  // a whole model gets its own frame, which moves it
  if (!part) {
    around = host->add(Kind::Frame, nullptr, in_frame ? place.get() : nullptr);
    frame = index_of_frame(*around);
  }
  const Lengths before(spec, body);
  if (const Result<bool> done = attach(spec, body, frame, what); !done) {
    if (around) around->discard();
    throw py::value_error(done.error().text());
  }
  const auto own = [&](Kind kind, auto& list, std::size_t at) {
    return host->cell()->node(kind, list.share(at), host, &list[at]);
  };
  const bool by_reference = from != host->cell() && !from->copy_during_attach && !host->cell()->copy_during_attach;
  host->cell()->names.clear();
  if (by_reference) {
    Move move(*from, host);
    if (part && !of_frame) {
      spec::Body& holder = part->parent()->body();
      std::size_t i = 0;
      while (&holder.bodies[i] != part->address()) ++i;
      move.element(holder.bodies, i, body.bodies, body.bodies.size() - 1, host);
    } else {
      move.contents(part ? part->parent()->body() : from->spec.world, what.frame, before);
    }
    move.relations(what, before);
    from->is_attached = true;
    from->names.clear();
    from->parent = host->cell();
  }
  for (const Problem& problem : warnings)
    if (PyErr_WarnEx(PyExc_UserWarning, problem.text().c_str(), 1) != 0) throw py::error_already_set();
  if (of_frame) return own(Kind::Frame, body.frames, before.body[0]);
  return part ? own(Kind::Body, body.bodies, body.bodies.size() - 1) : around;
}

}  // namespace sinew::python
