#include "dynamics/qderiv.h"

#include <gtest/gtest.h>

#include "dynamics/smooth_level.h"

namespace sinew {
namespace {

using namespace test;

std::string arm(const std::string& actuators) {
  return R"(<mujoco><option timestep="0.01"/><worldbody>
    <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="2"/>
      <body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0" mass="1"/></body></body></worldbody>
    <actuator>)" +
         actuators + "</actuator></mujoco>";
}

std::string ball(const std::string& actuators) {
  return R"(<mujoco><option timestep="0.01"/><worldbody><site name="w"/>
    <body><joint name="b" type="ball"/><geom type="box" size=".1 .2 .3" mass="2"/><site name="s"
         euler="20 30 40"/></body>
    </worldbody><actuator>)" +
         actuators + "</actuator></mujoco>";
}

/// One floating ellipsoid in wind.
const std::string kDrop = R"(<mujoco><option density="1.2" viscosity=".8" wind="3 -1 2"/><worldbody>
  <body><freejoint/><geom type="ellipsoid" size=".1 .2 .3" pos=".05 0 0" mass="2" fluidshape="ellipsoid"/></body>
  </worldbody></mujoco>)";

/// A swimmer of three bodies; `shape` is the fluidshape of its geoms.
std::string swimmer(const std::string& shape) {
  return R"(<mujoco><option density="1.2" viscosity=".8" wind="3 -1 2"/><default><geom fluidshape=")" + shape + R"("/>
    </default><worldbody><body euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0" mass="2"/>
    <body pos=".3 .1 0" euler="40 5 6"><joint axis="1 2 3" pos=".1 0 0"/>
      <geom type="ellipsoid" size=".05 .1 .2" mass=".5" fluidcoef=".3 .2 1.1 .9 .8"/>
      <geom type="cylinder" size=".04 .1" pos=".1 .1 0" mass=".3"/>
    <body pos=".1 0 .2"><joint type="ball" pos="0 .1 0"/><geom type="capsule" size=".07 .12"
         mass=".4"/></body></body></body>
    </worldbody></mujoco>)";
}

/// qDeriv as a dense matrix.
std::vector<double> dense_derivative(const Model& m, const Data& d) {
  std::vector<double> dense(std::size_t(m.nv * m.nv), 0.0);
  for (int i = 0; i < m.nv; ++i)
    for (int p = m.D_rowadr[i]; p < m.D_rowadr[i] + m.D_rownnz[i]; ++p)
      dense[std::size_t(i * m.nv + m.D_colind[p])] = d.qDeriv[p];
  return dense;
}

/// Every entry of qDeriv against the central difference of passive + actuator - bias. For a force quadratic in qvel the
/// difference has no truncation error for any step.
void expect_matches_differences(const Model& m, Data& d, double tolerance, double step = 1e-4) {
  smooth_forces(m, d);
  velocity_derivative(m, d, true);
  const std::vector<double> qDeriv = field(d, "qDeriv");
  for (int j = 0; j < m.nv; ++j) {
    std::vector<double> difference(std::size_t(m.nv), 0.0);
    const double qvel = d.qvel[j];
    for (double side : {1.0, -1.0}) {
      d.qvel[j] = qvel + side * step;
      smooth_forces(m, d);
      for (int i = 0; i < m.nv; ++i)
        difference[std::size_t(i)] += side * (d.qfrc_passive[i] + d.qfrc_actuator[i] - d.qfrc_bias[i]) / (2 * step);
    }
    d.qvel[j] = qvel;
    for (int i = 0; i < m.nv; ++i)
      for (int p = m.D_rowadr[i]; p < m.D_rowadr[i] + m.D_rownnz[i]; ++p)
        if (m.D_colind[p] == j) {
          EXPECT_NEAR(qDeriv[std::size_t(p)], difference[std::size_t(i)], tolerance) << i << ", " << j;
        }
  }
}

class Derivative : public testing::TestWithParam<Golden> {};

TEST_P(Derivative, MatchesMuJoCo) {
  const Golden& golden = GetParam();
  const Model m = model_of(golden.model);
  Data d = golden_world(m, golden);
  for (const auto& [integrator, values] : golden.out) {
    velocity_derivative(m, d, integrator == "implicit");
    expect_golden(integrator, field(d, "qDeriv"), values);
  }
}

// MuJoCo 3.12.0: inputs written into mjData, qDeriv after one mj_step with the named integrator.
INSTANTIATE_TEST_SUITE_P(
    Golden, Derivative,
    testing::ValuesIn(std::vector<Golden>{
        {"AffineGainAndBias",
         arm(R"(<general joint="j" gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm=".5 -1 .2"/>
       <damper joint="k" kv="2" ctrlrange="0 1"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.6}}},
         {{"implicit", {0.16210884361884542, 0.12884353744753818, 0.19326530617130727, -1.2}},
          {"implicitfast", {-0.16000000000000003, 0, 0, -1.2}}}},
        {"Muscles",
         arm(R"(<muscle joint="j" lengthrange="-1 1" force="20" vmax="3"/>
       <muscle joint="k" lengthrange="-1 1" force="30" gear="-1" vmax="6"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {0.6, 0.4}}, {"ctrl", {0.8, 0.7}}, {"act", {0.3, 0.9}}},
         {{"implicit", {-0.5550094149790152, -0.12884353744753818, 0.07730612246852292, -1.3363143750000002}},
          {"implicitfast", {-0.5034719999999999, 0, 0, -1.3363143750000002}}}},
        {"DcMotors",
         arm(R"(<dcmotor joint="j" motorconst="0.08" resistance="1.7" input="pos vel ff" controller="2 0 .3"/>
       <dcmotor joint="k" motorconst="0.08" resistance="1.7" input="pos" controller="2 1.5 .3 3 .4 5"
         inductance=".02" lugre="40 .5 .02 .03 .1"/>)"),
         {{"qpos", {0.4, -0.7}},
          {"qvel", {1.5, -2.5}},
          {"ctrl", {0.9, 0.4, 0.1, 0.8}},
          {"act", {0.75, 0.39, 0.001, 2}}},
         {{"implicit", {0.02210884361884541, 0.12884353744753818, 0.19326530617130727, -0.671775520415382}},
          {"implicitfast", {-0.30000000000000004, 0, 0, -0.671775520415382}}}},
        {"SaturatedForceDoesNotCount",
         arm(R"(<position joint="j" kp="20" kv="3" forcerange="-1 1"/>
       <pid joint="k" kp="10" kv="2" input="pos vel ff"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.2, 0.3, 0.4}}},
         {{"implicit", {0.32210884361884545, 0.12884353744753818, 0.19326530617130727, -2}},
          {"implicitfast", {0, 0, 0, -2}}}},
        {"Orientation",
         ball(R"(<orientation joint="b" kp="20" kv="3"/>)"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {0.3, -0.2, 0.5}}, {"ctrl", {0.3, -2.5, 1.1}}},
         {{"implicit",
           {-3, 0.01666666666666668, -0.006666666666666675, -0.026666666666666693, -3, -0.016000000000000014,
            -0.0039999999999999975, 0.0060000000000000105, -3}},
          {"implicitfast", {-3, 0, 0, 0, -3, 0, 0, 0, -3}}}},
        {"StandaloneEllipsoid",
         kDrop,
         {{"qpos", {0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.6}}, {"qvel", {1, -2, 0.5, 0.7, 1.5, -0.8}}},
         {{"implicitfast",
           {-3.3527533663564344,   0.13925629609633633,    0.03586990425765013,   -0.0287693352709796,
            0.1608862122622975,    0.012909597818282794,   -0.2600233510683105,   -3.6991497191393545,
            -0.22366842929059905,  -0.0077436351509315125, -0.026158798126652866, 0.031102377556529975,
            -0.22528162249582293,  0.0644206107675159,     -3.3684775722749443,   0.053533717862169046,
            0.021478390241694352,  -0.1540311379457435,    -0.00556477770530492,  0.0006225960269455284,
            -0.012969811772236236, -0.16912760919041822,   -0.003139776701037756, 0.00014119268848854013,
            0.19296628943894248,   0.09311734330910738,    0.026520151387421604,  4.192636861207725e-05,
            -0.18513789654663762,  0.0006624470290253099,  0.011458280918316499,  -0.013504763641969024,
            -0.19698825890470095,  0.0028359556853277197,  0.003891769183386782,  -0.1781910760516825}}}},
    }),
    golden_name);

TEST(Derivative, OfBiasEqualsFiniteDifferences) {
  std::mt19937 random(9);
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Model m = model_of(RandomForest(seed).text(9));
    Data d = world_of(m);
    displace(m, d, random);
    random_velocity(d, random);
    expect_matches_differences(m, d, 1e-10, 0.5);
  }
}

TEST(Derivative, OfFluidForcesEqualsFiniteDifferences) {
  std::mt19937 random(10);
  for (const std::string& text : {swimmer("none"), swimmer("ellipsoid"), kDrop}) {
    const Model m = model_of(text);
    Data d = world_of(m);
    for (int trial = 0; trial < 5; ++trial) {
      displace(m, d, random);
      random_velocity(d, random, 2);
      expect_matches_differences(m, d, 1e-6);
    }
  }
}

TEST(Derivative, OfDampersAndActuatorsEqualsFiniteDifferences) {
  const Model m = model_of(R"(<mujoco><worldbody><site name="w" pos="0 0 .5"/>
    <body><joint name="j" axis="0 1 0" damping="1 .5 .25"/><geom size=".1" pos=".3 0 0" mass="2"/>
      <body pos=".5 0 0"><joint name="b" type="ball" damping=".3 .2"/><geom size=".1" pos=".2 0 0" mass="1"/>
        <site name="s" pos=".3 0 .1"/></body></body></worldbody>
    <tendon><spatial name="u" damping="2 1 .5"><site site="w"/><site site="s"/></spatial></tendon>
    <actuator><motor tendon="u" gear="2" damping=".2 .1"/><velocity joint="b" kv="3" gear="1 2 3"/>
      <general joint="j" gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm=".5 -1 -.2"/>
      <pid joint="j" kp="3" kv=".5"/><orientation joint="b" kp="2" kv=".7"/>
      <muscle tendon="u" lengthrange=".1 1.5" force="30" vmax="2"/></actuator></mujoco>)");
  std::mt19937 random(11);
  Data d = world_of(m);
  for (int trial = 0; trial < 5; ++trial) {
    displace(m, d, random, 0.4);
    random_velocity(d, random);
    for (double& u : d.ctrl) u = 0.7;
    d.act[0] = 0.8;
    expect_matches_differences(m, d, 1e-5);
  }
}

TEST(Derivative, ImplicitfastUsesTheSymmetricPartOfTheFluidTerm) {
  const Model m = model_of(swimmer("ellipsoid"));
  Model still = m;
  still.opt.density = still.opt.viscosity = 0;
  std::mt19937 random(12);
  Data d = world_of(m);
  displace(m, d, random);
  random_velocity(d, random);
  smooth_forces(m, d);
  velocity_derivative(m, d, true);
  std::vector<double> fluid = dense_derivative(m, d);
  velocity_derivative(still, d, true);
  const std::vector<double> bias = dense_derivative(m, d);
  velocity_derivative(m, d, false);
  const std::vector<double> fast = dense_derivative(m, d);
  const auto n = std::size_t(m.nv);
  for (std::size_t k = 0; k < fluid.size(); ++k) fluid[k] -= bias[k];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      EXPECT_NEAR(fast[i * n + j], 0.5 * (fluid[i * n + j] + fluid[j * n + i]), 1e-13);
}

TEST(Derivative, BiasOfAStandaloneFreeBodyMatchesTheFullRecursion) {
  const Model m = model_of(R"(<mujoco><worldbody><body euler="10 20 30"><freejoint/>
    <geom type="box" size=".1 .2 .3" pos=".05 .1 .2" euler="4 5 6" mass="2"/></body></worldbody></mujoco>)");
  ASSERT_TRUE(is_standalone_free_body(m, 1));
  std::mt19937 random(13);
  Data d = world_of(m);
  displace(m, d, random);
  random_velocity(d, random, 3);
  smooth_forces(m, d);
  velocity_derivative(m, d, true);
  const std::vector<double> whole = dense_derivative(m, d);
  double block[36];
  free_body_bias_derivative(m, d, 1, block);
  for (std::size_t k = 0; k < 36; ++k) EXPECT_NEAR(block[k], -whole[k], 1e-13);
}

TEST(Derivative, OnlyBodiesAloneInTheirTreeAreStandalone) {
  const Model m = model_of(R"(<mujoco><worldbody>
    <body><freejoint/><geom size=".1"/><body><site/></body></body>
    <body><freejoint/><geom size=".1"/><body><geom size=".1"/></body></body>
    <body><freejoint/><geom size=".1"/><body><joint/><geom size=".1"/></body></body>
    <body><joint type="ball"/><geom size=".1"/></body><body/></worldbody></mujoco>)");
  const bool expected[] = {false, true, false, false, false, false, false, false, false};
  for (int body = 0; body < m.nbody; ++body) EXPECT_EQ(is_standalone_free_body(m, body), expected[body]) << body;
}

}  // namespace
}  // namespace sinew
