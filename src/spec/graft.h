#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spec/reader.h"
#include "spec/references.h"

namespace sinew::mjcf {

/// Copies parts of a model into the one being read, under other names: replicate and attach.
///
/// First the parts of a body are copied, then the relations: elements outside the tree, which are copied if their
/// references can be resolved. A reference means the renamed object if there is one, else the object with the name as
/// written; at least one must be renamed, so that relations unrelated to the copy are not duplicated. Relations without
/// any reference (a clock) are always copied, as in MuJoCo 3.12.0.
class Graft {
 public:
  /// `from` is the model that the parts come from: the reader's own, or another.
  Graft(Reader& reader, const XmlNode& macro, Spec& from) : reader_(reader), macro_(macro), from_(from) {}

  /// Copies the contents of `part` into `host`, inside its frame (-1: none).
  void hang(const spec::Body& part, spec::Body& host, int frame, const Renaming& names);
  /// Copies one body with its subtree.
  void hang_body(const spec::Body& body, spec::Body& host, int frame, const Renaming& names);
  void copy_relations(const Renaming& names);
  /// Default classes, assets and custom data, all of them.
  void copy_assets(const Renaming& names);
  void copy_keys(const KeyStates::Parts& keys, const Renaming& names);

  /// Releases the names of the contents of `part`, and removes the relations that depend on it.
  void remove(spec::Body& part);

 private:
  void bring_plugin(spec::PluginUse& use, const Renaming& names);
  template <class T>
  void rename(ObjType kind, T& copy, const Renaming& names);
  template <class T>
  void copy_list(ObjType kind, spec::List<T> Spec::*list, const Renaming& names);
  template <class T>
  void prune(ObjType kind, spec::List<T>& list);
  template <class T>
  void copy_all(ObjType kind, spec::List<T> Spec::*list, const Renaming& names);
  void copy_classes(const Renaming& names);
  bool link_to(const Link& link, const Renaming& names, bool& renamed) const;

  Reader& reader_;
  const XmlNode& macro_;
  Spec& from_;
  std::map<ObjType, std::vector<std::size_t>> candidates_;  // relations that a copy may need, by index in their list
  std::set<std::pair<ObjType, std::string>> gone_;
};

/// Whether an element of this kind below the body has that name.
bool holds_name(const spec::Body& part, ObjType kind, const std::string& name);

/// Number of elements in a body at any depth; their bytes; nesting depth of its bodies.
std::size_t count_below(const spec::Body& part);
double bytes_below(const spec::Body& part);
std::size_t depth_below(const spec::Body& part);

}  // namespace sinew::mjcf
