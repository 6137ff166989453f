#pragma once

// An element of an editable tree, as seen from Python.
//
// The tree belongs to a cell shared by all its nodes. There is one node per element, found by address: elements never
// move. A node keeps the memory of its element, so arrays over that memory stay valid; the nodes of deleted elements
// are marked, so that using them later is an error.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <map>
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

/// How often each name of a kind is used.
using NameCounts = std::unordered_map<std::string, int>;

struct SpecCell : std::enable_shared_from_this<SpecCell> {
  explicit SpecCell(Spec&& s) : spec(std::move(s)) {}

  /// The node of an element, a default class or a setting; `anchor` is what must exist for it to be alive.
  NodePtr node(Kind kind, std::shared_ptr<void> object, const NodePtr& parent, const void* anchor);
  /// The in-memory files.
  std::map<std::string, std::string> files() const;
  /// Throws if another element of the kind has this name.
  void claim(Kind kind, const std::string& old_name, const std::string& new_name);
  /// Elements were added, removed or renamed by the engine: marks the nodes of those that are gone.
  void bury();

  Spec spec;
  py::dict assets;                  // contents of in-memory files: str to bytes or str
  bool copy_during_attach = false;  // otherwise attached elements become part of the other tree
  std::weak_ptr<SpecCell> parent;   // the tree that this one was attached to by reference
  bool is_attached = false;
  bool override_assets = false;                                   // an attached model may replace in-memory files
  std::unordered_map<const void*, spec::PluginUse> idle_plugins;  // of elements that do not use theirs
  int plugin_order = 1 << 20;     // of the last use made by a program: after those that were read
  std::array<double, 9> timer{};  // seconds of the last compilation, by mjtCTimer
  std::unordered_map<const void*, std::weak_ptr<Node>> nodes;
  std::unordered_map<const void*, NodePtr> moved;  // where an element of this tree is after attaching
  std::map<Kind, NameCounts> names;                // of the kinds whose names were asked for
};

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
SINEW_KIND(Mesh, Mesh)
SINEW_KIND(Hfield, Hfield)
SINEW_KIND(Texture, Texture)
SINEW_KIND(Material, Material)
SINEW_KIND(Pair, Pair)
SINEW_KIND(Exclude, Exclude)
SINEW_KIND(Flex, Flex)
SINEW_KIND(Skin, Skin)
SINEW_KIND(PluginInstance, Plugin)
SINEW_KIND(Equality, Equality)
SINEW_KIND(Tendon, Tendon)
SINEW_KIND(Actuator, Actuator)
SINEW_KIND(Sensor, Sensor)
SINEW_KIND(Numeric, Numeric)
SINEW_KIND(Text, Text)
SINEW_KIND(Tuple, Tuple)
SINEW_KIND(Key, Key)
SINEW_KIND(DefaultClass, Default)
SINEW_KIND(StatisticOverride, Statistic)
#undef SINEW_KIND

class Node : public std::enable_shared_from_this<Node> {
 public:
  Node(std::shared_ptr<SpecCell> cell, Kind kind, std::shared_ptr<void> object, NodePtr parent, const void* anchor);

  Kind kind() const { return kind_; }
  const std::shared_ptr<SpecCell>& cell() const { return cell_; }
  bool alive() const { return alive_; }
  /// The body that contains it; null for the world and for elements outside the tree.
  const NodePtr& parent() const { return parent_; }
  /// Identifies the element.
  const void* address() const { return object_.get(); }

  /// The element, which must still exist and have this type.
  template <class T>
  T& as() const {
    check_is(kKindOf<T>);
    return *static_cast<T*>(object_.get());
  }
  spec::Element& element() const;
  spec::Body& body() const;

  // Attributes, by row of the table of its kind.
  py::object get(const SpecAttribute& row);
  void set(const SpecAttribute& row, py::handle value);
  const SpecAttribute& row(const std::string& name) const;
  std::vector<std::string> names() const;
  std::string name() const;
  void set_name(const std::string& name);
  /// Values written through arrays are not checked until then. Throws if one is not allowed.
  void check_written() const;

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
  /// Replaces a body by a frame with its pose and contents.
  NodePtr to_frame();

  std::string class_name() const;
  void set_class_name(const std::string& name);
  /// The record of a default class for one kind of element.
  NodePtr record(Kind kind);
  /// The settings by which the element is compiled.
  NodePtr compiler() const;

  /// "geom 'palm'"
  std::string title() const;

  py::object wrapper = py::none();  // a weak reference to the Python object that stands for the element

 private:
  friend struct SpecCell;
  friend class Move;

  void check_alive() const;
  void check_is(Kind kind) const;
  /// A record of a default class is not in a body.
  bool is_record() const;
  [[noreturn]] void complain(std::string_view attribute, const std::string& message, const std::string& hint) const;
  bool clear(std::string_view name, py::handle value) const;
  py::object array_of(const SpecAttribute& row, const mjcf::Numbers& numbers);
  const spec::DefaultClass& class_for(const Node* dclass, const Node* frame) const;
  int frame_index(const Node* frame) const;

  std::shared_ptr<SpecCell> cell_;
  Kind kind_;
  std::shared_ptr<void> object_;
  NodePtr parent_;
  const void* anchor_;
  bool alive_ = true;
  std::unordered_map<const SpecAttribute*, py::object> arrays_;  // weak references to arrays over its memory
};

NodePtr world_node(const std::shared_ptr<SpecCell>& cell);
/// A setting, or the default class or element at this place of its list.
NodePtr setting_node(const std::shared_ptr<SpecCell>& cell, Kind kind, void* object);
NodePtr class_node(const std::shared_ptr<SpecCell>& cell, std::size_t index);
/// All elements of a kind, in the order of the compiled model.
std::vector<NodePtr> all_nodes(const std::shared_ptr<SpecCell>& cell, Kind kind);
/// Adds an element outside the body tree.
NodePtr add_root(const std::shared_ptr<SpecCell>& cell, Kind kind, const Node* dclass);
/// The element with this kind and name; null if there is none. An unnamed asset is called like its file.
NodePtr find_node(const std::shared_ptr<SpecCell>& cell, Kind kind, const std::string& name);

}  // namespace sinew::python
