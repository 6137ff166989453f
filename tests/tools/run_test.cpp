#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using RunCommand = Shell;

TEST_F(RunCommand, ReportsItsSpeed) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("run m.xml --time 0.5");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.out, testing::IsEmpty());
  EXPECT_THAT(r.err, HasSubstr("50 steps, 0.5 s simulated"));
  EXPECT_THAT(r.err, HasSubstr("times real time"));
}

TEST_F(RunCommand, RefusesNumbersThatItCannotUse) {
  write("m.xml", kPendulum);
  const struct {
    const char *arguments, *message;
  } uses[] = {{"--time nan", "--time: 'nan' is not a number of at least 0"},
              {"--steps -1", "--steps: '-1' is not an integer of at least 0"},
              {"--steps 99999999999999999999",
               "--steps: '99999999999999999999' is not an integer from 0 to 9223372036854775807"},
              {"--every 0", "--every: '0' is not an integer of at least 1"},
              {"--threads 1e3", "--threads: '1e3' is not an integer from 0 to 1024"},
              {"--memory-limit -1", "--memory-limit: a size is not negative"}};
  for (const auto& use : uses) {
    const Outcome r = sinew(std::string("run m.xml ") + use.arguments);
    EXPECT_EQ(r.code, 2) << use.arguments;
    EXPECT_THAT(r.err, HasSubstr(use.message));
  }
  EXPECT_EQ(sinew("run m.xml --time +0.01").code, 0);
}

TEST_F(RunCommand, RefusesSignalsThatNobodyRecords) {
  write("m.xml", kPendulum);
  const Outcome r = sinew("run m.xml --steps 1 --signals qpos");
  EXPECT_EQ(r.code, 1);
  EXPECT_THAT(r.err, HasSubstr("--record or --plot"));
}

TEST_F(RunCommand, RecordsTheMotionOfMuJoCo) {
  write("m.xml", kPendulum);
  ASSERT_EQ(sinew("run m.xml --key up --ctrl push=0.5 --time 1 --record motion.json").code, 0);
  const json motion = json::parse(read("motion.json"));
  EXPECT_EQ(motion["columns"],
            (json{"time", "qpos.hinge", "qvel.hinge", "energy.potential", "energy.kinetic", "actuator_force.push"}));
  ASSERT_EQ(motion["rows"].size(), 101);
  EXPECT_EQ(motion["rows"][0][1], -1.5);
  // MuJoCo 3.12.0, oracle.mjs get pendulum.xml qpos qvel --key 0 --steps 100 --set ctrl=0.5
  const json last = motion["rows"].back();
  EXPECT_NEAR(last[0].get<double>(), 1, 1e-12);
  EXPECT_NEAR(last[1].get<double>(), 3.5274714710575372, 1e-11);
  EXPECT_NEAR(last[2].get<double>(), 1.2521364162018285, 1e-11);
  EXPECT_EQ(last[5], 0.5);
}

TEST_F(RunCommand, WritesTheSameNumbersAsCsvAndJson) {
  write("m.xml", kPendulum);
  ASSERT_EQ(sinew("run m.xml --steps 3 --record a.json").code, 0);
  ASSERT_EQ(sinew("run m.xml --steps 3 --record a.csv").code, 0);
  const json motion = json::parse(read("a.json"));
  std::istringstream csv(read("a.csv"));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "time,qpos.hinge,qvel.hinge,energy.potential,energy.kinetic,actuator_force.push");
  for (const json& row : motion["rows"]) {
    ASSERT_TRUE(std::getline(csv, line));
    std::istringstream fields(line);
    for (const json& value : row) {
      std::string field;
      std::getline(fields, field, ',');
      EXPECT_EQ(std::stod(field), value.get<double>());
    }
  }
  EXPECT_FALSE(std::getline(csv, line));
}

TEST_F(RunCommand, RecordsForcesOfTheStateInTheSameRow) {
  // a spring: force -10 q in every row, not that of the previous step
  write("m.xml",
        R"(<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size="0.1"/></body></worldbody>
    <actuator><general joint="x" biastype="affine" biasprm="0 -10 0"/></actuator>
    <keyframe><key qpos="0.2"/></keyframe></mujoco>)");
  ASSERT_EQ(sinew("run m.xml --key 0 --steps 50 --record a.json").code, 0);
  const json record = json::parse(read("a.json"));
  for (const json& row : record["rows"]) EXPECT_NEAR(row[5].get<double>(), -10 * row[1].get<double>(), 1e-14);
}

TEST_F(RunCommand, PlotsEveryQuantityWithAxesLabelsAndLegend) {
  write("m.xml", kPendulum);
  ASSERT_EQ(sinew("run m.xml --time 1 --plot p.svg").code, 0);
  const std::string svg = read("p.svg");
  EXPECT_THAT(svg, testing::StartsWith("<svg"));
  EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
  for (const char* part : {"qpos (m or rad)", "qvel (m/s or rad/s)", "energy (J)", "actuator_force", "time (s)",
                           ">hinge<", ">potential<", ">push<", "<polyline"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_THAT(svg, testing::Not(HasSubstr("nan")));
}

TEST_F(RunCommand, RefusesOptionsThatDoNotFitTheModel) {
  write("m.xml", kPendulum);
  struct Case {
    const char* options;
    const char* says;
  };
  for (const Case& c :
       {Case{"--ctrl pull=1", "no actuator \"pull\": the model has 1: push"}, Case{"--ctrl push", "NAME=VALUE"},
        Case{"--ctrl push=one", "not a number"}, Case{"--ctrl push=nan", "not a number"},
        Case{"--ctrl push=1,2", "1 controls"}, Case{"--ctrl push=", "0 values"},
        Case{"--key down", "no keyframe \"down\""}, Case{"--key 1", "no keyframe"},
        Case{"--record a.csv --signals qpso", "did you mean 'qpos'?"}, Case{"--record a.txt", ".csv .jsonl .json .npz"},
        Case{"--plot a.png", ".svg"}, Case{"--record none/a.csv", "cannot write 'none/a.csv'"},
        Case{"--time 1e300", "too many steps"}}) {
    const Outcome r = sinew(std::string("run m.xml ") + c.options);
    EXPECT_EQ(r.code, 1) << c.options;
    EXPECT_THAT(r.err, HasSubstr(c.says)) << c.options;
  }
}

TEST_F(RunCommand, ReportsDivergenceAndContinues) {
  write(
      "m.xml",
      R"(<mujoco><option timestep="0.1"/><worldbody><body><joint name="x" type="slide"/><geom size="0.1"/></body></worldbody>
    <actuator><general joint="x" biastype="affine" biasprm="0 1e6 0"/></actuator>
    <keyframe><key qpos="1"/></keyframe></mujoco>)");
  const Outcome r = sinew("run m.xml --key 0 --steps 100 --record a.csv");
  EXPECT_EQ(r.code, 0);
  EXPECT_THAT(r.err, HasSubstr("is reset to its initial state"));
  EXPECT_THAT(r.err, HasSubstr("warnings:\n  qacc is bad at index 0: 33 times, first at time 0.2 (step 2); 33 resets"));
}

TEST_F(RunCommand, CompletesItsFilesWhenInterrupted) {
  write("m.xml", kPendulum);
  const auto has_rows = [&] { return std::filesystem::exists(path("a.json")) && read("a.json").size() > 1000; };
  const Outcome r = interrupted("run m.xml --time 1e6 --record a.json --plot a.svg --every 1000", has_rows);
  EXPECT_EQ(r.code, 130);  // 128 + SIGINT, the shell convention
  EXPECT_THAT(r.err, HasSubstr("interrupted after"));
  EXPECT_THAT(read("a.svg"), testing::EndsWith("</svg>\n"));
  EXPECT_GT(json::parse(read("a.json"))["rows"].size(), 1);
}

}  // namespace
}  // namespace sinew::test
