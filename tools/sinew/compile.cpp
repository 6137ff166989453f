#include "compile.h"

#include <memory>

#include "command.h"
#include "report.h"
#include "sinew/load.h"
#include "sinew/model_file.h"
#include "sinew/write.h"

namespace sinew::tool {
namespace {

/// MJCF that compiles to the same model.
int write_text(const std::string& path, const std::string& out, bool keep_includes) {
  if (path.ends_with(kBinaryEnding))
    return refuse(fmt::format("cannot write {}: a binary model does not contain its original MJCF", out));
  std::vector<Problem> warnings;
  LoadOptions reporting;
  reporting.warnings = &warnings;
  const Result<Spec> spec = interruptible(reporting, [&](const LoadOptions& o) { return read_model_file(path, o); });
  if (!spec) return refuse(spec.error());
  for (const Problem& problem : warnings) report(problem);
  const Result<Model> model = interruptible({}, [&](const LoadOptions& o) { return compile(*spec, o); });
  if (!model) return refuse(model.error());
  WriteOptions options;
  options.keep_includes = keep_includes;
  if (!path.ends_with(".xml")) options.comment = "made by sinew compile from " + path;
  if (const Result<bool> written = write_mjcf_file(*spec, out, options); !written)
    return refuse(written.error().text());
  note("wrote {}", out);
  return kDone;
}

}  // namespace

int compile_model(const std::string& path, const std::string& out, bool keep_includes) {
  if (out.ends_with(".xml")) return write_text(path, out, keep_includes);
  if (!out.ends_with(kBinaryEnding))
    return refuse(fmt::format("cannot write {}: the extension must be .xml (MJCF) or {} (binary)", out, kBinaryEnding));
  const std::optional<Model> model = load_and_report(path);
  if (!model) return kRefused;
  if (const Result<bool> saved = save_model(*model, out); !saved) return refuse(saved.error().first().message);
  note("wrote {}: {}", out, human_bytes(save_model(*model).size()));
  return kDone;
}

void add_compile(CLI::App& app, Action& action) {
  struct Options {
    std::string model, out;
    bool keep_includes = false;
  };
  CLI::App* sub =
      app.add_subcommand("compile", "Write the model as one MJCF file, or as a binary file that loads instantly");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->model, "MJCF, URDF or SDFormat file")->required();
  sub->add_option("OUT", options->out, "file to write: .snw or .xml")->required();
  sub->add_flag("--keep-includes", options->keep_includes, "for .xml: included files stay separate files, next to OUT");
  sub->footer(
      "Every subcommand that takes a MODEL also accepts a binary one.\n\n"
      "Example:\n  sinew compile models/humanoid.xml humanoid.snw\n  sinew run humanoid.snw\n"
      "  sinew compile robot.urdf robot.xml --floating");
  sub->callback([&action, options] {
    action = [options] { return compile_model(options->model, options->out, options->keep_includes); };
  });
}

}  // namespace sinew::tool
