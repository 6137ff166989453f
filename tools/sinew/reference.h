#pragma once

#include <CLI/CLI.hpp>
#include <string>

// Descriptions of the command, generated from its own option tables.

namespace sinew::tool {

/// docs/command.md.
std::string command_markdown(const CLI::App& app);
/// sinew.1 if `sub` is null, else sinew-SUB.1.
std::string man_page(const CLI::App& app, const CLI::App* sub);

std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

}  // namespace sinew::tool
