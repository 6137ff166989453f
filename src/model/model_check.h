#pragma once

#include <cstdint>
#include <string>

#include "sinew/model.h"

namespace sinew {

/// What is known about a model: whether it was checked as it is, or refused and why.
struct ModelCheck {
  /// The model is sound as it is now.
  static void accept(Model& model);
  static void refuse(Model& model, std::string problem);
  /// The same model was refused before, and nothing was edited since.
  static bool is_refused(const Model& model) { return model.edits_ == model.refused_ && !model.problem_.empty(); }
  static const std::string& problem(const Model& model) { return model.problem_; }
  /// Large tables are as they were when the model was checked last.
  static bool assets_are_known(const Model& model) { return model.edits_.assets == model.checked_.assets; }

  /// See Model::layout().
  static std::uint64_t layout(const Model& model);
};

}  // namespace sinew
