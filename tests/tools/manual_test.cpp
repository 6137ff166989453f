// What the command says about itself: completion scripts and manual pages. They are run by the shells and by man where
// these are installed.

#include <gmock/gmock.h>

#include <filesystem>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using testing::HasSubstr;

class Manual : public Shell {
 protected:
  static bool installed(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  }
  /// Output of a line of the shell in the folder.
  std::string run(const std::string& line) const {
    const int status = std::system(("cd '" + path(".") + "' && (" + line + ") >said 2>&1").c_str());
    EXPECT_EQ(status, 0) << read("said");
    return read("said");
  }
  std::string script(const std::string& shell) const {
    const Outcome r = sinew("completion " + shell);
    EXPECT_EQ(r.code, 0);
    return write("sinew." + shell, r.out);
  }
};

TEST_F(Manual, BashCompletesSubcommandsOptionsAndKinds) {
  script("bash");
  const auto completed = [&](const std::string& words, int at) {
    return run("bash -c 'source ./sinew.bash; COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(at) +
               "; _sinew; printf \"%s \" \"${COMPREPLY[@]}\"'");
  };
  EXPECT_EQ(completed("sinew re", 1), "render replay ");
  EXPECT_EQ(completed("sinew run --rec", 2), "--record ");
  EXPECT_EQ(completed("sinew run --memory", 2), "--memory-limit ");
  EXPECT_EQ(completed("sinew new w", 2), "walker ");
  write("robot.xml", kPendulum);
  EXPECT_EQ(completed("sinew info robo", 2), "robot.xml ");
}

TEST_F(Manual, FishCompletesSubcommandsAndOptions) {
  if (!installed("fish")) GTEST_SKIP() << "fish is not installed";
  script("fish");
  EXPECT_THAT(run("HOME=$PWD fish -c 'source sinew.fish; complete -C \"sinew prof\"'"), HasSubstr("profile\t"));
  EXPECT_THAT(run("HOME=$PWD fish -c 'source sinew.fish; complete -C \"sinew run --rec\"'"), HasSubstr("--record\t"));
}

TEST_F(Manual, ZshReadsItsScript) {
  if (!installed("zsh")) GTEST_SKIP() << "zsh is not installed";
  script("zsh");
  EXPECT_THAT(run("zsh -fc 'autoload -U compinit; compinit -D; source ./sinew.zsh; print $_comps[sinew]'"), "_sinew\n");
  EXPECT_THAT(read("sinew.zsh"), HasSubstr("'*--record[write signals over time"));
}

TEST_F(Manual, AnUnknownShellIsWrongUsage) { EXPECT_EQ(sinew("completion tcsh").code, 2); }

TEST_F(Manual, ManualPagesAreWellFormedAndThereIsOnePerSubcommand) {
  ASSERT_EQ(sinew("manual --man man").code, 0);
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path("man"))) {
    ++pages;
    const std::string page = read("man/" + entry.path().filename().string());
    EXPECT_THAT(page, testing::StartsWith(".TH SINEW")) << entry.path();
    for (const char* part : {".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n"}) EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_GE(pages, 17);
  EXPECT_EQ(sinew("manual --man man/sinew.1/below").code, 1);
  if (!installed("groff")) GTEST_SKIP() << "groff is not installed";
  EXPECT_EQ(run("for page in man/*.1; do groff -man -Tutf8 -ww -K utf8 $page >/dev/null; done"), "");
  EXPECT_THAT(run("groff -man -Tascii -P-c -K utf8 man/sinew-run.1"), HasSubstr("--record"));
}

TEST_F(Manual, TheReferenceListsEverySubcommandWithItsOptionsAndTheExitCodes) {
  const std::string page = sinew("manual").out;
  for (const char* part : {"# The command\n", "## sinew convert\n", "| `--record TEXT` |", "| `--floating` |",
                           "  3    sinew diff: the models differ"})
    EXPECT_THAT(page, HasSubstr(part));
}

#ifdef SINEW_HAS_RENDER
TEST_F(Manual, ThePageIsUpToDate) {
  std::ifstream file(SINEW_SOURCE_DIR "/docs/command.md", std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(page == sinew("manual").out) << "regenerate it: ./dev docs, or build/sinew manual > docs/command.md";
}
#endif

}  // namespace
}  // namespace sinew::test
