#include <fmt/format.h>

#include "command.h"
#include "spec/reference.h"

namespace sinew::tool {

void add_schema(CLI::App& app, Action& action) {
  CLI::App* sub =
      app.add_subcommand("schema", "Print the reference of the MJCF language: elements, attributes, defaults");
  sub->footer("Example:\n  sinew schema > mjcf.md");
  sub->callback([&action] {
    action = [] {
      fmt::print("{}", schema_reference());
      return int{kDone};
    };
  });
}

}  // namespace sinew::tool
