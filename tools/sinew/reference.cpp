#include "spec/reference.h"

#include <cstdio>

#include "command.h"

namespace sinew::tool {

void add_reference(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("reference", "Print the reference page of MJCF: docs/mjcf.md");
  sub->group("");  // for those who work on sinew: not in the help
  sub->callback([&action] {
    action = [] {
      const std::string page = schema_reference();
      std::fwrite(page.data(), 1, page.size(), stdout);
      return kDone;
    };
  });
}

}  // namespace sinew::tool
