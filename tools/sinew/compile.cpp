#include <memory>

#include "command.h"
#include "report.h"

namespace sinew::tool {
namespace {

int compile_model(const std::string& path, const std::string& out) {
  if (!load_and_report(path)) return kRefused;
  return refuse(fmt::format("cannot write {}: writing models, binary or as MJCF, is not part of this version", out));
}

}  // namespace

void add_compile(CLI::App& app, Action& action) {
  struct Options {
    std::string model, out;
  };
  CLI::App* sub = app.add_subcommand("compile", "Write a compiled model (binary), or MJCF back");
  const auto options = std::make_shared<Options>();
  sub->add_option("MODEL", options->model, "MJCF file")->required();
  sub->add_option("OUT", options->out, "file to write")->required();
  sub->footer("Not part of this version: the model is checked, then the command refuses.");
  sub->callback([&action, options] { action = [options] { return compile_model(options->model, options->out); }; });
}

}  // namespace sinew::tool
