#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "batch/model_place.h"
#include "sinew/batch.h"

namespace sinew {

/// Model fields with one row of values per world. Each thread has its own model, into which the values of a world are
/// written before it is simulated.
class VariedFields {
 public:
  VariedFields(const Model& model, int worlds, int threads) : model_(model), n_(worlds), threads_(threads) {}

  /// The field with values for all worlds; the model's at first.
  BatchField vary(std::string_view name);
  std::vector<BatchField> all() const;

  /// The model of a thread with the values of a world; the common one if nothing is varied.
  const Model& model_of(int thread, int world) { return fields_.empty() ? model_ : write_values(thread, world); }

  /// Constants that follow from others: begin, then derive for each world by any thread, then end, which drops the
  /// constants that equal the model's in all worlds.
  void begin_derive();
  void derive(int thread, int world);
  void end_derive();

  std::size_t bytes() const;
  std::size_t bytes_per_world() const;

 private:
  struct Field {
    std::string name;
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::variant<std::vector<double>, std::vector<float>> values;
    std::vector<ModelPlace> places;  // in the threads' models
    bool derived = false;
    bool temporary = false;  // not requested by the user

    BatchField view();
    std::size_t bytes() const;
    /// copy(row of the world, numbers of the model)
    template <class Copy>
    void with_row(int world, int n, const ModelPlace& place, Copy copy);
  };

  Field& find_or_add(std::string_view name);
  Model& write_values(int thread, int world);
  bool is_as_in_model(Field& field);

  const Model& model_;
  int n_;
  int threads_;
  std::vector<std::unique_ptr<Field>> fields_;
  std::vector<std::unique_ptr<Model>> models_;  // of the threads, once something is varied
  bool varies_links_ = false;                   // some field whose edits refresh() must check
};

}  // namespace sinew
