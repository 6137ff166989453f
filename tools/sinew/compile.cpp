#include <memory>

#include "command.h"
#include "report.h"
#include "sinew/model_file.h"

namespace sinew::tool {
namespace {

int compile_model(const std::string& path, const std::string& out) {
  if (out.ends_with(".xml")) return refuse(fmt::format("cannot write {}: writing MJCF is not part of this version", out));
  if (!out.ends_with(kBinaryEnding))
    return refuse(fmt::format("cannot write {}: the ending of a binary model is {}", out, kBinaryEnding));
  const std::optional<Model> model = load_and_report(path);
  if (!model) return kRefused;
  if (const Result<bool> saved = save_model(*model, out); !saved) return refuse(saved.error().first().message);
  note("wrote {}: {}", out, human_bytes(save_model(*model).size()));
  return kDone;
}

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  struct Options {
    std::string model, out;
  };
  CLI::App* sub = app.add_subcommand("compile", "Write the compiled model as a binary file, which loads at once");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->model, "MJCF file")->required();
  sub->add_option("OUT", options->out, "file to write: .snw")->required();
  sub->footer("Every subcommand that takes a MODEL takes a binary one too.\n\n"
              "Example:\n  sinew compile models/humanoid.xml humanoid.snw\n  sinew run humanoid.snw");
  sub->callback([&action, options] { action = [options] { return compile_model(options->model, options->out); }; });
}

}  // namespace sinew::tool
