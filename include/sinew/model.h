#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/constants.h"
#include "sinew/enums.h"
#include "sinew/options.h"
#include "sinew/visual.h"

namespace sinew {

/// The compiled model: constants only, the same for every world that is simulated with it.
///
/// Names and shapes are MuJoCo 3.12.0's. Sizes come from model_sizes.def, arrays from model_fields.def; arrays are
/// flat and row-major (body_pos has nbody rows of 3). Copying, saving, printing, documentation and language bindings
/// derive from these tables through for_each_size and for_each_field. Nothing changes a Model while it is simulated.
class Model {
 public:
#define SINEW_SIZE(name, doc) std::int64_t name = 0;
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

#define SINEW_FIELD(type, name, rows, cols, doc) std::vector<type> name;
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

  /// Number of objects of a kind (0 for a kind that has no names).
  std::int64_t count(ObjType type) const;
  /// The object's name; empty where it has none or id is out of range.
  std::string_view name(ObjType type, std::int64_t id) const;
  /// The object of this name, or -1.
  int id(ObjType type, std::string_view name) const;
};

}  // namespace sinew
