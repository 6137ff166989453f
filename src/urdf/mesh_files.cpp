#include "urdf/mesh_files.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace sinew::urdf {
namespace {

namespace fs = std::filesystem;

/// The entries of a variable such as PATH.
std::vector<fs::path> entries(const char* variable) {
  std::vector<fs::path> out;
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
  std::string_view rest = value ? value : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

/// The last folder of a path, with or without a slash at its end.
std::string last_part(const fs::path& path) {
  return (path.has_filename() ? path.filename() : path.parent_path().filename()).string();
}

/// Files that package://NAME/REST may mean.
std::vector<fs::path> of_package(const UrdfOptions& options, const std::string& name, const fs::path& rest,
                                 const fs::path& from) {
  std::vector<fs::path> out;
  const auto add = [&](const fs::path& folder) { out.push_back(folder / rest); };
  if (const auto given = options.packages.find(name); given != options.packages.end()) add(given->second);
  for (const std::string& folder : options.package_folders) add(fs::path(folder) / name);
  for (const fs::path& entry : entries("ROS_PACKAGE_PATH")) {
    if (last_part(entry) == name) add(entry);
    add(entry / name);
  }
  for (const fs::path& entry : entries("AMENT_PREFIX_PATH")) add(entry / "share" / name);
  std::error_code ignored;
  for (fs::path folder = fs::absolute(from.empty() ? "." : from, ignored).lexically_normal();;
       folder = folder.parent_path()) {
    add(last_part(folder) == name ? folder : folder / name);
    if (folder == folder.parent_path()) break;
  }
  out.push_back(from / name / rest);
  return out;
}

bool strip(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

}  // namespace

MeshFiles::MeshFiles(Input& in) : in_(in), disk_(in.session.disk) {}

std::string MeshFiles::find(const std::string& uri, int file, std::string& tried) const {
  const spec::Compiler& settings = in_.spec.compiler;
  const fs::path from = fs::path(in_.session.main.files[static_cast<std::size_t>(file)].path).parent_path();
  const fs::path meshes = from / (settings.meshdir.empty() ? settings.assetdir : settings.meshdir);
  std::string_view name = uri;
  if (settings.strippath) name = name.substr(name.find_last_of("/\\") + 1);
  const fs::path last = fs::path(name).filename();
  std::vector<fs::path> paths;
  if (strip(name, "file://")) {
    paths.push_back(from / name);
  } else if (strip(name, "package://") || strip(name, "model://")) {
    strip(name, "/");
    const std::size_t slash = std::min(name.find('/'), name.size());
    paths = of_package(in_.options, std::string(name.substr(0, slash)),
                       fs::path(name.substr(std::min(slash + 1, name.size()))), from);
  } else {
    paths = {meshes / name, from / name};
  }
  paths.push_back(meshes / last);
  std::set<std::string> seen;
  for (const fs::path& path : paths) {
    const std::string candidate = path.lexically_normal().string();
    if (!seen.insert(candidate).second) continue;
    if (disk_.exists(candidate)) return candidate;
    tried += (tried.empty() ? "\"" : ", \"") + candidate + "\"";
  }
  return {};
}

std::string MeshFiles::mesh(const XmlNode& node, std::string_view attribute, const std::string& uri,
                            const spec::Reals<3>& scale) {
  std::string tried;
  const std::string path = find(uri, node.file, tried);
  const std::string& directory = in_.spec.directory;
  if (path.empty()) {
    in_.error({&node, attribute}, "there is no file '" + uri + "'; tried " + tried,
              "a folder of packages can be given: --package NAME=DIR, packages={...}, UrdfOptions::packages");
    return {};
  }
  const auto [known, is_new] = meshes_.try_emplace({path, scale[0], scale[1], scale[2]});
  if (!is_new) return known->second;
  const std::string stem = fs::path(path).stem().string();
  int& count = of_file_name_[stem];
  std::string name = stem;
  for (int n = count; !names_.insert(name).second; ++n) name = stem + std::to_string(n);
  ++count;
  known->second = name;
  in_.take(node, sizeof(spec::Mesh) + static_cast<double>(path.size()));
  spec::Mesh& mesh = in_.spec.meshes.add(in_.spec.classes[0].mesh);
  mesh.name = name;
  mesh.origin = origin_of(node);
  mesh.scale = scale;
  // as the compiler will look for it: from the folder of the model
  const fs::path folder = directory.empty() ? "." : directory;
  const bool as_given = fs::path(path).is_absolute() == folder.is_absolute();
  const fs::path relative = fs::path(path).lexically_relative(as_given ? folder : fs::absolute(folder));
  mesh.file = relative.empty() ? path : relative.generic_string();
  return name;
}

}  // namespace sinew::urdf
