#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Command = Shell;

/// First words of the lines below "Subcommands:".
std::vector<std::string> subcommands(const std::string& help) {
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::vector<std::string> out;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) {
    if (line[2] != ' ') out.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return out;
}

TEST_F(Command, PrintsItsVersionAndThatOfMuJoCo) {
  const Outcome r = sinew("--version");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, testing::MatchesRegex("sinew [0-9.]+ \\(compatible with MuJoCo 3\\.12\\.0\\)\n"));
}

TEST_F(Command, EverySubcommandHasHelpWithAnExample) {
  const std::string help = sinew("--help").out;
  EXPECT_THAT(help, HasSubstr("Examples"));
  const std::vector<std::string> names = subcommands(help);
  EXPECT_THAT(names, testing::IsSupersetOf({"run", "convert", "diff", "completion", "manual"}));
  for (const std::string& name : names) {
    const Outcome r = sinew(name + " --help");
    EXPECT_EQ(r.code, 0) << name;
    const std::size_t examples = r.out.find("Example");
    ASSERT_NE(examples, std::string::npos) << name;
    EXPECT_THAT(r.out.substr(examples), HasSubstr("sinew " + name)) << name;
  }
}

TEST_F(Command, WrongUsageExitsWithTwoAndAMessage) {
  write("m.xml", kPendulum);
  for (const char* line : {"", "fly", "info", "info m.xml --jsn", "run m.xml --steps -3", "run m.xml --steps x",
                           "run m.xml --time 1 --steps 2", "bench m.xml --steps 0", "replay m.xml", "check"}) {
    const Outcome r = sinew(line);
    EXPECT_EQ(r.code, 2) << line;
    EXPECT_THAT(r.out, IsEmpty()) << line;
    EXPECT_THAT(r.err, Not(IsEmpty())) << line;
  }
}

TEST_F(Command, ABadModelExitsWithOneAndItsLocation) {
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

TEST_F(Command, AMissingFileExitsWithOne) {
  for (const char* line : {"info none.xml", "check none.xml", "run none.xml", "info none.snw"}) {
    const Outcome r = sinew(line);
    EXPECT_EQ(r.code, 1) << line;
    EXPECT_THAT(r.out + r.err, HasSubstr("none.")) << line;
  }
}

TEST_F(Command, InfoShowsSizesOptionsTreeAndMemory) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("info m.xml");
  EXPECT_EQ(r.code, 0);
  for (const char* part : {"nq 1", "nbody 2", "timestep           0.01", "integrator         RK4", "arm", "hinge hinge",
                           "rod", "push", "memory"})
    EXPECT_THAT(r.out, HasSubstr(part));
  EXPECT_THAT(r.out, Not(HasSubstr("solver  ")));  // a default, so not listed
}

TEST_F(Command, CheckListsProblemsOfTheReaderAndOfTheCompiler) {
  write("bad.xml", R"(<mujoco>
  <worldbody>
    <geom sise="1" size="1"/>
    <body name="b"><geom size="-1"/></body>
  </worldbody>
  <actuator>
    <motor joint="nowhere"/>
  </actuator>
</mujoco>)");
  const Outcome r = sinew("check bad.xml");
  EXPECT_EQ(r.code, 1);
  for (const char* part : {"bad.xml:3", "sise", "bad.xml:4", "bad.xml:7", "nowhere"})
    EXPECT_THAT(r.out, HasSubstr(part));
  EXPECT_THAT(r.err, HasSubstr("3 errors"));
}

/// A unit cube of triangles; `faces` may omit or flip some.
std::string cube_model(const std::string& faces, const std::string& geoms) {
  return R"(<mujoco><asset><mesh name="cube" inertia="legacy"
    vertex="0 0 0  1 0 0  0 1 0  1 1 0  0 0 1  1 0 1  0 1 1  1 1 1" face=")" +
         faces + R"("/></asset><worldbody><body name="b"><freejoint/>)" + geoms + "</body></worldbody></mujoco>";
}
const std::string kCubeButOne = "0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 ";
const std::string kColliding = R"(<geom type="mesh" mesh="cube"/>)";

TEST_F(Command, InfoShowsMeshesWithHullVolumeAndInertia) {
  write("m.xml", cube_model(kCubeButOne + "3 7 5", kColliding));
  const json info = json::parse(sinew("info --json m.xml").out);
  ASSERT_EQ(info["meshes"].size(), 1);
  const json& mesh = info["meshes"][0];
  EXPECT_EQ(mesh["name"], "cube");
  EXPECT_EQ(mesh["vertices"], 8);
  EXPECT_EQ(mesh["faces"], 12);
  EXPECT_EQ(mesh["hull"], (json{{"vertices", 8}, {"faces", 12}}));
  EXPECT_NEAR(mesh["volume"].get<double>(), 1, 1e-6);
  for (const json& moment : mesh["inertia"]) EXPECT_NEAR(moment.get<double>(), 1000.0 / 6, 1e-3);
  EXPECT_EQ(mesh["watertight"], true);
  EXPECT_THAT(info["warnings"], IsEmpty());
  EXPECT_THAT(sinew("info m.xml").out, testing::ContainsRegex("cube +8 +12 +8/12 +1 +166.7 166.7 166.7"));
}

TEST_F(Command, InfoWarnsAboutProblematicMeshes) {
  const auto warnings = [&](const std::string& model) {
    write("m.xml", model);
    const json info = json::parse(sinew("info --json m.xml").out);
    return info["warnings"].dump();
  };
  EXPECT_THAT(warnings(cube_model(kCubeButOne, kColliding)), HasSubstr("not watertight: 3 edges"));
  EXPECT_THAT(warnings(cube_model(kCubeButOne + "3 5 7", kColliding)), HasSubstr("opposite orientations"));
  std::string inverted;
  std::istringstream words(kCubeButOne + "3 7 5");
  for (std::string a, b, c; words >> a >> b >> c;) inverted += a + " " + c + " " + b + " ";
  EXPECT_THAT(warnings(cube_model(inverted, kColliding)), HasSubstr("inverted normals"));
  EXPECT_THAT(warnings(cube_model(kCubeButOne + "3 7 5",
                                  kColliding + R"(<geom name="box" type="box" size="1 1 1" group="3"/>)")),
              HasSubstr("geom 'box' of the same body"));
  EXPECT_THAT(warnings(cube_model(kCubeButOne + "3 7 5", kColliding + kColliding)), HasSubstr("of the same body"));
  EXPECT_THAT(warnings(cube_model(kCubeButOne + "3 7 5",
                                  R"(<geom type="mesh" mesh="cube" contype="0" conaffinity="0"/>
                                     <geom type="box" size="1 1 1" group="3"/>)")),
              Not(HasSubstr("same body")));
  EXPECT_THAT(warnings(R"(<mujoco><asset><mesh name="ball" builtin="sphere" params="4"/>
    <mesh name="ring" builtin="supertorus" params="20 0.2 1 1"/></asset><worldbody>
    <geom type="mesh" mesh="ball"/><geom type="mesh" mesh="ring" pos="9 0 0"/></worldbody></mujoco>)"),
              testing::AllOf(HasSubstr("mesh 'ball': collides with a hull of 2562 vertices"),
                             HasSubstr("mesh 'ring': collides as its convex hull")));
}

TEST_F(Command, InfoAsJsonPrintsOnlyJson) {
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
  EXPECT_THAT(r.err, HasSubstr("2 models checked, 1 rejected: 2 errors"));
}

TEST_F(Command, CompileWritesABinaryModelThatEverySubcommandAccepts) {
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

TEST_F(Command, SchemaPrintsTheMjcfReference) {
  const Outcome r = sinew("schema");
  EXPECT_EQ(r.code, 0);
  for (const char* word : {"worldbody", "freejoint", "timestep", "gravity"}) EXPECT_THAT(r.out, HasSubstr(word));
}

TEST_F(Command, CheckAsJsonListsModelsWithTheirProblems) {
  write("good.xml", kPendulum);
  write("bad.xml", "<mujoco>\n  <worldbody>\n    <geom sise=\"1\"/>\n  </worldbody>\n</mujoco>");
  const Outcome r = sinew("check good.xml bad.xml --json");
  EXPECT_EQ(r.code, 1);
  const json models = json::parse(r.out);
  EXPECT_EQ(models[0]["valid"], true);
  EXPECT_EQ(models[0]["problems"].size(), 0);
  const json& problem = models[1]["problems"][0];
  EXPECT_EQ(models[1]["valid"], false);
  EXPECT_EQ(problem["severity"], "error");
  EXPECT_EQ(problem["line"], 3);
  EXPECT_EQ(problem["element"], "geom");
  EXPECT_THAT(problem["file"].get<std::string>(), testing::EndsWith("bad.xml"));
}

TEST_F(Command, BenchAsJsonHasTheSameNumbers) {
  write("m.xml", kPendulum);
  const json rows = json::parse(sinew("bench m.xml --steps 20 --stages --json").out);
  EXPECT_EQ(rows[0]["model"], "m.xml");
  EXPECT_NEAR(rows[0]["real_time_factor"].get<double>(), 0.01 * rows[0]["steps_per_second"].get<double>(), 1e-6);
  EXPECT_EQ(rows[0]["stages"][0].contains("us_per_step"), true);
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
