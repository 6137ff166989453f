#include "sinew/write.h"

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "file/flatten.h"
#include "file/portable_meshes.h"
#include "spec/split.h"
#include "spec/writer.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// MJCF cannot unset what a default class sets. Removes the attribute from all classes, so that it is written with each
/// element that has it. False if no class has such an attribute.
bool take_from_classes(Spec& spec, std::string_view attribute) {
  bool found = false;
  const auto unset = [&](auto& value, const auto& blank, auto... names) {
    if (!((attribute == names) || ...)) return;
    value = blank;
    found = true;
  };
  const auto of_record = [&](auto& record) {
    if constexpr (requires { record.mass; }) unset(record.mass, std::nullopt, "mass");
    if constexpr (requires { record.fromto; }) unset(record.fromto, std::nullopt, "fromto");
    if constexpr (requires { record.alt; })
      unset(record.alt, spec::Orientation(), "axisangle", "xyaxes", "zaxis", "euler");
    if constexpr (requires { record.user; }) unset(record.user, std::vector<double>(), "user");
  };
  for (spec::DefaultClass& dclass : spec.classes) {
    of_record(dclass.joint);
    of_record(dclass.geom);
    of_record(dclass.site);
    of_record(dclass.camera);
    of_record(dclass.tendon);
    of_record(dclass.actuator);
  }
  return found;
}

/// path: the file that will hold the text; empty: it stays in memory, and so no other file is written.
Result<mjcf::XmlElement> write_for(const Spec& spec, const fs::path& folder, const WriteOptions& options,
                                   const fs::path& path = {}) {
  LoadOptions load;
  load.files = options.files;
  Result<Spec> flat = compiling::flatten(spec, folder, load, options.like_mujoco);
  if (!flat) return flat.error();
  if (!path.empty())
    if (const Result<bool> done = make_meshes_portable(*flat, path, Files(options.files)); !done) return done.error();
  for (std::string last;;) {
    mjcf::Writer writer(*flat, options.like_mujoco);
    Result<mjcf::XmlElement> root = writer.write();
    const std::string& attribute = writer.unsayable();
    if (root || attribute.empty() || attribute == last || !take_from_classes(*flat, attribute)) return root;
    last = attribute;
  }
}

Result<bool> write_text(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream) return Error::message("cannot write \"" + path.string() + "\"");
  return true;
}

/// A comment cannot contain two hyphens in a row.
std::string with_comment(const std::string& text, const WriteOptions& options) {
  if (options.comment.empty()) return text;
  std::string safe = options.comment;
  for (std::size_t at = safe.find("--"); at != std::string::npos; at = safe.find("--")) safe.replace(at, 2, "- -");
  return "<!-- " + safe + " -->\n" + text;
}

bool has_text(const fs::path& path, const std::string& text) {
  const LoadOptions options;
  Budget budget(options.memory_limit, options.interrupt);
  std::error_code failure;
  if (fs::file_size(path, failure) != text.size() || failure) return false;
  const Result<std::string> now = Files(nullptr).read(path.string(), budget);
  return now && *now == text;
}

}  // namespace

Result<std::string> write_mjcf(const Spec& spec, const WriteOptions& options) {
  const Result<mjcf::XmlElement> root = write_for(spec, spec.directory, options);
  if (!root) return root.error();
  return with_comment(mjcf::to_text(*root), options);
}

Result<std::vector<WrittenFile>> write_mjcf_files(const Spec& spec, const std::string& folder,
                                                  const WriteOptions& options) {
  const Result<mjcf::XmlElement> root = write_for(spec, folder, options);
  if (!root) return root.error();
  return mjcf::split_by_file(*root, spec.files);
}

Result<bool> write_mjcf_file(const Spec& spec, const std::string& path, const WriteOptions& options) {
  const fs::path folder = fs::path(path).parent_path();
  const Result<mjcf::XmlElement> root = write_for(spec, folder, options, path);
  if (!root) return root.error();
  if (!options.keep_includes) return write_text(path, with_comment(mjcf::to_text(*root), options));
  for (const WrittenFile& file : mjcf::split_by_file(*root, spec.files)) {
    const fs::path target = file.path.empty() ? fs::path(path) : folder / file.path;
    if (!file.path.empty() && target.lexically_normal() == fs::path(path).lexically_normal())
      return Error::message("cannot write \"" + path + "\": an included file has the same name");
    if (has_text(target, file.text)) continue;
    std::error_code ignored;  // a folder that could not be created shows as a write error
    fs::create_directories(target.parent_path(), ignored);
    if (Result<bool> written = write_text(target, file.text); !written) return written;
  }
  return true;
}

}  // namespace sinew
