#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/files.h"
#include "sinew/spec.h"
#include "spec/keys.h"
#include "spec/report.h"
#include "spec/schema.h"
#include "spec/xml.h"

namespace sinew::mjcf {

/// Fills a Spec from the XML tree by the schema table: first the whole tree is checked against the schema, then the
/// sections are read in dependency order.
class Reader {
 public:
  /// Shared by all models of one read.
  struct Session {
    Spec& main;
    Files disk;
    std::vector<std::string> open;  // files of the models being read, innermost last
    Budget& budget;
    std::size_t copies = 0;  // elements made by macros
  };

  Reader(Spec& spec, Report& report, Session& session) : spec(spec), report(report), session_(session) {}

  void read(const XmlNode& root);
  /// Starts from an existing tree: registers its names and classes.
  void adopt();

  // For the element handlers.

  /// Reads the attributes of a node into the object that its rows belong to.
  void attributes(const XmlNode& node, const Element& element, void* object);
  /// Reads the children of a node, each with its own handler.
  void children(const XmlNode& node, const Element& element);
  /// Sets the origin of the element and checks that its name is unique for this kind of object.
  void claim(ObjType kind, const XmlNode& node, spec::Element& element);
  /// The same for a copy that an element such as replicate makes; the copy keeps the origin of its original.
  void claim_copy(ObjType kind, const XmlNode& macro, const spec::Element& copy);
  bool exists(ObjType kind, const std::string& name) const;
  void release(ObjType kind, const std::string& name);
  /// Refuses more copies than a model may have, or than fit into memory, before they are made; polls for interruption.
  void count_copies(const XmlNode& macro, std::size_t count, double bytes);
  /// Refuses a tree of bodies nested too deep before it is built: `below` levels of bodies below the scope's.
  void check_depth(const XmlNode& node, std::size_t below);
  /// Charges the bytes of a new element to the budget.
  void take(Place place, double bytes);
  /// The content of a file in the folder of the meshes, named by an element.
  Result<std::string> read_asset(const XmlNode& node, const std::string& file);
  /// The class that an element starts from: its own class attribute, or else that of the scope.
  const spec::DefaultClass& class_for(const XmlNode& node);
  /// Index of a class by name, -1 if there is none.
  int find_class(std::string_view name) const;
  /// A new class that starts as a copy of its parent; -1 if the name is not allowed.
  int add_class(const XmlNode& node, std::string_view name, int parent);
  /// A class that comes with an attached model.
  void add_class_copy(const XmlNode& macro, spec::DefaultClass copy);

  /// A model that this one can attach.
  struct Child {
    Spec spec;
    std::set<std::string> authored;
    std::size_t own_keys = 0;  // keyframes not made by macros: they come before those
  };
  void read_child(const XmlNode& node, const std::string& name, const std::string& path);
  /// Null after an error.
  Child* find_child(const XmlNode& node, const std::string& name);
  /// Roots of the bodies read so far: the world, and the patterns of the replicates being read.
  std::vector<const spec::Body*> roots() const;

  /// Makes the childclass of a body or frame that of the scope.
  void enter_childclass(const XmlNode& node);
  void fail(const XmlNode& node, const Complaint& complaint) {
    report.error({&node, complaint.attribute}, complaint.message, complaint.hint);
  }

  /// An element outside the tree: a copy of its class values, with its attributes and name read.
  template <class T>
  T start(ObjType kind, const XmlNode& node, const Element& element, T spec::DefaultClass::*record) {
    T item = class_for(node).*record;
    attributes(node, element, &item);
    claim(kind, node, item);
    return item;
  }

  /// The reader's position in the tree of bodies or default classes.
  struct Scope {
    spec::Body* body = nullptr;
    int frame = -1;
    bool in_world = false;  // elements here are static, even if `body` is only the pattern of a replicate
    int dclass = 0;         // active childclass; in a default section the class being filled
    int depth = 0;          // nesting depth of bodies here
  };

  Spec& spec;
  Report& report;
  Scope scope;
  KeyStates keys;
  std::vector<const spec::Body*> patterns;
  std::set<std::string>
      authored;  // attributes of option, size and visual given in the model, such as option/flag/contact

 private:
  /// MuJoCo does not check a frame or replicate, nor their contents, against its schema: unknown attributes are
  /// accepted there. We accept them with a warning.
  enum class Strictness { Strict, Lenient };
  void validate(const XmlNode& node, const Element& element, Strictness strictness = Strictness::Strict);
  void check_once(const XmlNode& parent, const XmlNode& child, Strictness strictness);
  void check_attributes(const XmlNode& node, const Element& element, Strictness strictness);
  void check_rule(const XmlNode& node, const Rule& rule);
  void unknown_class(Place place, std::string_view wanted);

  struct Key {
    ObjType kind;
    std::string name;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string>()(key.name) * 31 + static_cast<std::size_t>(key.kind);
    }
  };
  std::unordered_map<Key, spec::Origin, KeyHash> names_;
  std::unordered_map<std::string, int> classes_;
  std::size_t own_keys_ = 0;  // keyframes not made by macros
  Session& session_;
  std::map<std::string, std::unique_ptr<Child>> children_;
};

}  // namespace sinew::mjcf
