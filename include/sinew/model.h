#pragma once

#include <array>
#include <cstdint>
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

/// Whether assigning to an element of a field is an edit that refresh() has to look at: integers, which are indices,
/// addresses, counts, kinds or bits; numbers that stand for an index, or that decide which actuators a joint knows of.
template <class T>
constexpr bool is_counted(std::string_view field) {
  return !std::is_floating_point_v<T> || field == "wrap_prm" || field == "actuator_armature" ||
         field == "actuator_damping" || field == "actuator_dampingpoly";
}

/// Large tables that are only looked at again where one of them was edited.
constexpr bool is_asset(std::string_view field) {
  for (const std::string_view prefix : {"mesh_", "hfield_", "bvh_", "oct_", "tex_", "name", "paths", "text_"})
    if (field.starts_with(prefix)) return true;
  return false;
}

/// The compiled model: constants only, the same for every world that is simulated with it.
///
/// Names and shapes are MuJoCo 3.12.0's. Sizes come from model_sizes.def, arrays from model_fields.def; arrays are
/// flat and row-major (body_pos has nbody rows of 3). Copying, saving, printing, documentation and language bindings
/// derive from these tables through for_each_size and for_each_field. Nothing changes a Model while it is simulated.
///
/// Between steps all of it may be edited. Numbers count at once; sizes and fields of integers count their edits, and
/// refresh() has to look at the model before it is simulated again (docs/editing.md).
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
  LengthRangeOptions lropt;  // how compute_length_ranges simulates
  std::string modelname;     // the model attribute of <mujoco>

#define SINEW_FIELD(type, name, rows, cols, doc) \
  Field<type, is_counted<type>(#name)> name{is_asset(#name) ? edits_.assets : edits_.structure};
#include "sinew/model_fields.def"
#undef SINEW_FIELD

  /// visit(name, size&, doc) for every size, in the table's order.
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

  /// visit(name, array&, rows, cols, doc) for every array, in the table's order.
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

  /// Gives every array the length that its row in the table names, filled with zeros.
  void allocate();
  /// Bytes of all arrays and of the object itself.
  std::size_t bytes() const;

  /// Whether refresh() has seen the model as it is now. Models that were compiled or loaded start so.
  bool is_fresh() const { return edits_ == checked_; }
  /// Tells that fields or sizes were written other than through their own operators, say by a debugger or a script.
  void count_edit() {
    ++edits_.structure;
    ++edits_.assets;
  }
  /// A number that models have in common whose worlds have arrays of the same lengths. Zero before the first refresh.
  std::uint64_t layout() const { return layout_; }

  /// Number of objects of a kind (0 for a kind that has no names).
  std::int64_t count(ObjType type) const;
  /// The object's name; empty where it has none or id is out of range.
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

/// Checks a model that was edited, and derives again what other fields and the engine know of the edited ones. Every
/// size, index, address, count and kind is held against what the step relies on; the status names the first field that
/// does not fit. Does nothing where nothing was edited. step(Model&, Data&) and its like call it by themselves.
Status refresh(Model& model);

}  // namespace sinew
