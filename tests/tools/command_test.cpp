#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Command = Shell;

TEST_F(Command, SaysItsVersionAndMujocos) {
  const Outcome r = sinew("--version");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, testing::MatchesRegex("sinew [0-9.]+ \\(numbers of MuJoCo 3\\.12\\.0\\)\n"));
}

TEST_F(Command, EverySubcommandHasHelpWithAnExample) {
  EXPECT_THAT(sinew("--help").out, HasSubstr("Examples"));
  for (const char* name : {"run", "info", "check", "compile", "replay", "bench", "schema"}) {
    const Outcome r = sinew(std::string(name) + " --help");
    EXPECT_EQ(r.code, 0) << name;
    EXPECT_THAT(r.out, HasSubstr("Example")) << name;
  }
}

TEST_F(Command, WrongUsageEndsWithTwoAndSaysWhat) {
  write("m.xml", kPendulum);
  for (const char* line : {"", "fly", "info", "info m.xml --jsn", "run m.xml --steps -3", "run m.xml --steps x",
                           "run m.xml --time 1 --steps 2", "bench m.xml --steps 0", "replay m.xml", "check"}) {
    const Outcome r = sinew(line);
    EXPECT_EQ(r.code, 2) << line;
    EXPECT_THAT(r.out, IsEmpty()) << line;
    EXPECT_THAT(r.err, Not(IsEmpty())) << line;
  }
}

TEST_F(Command, RefusesABadModelWithOneAndItsPlace) {
  write("bad.xml", "<mujoco>\n  <worldbody>\n    <geom sise=\"1\"/>\n  </worldbody>\n</mujoco>");
  write("ask.json", "{}");
  for (const char* line : {"info bad.xml", "info --json bad.xml", "run bad.xml", "bench bad.xml",
                           "replay bad.xml ask.json", "compile bad.xml out.snw"}) {
    const Outcome r = sinew(line);
    EXPECT_EQ(r.code, 1) << line;
    EXPECT_THAT(r.err, HasSubstr("bad.xml:3")) << line;
    EXPECT_THAT(r.err, HasSubstr("sise")) << line;
  }
}

TEST_F(Command, RefusesAMissingFileWithOne) {
  for (const char* line : {"info none.xml", "check none.xml", "run none.xml", "info none.snw"}) {
    const Outcome r = sinew(line);
    EXPECT_EQ(r.code, 1) << line;
    EXPECT_THAT(r.out + r.err, HasSubstr("none.")) << line;
  }
}

TEST_F(Command, InfoTellsSizesOptionsTreeAndMemory) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("info m.xml");
  EXPECT_EQ(r.code, 0);
  for (const char* part : {"nq 1", "nbody 2", "timestep           0.01", "integrator         RK4", "arm", "hinge hinge",
                           "rod", "push", "memory"})
    EXPECT_THAT(r.out, HasSubstr(part));
  EXPECT_THAT(r.out, Not(HasSubstr("solver  ")));  // a default, so not listed
}

TEST_F(Command, InfoAsJsonIsJsonAndNothingElse) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("info --json m.xml");
  const json info = json::parse(r.out);
  EXPECT_EQ(info["model"], "pendulum");
  EXPECT_EQ(info["sizes"]["nv"], 1);
  EXPECT_EQ(info["options"], (json{{"timestep", 0.01}, {"integrator", "RK4"}}));
  EXPECT_EQ(info["bodies"][1]["joints"][0], (json{{"name", "hinge"}, {"type", "hinge"}}));
  EXPECT_EQ(info["elements"]["actuator"], json::array({"push"}));
  EXPECT_GT(info["bytes"]["model"], 0);
  EXPECT_GT(info["bytes"]["data"], 0);
}

TEST_F(Command, CheckListsEveryProblemOfEveryModel) {
  write("good.xml", kPendulum);
  write("bad.xml", "<mujoco>\n<worldbody>\n<geom sise=\"1\"/>\n<geom size=\"x\"/>\n</worldbody>\n</mujoco>");
  EXPECT_EQ(sinew("check good.xml").code, 0);
  const Outcome r = sinew("check good.xml bad.xml");
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.out, HasSubstr("bad.xml:3"));
  EXPECT_THAT(r.out, HasSubstr("bad.xml:4"));
  EXPECT_THAT(r.err, HasSubstr("2 models checked, 1 refused: 2 errors"));
}

TEST_F(Command, CompileWritesABinaryModelThatEverySubcommandTakes) {
  write("m.xml", kPendulum);
  EXPECT_EQ(sinew("compile m.xml m.snw").code, 0);
  json from_text = json::parse(sinew("info --json m.xml").out),
       from_binary = json::parse(sinew("info --json m.snw").out);
  from_text.erase("file");
  from_binary.erase("file");
  EXPECT_EQ(from_text, from_binary);
  EXPECT_EQ(sinew("run m.snw --steps 3").code, 0);
}

TEST_F(Command, CompileWritesMjcfThatCompilesToTheSameBytes) {
  write("m.xml", kPendulum);
  EXPECT_EQ(sinew("compile m.xml flat.xml").code, 0);
  EXPECT_EQ(sinew("compile m.xml m.snw").code, 0);
  EXPECT_EQ(sinew("compile flat.xml flat.snw").code, 0);
  EXPECT_TRUE(read("m.snw") == read("flat.snw"));
}

TEST_F(Command, CompileRefusesWhatItCannotWrite) {
  write("m.xml", kPendulum);
  EXPECT_EQ(sinew("compile m.xml m.snw").code, 0);
  const Outcome back = sinew("compile m.snw out.xml");
  EXPECT_EQ(back.code, 1);
  EXPECT_THAT(back.err, HasSubstr("binary"));
  EXPECT_EQ(sinew("compile m.xml none/out.xml").code, 1);
  EXPECT_EQ(sinew("compile m.xml out.foo").code, 1);
  EXPECT_EQ(sinew("compile m.xml none/out.snw").code, 1);
}

TEST_F(Command, SchemaPrintsTheReferenceOfTheLanguage) {
  const Outcome r = sinew("schema");
  EXPECT_EQ(r.code, 0);
  for (const char* word : {"worldbody", "freejoint", "timestep", "gravity"}) EXPECT_THAT(r.out, HasSubstr(word));
}

TEST_F(Command, BenchPrintsOneLinePerModelAndOnePerStage) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("bench m.xml --steps 20 --stages");
  EXPECT_EQ(r.code, 0);
  for (const char* part : {"steps/s", "m.xml", "kinematics", "solve_constraints", "integrate"})
    EXPECT_THAT(r.out, HasSubstr(part));
}

}  // namespace
}  // namespace sinew::test
