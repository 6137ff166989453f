#include "file/portable_meshes.h"

#include <map>
#include <set>
#include <span>
#include <string>

#include "geometry/mesh_file.h"
#include "sinew/load.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// The name of a file relative to the folder of the model.
std::string plain_name(const std::string& name, const std::string& folder, bool strippath) {
  const fs::path tail = strippath ? fs::path(name).filename() : fs::path(name);
  return (fs::path(folder) / tail).lexically_normal().generic_string();
}

std::string binary_stl(const MeshSource& mesh) {
  std::string out(80, '\0');
  const auto add = [&](const auto& value) { out.append(reinterpret_cast<const char*>(&value), sizeof value); };
  add(static_cast<std::uint32_t>(mesh.face.size() / 3));
  const float normal[3] = {};
  for (std::size_t i = 0; i < mesh.face.size(); i += 3) {
    add(normal);
    for (std::size_t k = i; k < i + 3; ++k)
      for (std::size_t x = 0; x < 3; ++x) add(mesh.vertex[3 * static_cast<std::size_t>(mesh.face[k]) + x]);
    add(std::uint16_t{0});
  }
  return out;
}

/// A binary STL file with the triangles of a COLLADA or ASCII STL file; an empty text for any other file.
Result<std::string> converted(const std::string& path, MeshFormat format, const Files& files, Budget& budget) {
  if (format != MeshFormat::Collada && format != MeshFormat::Stl) return std::string();
  const Result<std::string> content = files.read(path, budget);
  if (!content) return content.error();
  if (format == MeshFormat::Stl && !is_ascii_stl(bytes_of(*content))) return std::string();
  const Result<MeshSource> mesh = read_mesh(bytes_of(*content), format, budget);
  if (!mesh) return mesh.error();
  return binary_stl(*mesh);
}

void make_folders_plain(Spec& spec) {
  spec::Compiler& c = spec.compiler;
  const std::string meshes = c.meshdir.empty() ? c.assetdir : c.meshdir;
  const std::string textures = c.texturedir.empty() ? c.assetdir : c.texturedir;
  const auto change = [&](std::string& name, const std::string& folder) {
    if (!name.empty()) name = plain_name(name, folder, c.strippath);
  };
  for (spec::Mesh& mesh : spec.meshes) change(mesh.file, meshes);
  for (spec::Hfield& field : spec.hfields) change(field.file, meshes);
  for (spec::Texture& texture : spec.textures) {
    change(texture.file, textures);
    for (std::string& side : texture.cubefiles) change(side, textures);
  }
  c.meshdir.clear();
  c.texturedir.clear();
  c.assetdir.clear();
  c.strippath = false;
}

}  // namespace

Result<bool> make_meshes_portable(Spec& spec, const fs::path& path, const Files& files) {
  const LoadOptions limits;
  Budget budget(limits.memory_limit, limits.interrupt);
  const spec::Compiler& c = spec.compiler;
  const fs::path folder = path.parent_path(), assets = path.stem().string() + "_assets";
  std::map<std::string, std::string> texts;  // by the original file
  for (const spec::Mesh& mesh : spec.meshes) {
    if (mesh.file.empty() || !mesh.builtin.empty()) continue;
    const std::string name = plain_name(mesh.file, c.meshdir.empty() ? c.assetdir : c.meshdir, c.strippath);
    if (texts.contains(name)) continue;
    Result<std::string> text = converted((folder / name).lexically_normal().string(),
                                         mesh_format(mesh.file, mesh.content_type), files, budget);
    if (!text) return text.error();
    if (!text->empty()) texts.emplace(name, std::move(*text));
  }
  if (texts.empty()) return false;
  make_folders_plain(spec);
  std::error_code failure;
  fs::create_directories(folder / assets, failure);  // a folder that could not be created shows as a write error
  std::map<std::string, std::string> names;
  std::set<std::string> taken;
  for (const auto& [from, text] : texts) {
    const std::string stem = fs::path(from).stem().string();
    std::string name = stem;
    for (int n = 1; !taken.insert(name).second; ++n) name = stem + std::to_string(n);
    names[from] = (assets / (name + ".stl")).generic_string();
    if (const Result<bool> written = replace_file((folder / names[from]).string(), text); !written) return written;
  }
  for (spec::Mesh& mesh : spec.meshes) {
    const auto found = names.find(mesh.file);
    if (found == names.end()) continue;
    mesh.file = found->second;
    mesh.content_type.clear();
  }
  return true;
}

}  // namespace sinew
