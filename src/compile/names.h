#pragma once

#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compile/report.h"
#include "compile/tree.h"

namespace sinew::compiling {

/// Finds objects by kind and name. Ids are indices in the model.
class NameIndex {
 public:
  /// Reads all names of the spec, those of the tree from `tree`. Reports duplicate names.
  void build(const Spec& spec, const Tree& tree, Report& report);

  /// Names of a kind of which the model may contain fewer than the spec.
  void add_all(ObjType type, const std::vector<const spec::Element*>& elements, Report& report);

  /// Objects of this kind were reordered: `order` lists their former ids.
  void reorder(ObjType type, const std::vector<int>& order);

  /// The object with that name, or -1.
  int find(ObjType type, std::string_view name) const;
  /// "did you mean …?" for an unknown name, or a list of the names if there are few.
  std::string suggestion(ObjType type, std::string_view name) const;

 private:
  using Names = std::unordered_map<std::string_view, int>;
  static constexpr std::size_t kKinds = 27;  // the ObjTypes up to Plugin, and frames
  static std::size_t kind(ObjType type);
  void add(ObjType type, const spec::Element& element, int id, Report& report);

  std::array<Names, kKinds> names_;
};

/// "did you mean …?" for a name that is not a key of `ids`; candidates are taken in the order of their ids, independent
/// of the hash table's order.
std::string suggest_key(const std::unordered_map<std::string_view, int>& ids, std::string_view name);

/// The object that an attribute names, or -1 after an error was reported (also for an empty name).
int resolve(const NameIndex& names, Report& report, const Place& where, std::string_view attribute,
            std::pair<ObjType, std::string_view> reference);

}  // namespace sinew::compiling
