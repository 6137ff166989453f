#include "compile/asset_files.h"

#include <filesystem>

#include "base/limits.h"

namespace sinew::compiling {
namespace {

namespace fs = std::filesystem;

/// An absolute second part replaces the first, as in std::filesystem; "." and "x/.." are removed.
std::string join(const std::string& a, const std::string& b, const std::string& c) {
  return (fs::path(a) / b / c).lexically_normal().string();
}

}  // namespace

std::string asset_path(const Spec& spec, const Files& files, const AssetFile& asset) {
  const auto& [kind, file, origin] = asset;
  const spec::Compiler& compiler = spec.compiler_of(origin);
  const std::string& own = kind == AssetKind::Mesh ? compiler.meshdir : compiler.texturedir;
  const std::string name = compiler.strippath ? fs::path(file).filename().string() : file;
  std::string usual = join(spec.directory_of(origin), own.empty() ? compiler.assetdir : own, name);
  const auto from = static_cast<std::size_t>(origin.file);
  if (files.exists(usual) || origin.file < 0 || from >= spec.files.size() || spec.files[from].parent < 0) return usual;
  const std::string beside = join(fs::path(spec.files[from].path).parent_path().string(), "", name);
  return files.exists(beside) ? beside : usual;
}

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
