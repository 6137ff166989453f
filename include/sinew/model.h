#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sinew/constants.h"
#include "sinew/enums.h"
#include "sinew/field.h"
#include "sinew/options.h"
#include "sinew/status.h"
#include "sinew/visual.h"

namespace sinew {

struct ModelPlugins;  // sinew/plugin.h

/// Whether assigning to an element of a field is an edit that refresh() must check: integers (indices, addresses,
/// counts, kinds, bits), numbers that encode an index, and numbers that decide jnt_actuatorid and tendon_actuatorid.
template <class T>
constexpr bool is_counted(std::string_view field) {
  return !std::is_floating_point_v<T> || field == "wrap_prm" || field == "actuator_armature" ||
         field == "actuator_damping" || field == "actuator_dampingpoly";
}

/// Large tables, which are checked again only if one of them was edited.
constexpr bool is_asset(std::string_view field) {
  for (const std::string_view prefix : {"mesh_", "hfield_", "bvh_", "oct_", "tex_", "skin_", "name", "paths", "text_"})
    if (field.starts_with(prefix)) return true;
  return false;
}

/// The compiled model: constants only, shared by every world that is simulated with it.
///
/// Names and shapes are MuJoCo 3.12.0's. Sizes come from model_sizes.def, arrays from model_fields.def; arrays are flat
/// and row-major (body_pos has nbody rows of 3). Copying, saving, printing, documentation and language bindings are
/// derived from these tables through for_each_size and for_each_field. Nothing changes a Model while it is simulated.
///
/// Between steps all of it may be edited. Floating-point edits take effect at once; edits of sizes and integer fields
/// are counted, and refresh() must check the model before it is simulated again (docs/editing.md).
class Model {
  /// Declared first: all sizes and fields refer to it.
  EditCount edits_;

 public:
  Model() = default;
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(const Model& other);
  Model& operator=(Model&& other) noexcept;
  ~Model() = default;

#define SINEW_SIZE(name, doc) FieldSize name{edits_};
#include "sinew/model_sizes.def"
#undef SINEW_SIZE

  bool flg_gravcomp = false;    // some body has gravity compensation
  bool flg_surfacevel = false;  // some geom has a surface velocity
  bool flg_adhesion = false;    // some geom or pair is adhesive

  Option opt;
  Visual vis;
  Statistic stat;
  LengthRangeOptions lropt;                     // how compute_length_ranges simulates
  std::string modelname;                        // the model attribute of <mujoco>
  std::shared_ptr<const ModelPlugins> plugins;  // what implements its plugin instances; null: it has none

#define SINEW_FIELD(type, name, rows, cols, doc) \
  Field<type, is_counted<type>(#name)> name{is_asset(#name) ? edits_.assets : edits_.structure};
#include "sinew/model_fields.def"
#undef SINEW_FIELD

  /// visit(name, size&, doc) for every size, in table order.
  template <class Visit>
  void for_each_size(Visit&& visit) {
#define SINEW_SIZE(name, doc) visit(std::string_view(#name), name, std::string_view(doc));
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  }
  template <class Visit>
  void for_each_size(Visit&& visit) const {
#define SINEW_SIZE(name, doc) visit(std::string_view(#name), name, std::string_view(doc));
#include "sinew/model_sizes.def"
#undef SINEW_SIZE
  }

  /// visit(name, array&, rows, cols, doc) for every array, in table order.
  template <class Visit>
  void for_each_field(Visit&& visit) {
#define SINEW_FIELD(type, name, rows, cols, doc) \
  visit(std::string_view(#name), name, std::int64_t{rows}, std::int64_t{cols}, std::string_view(doc));
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  }
  template <class Visit>
  void for_each_field(Visit&& visit) const {
#define SINEW_FIELD(type, name, rows, cols, doc) \
  visit(std::string_view(#name), name, std::int64_t{rows}, std::int64_t{cols}, std::string_view(doc));
#include "sinew/model_fields.def"
#undef SINEW_FIELD
  }

  /// Resizes every array to the length given in the table, filled with zeros.
  void allocate();
  /// Bytes of all arrays and of the object itself.
  std::size_t bytes() const;

  /// Whether refresh() has seen the model as it is now. True for a model just compiled or loaded.
  bool is_fresh() const { return edits_ == checked_; }
  /// Reports that fields or sizes were written without their own operators, e.g. by a debugger or a script.
  void count_edit() {
    ++edits_.structure;
    ++edits_.assets;
  }
  /// Equal for models whose worlds have arrays of the same lengths. Zero before the first refresh.
  std::uint64_t layout() const { return layout_; }

  /// Number of objects of a kind (0 for a kind that has no names).
  std::int64_t count(ObjType type) const;
  /// The object's name; empty if it has none or id is out of range.
  std::string_view name(ObjType type, std::int64_t id) const;
  /// The object of this name, or -1.
  int id(ObjType type, std::string_view name) const;

 private:
  friend struct ModelCheck;  // the bookkeeping of refresh()
  void take_settings(const Model& other) noexcept;

  static constexpr EditCount kNever{~0u, ~0u};
  EditCount checked_ = kNever;  // edits that refresh() has seen and accepted
  EditCount refused_ = kNever;  // edits that it has seen and refused
  std::string problem_;         // why it was refused
  std::uint64_t layout_ = 0;
};

/// Checks an edited model and updates what is derived from the edited fields. Every size, index, address, count and
/// kind is checked against what the step relies on; the status names the first invalid field. Does nothing if nothing
/// was edited. step(Model&, Data&) and similar functions call it themselves.
Status refresh(Model& model);

}  // namespace sinew
