#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/constants.h"
#include "sinew/contact.h"
#include "sinew/enums.h"
#include "sinew/model.h"
#include "sinew/solver_stat.h"
#include "sinew/status.h"

namespace sinew {

class Arena;           // scratch memory of the stages
class PluginInstance;  // sinew/plugin.h

/// The role of an array of Data; the groups follow one another in memory in this order.
enum class FieldGroup : std::uint8_t {
  State,  // what a step carries over
  Input,  // what the user sets between steps
  Output  // what the stages compute
};

struct WarningStat {
  int lastinfo = 0;  // index of the last bad number
  int number = 0;    // how often
};

/// Makes a Data whose arrays are all zero, for callers that fill it right away.
struct Blank {};

/// Refreshes the model; throws Exception if the model is invalid.
const Model& refreshed_or_throw(Model& model);

/// One world: state, inputs and everything the stages compute from them, for a scalar type Real.
///
/// All arrays live in one 64-byte aligned block whose layout follows from the model's sizes; the table is
/// data_fields.def, names and shapes are MuJoCo 3.12.0's. The numbers of contacts and constraint rows vary, so these
/// live outside the block and grow. A Data may be copied; it refers to its model, which must outlive it. It starts in
/// the state that reset() gives.
template <class Real>
class BasicData {
 public:
  /// A world in the model's initial state. Throws Exception if the model was edited and not refreshed, or is invalid.
  explicit BasicData(const Model& model);
  explicit BasicData(Model& model) : BasicData(refreshed_or_throw(model)) {}
  BasicData(const Model& model, Blank);
  BasicData(const BasicData& other);
  BasicData(BasicData&& other) noexcept;
  BasicData& operator=(const BasicData& other);
  BasicData& operator=(BasicData&& other) noexcept;
  ~BasicData();

  const Model& model() const { return *model_; }

  // Numbers and short arrays of fixed length. Constraint rows are ordered equality, friction, limit, contact.
#define SINEW_SCALAR(name, doc, ...) __VA_ARGS__ name{};
#include "sinew/data_scalars.def"
#undef SINEW_SCALAR

#define SINEW_DATA(group, type, name, rows, cols, writer, doc) std::span<type> name;
#include "sinew/data_fields.def"
#undef SINEW_DATA

  std::vector<Contact> contact;  // the first ncon are valid

  // Arrays of the constraint rows; they grow and are reused, so only the first (row count x columns) numbers are valid.
#define SINEW_ROW(type, name, rows, cols, writer, doc) std::vector<type> name;
#include "sinew/row_fields.def"
#undef SINEW_ROW
  std::vector<SolverStat> solver;  // kNumSolver for each of the first kNumIsland islands that were solved

  /// User callbacks of this world; each may be empty. Called inside a step: it must not allocate if the step must not.
  struct Callbacks {
    std::function<void(const Model&, BasicData&)> control;              // before actuation: sets ctrl, qfrc_applied …
    std::function<void(const Model&, BasicData&)> passive;              // adds to qfrc_passive
    std::function<Real(const Model&, const BasicData&, int)> act_dyn;   // act_dot; several slots: writes them itself
    std::function<Real(const Model&, const BasicData&, int)> act_gain;  // gain of a user gaintype
    std::function<Real(const Model&, const BasicData&, int)> act_bias;  // bias of a user biastype
    std::function<void(const Model&, BasicData&, Stage)> sensor;        // fills user sensors of a stage
    // true: the two geoms of an automatic pair do not collide; replaces contype and conaffinity; lower type first
    std::function<bool(const Model&, BasicData&, int, int)> contact_filter;
  } callbacks;

  /// The plugin instances of this world, in the order of the model; null: it keeps nothing. Made by the first reset.
  std::vector<std::unique_ptr<PluginInstance>> plugin_data;
  std::string plugin_problem;  // what the last plugin that threw said

  /// visit(name, span, rows, cols, group, writer, doc) for every array, in table order.
  template <class Visit>
  void for_each_field(Visit&& visit) {
    const Model& m = *model_;
#define SINEW_DATA(group, type, name, rows, cols, writer, doc)                                      \
  visit(std::string_view(#name), name, std::int64_t{m.rows}, std::int64_t{cols}, FieldGroup::group, \
        std::string_view(#writer), std::string_view(doc));
#include "sinew/data_fields.def"
#undef SINEW_DATA
  }

  /// visit(name, vector, rows, cols, writer, doc) for every array of the constraint rows, in table order.
  template <class Visit>
  void for_each_row_field(Visit&& visit) {
#define SINEW_ROW(type, name, rows, cols, writer, doc)                                                    \
  visit(std::string_view(#name), name, std::int64_t{rows}, std::int64_t{cols}, std::string_view(#writer), \
        std::string_view(doc));
#include "sinew/row_fields.def"
#undef SINEW_ROW
  }
  /// Makes room for the current numbers of rows, nonzeros and islands; keeps the contents of the arrays.
  void grow_rows();

  Arena& scratch() { return *scratch_; }
  /// Identifies the models that it fits: see Model::layout().
  std::uint64_t layout() const { return layout_; }
  /// Bytes of this world: the block, the scratch memory and the object itself.
  std::size_t bytes() const;

 private:
  void allocate();
  void allocate_like(const BasicData& other);
  void make_block(std::size_t bytes);

  const Model* model_;
  std::uint64_t layout_ = 0;
  std::unique_ptr<std::byte[]> storage_;
  std::byte* block_ = nullptr;  // 64-byte aligned start inside storage_
  std::size_t block_bytes_ = 0;
  std::unique_ptr<Arena> scratch_;
};

using Data = BasicData<double>;
template <>
BasicData<double>::BasicData(const Model& model);
extern template class BasicData<double>;

/// The model's initial state: qpos0, zero velocity, no inputs, empty histories. Status and Model& as in step.h.
Status reset(const Model& model, Data& data);
Status reset(Model& model, Data& data);
/// As reset, then the keyframe's time, qpos, qvel, act, mocap pose and ctrl. An invalid key: plain reset.
Status reset_to_keyframe(const Model& model, Data& data, int key);
Status reset_to_keyframe(Model& model, Data& data, int key);

}  // namespace sinew
