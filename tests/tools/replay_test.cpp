#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tools/shell.h"

namespace sinew::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using ReplayCommand = Shell;

void expect_near(const json& answer, const json& expected, double tolerance) {
  if (!expected.is_array()) {
    EXPECT_NEAR(answer.get<double>(), expected.get<double>(), tolerance);
    return;
  }
  ASSERT_EQ(answer.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(answer[i].get<double>(), expected[i].get<double>(), tolerance);
}

// MuJoCo 3.12.0, oracle.mjs dump pendulum.xml --steps 1: the frame k = 1
const json kIn = {{"time", 0.01},         {"qpos", {-1.4998993948248458}}, {"qvel", {0.02006684682750726}},
                  {"act", json::array()}, {"ctrl", {0.04997916927067836}}, {"qacc_warmstart", {1.9909438469604588}}};
const json kFwd = {{"xpos", {0, 0, 0, 0, 0, 1}},
                   {"xquat", {1, 0, 0, 0, 0.7317231561415138, 0, -0.6816019533175516, 0}},
                   {"M", {0.05674252497529381}},
                   {"qfrc_bias", {-0.11497893241679906}},
                   {"qfrc_passive", {-0.002006684682750726}},
                   {"actuator_force", {0.04997916927067836}},
                   {"qacc", {2.8717688730925737}},
                   {"energy", {8.111598767165722, 1.1424492927585308e-05}},
                   {"ncon", 0},
                   {"nefc", 0},
                   {"efc_force", json::array()}};
const json kNext = {
    {"time", 0.02}, {"qpos", {-1.4995558485548721}}, {"qvel", {0.048574967315177395}}, {"act", json::array()}};
const json kModel = {{"body_mass", {0, 0.6618288523562498}},
                     {"body_inertia", {0, 0, 0, 0.015378221703028182, 0.015378221703028182, 0.0001310253576057183}},
                     {"dof_invweight0", {17.623466710996894}},
                     {"jnt_limited", {0}}};

json blank(json object) {
  for (auto& value : object) value = nullptr;
  return object;
}

json one_frame(const json& in) {
  return {{"k", 1}, {"in", in}, {"fwd", blank(kFwd)}, {"inv", {{"qfrc_inverse", nullptr}}}, {"next", blank(kNext)}};
}

TEST_F(ReplayCommand, MatchesMuJoCoForAFrame) {
  write("m.xml", kPendulum);
  write("ask.json", json{{"frames", {one_frame(kIn)}}}.dump());
  const Outcome r = sinew("replay m.xml ask.json");
  ASSERT_EQ(r.code, 0) << r.err;
  const json frame = json::parse(r.out)["frames"][0];
  EXPECT_EQ(frame["k"], 1);
  for (const auto& [key, expected] : kFwd.items()) expect_near(frame["fwd"][key], expected, 1e-14);
  for (const auto& [key, expected] : kNext.items()) expect_near(frame["next"][key], expected, 1e-14);
  expect_near(frame["inv"]["qfrc_inverse"], {0.04997916927067837}, 1e-14);
}

TEST_F(ReplayCommand, FramesAreIndependent) {
  write("m.xml", kPendulum);
  json other = kIn;
  other["qpos"] = {0.3};
  other["qfrc_applied"] = {5};
  write("ask.json", json{{"frames", {one_frame(other), one_frame(kIn)}}}.dump());
  write("alone.json", json{{"frames", {one_frame(kIn)}}}.dump());
  const json after = json::parse(sinew("replay m.xml ask.json").out),
             alone = json::parse(sinew("replay m.xml alone.json").out);
  EXPECT_EQ(after["frames"][1], alone["frames"][0]);
}

TEST_F(ReplayCommand, SleepingTreesAreTreatedAsInARunningSimulation) {
  write("m.xml", R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="3 3 .1"/>
      <body pos="0 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>)");
  const auto frame = [](int k, double x, double z) -> json {
    return {{"k", k},
            {"in", {{"qpos", {x, 0, z, 1, 0, 0, 0}}, {"tree_asleep", {0}}}},
            {"fwd", {{"qacc", nullptr}, {"qacc_smooth", nullptr}, {"qfrc_smooth", nullptr}}},
            {"next", {{"qvel", nullptr}}}};
  };
  // asleep after reset, in two frames; woken by the move of a keyframe; later asleep again at the new position
  write("ask.json", json{{"frames", {frame(0, 0, .1), frame(7, 0, .1), frame(0, 1, .1), frame(60, 1, .09987)}}}.dump());
  const Outcome r = sinew("replay m.xml ask.json");
  ASSERT_EQ(r.code, 0) << r.err;
  const json frames = json::parse(r.out)["frames"];
  // MuJoCo 3.12.0, native: the third entry of each (without rows qacc is qacc_smooth, even for sleeping trees)
  const double qacc[] = {0, 0, -9.81, -9.81}, smooth[] = {0, 0, -9.81, -9.81}, next[] = {0, 0, -0.01962, 0};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(frames[i]["fwd"]["qacc"][2].get<double>(), qacc[i], 1e-12) << i;
    EXPECT_NEAR(frames[i]["fwd"]["qacc_smooth"][2].get<double>(), smooth[i], 1e-12) << i;
    EXPECT_NEAR(frames[i]["fwd"]["qfrc_smooth"][2].get<double>(), 8 * smooth[i], 1e-12) << i;
    EXPECT_NEAR(frames[i]["next"]["qvel"][2].get<double>(), next[i], 1e-12) << i;
  }
}

TEST_F(ReplayCommand, FillsMetaAndModelByName) {
  write("m.xml", kPendulum);
  json ask = {
      {"meta", {{"nq", nullptr}, {"nbody", nullptr}, {"nflex", nullptr}, {"integrator", nullptr}, {"steps", nullptr}}},
      {"model", blank(kModel)}};
  ask["model"]["opt"] = {{"timestep", nullptr}};
  ask["model"]["names"] = {{"body", nullptr}, {"joint", nullptr}};
  ask["model"]["no_such_array"] = nullptr;
  write("ask.json", ask.dump());
  const json out = json::parse(sinew("replay m.xml ask.json").out);
  EXPECT_EQ(out["meta"], (json{{"nq", 1}, {"nbody", 2}, {"nflex", 0}, {"integrator", "RK4"}}));  // steps: unknown here
  for (const auto& [key, expected] : kModel.items()) expect_near(out["model"][key], expected, 1e-12);
  EXPECT_EQ(out["model"]["opt"]["timestep"], 0.01);
  EXPECT_EQ(out["model"]["opt"]["enableflags"], 0);  // as in the file, although replay enables the energy flag
  EXPECT_EQ(out["model"]["names"], (json{{"body", {"world", "arm"}}, {"joint", {"hinge"}}}));
  EXPECT_FALSE(out["model"].contains("no_such_array"));
}

TEST_F(ReplayCommand, WritesNonFiniteNumbersAsStrings) {
  write("m.xml", kPendulum);
  json in = kIn;
  in["qfrc_applied"] = {"nan"};
  write("ask.json", json{{"frames", {one_frame(in)}}}.dump());
  const json out = json::parse(sinew("replay m.xml ask.json").out);
  EXPECT_EQ(out["frames"][0]["fwd"]["qacc"][0], "nan");
}

TEST_F(ReplayCommand, RefusesARequestThatDoesNotFitTheModel) {
  write("m.xml", kPendulum);
  json long_in = kIn, unknown_in = kIn, text_in = kIn;
  long_in["qpos"] = {1, 2};
  unknown_in["speed"] = {1};
  text_in["qvel"] = {"fast"};
  struct Case {
    std::string ask;
    const char* says;
  };
  for (const Case& c : {Case{"{", "not a JSON object"}, Case{"[1]", "not a JSON object"},
                        Case{json{{"frames", {one_frame(long_in)}}}.dump(), "2 values for qpos, the model needs 1"},
                        Case{json{{"frames", {one_frame(unknown_in)}}}.dump(), "speed"},
                        Case{json{{"frames", {one_frame(text_in)}}}.dump(), "ask.json"},
                        Case{R"({"frames": 7})", "ask.json"}, Case{R"({"frames": [7]})", "ask.json"}}) {
    write("ask.json", c.ask);
    const Outcome r = sinew("replay m.xml ask.json");
    EXPECT_EQ(r.code, 1) << c.ask;
    EXPECT_THAT(r.err, HasSubstr(c.says)) << c.ask;
    EXPECT_THAT(r.out, testing::IsEmpty()) << c.ask;
  }
  EXPECT_EQ(sinew("replay m.xml none.json").code, 1);
}

}  // namespace
}  // namespace sinew::test
