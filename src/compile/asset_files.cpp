#include "compile/asset_files.h"

namespace sinew::compiling {

const std::string* read_asset(Context& context, AssetKind kind, const Place& where, const std::string& file) {
  const std::string path = asset_path(context.spec, context.files, {kind, file, where.origin});
  const auto known = context.asset_contents.find(path);
  if (known != context.asset_contents.end()) return &known->second;
  Result<std::string> content = context.files.read(path, context.budget);
  if (content) return &context.asset_contents.emplace(path, std::move(*content)).first->second;
  context.report.error(where, "file", content.error().first().message);
  return nullptr;
}

}  // namespace sinew::compiling
