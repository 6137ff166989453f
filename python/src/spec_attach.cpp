#include "spec_attach.h"

#include <map>

#include "sinew/edit.h"
#include "spec/references.h"

namespace sinew::python {
namespace {

Kind kind_of(ObjType type) {
  int kind = 0;
  while (info(static_cast<Kind>(kind)).type != type) ++kind;
  return static_cast<Kind>(kind);
}

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

/// Lengths of the lists before copies are appended.
struct Lengths {
  std::vector<std::size_t> body;
  std::map<ObjType, std::size_t> tree;

  Lengths(Spec& spec, spec::Body& host) {
    mjcf::for_each_own_list([&](ObjType, auto& list) { body.push_back(list.size()); }, host);
    mjcf::for_each_list(spec, [&](ObjType kind, auto& list) { tree[kind] = list.size(); });
  }
};

/// Redirects the nodes of attached elements to their copies.
class Move {
 public:
  Move(SpecCell& from, const NodePtr& host) : from_(from), host_(host) {}

  /// One body with its contents.
  void body(spec::Body& source, spec::Body& copy, const NodePtr& parent) {
    const NodePtr node = element(source, copy, parent);
    const auto match = [&](ObjType, auto& sources, auto& copies) {
      for (std::size_t i = 0; i < sources.size(); ++i) part(sources[i], copies[i], node);
    };
    mjcf::for_each_own_list(match, source, copy);
  }

  /// The contents of a frame of a body, -1: all of it.
  void contents(spec::Body& source, int frame, const Lengths& before) {
    std::size_t which = 0;
    const auto match = [&](ObjType, auto& sources, auto& copies) {
      std::size_t next = before.body[which++];
      for (std::size_t i = 0; i < sources.size(); ++i) {
        using T = std::remove_cvref_t<decltype(sources[i])>;
        const bool itself = std::is_same_v<T, spec::Frame> && static_cast<int>(i) == frame;
        if (itself || is_inside(source, sources[i].frame, frame)) part(sources[i], copies[next++], host_);
      }
    };
    mjcf::for_each_own_list(match, source, host_->body());
  }

  /// Elements outside the body tree, by name.
  void relations(const Attachment& what, const Lengths& before) {
    std::map<std::pair<ObjType, std::string>, void*> copies;
    mjcf::for_each_list(host_->cell()->spec, [&](ObjType kind, auto& list) {
      for (std::size_t i = before.tree.at(kind); i < list.size(); ++i) copies[{kind, list[i].name}] = &list[i];
    });
    mjcf::for_each_list(from_.spec, [&](ObjType kind, auto& list) {
      for (auto& item : list) {
        const auto copy = copies.find({kind, what.prefix + item.name + what.suffix});
        if (!item.name.empty() && copy != copies.end())
          state_of(from_, &item)->moved_to = root_node(host_->cell(), kind_of(kind), copy->second);
      }
    });
  }

 private:
  template <class T>
  void part(T& source, T& copy, const NodePtr& parent) {
    if constexpr (std::is_same_v<T, spec::Body>)
      body(source, copy, parent);
    else
      element(source, copy, parent);
  }

  template <class T>
  NodePtr element(T& source, T& copy, const NodePtr& parent) {
    auto node = std::make_shared<Node>(host_->cell(), kKindOf<T>, &copy, parent);
    state_of(from_, &source)->moved_to = node;
    return node;
  }

  SpecCell& from_;
  NodePtr host_;
};

}  // namespace

NodePtr attach_part(const NodePtr& place, const NodePtr& part, const std::shared_ptr<SpecCell>& from,
                    const std::string& prefix, const std::string& suffix) {
  place->element();  // throws if it was deleted
  if (part) part->element();
  const bool in_frame = place->kind() == Kind::Frame;
  const NodePtr host = in_frame ? place->parent() : place;
  spec::Body& body = host->body();
  Spec& spec = host->cell()->spec;

  Attachment what{.from = &from->spec, .prefix = prefix, .suffix = suffix};
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
  NodePtr added = around;
  if (of_frame)
    added = std::make_shared<Node>(host->cell(), Kind::Frame, &body.frames[before.body[0]], host);
  else if (part)
    added = std::make_shared<Node>(host->cell(), Kind::Body, &body.bodies.back(), host);

  const bool by_reference = from != host->cell() && !from->copy_during_attach && !host->cell()->copy_during_attach;
  if (!by_reference) return added;
  Move move(*from, host);
  if (part && !of_frame)
    move.body(part->body(), body.bodies.back(), host);
  else
    move.contents(part ? part->parent()->body() : from->spec.world, what.frame, before);
  move.relations(what, before);
  from->is_attached = true;
  return added;
}

}  // namespace sinew::python
