#include "file/asset_folders.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "spec/asset_path.h"

namespace sinew::compiling {
namespace {

namespace fs = std::filesystem;

struct Named {
  std::string* name;
  fs::path path;  // absolute
};

struct Group {
  AssetKind kind;
  std::vector<Named> assets;
  fs::path usual;  // the folder of the settings, absolute
};

fs::path absolute_path(const fs::path& path) { return (fs::current_path() / path).lexically_normal(); }

fs::path tail(const std::string& name, bool strippath) {
  return strippath ? fs::path(name).filename() : fs::path(name).lexically_normal();
}

bool holds_all(const fs::path& folder, const Group& group, bool strippath) {
  return std::all_of(group.assets.begin(), group.assets.end(), [&](const Named& asset) {
    return (folder / tail(*asset.name, strippath)).lexically_normal() == asset.path;
  });
}

/// A folder that holds every asset under its present name.
std::optional<fs::path> common_folder(const Group& group, bool strippath) {
  if (holds_all(group.usual, group, strippath)) return group.usual;
  for (const Named& asset : group.assets) {
    const std::string path = asset.path.string(), end = tail(*asset.name, strippath).string();
    if (!path.ends_with("/" + end)) continue;
    const fs::path folder = path.substr(0, path.size() - end.size());
    if (holds_all(folder, group, strippath)) return folder;
  }
  return std::nullopt;
}

std::string relative_name(const fs::path& path, const fs::path& folder) {
  const std::string text = path.lexically_relative(folder).generic_string();
  return text == "." ? "" : text;
}

Group collect(Spec& spec, AssetKind kind, const Files& files) {
  Group group{kind, {}, {}};
  const std::string& own = kind == AssetKind::Mesh ? spec.compiler.meshdir : spec.compiler.texturedir;
  group.usual = absolute_path(fs::path(spec.directory) / (own.empty() ? spec.compiler.assetdir : own) / "");
  const auto add = [&](std::string& name, const spec::Origin& origin) {
    if (!name.empty()) group.assets.push_back({&name, absolute_path(asset_path(spec, files, {kind, name, origin}))});
  };
  if (kind == AssetKind::Mesh) {
    for (spec::Mesh& mesh : spec.meshes) add(mesh.file, mesh.origin);
    for (spec::Hfield& field : spec.hfields) add(field.file, field.origin);
  } else {
    for (spec::Texture& texture : spec.textures) {
      add(texture.file, texture.origin);
      for (std::string& file : texture.cubefiles) add(file, texture.origin);
    }
  }
  return group;
}

}  // namespace

void unify_folders(Spec& spec, const fs::path& folder, const Files& files) {
  Group meshes = collect(spec, AssetKind::Mesh, files), textures = collect(spec, AssetKind::Texture, files);
  spec::Compiler& c = spec.compiler;
  std::optional<fs::path> mesh_folder, texture_folder;
  for (const bool strippath : {c.strippath, !c.strippath}) {
    if (mesh_folder && texture_folder) break;
    mesh_folder = common_folder(meshes, strippath);
    texture_folder = common_folder(textures, strippath);
    if (mesh_folder && texture_folder) c.strippath = strippath;
  }
  if (!mesh_folder || !texture_folder) {
    c.strippath = false;
    for (Group* group : {&meshes, &textures})
      for (Named& asset : group->assets)
        if (!fs::path(*asset.name).is_absolute()) *asset.name = relative_name(asset.path, group->usual);
    mesh_folder = meshes.usual;
    texture_folder = textures.usual;
  }
  const fs::path from = absolute_path(fs::path(spec.directory) / ""), to = absolute_path(folder / "");
  if (from == to && *mesh_folder == meshes.usual && *texture_folder == textures.usual) return;
  if (meshes.assets.empty() && textures.assets.empty()) return;
  const auto moved = [&](const std::string& own, const fs::path& found, const fs::path& usual) {
    return found == usual && fs::path(own).is_absolute() ? own : relative_name(found, to);
  };
  c.meshdir = moved(c.meshdir.empty() ? c.assetdir : c.meshdir, *mesh_folder, meshes.usual);
  c.texturedir = moved(c.texturedir.empty() ? c.assetdir : c.texturedir, *texture_folder, textures.usual);
  c.assetdir.clear();
}

}  // namespace sinew::compiling
