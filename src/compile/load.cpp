#include "sinew/load.h"

namespace sinew {

Result<Model> load(const std::string& path, const LoadOptions& options) {
  const Result<Spec> spec = read_mjcf_file(path, options);
  return spec ? compile(*spec, options) : Result<Model>(spec.error());
}

Result<Model> load_string(std::string_view text, const LoadOptions& options) {
  const Result<Spec> spec = read_mjcf_string(text, options);
  return spec ? compile(*spec, options) : Result<Model>(spec.error());
}

Model load_or_throw(const std::string& path) { return load(path).value_or_throw(); }

}  // namespace sinew
