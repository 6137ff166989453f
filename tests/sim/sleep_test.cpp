#include "world.h"

namespace sinew::test {
namespace {

constexpr const char* kStack = R"(<mujoco>
  <option timestep="0.005"><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0 0 .301"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 1.5"><freejoint/><geom type="box" size=".08 .08 .08"/></body>
  </worldbody>
</mujoco>)";

void steps(World& w, int n) {
  for (int i = 0; i < n; ++i) step(w.m, w.d);
}

std::vector<int> asleep(const World& w) { return {w.d.tree_asleep.begin(), w.d.tree_asleep.end()}; }

// MuJoCo 3.12.0: oracle get tree_asleep qpos --steps N
TEST(Sleep, TreesFallAsleepAndWakeInTheSameStepsAsInMuJoCo) {
  World w(kStack);
  steps(w, 50);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, 2, -11}));
  EXPECT_NEAR(w.d.qpos[9], 0.2995815283713916, 1e-9);
  steps(w, 50);
  forward(w.m, w.d);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, -11, -11})) << "the falling box wakes the one below it";
  steps(w, 50);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, -1, -5}));
  EXPECT_NEAR(w.d.qpos[23], 0.2796711845189371, 1e-7);
  steps(w, 50);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, 3, 2}));
}

TEST(Sleep, CountersDoNotAdvanceWithRowsButWithoutIslands) {
  World w(R"(<mujoco><option><flag sleep="enable" island="disable"/></option><worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1005"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="0 5 1" gravcomp="1"><joint type="slide" damping="10"/><geom size=".1"/></body></worldbody></mujoco>)");
  // MuJoCo 3.12.0, native: the box lands in the step after the fifth
  steps(w, 5);
  EXPECT_EQ(asleep(w), (std::vector{-11, -6}));
  steps(w, 45);
  EXPECT_EQ(asleep(w), (std::vector{-11, -6}));
  w.m.opt.disableflags = 0;
  steps(w, 5);
  EXPECT_EQ(asleep(w), (std::vector{-11, 1}));
}

TEST(Sleep, ActuatorsOfSleepingTreesHaveNoForceAndKeepTheirRate) {
  World w(R"(<mujoco><option sleep_tolerance="10" gravity="0 0 0"><flag sleep="enable"/></option><worldbody>
    <site name="w0"/><site name="w1" pos="0 0 1"/>
    <body sleep="allowed"><joint name="j" type="slide"/><geom size=".1"/><site name="s" pos=".1 0 .2"/></body>
    <body pos="1 0 0" sleep="never"><joint type="slide"/><geom size=".1"/><site name="c"/></body></worldbody>
    <tendon><spatial name="t"><site site="s"/><site site="w1"/></spatial>
      <spatial name="u"><site site="s"/><site site="c"/></spatial></tendon>
    <default><general dyntype="filter" dynprm=".1"/></default>
    <actuator><general joint="j"/><general tendon="t"/><general site="s" refsite="c"/>
      <general cranksite="s" slidersite="w0" cranklength="1"/><general cranksite="w0" slidersite="w1" cranklength="1"/>
      <general tendon="u"/><general site="w0" refsite="s"/><general cranksite="c" slidersite="s" cranklength="1"/>
    </actuator></mujoco>)");
  std::ranges::fill(w.d.ctrl, 0.5);
  steps(w, 10);
  ASSERT_EQ(asleep(w), (std::vector{0, -11}));
  const std::vector<double> rate(w.d.act_dot.begin(), w.d.act_dot.end());
  steps(w, 3);
  // MuJoCo 3.12.0, native: the first four sleep, the fifth never acts, and the others stay active
  for (int i = 0; i < 8; ++i) {
    const bool sleeps = i < 5;
    EXPECT_EQ(w.d.actuator_force[i] == 0, sleeps) << i;
    EXPECT_EQ(w.d.act_dot[i] == rate[i], sleeps) << i;
  }
  EXPECT_EQ(w.d.act_dot[4], 0);
}

TEST(Sleep, AnExplicitPairNeedsAnAwakeBody) {
  const std::string text = R"(<worldbody><body><geom name="a" size=".1"/></body>
    <body pos="0 0 .15"><geom name="b" size=".1"/></body>
    <body pos="3 0 0"><joint/><geom size=".1" pos=".1 0 0"/></body></worldbody>
    <contact><pair geom1="a" geom2="b"/></contact></mujoco>)";
  // MuJoCo 3.12.0, native
  for (const bool sleep : {false, true}) {
    World w("<mujoco><option><flag sleep=\"" + std::string(sleep ? "enable" : "disable") + "\"/></option>" + text);
    forward(w.m, w.d);
    EXPECT_EQ(w.d.ncon, sleep ? 0 : 1);
  }
}

TEST(Sleep, IsRefusedIfATendonKeepsTheTreeAwake) {
  struct Case {
    int ntree;
    const char *tendon, *error;
  };
  // MuJoCo 3.12.0, native, refuses the last two
  for (const Case& c :
       {Case{2, "", ""}, Case{2, R"(stiffness="1")", "stiffness or damping"}, Case{3, "", "more than two trees"}}) {
    std::string bodies, joints;
    for (int i = 0; i < c.ntree; ++i) {
      const std::string name = "\"j" + std::to_string(i) + "\"";
      bodies += "<body pos=\"" + std::to_string(i) + " 0 0\"" + (i == 1 ? " sleep=\"allowed\"" : "") +
                "><joint name=" + name + " type=\"slide\"/><geom size=\".1\"/></body>";
      joints += "<joint joint=" + name + " coef=\"1\"/>";
    }
    const auto model = load_string("<mujoco><worldbody>" + bodies + "</worldbody><tendon><fixed " + c.tendon + ">" +
                                   joints + "</fixed></tendon></mujoco>");
    const std::string error = model ? "" : model.error().text();
    EXPECT_EQ(error.empty(), *c.error == 0) << error;
    EXPECT_NE(error.find(c.error), std::string::npos) << error;
  }
}

// MuJoCo 3.12.0 ends in an error here
TEST(Sleep, TreesThatATendonEqualityCouplesSleepAndWakeTogether) {
  std::string bodies;
  for (const char* joint : {"a", "b", "c"}) {
    bodies += std::string("<body><joint axis=\"0 1 0\" damping=\"3\" name=\"") + joint +
              "\"/><geom size=\"0.1\" pos=\"0 0 -0.3\" contype=\"0\"/></body>";
  }
  World w("<mujoco><option><flag sleep=\"enable\"/></option><worldbody>" + bodies + R"(</worldbody>
    <tendon><fixed name="t"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
    <equality><tendon tendon1="t"/></equality></mujoco>)");
  steps(w, 200);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, 2}));
  w.d.qfrc_applied[0] = 2;
  steps(w, 1);
  EXPECT_LT(w.d.tree_asleep[0], 0);
  EXPECT_LT(w.d.tree_asleep[1], 0);
  EXPECT_EQ(w.d.tree_asleep[2], 2);
  EXPECT_EQ(w.d.nefc, 1);
}

TEST(Sleep, SleepingTreesDoNotMoveByASingleBit) {
  World w(kStack);
  steps(w, 400);
  ASSERT_EQ(asleep(w), (std::vector{1, 0, 3, 2}));
  const std::vector<double> before(w.d.qpos.begin(), w.d.qpos.end());
  steps(w, 100);
  EXPECT_TRUE(std::ranges::equal(before, w.d.qpos));
  EXPECT_EQ(w.d.ncon, 0) << "contacts between sleeping trees are not computed";
}

TEST(Sleep, APushWakesTheWholeSleepCycle) {
  World w(kStack);
  steps(w, 400);
  w.d.xfrc_applied[6 * 1 + 2] = 1;
  forward(w.m, w.d);
  EXPECT_EQ(asleep(w), (std::vector{-11, -11, 3, 2}));
  EXPECT_GT(w.d.ncon, 0);
}

TEST(Sleep, EditingAPositionWakesTheTree) {
  World w(kStack);
  steps(w, 400);
  w.d.qpos[14] += 1e-9;
  forward(w.m, w.d);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, -11, -11}));
}

TEST(Sleep, DisablingItWakesAllTrees) {
  World w(kStack);
  steps(w, 400);
  w.m.opt.enableflags &= ~kEnableSleep;
  forward(w.m, w.d);
  EXPECT_EQ(asleep(w), std::vector<int>(4, -11));
}

TEST(Sleep, TreesWithThePolicyInitSleepFromTheStart) {
  World w(R"(<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
    <body pos="0 0 2" sleep="init"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)");
  EXPECT_EQ(asleep(w), (std::vector{0, -10}));
  steps(w, 100);
  EXPECT_EQ(w.d.qpos[2], 2);
  EXPECT_LT(w.d.qpos[9], 1.9);
}

// MuJoCo 3.12.0: 60 mj_step, eq_active by mj_setState, then mj_inverse (tree_asleep, qfrc_inverse of awake dofs; for
// sleeping dofs MuJoCo adds to the result of the previous call)
TEST(Sleep, InverseDynamicsWakesTreesOnlyAfterUserChanges) {
  const std::string weld = R"(<equality><weld body1="c" body2="d" active="false"/></equality></mujoco>)";
  std::string xml = kStack;
  xml.replace(xml.find("</mujoco>"), 9, weld);
  xml.replace(xml.find("<body pos=\"1 0 .1\""), 5, "<body name=\"c\"");
  xml.replace(xml.find("<body pos=\"1 0 1.5\""), 5, "<body name=\"d\"");
  World w(xml), pushed(xml);
  steps(w, 60);
  steps(pushed, 60);
  w.d.eq_active[0] = 1;
  inverse(w.m, w.d);
  EXPECT_EQ(asleep(w), (std::vector{1, 0, 2, -11}));
  EXPECT_NEAR(w.d.qfrc_inverse[20], -76720.5022, 1e-2);

  pushed.d.xfrc_applied[6 * 1 + 2] = 1;
  inverse(pushed.m, pushed.d);
  EXPECT_EQ(asleep(pushed), (std::vector{-11, -11, 2, -11}));
}

// MuJoCo 3.12.0: mj_step until tree 0 sleeps, then mj_rnePostConstraint (cfrc_ext, ncon, qfrc_constraint)
TEST(Sleep, ContactAndBodyForcesAreZeroFromTheStepAfterATreeFellAsleepUntilItWakes) {
  World w(kStack);
  const auto weight_on = [&](int body) {
    body_forces(w.m, w.d);
    return w.d.cfrc_ext[6 * body + 5];
  };
  steps(w, 36);
  ASSERT_EQ(asleep(w), (std::vector{1, 0, 2, -11}));
  EXPECT_EQ(w.d.ncon, 8);
  EXPECT_NEAR(weight_on(1), 78.499, 1e-3);
  EXPECT_NEAR(weight_on(2), 78.562, 1e-3);
  double normal = 0;  // all four corners of the upper box
  for (int c = 0; c < w.d.ncon; ++c)
    if (w.d.contact[c].geom == std::array{1, 2}) normal += contact_force(w.m, w.d, c)[0];
  EXPECT_NEAR(normal, 78.562, 1e-3);

  steps(w, 1);
  EXPECT_EQ(w.d.ncon, 0);
  EXPECT_EQ(weight_on(1), 0) << "contacts between sleeping trees are not computed";
  for (int i = 0; i < 12; ++i) EXPECT_EQ(w.d.qfrc_constraint[i], 0);

  w.d.qpos[2] += 1e-12;
  forward(w.m, w.d);
  EXPECT_NEAR(weight_on(2), 78.5, 0.5);
}

}  // namespace
}  // namespace sinew::test
