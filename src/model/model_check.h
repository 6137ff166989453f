#pragma once

#include <cstdint>
#include <string>

#include "sinew/model.h"

namespace sinew {

/// State of a model's validation: checked since the last edit, or rejected and why.
struct ModelCheck {
  /// The model is valid in its current state.
  static void accept(Model& model);
  static void refuse(Model& model, std::string problem);
  /// The same model was rejected before and has not been edited since.
  static bool is_refused(const Model& model) { return model.edits_ == model.refused_ && !model.problem_.empty(); }
  static const std::string& problem(const Model& model) { return model.problem_; }
  /// Large tables are unchanged since the last check.
  static bool assets_are_known(const Model& model) { return model.edits_.assets == model.checked_.assets; }

  /// See Model::layout().
  static std::uint64_t layout(const Model& model);
};

}  // namespace sinew
