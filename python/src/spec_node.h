#pragma once

// An element of an editable tree, as seen from Python.
//
// The tree belongs to a cell shared by all its nodes. A node refers to its element by address; elements never move, and
// the nodes of deleted elements are marked, so that using them later is an error.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "sinew/spec.h"
#include "spec_tables.h"

namespace sinew::python {

namespace py = pybind11;

class Node;
using NodePtr = std::shared_ptr<Node>;

/// State shared by all nodes of one element.
struct ElementState {
  bool alive = true;
  NodePtr moved_to;  // its node in another tree, once it was attached there
};

struct SpecCell {
  explicit SpecCell(Spec&& s) : spec(std::move(s)) {}

  Spec spec;
  py::dict assets;                  // contents of in-memory files: str to bytes
  bool copy_during_attach = false;  // otherwise attached elements become part of the other tree
  bool is_attached = false;
  std::unordered_map<const void*, std::shared_ptr<ElementState>> states;  // of elements with nodes
};

std::shared_ptr<ElementState> state_of(SpecCell& cell, const void* element);

/// The kind of elements of this type.
template <class T>
inline constexpr Kind kKindOf = Kind::Body;
#define SINEW_KIND(type, kind) \
  template <>                  \
  inline constexpr Kind kKindOf<spec::type> = Kind::kind;
SINEW_KIND(Frame, Frame)
SINEW_KIND(Joint, Joint)
SINEW_KIND(Geom, Geom)
SINEW_KIND(Site, Site)
SINEW_KIND(Camera, Camera)
SINEW_KIND(Light, Light)
SINEW_KIND(Material, Material)
SINEW_KIND(Tendon, Tendon)
SINEW_KIND(Actuator, Actuator)
SINEW_KIND(Tuple, Tuple)
SINEW_KIND(DefaultClass, Default)
SINEW_KIND(StatisticOverride, Statistic)
#undef SINEW_KIND

class Node : public std::enable_shared_from_this<Node> {
 public:
  /// An element or a default class, which may be deleted.
  Node(std::shared_ptr<SpecCell> cell, Kind kind, void* object, NodePtr parent);
  /// A record of a default class: exists as long as the class.
  Node(const Node& dclass, Kind kind, void* object);
  /// A setting: exists as long as the tree.
  Node(std::shared_ptr<SpecCell> cell, Kind kind, void* object);

  Kind kind() const { return kind_; }
  const std::shared_ptr<SpecCell>& cell() const { return follow().cell_; }
  bool alive() const { return follow().state_->alive; }
  /// The body that contains it; null for the world and for elements outside the tree.
  const NodePtr& parent() const { return follow().parent_; }
  /// Identifies the element: equal for two nodes of the same one.
  const void* address() const { return follow().object_; }

  /// The element, which must still exist and have this type.
  template <class T>
  T& as() const {
    check_is(kKindOf<T>);
    return *static_cast<T*>(object_);
  }
  spec::Element& element() const;
  spec::Body& body() const;

  // Attributes by name.
  py::object get(const std::string& name) const;
  void set(const std::string& name, py::handle value);
  std::vector<std::string> names() const;

  // The tree.
  std::vector<NodePtr> children(Kind kind);
  /// All of a kind below a body, in the order of the compiled model.
  std::vector<NodePtr> below(Kind kind);
  NodePtr add(Kind kind, const Node* dclass, const Node* frame);
  /// A joint with six degrees of freedom, to which default classes do not apply.
  NodePtr add_freejoint();
  /// Undoes an add.
  void discard();
  NodePtr frame() const;
  void set_frame(const Node* frame);
  void remove();

  std::string class_name() const;
  void set_class_name(const std::string& name);
  /// The record of a default class for one kind of element.
  NodePtr record(Kind kind);

  /// "geom 'palm'"
  std::string title() const;

 private:
  /// Follows an attached element to its new tree.
  const Node& follow() const;
  void check_alive() const;
  void check_is(Kind kind) const;
  /// A record of a default class is not in a body.
  bool is_record() const;
  [[noreturn]] void complain(std::string_view attribute, const std::string& message, const std::string& hint) const;
  bool clear(std::string_view name, py::handle value) const;
  const spec::DefaultClass& class_for(const Node* dclass, const Node* frame) const;
  int frame_index(const Node* frame) const;

  mutable std::shared_ptr<SpecCell> cell_;
  Kind kind_;
  mutable void* object_;
  mutable NodePtr parent_;
  mutable std::shared_ptr<ElementState> state_;
};

NodePtr world_node(const std::shared_ptr<SpecCell>& cell);
/// A node for a default class or an element outside the body tree.
NodePtr root_node(const std::shared_ptr<SpecCell>& cell, Kind kind, void* object);
/// All elements of a kind, in the order of the compiled model.
std::vector<NodePtr> all_nodes(const std::shared_ptr<SpecCell>& cell, Kind kind);
/// Adds an element outside the body tree.
NodePtr add_root(const std::shared_ptr<SpecCell>& cell, Kind kind, const Node* dclass);
/// Marks the nodes of deleted elements.
void bury(SpecCell& cell);

}  // namespace sinew::python
