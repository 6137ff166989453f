#include <filesystem>
#include <memory>

#include "base/files.h"
#include "command.h"
#include "reference.h"
#include "report.h"

namespace sinew::tool {
namespace {

int write_man_pages(const CLI::App& app, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return refuse(fmt::format("cannot make the folder {}: {}", folder, failed.message()));
  std::vector<const CLI::App*> pages = app.get_subcommands([](auto*) { return true; });
  pages.insert(pages.begin(), nullptr);
  for (const CLI::App* page : pages) {
    const std::string name = page ? "sinew-" + page->get_name() : "sinew";
    if (const Result<bool> done = replace_file(fmt::format("{}/{}.1", folder, name), man_page(app, page)); !done)
      return refuse(done.error());
  }
  note("wrote {} pages to {}", pages.size(), folder);
  return kDone;
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("completion", "Print the completion script of a shell: bash, zsh or fish");
  const auto shell = std::make_shared<std::string>();
  sub->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  sub->footer("Examples:\n  eval \"$(sinew completion bash)\"\n  sinew completion fish | source");
  sub->callback([&app, &action, shell] {
    action = [&app, shell] {
      fmt::print("{}", *shell == "bash"  ? bash_completion(app)
                       : *shell == "zsh" ? zsh_completion(app)
                                         : fish_completion(app));
      return int{kDone};
    };
  });
}

void add_manual(CLI::App& app, Action& action) {
  CLI::App* sub = app.add_subcommand("manual", "Print the reference of the command, or write its manual pages");
  const auto folder = std::make_shared<std::string>();
  sub->add_option("--man", *folder, "write sinew.1, sinew-run.1, … to this folder instead");
  sub->footer("Examples:\n  sinew manual > docs/command.md\n  sinew manual --man man1 && man man1/sinew-run.1");
  sub->callback([&app, &action, folder] {
    action = [&app, folder] {
      if (!folder->empty()) return write_man_pages(app, *folder);
      fmt::print("{}", command_markdown(app));
      return int{kDone};
    };
  });
}

}  // namespace sinew::tool
