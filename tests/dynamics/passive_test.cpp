#include "dynamics/passive.h"

#include <gtest/gtest.h>

#include <array>

#include "dynamics/smooth_level.h"

namespace sinew {
namespace {

using namespace test;

/// A floating chain of three bodies in a medium; `option` describes the medium, `geoms` the three geoms.
std::string swimmer(const std::string& option, const std::array<std::string, 3>& geoms) {
  return "<mujoco><option gravity=\"0 0 0\" " + option + R"(/><worldbody>
    <body euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0" mass="2" )" +
         geoms[0] + R"(/>
    <body pos=".3 .1 0" euler="40 5 6"><joint axis="1 2 3"/>
      <geom type="ellipsoid" size=".05 .1 .2" mass=".5" )" +
         geoms[1] + R"(/>
      <geom type="capsule" size=".04 .1" pos=".1 .1 0" mass=".3"/>
    <body pos=".1 0 .2"><joint axis="0 1 0"/><geom size=".07 .12" mass=".4" )" +
         geoms[2] + R"(/></body></body></body>
    </worldbody></mujoco>)";
}

/// Two hinges with a fixed tendon whose spring has a range of rest lengths, and a spatial tendon with armature.
std::string springy_arm(const std::string& springlength) {
  return R"(<mujoco><worldbody><site name="w" pos="0 0 .5"/>
    <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="2"/>
      <body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0" mass="1"/>
        <site name="s" pos=".3 0 .1"/></body></body></worldbody>
    <tendon><fixed name="t" stiffness="10 3 2" damping=".5 .2 .1" springlength=")" +
         springlength + R"(">
        <joint joint="j" coef="1.5"/><joint joint="k" coef="-.5"/></fixed>
      <spatial name="u" stiffness="20" damping="2" armature=".4"><site site="w"/><site site="s"/></spatial></tendon>
    <actuator><motor tendon="u" gear="2" damping=".2 .1" armature=".05"/></actuator></mujoco>)";
}

/// Every kind of joint with a polynomial spring and damper.
const std::string kSprings = R"(<mujoco><option gravity="0 0 0"/><worldbody>
  <body><joint name="j" type="slide" stiffness="10 3 2" springref=".1" damping=".5 .2 .1"/>
    <joint axis="0 1 0" stiffness="0 0 4" damping="0 .3"/><geom size=".1" mass="2"/>
    <body pos=".5 0 0"><joint type="ball" stiffness="4 2 1" damping="1 .5 .25"/>
      <geom size=".1" pos=".2 0 0" mass="1"/></body></body>
  <body pos="1 0 0"><freejoint/><geom size=".1" mass="1"/></body>
  <body pos="2 0 0"><joint type="free" stiffness="3 1 .5" damping=".2"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><motor joint="j" gear="2" damping=".3 .1"/><motor joint="j" gear="-1" damping=".1"/></actuator></mujoco>)";

class Passive : public testing::TestWithParam<Golden> {};

TEST_P(Passive, MatchesMuJoCo) {
  const Golden& golden = GetParam();
  const Model m = model_of(golden.model);
  Data d = golden_world(m, golden);
  potential_energy(m, d);
  kinetic_energy(m, d);
  for (const auto& [name, values] : golden.out) expect_golden(name, field(d, name), values);
}

// MuJoCo 3.12.0: qpos and qvel written into mjData, mj_forward with the energy flag.
INSTANTIATE_TEST_SUITE_P(
    Golden, Passive,
    testing::ValuesIn(std::vector<Golden>{
        {"PolynomialSpringsAndDampers",
         kSprings,
         {{"qpos", {-0.4, 0.8, 0.8, 0.2, 0.4, 0.4, 1, 0.1, 0.2, 1, 0, 0, 0, 2.2, 0.1, -0.3, 0.5, 0.5, 0.5, 0.6}},
          {"qvel", {-2, 0.7, 0.5, -0.6, 0.7, 1, 2, 3, 0.1, 0.2, 0.3, -0.5, 0.4, 0.3, 0.2, 0.1, 0.05}}},
         {{"qfrc_spring",
           {4.5, -2.0480000000000005, -3.5308387363118983, -7.0616774726237965, -7.0616774726237965, 0, 0, 0, 0, 0, 0,
            -0.6888331477354794, -0.34441657386773944, 1.0332497216032182, -8.669230651283174, -8.669230651283174,
            -10.403076781539808}},
          {"qfrc_damper",
           {6.8, -0.147, -0.65625, 0.8340000000000001, -1.03075, 0, 0, 0, 0, 0, 0, 0.1, -0.08000000000000002, -0.06,
            -0.04000000000000001, -0.020000000000000004, -0.010000000000000002}},
          {"qfrc_passive",
           {11.3, -2.1950000000000003, -4.187088736311898, -6.227677472623796, -8.092427472623797, 0, 0, 0, 0, 0, 0,
            -0.5888331477354795, -0.42441657386773946, 0.9732497216032181, -8.709230651283173, -8.689230651283173,
            -10.413076781539807}},
          {"energy", {20.175155758419216, 13.566069176603124}}}},
        {"TendonShorterThanItsDeadBand",
         springy_arm("1.2 1.5"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}},
         {{"qfrc_spring", {3.6278577485647356, -1.0894812799585856}},
          {"qfrc_damper", {-12.572359913440895, 4.3603963931136445}},
          {"qfrc_bias", {-12.077638160114969, -2.1540850470594846}},
          {"energy", {-3.3216773783090825, 0.40562305206146687}},
          {"ten_velocity", {3.5, -0.13661844865829909}}}},
        {"TendonLongerThanItsDeadBand",
         springy_arm(".2 .5"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}},
         {{"qfrc_spring", {-7.8223922514352635, 2.7272687200414145}},
          {"qfrc_damper", {-12.572359913440895, 4.3603963931136445}},
          {"energy", {-2.4963773783090817, 0.40562305206146687}}}},
        {"TendonInsideItsDeadBand",
         springy_arm(".2 1.5"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}},
         {{"qfrc_spring", {0.11223274856473715, 0.08239372004141403}},
          {"qfrc_damper", {-12.572359913440895, 4.3603963931136445}},
          {"energy", {-3.620505503309082, 0.40562305206146687}}}},
        {"InertiaBoxInViscousMedium",
         swimmer(R"(density="0" viscosity=".8" wind="0 0 0")", {"", "", R"(type="sphere" )"}),
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.4, -0.7}}, {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5}}},
         {{"qfrc_fluid",
           {-4.151089853165935, 10.595579428530899, -1.9452588709675205, -0.21211620158677882, 0.46285101432287984,
            -0.8144246308948683, -0.14349904163584087, 0.00041134442926943045}}}},
        {"InertiaBoxInDenseMedium",
         swimmer(R"(density="1.2" viscosity="0" wind="0 0 0")", {"", "", R"(type="sphere" )"}),
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.4, -0.7}}, {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5}}},
         {{"qfrc_fluid",
           {-0.17434109152088756, 0.7677424011712837, 0.03316172711240385, -0.009814816129154413, 0.028465457714356417,
            -0.02725303305463332, -0.007490913215953899, 9.263159193983134e-09}}}},
        {"InertiaBoxInWind",
         swimmer(R"(density="1.2" viscosity=".8" wind="3 -1 2")", {"", "", R"(type="sphere" )"}),
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.4, -0.7}}, {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5}}},
         {{"qfrc_fluid",
           {12.641787322935528, 5.296197061196796, 9.301413450026839, 0.2551849071874585, -2.9988310470659156,
            1.3897100579016481, 0.08909551852678403, 0.0004113536924286246}},
          {"qfrc_passive",
           {12.641787322935528, 5.296197061196796, 9.301413450026839, 0.2551849071874585, -2.9988310470659156,
            1.3897100579016481, 0.08909551852678403, 0.0004113536924286246}}}},
        {"EllipsoidsInWind",
         swimmer(R"(density="1.2" viscosity=".8" wind="3 -1 2")",
                 {R"(fluidshape="ellipsoid")", R"(fluidshape="ellipsoid" fluidcoef=".3 .2 1.1 .9 .8")",
                  R"(type="capsule" fluidshape="ellipsoid")"}),
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.4, -0.7}}, {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8, 2.5, -1.5}}},
         {{"qfrc_fluid",
           {15.326521209402305, 6.748430703267488, 11.555020566998298, 0.016701805139240015, -4.289677876736712,
            2.0711668212173495, 0.18298822704481055, 0.0028764395835168925}},
          {"qfrc_passive",
           {15.326521209402305, 6.748430703267488, 11.555020566998298, 0.016701805139240015, -4.289677876736712,
            2.0711668212173495, 0.18298822704481055, 0.0028764395835168925}}}},
        {"CylinderEllipsoidAtRest",
         swimmer(R"(density="1.2" viscosity=".1" wind="0 0 0")",
                 {"", R"(fluidshape="ellipsoid")", R"(type="cylinder" fluidshape="ellipsoid")"}),
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6, 0.4, -0.7}}},
         {{"qfrc_fluid", {0, 0, 0, 0, 0, 0, 0, 0}}}},
    }),
    golden_name);

TEST(Passive, SpringForceIsMinusTheGradientOfPotentialEnergy) {
  for (const std::string& text : {kSprings, springy_arm("1.2 1.5"), springy_arm(".2 .5")}) {
    Model m = model_of(text);
    m.opt.disableflags |= kDisableGravity;
    Data d = world_of(m);
    std::mt19937 random(3);
    for (int trial = 0; trial < 5; ++trial) {
      displace(m, d, random, 0.6);
      smooth_forces(m, d);
      const std::vector<double> force = field(d, "qfrc_spring");
      for (int dof = 0; dof < m.nv; ++dof) {
        const auto energy = [&] {
          potential_energy(m, d);
          return std::vector<double>{d.energy[0]};
        };
        EXPECT_NEAR(force[std::size_t(dof)], -slope(m, d, dof, energy)[0], 1e-7) << "dof " << dof;
      }
    }
  }
}

TEST(Passive, FullGravityCompensationBalancesGravity) {
  const Model m = model_of(R"(<mujoco><default><joint axis="0 1 0"/></default><worldbody>
    <body gravcomp="1"><freejoint/><geom size=".1" pos=".1 .2 .3"/>
      <body pos=".3 0 0" gravcomp="1"><joint type="ball"/><geom type="box" size=".1 .2 .3"/>
        <body pos="0 .2 0" gravcomp="1"><joint/><geom size=".1" pos=".2 0 0"/></body></body></body>
    </worldbody></mujoco>)");
  Data d = world_of(m);
  std::mt19937 random(4);
  for (int trial = 0; trial < 5; ++trial) {
    displace(m, d, random);
    smooth_forces(m, d);
    for (int dof = 0; dof < m.nv; ++dof)
      EXPECT_NEAR(d.qfrc_passive[dof], d.qfrc_bias[dof], 1e-10 * m.body_subtreemass[1]);
  }
}

TEST(Passive, NegativeGravcompActsOnlyIfSomeBodyHasAPositiveOne) {
  const auto passive = [](const char* first, const char* second) {
    const Model m = model_of(std::string("<mujoco><worldbody><body gravcomp='") + first +
                             "'><freejoint/><geom size='.1'/></body><body pos='1 0 0' gravcomp='" + second +
                             "'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    Data d = world_of(m);
    smooth_forces(m, d);
    return std::array<double, 3>{double(m.ngravcomp), d.qfrc_passive[2], d.qfrc_passive[8]};
  };
  // MuJoCo 3.12.0, native
  EXPECT_EQ(passive("-1", "0"), (std::array<double, 3>{0, 0, 0}));
  EXPECT_EQ(passive("-1", "-1"), (std::array<double, 3>{0, 0, 0}));
  const auto mixed = passive("-1", ".5");
  EXPECT_EQ(mixed[0], 1);
  EXPECT_NEAR(mixed[1], -41.092031908954503, 1e-13);
  EXPECT_NEAR(mixed[2], 20.546015954477252, 1e-13);
}

TEST(Passive, SpringAndDamperFlagsDisableTheirTermsAndTogetherAllPassiveForces) {
  Model m = model_of(R"(<mujoco><option density="1" viscosity="1"/><worldbody><body gravcomp=".5">
    <joint axis="0 1 0" stiffness="3" damping="2"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>)");
  Data d = world_of(m, {0.3});
  d.qvel[0] = 0.7;
  const auto parts = [&](int flags) {
    m.opt.disableflags = flags;
    smooth_forces(m, d);
    return std::array<bool, 5>{d.qfrc_spring[0] != 0, d.qfrc_damper[0] != 0, d.qfrc_gravcomp[0] != 0,
                               d.qfrc_fluid[0] != 0, d.qfrc_passive[0] != 0};
  };
  EXPECT_EQ(parts(0), (std::array<bool, 5>{true, true, true, true, true}));
  EXPECT_EQ(parts(kDisableSpring), (std::array<bool, 5>{false, true, true, true, true}));
  EXPECT_EQ(parts(kDisableDamper), (std::array<bool, 5>{true, false, true, true, true}));
  EXPECT_EQ(parts(kDisableGravity), (std::array<bool, 5>{true, true, false, true, true}));
  EXPECT_EQ(parts(kDisableSpring | kDisableDamper), (std::array<bool, 5>{false, false, false, false, false}));
}

TEST(Passive, CallbackAddsToTheSum) {
  const Model m = model_of(kSprings);
  Data d = world_of(m), plain = d;
  d.callbacks.passive = [](const Model&, Data& w) { w.qfrc_passive[1] += 5; };
  smooth_forces(m, d);
  smooth_forces(m, plain);
  EXPECT_EQ(d.qfrc_passive[1], plain.qfrc_passive[1] + 5);
}

TEST(Passive, AdhesionPullsTheBodiesOfAContactTogether) {
  Model m = model_of(R"(<mujoco><worldbody><body><joint type="slide"/><geom size=".1" adhesion="1"/></body>
    <body pos="0 0 1"><joint type="slide" axis="0 0 2"/><geom size=".1"/></body></worldbody></mujoco>)");
  m.flg_adhesion = true;
  Data d = world_of(m);
  Contact contact;
  contact.adhesion = 3;
  contact.geom = {0, 1};
  contact.pos = {0, 0, 0.5};
  contact.frame = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  d.contact = {contact, contact};
  d.contact[1].exclude = 2;
  d.ncon = 2;
  smooth_forces(m, d);
  EXPECT_EQ(d.qfrc_adhesion[0], 3);
  EXPECT_EQ(d.qfrc_adhesion[1], -3);
  EXPECT_EQ(d.qfrc_passive[0], 3);
}

}  // namespace
}  // namespace sinew
