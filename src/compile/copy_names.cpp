#include "compile/assemble.h"

namespace sinew::compiling {
namespace {

/// All names in one buffer, each zero-terminated, starting with the model's own; and MuJoCo's hash tables of them: for
/// each kind two slots per object, holding the object's id or -1, with linear probing.
class NameWriter {
 public:
  NameWriter(Field<char>& names, Field<int>& tables) : names_(names), tables_(tables) {
    names_.clear();
    tables_.clear();
  }

  int add(std::string_view name) {
    const int adr = static_cast<int>(names_.size());
    names_.insert(names_.end(), name.begin(), name.end());
    names_.push_back('\0');
    return adr;
  }
  template <class List, class NameOf>
  void add_all(Field<int>& adr, const List& list, NameOf&& name_of) {
    const std::size_t slots = 2 * adr.size(), start = tables_.size();
    tables_.resize(start + slots, -1);
    std::size_t i = 0;
    for (const auto& item : list) {
      if (i == adr.size()) break;
      const std::string_view name = name_of(item);
      if (!name.empty()) {
        std::size_t slot = hash(name) % slots;
        while (tables_[start + slot] >= 0) slot = (slot + 1) % slots;
        tables_[start + slot] = static_cast<int>(i);
      }
      adr[i++] = add(name);
    }
    for (; i < adr.size(); ++i) adr[i] = add({});  // keyframes that exist only because of <size nkey>
  }

 private:
  /// Bernstein's hash with xor; characters are signed.
  static std::uint64_t hash(std::string_view name) {
    std::uint64_t h = 5381;
    for (const char c : name) h = (33 * h) ^ static_cast<std::uint64_t>(static_cast<signed char>(c));
    return h;
  }

  Field<char>& names_;
  Field<int>& tables_;
};

}  // namespace

void copy_names(Context& context) {
  Model& m = context.model;
  const Spec& spec = context.spec;
  const auto of_node = [](const auto* node) -> const std::string& { return node->in->name; };
  const auto of_sorted = [](const auto& node) -> const std::string& { return node.in->name; };
  const auto of_spec = [](const spec::Element& in) -> const std::string& { return in.name; };
  m.modelname = spec.modelname;
  NameWriter names(m.names, m.names_map);
  names.add(spec.modelname);
  names.add_all(m.name_bodyadr, context.tree.bodies, of_node);
  names.add_all(m.name_jntadr, context.joints, of_node);
  names.add_all(m.name_geomadr, context.geoms, of_node);
  names.add_all(m.name_siteadr, context.sites, of_node);
  names.add_all(m.name_camadr, context.cameras, of_node);
  names.add_all(m.name_lightadr, context.lights, of_node);
  names.add_all(m.name_flexadr, spec.flexes, of_spec);
  names.add_all(m.name_meshadr, context.meshes, of_sorted);
  names.add_all(m.name_hfieldadr, spec.hfields, of_spec);
  names.add_all(m.name_texadr, spec.textures, of_spec);
  names.add_all(m.name_matadr, spec.materials, of_spec);
  names.add_all(m.name_pairadr, context.pairs, of_sorted);
  names.add_all(m.name_excludeadr, context.excludes, of_sorted);
  names.add_all(m.name_eqadr, spec.equalities, of_spec);
  names.add_all(m.name_tendonadr, spec.tendons, of_spec);
  names.add_all(m.name_actuatoradr, spec.actuators, of_spec);
  names.add_all(m.name_sensoradr, spec.sensors, of_spec);
  names.add_all(m.name_numericadr, spec.numerics, of_spec);
  names.add_all(m.name_textadr, spec.texts, of_spec);
  names.add_all(m.name_tupleadr, spec.tuples, of_spec);
  names.add_all(m.name_keyadr, spec.keys, of_spec);
  m.nnames = static_cast<std::int64_t>(m.names.size());
  m.nnames_map = static_cast<std::int64_t>(m.names_map.size());

  // files that assets were read from
  m.paths.clear();
  const auto add_paths = [&](Field<int>& adr, const auto& assets, auto&& file_of) {
    for (std::size_t i = 0; i < adr.size(); ++i) {
      const std::string& file = file_of(assets[i]);
      adr[i] = file.empty() ? -1 : static_cast<int>(m.paths.size());
      if (file.empty()) continue;
      m.paths.insert(m.paths.end(), file.begin(), file.end());
      m.paths.push_back('\0');
    }
  };
  const auto own = [](const auto& asset) -> const std::string& { return asset.file; };
  add_paths(m.mesh_pathadr, context.meshes, [](const MeshNode& node) -> const std::string& { return node.in->file; });
  add_paths(m.hfield_pathadr, spec.hfields, own);
  add_paths(m.tex_pathadr, spec.textures, own);
  if (m.paths.empty()) m.paths.push_back('\0');
  m.npaths = static_cast<std::int64_t>(m.paths.size());
}

}  // namespace sinew::compiling
