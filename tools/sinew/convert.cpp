#include <filesystem>
#include <memory>

#include "base/files.h"
#include "command.h"
#include "compile.h"
#include "json.h"
#include "report.h"
#include "words.h"

namespace sinew::tool {
namespace {

/// The compiled model: sizes, options, names and every array by its name.
std::string compiled_json(const Model& m) {
  Json out;
  out["model"] = m.modelname;
  m.for_each_size([&](std::string_view name, std::int64_t size, auto) { out["sizes"][std::string(name)] = size; });
  out["options"] = all_options(m.opt);
  m.for_each_field([&](std::string_view name, const auto& values, auto, auto, auto) {
    out["fields"][std::string(name)] = numbers(values);
  });
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int convert_one(const std::string& from, const std::string& to) {
  if (!to.ends_with(".json")) return compile_model(from, to, /*keep_includes=*/false);
  const std::optional<Model> model = load_and_report(from);
  if (!model) return kRefused;
  if (const Result<bool> done = replace_file(to, compiled_json(*model)); !done) return refuse(done.error());
  note("wrote {}", to);
  return kDone;
}

int convert(const std::vector<std::string>& paths, const std::string& to, const std::string& folder) {
  namespace fs = std::filesystem;
  if (to.empty()) {
    if (paths.size() != 2) return refuse("expected FROM and TO, or --to with any number of models");
    return convert_one(paths[0], paths[1]);
  }
  std::error_code failed;
  if (!folder.empty()) fs::create_directories(folder, failed);
  if (failed) return refuse(fmt::format("cannot make the folder {}: {}", folder, failed.message()));
  int code = kDone;
  for (const std::string& path : paths) {
    fs::path out = fs::path(path).replace_extension(to);
    if (!folder.empty()) out = fs::path(folder) / out.filename();
    if (fs::exists(out, failed) && fs::equivalent(out, path, failed)) {
      code = refuse(fmt::format("{} would replace itself", path));
    } else if (const int one = convert_one(path, out.string()); one != kDone) {
      code = one;
    }
  }
  return code;
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  struct Options {
    std::vector<std::string> paths;
    std::string to, folder;
  };
  CLI::App* sub = app.add_subcommand("convert", "Convert models between MJCF, URDF, SDFormat, binary and JSON");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->paths, "FROM and TO; with --to, any number of models")->required();
  sub->add_option("--to", options->to, "convert every MODEL to this format: xml, snw or json")
      ->check(CLI::IsMember({"xml", "snw", "json"}));
  sub->add_option("--folder", options->folder, "for --to: where the files go (beside the models)");
  sub->footer(
      "xml: one MJCF file, from MJCF, URDF or SDFormat. snw: a binary model that loads instantly. json: the arrays of\n"
      "the compiled model, to read only.\n\n"
      "Examples:\n  sinew convert robot.urdf robot.xml --floating\n  sinew convert models/*.xml --to snw --folder "
      "binary");
  sub->callback(
      [&action, options] { action = [options] { return convert(options->paths, options->to, options->folder); }; });
}

}  // namespace sinew::tool
