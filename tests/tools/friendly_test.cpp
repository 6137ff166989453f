// Messages, suggestions and starting models: what a person meets first.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Friendly : public Shell {
 protected:
  /// What the command prints on a terminal.
  std::string on_terminal(const std::string& environment, const std::string& arguments) const {
    const std::string line = "cd '" + path(".") + "' && " + environment + " '" SINEW_COMMAND "' " + arguments;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
      _exit(127);
    }
    std::string out;
    char buffer[4096];
    for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;) out.append(buffer, static_cast<size_t>(n));
    waitpid(child, nullptr, 0);
    close(terminal);
    return out;
  }
  /// The last row of a recording.
  json last_row(const std::string& name) const { return json::parse(read(name))["rows"].back(); }
};

TEST_F(Friendly, SuggestsSubcommandsOptionsNamesAndFiles) {
  write("pendulum.xml", kPendulum);
  struct Case {
    const char* line;
    int code;
    const char* says;
  };
  for (const Case& c :
       {Case{"rnu pendulum.xml", 2, "unknown subcommand 'rnu' (did you mean 'run'?)"},
        Case{"run pendulum.xml --tiem 1", 2, "unknown option '--tiem' (did you mean '--time'?)"},
        Case{"run pendulum.xml --memory-limt=1G", 2, "unknown option '--memory-limt' (did you mean '--memory-limit'?)"},
        Case{"info pendulum.xml other.xml", 2, "unexpected argument 'other.xml'"},
        Case{"run pendlum.xml", 1, "did you mean 'pendulum.xml'?"},
        Case{"run pendulum.xml --ctrl psh=1", 1, "did you mean 'push'?"}, Case{"new amr", 1, "did you mean 'arm'?"}}) {
    const Outcome r = sinew(c.line);
    EXPECT_EQ(r.code, c.code) << c.line;
    EXPECT_THAT(r.err, HasSubstr(c.says)) << c.line;
  }
}

TEST_F(Friendly, ShowsTheSourceLineWithACaretOnATerminal) {
  write("bad.xml", "<mujoco>\n  <worldbody>\n    <geom name=\"ä\" size=\"x\"/>\n  </worldbody>\n</mujoco>");
  const std::string marked = "     3 |     <geom name=\"ä\" size=\"x\"/>\r\n       | ";
  const std::string caret = "                   ^~~~~~~~";
  const std::string colored = on_terminal("NO_COLOR= TERM=xterm", "info bad.xml");
  EXPECT_THAT(colored, HasSubstr(marked + "\033[1;32m" + caret));
  EXPECT_THAT(colored, HasSubstr("\033[1;31merror:\033[0m"));
  for (const char* environment : {"NO_COLOR=1 TERM=xterm", "TERM=dumb"}) {
    const std::string plain = on_terminal(environment, "info bad.xml");
    EXPECT_THAT(plain, HasSubstr(marked + caret)) << environment;
    EXPECT_THAT(plain, Not(HasSubstr("\033["))) << environment;
  }
  EXPECT_THAT(sinew("info bad.xml").err, Not(HasSubstr("^~~")));
  EXPECT_THAT(sinew("info bad.xml --color always").err, HasSubstr("\033[1;32m" + caret));
}

TEST_F(Friendly, ShowsABarWithTheTimeLeftOnATerminal) {
  write("m.xml", kPendulum);
  EXPECT_THAT(on_terminal("TERM=xterm", "run m.xml --time 0.1"), Not(HasSubstr("[#")));
  std::string shown;
  for (const char* seconds : {"2", "8", "32"}) {  // a busy machine may still be loading
    shown = on_terminal(std::string("TERM=xterm timeout -s INT ") + seconds, "run m.xml --time 1e6");
    if (shown.find("simulated") != std::string::npos) break;
  }
  EXPECT_THAT(shown, testing::ContainsRegex("\\[#*-*\\] +[0-9]+ %.*simulated, .*left"));
}

TEST_F(Friendly, StartingModelsLoadWithoutWarningsAndDoNotReplaceFiles) {
  for (const std::string kind : {"arm", "walker", "gripper", "cloth"}) {
    ASSERT_EQ(sinew("new " + kind).code, 0) << kind;
    const Outcome check = sinew("check " + kind + ".xml");
    EXPECT_EQ(check.code, 0);
    EXPECT_EQ(check.out, "") << kind;
    EXPECT_THAT(read(kind + ".xml"), HasSubstr("<!--"));
    EXPECT_EQ(sinew("new " + kind).code, 1);
    EXPECT_EQ(sinew("new " + kind + " --force").code, 0);
  }
  EXPECT_EQ(sinew("new arm none/arm.xml").code, 1);
}

TEST_F(Friendly, StartingModelsDoWhatTheySay) {
  for (const char* kind : {"arm", "walker", "gripper", "cloth"}) ASSERT_EQ(sinew(std::string("new ") + kind).code, 0);
  ASSERT_EQ(sinew("run arm.xml --key home --ctrl shoulder=0.8 elbow=-1.2 --time 3 --record a.json --signals qpos").code,
            0);
  EXPECT_NEAR(last_row("a.json")[2].get<double>(), 0.8, 0.05);
  EXPECT_NEAR(last_row("a.json")[3].get<double>(), -1.2, 0.05);

  ASSERT_EQ(sinew("run walker.xml --key stand --time 5 --record w.json --signals qpos").code, 0);
  EXPECT_GT(last_row("w.json")[2].get<double>(), -0.15);  // m, height above that of the model: it stands
  EXPECT_NEAR(last_row("w.json")[3].get<double>(), 0, 0.1);

  ASSERT_EQ(
      sinew("run gripper.xml --key grasp --ctrl grip=25 lift=0.2 --time 3 --record g.json --signals xpos.ball").code,
      0);
  EXPECT_GT(last_row("g.json")[3].get<double>(), 0.2);  // m, the ball is held

  ASSERT_EQ(sinew("run cloth.xml --time 1 --record c.json --signals xpos.cloth_112").code, 0);
  EXPECT_NEAR(last_row("c.json")[3].get<double>(), 0.61, 0.01);  // m, on top of the ball
}

TEST_F(Friendly, ProfileListsStagesAsTableJsonAndPicture) {
  write("m.xml", kPendulum);
  const Outcome table = sinew("profile m.xml --steps 50 --plot p.svg");
  EXPECT_EQ(table.code, 0);
  for (const char* part : {"kinematics", "solve_constraints", "integrate", "over 50 steps"})
    EXPECT_THAT(table.out, HasSubstr(part));
  EXPECT_THAT(read("p.svg"),
              testing::AllOf(testing::StartsWith("<svg"), testing::EndsWith("</svg>\n"), HasSubstr(">kinematics<")));
  const json profile = json::parse(sinew("profile m.xml --steps 50 --json").out);
  double shares = 0;
  for (const json& stage : profile["stages"]) shares += stage["share"].get<double>();
  EXPECT_NEAR(shares, 1, 1e-9);
  EXPECT_EQ(profile["steps"], 50);
  EXPECT_EQ(sinew("profile m.xml --plot p.png").code, 1);
}

}  // namespace
}  // namespace sinew::test
