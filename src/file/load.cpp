#include "sinew/load.h"

#include <algorithm>

#include "spec/read.h"
#include "urdf/read.h"

namespace sinew {
namespace {

/// A model with read errors is still compiled if all problems are requested: the compiler's problems at other places
/// follow the reader's.
Error with_compiler_problems(mjcf::Reading reading, const LoadOptions& options) {
  if (!options.collect_all || !reading.spec) return std::move(*reading.error);
  std::vector<Problem> problems = reading.error->problems();
  const std::size_t known = problems.size();
  LoadOptions quiet = options;
  quiet.warnings = nullptr;
  const Result<Model> model = compile(*reading.spec, quiet);
  if (model) return std::move(*reading.error);
  for (const Problem& problem : model.error().problems()) {
    const bool follows =
        std::any_of(problems.begin(), problems.begin() + static_cast<std::ptrdiff_t>(known),
                    [&](const Problem& p) { return p.file == problem.file && p.line == problem.line; });
    if (!follows) problems.push_back(problem);
  }
  return Error(std::move(problems));
}

Result<Model> compile_reading(mjcf::Reading reading, const LoadOptions& options) {
  if (reading.error) return with_compiler_problems(std::move(reading), options);
  return compile(*reading.spec, options);
}

}  // namespace

Result<Spec> read_model_file(const std::string& path, const LoadOptions& options) {
  return mjcf::whole(mjcf::read_file(path, options, urdf::read_robot));
}

Result<Spec> read_model_string(std::string_view text, const LoadOptions& options) {
  return mjcf::whole(mjcf::read_string(text, options, urdf::read_robot));
}

Result<Model> load(const std::string& path, const LoadOptions& options) {
  return compile_reading(mjcf::read_file(path, options, urdf::read_robot), options);
}

Result<Model> load_string(std::string_view text, const LoadOptions& options) {
  return compile_reading(mjcf::read_string(text, options, urdf::read_robot), options);
}

Model load_or_throw(const std::string& path) { return load(path).value_or_throw(); }

}  // namespace sinew
