#include "sinew/write.h"

#include <filesystem>
#include <fstream>

#include "compile/flatten.h"
#include "spec/writer.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

/// MJCF cannot unset what a default class sets. Taken out of all classes, the attribute stands with each element that
/// has it. False where no class has such an attribute.
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

Result<std::string> write_for(const Spec& spec, const fs::path& folder, const WriteOptions& options) {
  LoadOptions load;
  load.files = options.files;
  Result<Spec> flat = compiling::flatten(spec, folder, load);
  if (!flat) return flat.error();
  for (std::string last;;) {
    mjcf::Writer writer(*flat);
    Result<std::string> text = writer.write();
    const std::string& attribute = writer.unsayable();
    if (text || attribute.empty() || attribute == last || !take_from_classes(*flat, attribute)) return text;
    last = attribute;
  }
}

}  // namespace

Result<std::string> write_mjcf(const Spec& spec, const WriteOptions& options) {
  return write_for(spec, spec.directory, options);
}

Result<bool> write_mjcf_file(const Spec& spec, const std::string& path, const WriteOptions& options) {
  const Result<std::string> text = write_for(spec, fs::path(path).parent_path(), options);
  if (!text) return text.error();
  std::ofstream stream(path, std::ios::binary);
  stream.write(text->data(), static_cast<std::streamsize>(text->size()));
  stream.close();
  if (!stream) return Error::message("cannot write \"" + path + "\"");
  return true;
}

}  // namespace sinew
