#include "spec/asset_path.h"

#include <filesystem>

namespace sinew {
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

}  // namespace sinew
