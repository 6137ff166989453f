#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/data.h"
#include "sinew/error.h"
#include "sinew/model.h"

// Many worlds of one model, stepped on many threads. Misuse (a field or world that does not exist, a span of the wrong
// length) throws sinew::Exception.

namespace sinew {

/// The worlds that an operation applies to.
class Worlds {
 public:
  /// All of them.
  Worlds() = default;
  /// Those whose flag is nonzero; one flag per world.
  static Worlds mask(std::span<const std::uint8_t> flags);
  /// These, in this order; none twice.
  static Worlds list(std::span<const int> indices);

  /// The indices, for a batch of n worlds.
  std::vector<int> indices(int n) const;

 private:
  enum class Kind : std::uint8_t { All, Mask, List } kind_ = Kind::All;
  std::span<const std::uint8_t> flags_;
  std::span<const int> indices_;
};

struct BatchOptions {
  int threads = 0;  // 0: one per hardware thread
  /// Arrays of the group Output (data_fields.def) to keep for every world; "*": all.
  std::vector<std::string> observe = {"qacc", "sensordata", "xpos", "xquat", "actuator_force"};
};

/// Values of a model field or option, one row of rows x cols numbers per world.
struct BatchField {
  std::string name;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::variant<std::span<double>, std::span<float>> values;
};

/// n independent worlds of one model.
///
/// Every array has one row per world, row-major: qpos is n x nq. The arrays are the worlds: a step reads what the user
/// wrote into them and writes its results there. The computation runs in one Data per thread, so a world costs no more
/// memory than its rows (a model with sleep needs a whole Data per world). Results are bitwise independent of the
/// number of threads and equal those of a separate Data.
///
/// A world that diverges is counted in its row of `warning`, as in a Data, and restarts from its initial state unless
/// autoreset is disabled; `diverged` stays set until the user resets the world. Other worlds are not affected.
///
/// One operation at a time: concurrent calls wait for one another.
class Batch {
 public:
  /// Worlds in their initial state. The model is copied: later changes to it do not affect the batch.
  Batch(const Model& model, int n, const BatchOptions& options = {});
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  int size() const;
  int threads() const;
  const Model& model() const;

  std::span<double> time;            // n
  std::span<double> energy;          // n x 2: potential, kinetic
  std::span<WarningStat> warning;    // n x kNumWarning
  std::span<std::uint8_t> diverged;  // n: qpos, qvel or qacc had a bad value
  std::span<int> ncon;               // n: contacts of the last evaluation
  std::span<int> nefc;               // n: constraint rows of the last evaluation
  // n x rows x cols; empty for an output that is not observed
  using Real = double;
#define SINEW_DATA(group, type, name, rows, cols, writer, doc) std::span<type> name;
#include "sinew/data_fields.def"
#undef SINEW_DATA

  /// visit(name, span, rows, cols, group, doc) for every array of Data that is kept, in table order.
  template <class Visit>
  void for_each_field(Visit&& visit) const {
    const Model& m = model();
#define SINEW_DATA(group, type, name, rows, cols, writer, doc)                                        \
  if (FieldGroup::group != FieldGroup::Output || observes(#name))                                     \
    visit(std::string_view(#name), name, std::int64_t{m.rows}, std::int64_t{cols}, FieldGroup::group, \
          std::string_view(doc));
#include "sinew/data_fields.def"
#undef SINEW_DATA
  }
  bool observes(std::string_view output) const;

  /// nstep steps of each world.
  void step(int nstep = 1, const Worlds& which = {});
  /// Computes everything that follows from state and inputs, without a step.
  void forward(const Worlds& which = {});

  /// The initial state (from the world's own qpos0 if that is varied).
  void reset(const Worlds& which = {});
  /// As reset, then a keyframe: one for all, or one for each of `which`, in order.
  void reset_to_keyframe(std::span<const int> keys, const Worlds& which = {});
  /// As reset, then parts of the state (StateBit): one row of state_size(bits) numbers for all, or one for each.
  void reset_to_state(std::span<const double> states, int bits, const Worlds& which = {});
  /// Parts of the state, one row of state_size(bits) numbers for each.
  void get_state(std::span<double> states, int bits, const Worlds& which = {}) const;

  /// Gives every world its own values of a field: any array of floating-point numbers in model_fields.def, or a real
  /// option ("opt.gravity", "opt.timestep" …) or scale ("stat.meaninertia"). They start as the model's; a second call
  /// returns the same array. A world is simulated as with a Model that has these values written into it: the caller
  /// must recompute constants derived from them, see update_constants.
  BatchField vary(std::string_view name);
  /// The varied fields, in the order in which they were requested.
  std::vector<BatchField> varied() const;
  /// Recomputes, for each world, what follows from its masses, inertias, poses, gears …: subtree masses, inverse
  /// weights, rest lengths, scales. Constants that now differ from the model's are varied from then on.
  void update_constants(const Worlds& which = {});

  /// Copies a world with everything that is kept of it into a Data of the same model; forward computes the rest.
  void copy_world(int world, Data& to) const;
  /// The model with this world's values.
  Model world_model(int world) const;

  /// Total bytes: arrays, worlds and models of the threads.
  std::size_t bytes() const;
  /// Bytes that one more world would cost.
  std::size_t bytes_per_world() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
