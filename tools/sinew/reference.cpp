#include "reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sinew/version.h"

namespace sinew::tool {
namespace {

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  return app.get_subcommands([](auto*) { return true; });
}

/// Arguments by position, or options.
std::vector<const CLI::Option*> options_of(const CLI::App& app, bool positional) {
  return app.get_options([&](const CLI::Option* o) { return o->get_positional() == positional; });
}

/// Flags have no type.
bool takes_value(const CLI::Option& option) { return !option.get_type_name().empty(); }

/// "-o,--out FILE", without the checks that CLI11 adds to the type.
std::string signature(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string out = option.get_name(false, true);
  if (takes_value(option)) out += " " + option.get_type_name().substr(0, option.get_type_name().find(':'));
  return out;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

std::string usage(const CLI::App& sub) {
  std::string out = "sinew " + sub.get_name();
  for (const CLI::Option* o : options_of(sub, true)) {
    const bool many = o->get_expected_max() > 1;
    const std::string shown = o->get_name(true) + (many ? "..." : "");
    out += o->get_required() ? " " + shown : fmt::format(" [{}]", shown);
  }
  return out + " [OPTIONS]";
}

/// The text with each of `special` preceded by `by`.
std::string escaped(std::string text, std::string_view special, std::string_view by) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += by;
    out += c;
  }
  return out;
}

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string markdown_options(const CLI::App& app) {
  std::string out;
  for (const bool positional : {true, false}) {
    for (const CLI::Option* o : options_of(app, positional)) {
      if (o->get_lnames() == std::vector<std::string>{"help"}) continue;
      if (out.empty()) out = "| option | meaning |\n|---|---|\n";
      out += fmt::format("| `{}` | {} |\n", signature(*o), escaped(one_line(o->get_description()), "|<", "\\"));
    }
  }
  return out.empty() ? out : out + "\n";
}

/// Text for troff: lines must not start with its control characters.
std::string troff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
    line_start = c == '\n';
  }
  return out;
}

std::string man_options(const CLI::App& app) {
  std::string out;
  for (const bool positional : {true, false})
    for (const CLI::Option* o : options_of(app, positional))
      out += fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(signature(*o)), troff(one_line(o->get_description())));
  return out;
}

/// Options of a subcommand and of the command itself, which may follow it.
std::vector<const CLI::Option*> accepted(const CLI::App& app, const CLI::App& sub) {
  std::vector<const CLI::Option*> out = options_of(sub, false);
  for (const CLI::Option* o : options_of(app, false))
    if (o->get_name() != "--help,-h" && o->get_lnames() != std::vector<std::string>{"help"}) out.push_back(o);
  return out;
}

std::string words_of_options(const CLI::App& app, const CLI::App& sub) {
  std::string out;
  for (const CLI::Option* o : accepted(app, sub))
    for (const std::string& name : names_of(*o)) out += (out.empty() ? "" : " ") + name;
  return out;
}

/// Words that an argument of a subcommand is one of; empty: a file.
std::string_view words_of_argument(const CLI::App& sub) {
  if (sub.get_name() == "new") return "arm walker gripper cloth";
  if (sub.get_name() == "completion") return "bash zsh fish";
  return {};
}

}  // namespace

std::string command_markdown(const CLI::App& app) {
  std::string out =
      "# The command\n\n<!-- written by sinew manual: do not edit -->\n\n" + app.get_description() + ".\n\n";
  out += "| subcommand | does |\n|---|---|\n";
  for (const CLI::App* sub : subcommands(app))
    out += fmt::format("| [{0}](#sinew-{0}) | {1} |\n", sub->get_name(), escaped(sub->get_description(), "|", "\\"));
  out += fmt::format("\n```text\n{}\n```\n\n## Options of every subcommand\n\n{}", app.get_footer(),
                     markdown_options(app));
  out +=
      "## Completion\n\n<!-- not run: for the startup files of two shells -->\n```sh\neval \"$(sinew completion "
      "bash)\"          # in ~/.bashrc; zsh likewise\n"
      "sinew completion fish | source            # in ~/.config/fish/config.fish\n```\n\n"
      "The packages install it, and the manual pages, for all three shells.\n";
  for (const CLI::App* sub : subcommands(app))
    out += fmt::format("\n## sinew {}\n\n{}.\n\n```text\n{}\n```\n\n{}```text\n{}\n```\n", sub->get_name(),
                       sub->get_description(), usage(*sub), markdown_options(*sub), sub->get_footer());
  return out;
}

std::string man_page(const CLI::App& app, const CLI::App* sub) {
  const CLI::App& page = sub ? *sub : app;
  const std::string name = sub ? "sinew-" + sub->get_name() : "sinew";
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  std::string out = fmt::format(
      ".TH {} 1 \"\" \"sinew {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n", troff(title),
      kVersion, troff(name), troff(page.get_description()), troff(sub ? usage(page) : "sinew SUBCOMMAND [OPTIONS]"));
  if (!sub) {
    out += ".SH SUBCOMMANDS\n";
    for (const CLI::App* each : subcommands(app))
      out += fmt::format(".TP\n\\fBsinew\\-{}\\fR(1)\n{}\n", troff(each->get_name()), troff(each->get_description()));
  }
  out += ".SH OPTIONS\n" + man_options(page);
  out += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", troff(page.get_footer()));
  if (sub) out += ".SH SEE ALSO\n.BR sinew (1)\n";
  return out;
}

std::string bash_completion(const CLI::App& app) {
  std::string names, cases, values;
  for (const CLI::App* sub : subcommands(app)) {
    names += " " + sub->get_name();
    cases += fmt::format("    {}) options=\"{}\" words=\"{}\" ;;\n", sub->get_name(), words_of_options(app, *sub),
                         words_of_argument(*sub));
  }
  return fmt::format(R"(# bash completion of sinew, written by: sinew completion bash
_sinew() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} options="" words="" i sub=""
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case " {0} " in *" ${{COMP_WORDS[i]}} "*) sub=${{COMP_WORDS[i]}}; break ;; esac
  done
  case $sub in
{1}    *) options="--help --version --color --memory-limit" words="help{2}" ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -o bashdefault -F _sinew sinew
)",
                     names.substr(1), cases, names);
}

std::string zsh_completion(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* sub : subcommands(app)) {
    list += fmt::format("    '{}:{}'\n", sub->get_name(), escaped(sub->get_description(), "'", "'\\'"));
    cases += fmt::format("    {})\n      _arguments", sub->get_name());
    for (const CLI::Option* o : accepted(app, *sub))
      for (const std::string& name : names_of(*o)) {
        std::string text = one_line(o->get_description());
        std::erase(text, '\'');
        cases += fmt::format(" \\\n        '*{}[{}]{}'", name, escaped(text, "[]", "\\"),
                             takes_value(*o) ? ":value:_files" : "");
      }
    const std::string_view words = words_of_argument(*sub);
    cases += words.empty() ? " \\\n        '*:file:_files'\n      ;;\n"
                           : fmt::format(" \\\n        '1:kind:({})' '*:file:_files'\n      ;;\n", words);
  }
  return fmt::format(R"(#compdef sinew
# zsh completion of sinew, written by: sinew completion zsh
_sinew() {{
  local -a subcommands
  subcommands=(
{}  )
  if ((CURRENT == 2)); then
    _describe subcommand subcommands
    return
  fi
  local sub=$words[2]
  shift words
  ((CURRENT--))
  case $sub in
{}  esac
}}
if [ "$funcstack[1]" = _sinew ]; then _sinew "$@"; else compdef _sinew sinew; fi
)",
                     list, cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string out = "# fish completion of sinew, written by: sinew completion fish\n";
  const auto quoted = [](const std::string& text) { return "'" + escaped(one_line(text), "'\\", "\\") + "'"; };
  for (const CLI::App* sub : subcommands(app)) {
    out += fmt::format("complete -c sinew -n __fish_use_subcommand -f -a {} -d {}\n", sub->get_name(),
                       quoted(sub->get_description()));
    const std::string when = fmt::format("complete -c sinew -n '__fish_seen_subcommand_from {}'", sub->get_name());
    if (const std::string_view words = words_of_argument(*sub); !words.empty())
      out += fmt::format("{} -f -a '{}'\n", when, words);
    for (const CLI::Option* o : accepted(app, *sub)) {
      out += when;
      for (const std::string& name : o->get_snames()) out += " -s " + name;
      for (const std::string& name : o->get_lnames()) out += " -l " + name;
      out += fmt::format("{} -d {}\n", takes_value(*o) ? " -r" : "", quoted(o->get_description()));
    }
  }
  return out;
}

}  // namespace sinew::tool
