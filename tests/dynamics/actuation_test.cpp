#include "dynamics/actuation.h"

#include <gtest/gtest.h>

#include <limits>

#include "dynamics/muscle.h"
#include "dynamics/smooth_level.h"

namespace sinew {
namespace {

using namespace test;

/// Two hinges in a row, both about y.
std::string arm(const std::string& actuators) {
  return R"(<mujoco><option timestep="0.01"/><worldbody>
    <body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="2"/>
      <body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0" mass="1"/></body></body></worldbody>
    <actuator>)" +
         actuators + "</actuator></mujoco>";
}

/// A box on a ball joint with a rotated site.
std::string ball(const std::string& actuators) {
  return R"(<mujoco><option timestep="0.01"/><worldbody><site name="w"/>
    <body><joint name="b" type="ball"/><geom type="box" size=".1 .2 .3" mass="2"/><site name="s"
         euler="20 30 40"/></body>
    </worldbody><actuator>)" +
         actuators + "</actuator></mujoco>";
}

std::string slider(const std::string& actuators) {
  return R"(<mujoco><option timestep="0.01"/><worldbody>
    <body><joint name="j" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
    <actuator>)" +
         actuators + "</actuator></mujoco>";
}

/// A crank on a hinge, and a slider site fixed in the world.
std::string slider_crank(const std::string& crank_pos, const std::string& cranklength) {
  return R"(<mujoco><worldbody><site name="slider"/>
    <body><joint name="j" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/>
      <site name="crank" pos=")" +
         crank_pos + R"("/></body></worldbody>
    <actuator><general cranksite="crank" slidersite="slider" cranklength=")" +
         cranklength + "\"/></actuator></mujoco>";
}

/// One joint of a kind, driven through `transmission` (joint or jointinparent).
std::string geared(const std::string& kind, const std::string& transmission, const std::string& gear) {
  return R"(<mujoco><worldbody><body><joint name="h" type=")" + kind + R"("/>
    <inertial pos="0 0 0" mass="1" diaginertia=".1 .2 .3"/></body></worldbody>
    <actuator><general )" +
         transmission + R"(="h" gear=")" + gear + "\"/></actuator></mujoco>";
}

class Actuation : public testing::TestWithParam<Golden> {};

/// "next act" is the activation after one step.
TEST_P(Actuation, MatchesMuJoCo) {
  const Golden& golden = GetParam();
  const Model m = model_of(golden.model);
  Data d = golden_world(m, golden);
  for (const auto& [name, values] : golden.out) {
    if (name == "next act") {
      advance_activations(m, d, d.act_dot.data());
      expect_golden(name, field(d, "act"), values);
    } else {
      expect_golden(name, field(d, name), values);
    }
  }
}

// MuJoCo 3.12.0: inputs written into mjData, mj_forward; next act by one mj_step (Euler).
INSTANTIATE_TEST_SUITE_P(
    Golden, Actuation,
    testing::ValuesIn(std::vector<Golden>{
        {"ClampedMotorWithGear",
         arm(R"(<motor joint="j" gear="3" ctrlrange="-1 1"/>
       <motor joint="k" gear="-2"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {2.5, 0.3}}},
         {{"actuator_force", {1, 0.3}}, {"qfrc_actuator", {3, -0.6}}}},
        {"ForceRangeOfTheActuator",
         arm(R"(<motor joint="j" forcerange="-1 .7"/>
       <motor joint="k" forcerange="-1 .7"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {2.5, -3}}},
         {{"actuator_force", {0.7, -1}}, {"qfrc_actuator", {0.7, -1}}}},
        {"PositionAndVelocityServos",
         arm(R"(<position joint="j" kp="20" kv="3"/>
       <velocity joint="k" kv="4"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.2}}},
         {{"actuator_force", {5.5, 10.8}}, {"qfrc_actuator", {5.5, 10.8}}}},
        {"AffineGainAndBias",
         arm(R"(<general joint="j" gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm=".5 -1 .2"/>
       <damper joint="k" kv="2" ctrlrange="0 1"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.6}}},
         {{"actuator_force", {1.7680000000000002, 3}}, {"qfrc_actuator", {1.7680000000000002, 3}}}},
        {"IntegratorWithActrange",
         arm(R"(<intvelocity joint="j" kp="20" kv="1" actrange="-.5 .5"/>
       <intvelocity joint="k" kp="5" actrange="-9 9"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {3, -2}}, {"act", {0.49, 0.2}}},
         {{"actuator_force", {0.3000000000000007, 4.5}},
          {"act_dot", {3, -2}},
          {"next act", {0.5, 0.18000000000000002}}}},
        {"FilterAndFilterexact",
         arm(R"(<general joint="j" dyntype="filter" dynprm=".05" gainprm="4"/>
       <general joint="k" dyntype="filterexact" dynprm=".03" gainprm="4"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {1.2, -0.8}}, {"act", {0.3, 0.6}}},
         {{"actuator_force", {1.2, 2.4}},
          {"act_dot", {17.999999999999996, -46.666666666666664}},
          {"next act", {0.48, 0.203143834803305}}}},
        {"FilterWithoutTimeConstant",
         arm(R"(<general joint="j" dyntype="filterexact" dynprm="0" gainprm="4"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {1.2}}, {"act", {0.3}}},
         {{"actuator_force", {1.2}}, {"act_dot", {899999999999999.9}}, {"next act", {1.2}}}},
        {"ActearlyUsesTheNextActivation",
         arm(R"(<general joint="j" dyntype="integrator" actearly="true" gainprm="4" actlimited="true" actrange="0 .31"/>
       <general joint="k" dyntype="filterexact" dynprm=".02" gainprm="4" actearly="true"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {5, -0.8}}, {"act", {0.3, 0.6}}},
         {{"actuator_force", {1.24, 0.19657169439074673}},
          {"act_dot", {5, -70}},
          {"next act", {0.31, 0.04914292359768668}}}},
        {"PositionWithTimeconst",
         arm(R"(<position joint="j" kp="10" timeconst=".1"/>
       <cylinder joint="k" timeconst=".2" diameter=".4" bias="1 2 3"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.4, 0.7}}, {"act", {0.1, 0.2}}},
         {{"actuator_force", {-3, -7.874867258771282}},
          {"act_dot", {3.0000000000000004, 2.4999999999999996}},
          {"next act", {0.12854877458921213, 0.225}}}},
        {"MuscleActivation",
         arm(R"(<muscle joint="j" lengthrange="-1 1" force="20"/>
       <muscle joint="k" lengthrange="-1 1" force="30" tausmooth=".4" timeconst=".02 .05" gear="-1"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.8, 1.7}}, {"act", {0.3, 0.9}}},
         {{"actuator_force", {-7.033799999999999, -32.40091666666667}},
          {"act_dot", {52.631578947368425, 2.780276824226448}},
          {"next act", {0.8263157894736843, 0.9278027682422645}}}},
        {"MuscleDeactivation",
         arm(R"(<muscle joint="j" lengthrange="-1 1" force="20"/>
       <muscle joint="k" lengthrange="-1 1" force="30" tausmooth=".4"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.1, -0.5}}, {"act", {1.3, 0.9}}},
         {{"actuator_force", {-30.479799999999997, -10.081462500000004}},
          {"act_dot", {-60, -41.62500000000001}},
          {"next act", {0.7000000000000001, 0.48374999999999996}}}},
        {"MuscleCurves1",
         slider(R"(<muscle joint="j" lengthrange="-1 1" force="20" lmin=".6" lmax="1.5" vmax="1.2" fpmax="1.1"
         fvmax="1.3"/>)"),
         {{"qpos", {-0.95}}, {"qvel", {0}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-3.7209375000000016}}, {"act_dot", {-13.999999999999998}}}},
        {"MuscleCurves2",
         slider(R"(<muscle joint="j" lengthrange="-1 1" force="20" lmin=".6" lmax="1.5" vmax="1.2" fpmax="1.1"
         fvmax="1.3"/>)"),
         {{"qpos", {-0.5}}, {"qvel", {-3}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-2.893066406249998}}, {"act_dot", {-13.999999999999998}}}},
        {"MuscleCurves3",
         slider(R"(<muscle joint="j" lengthrange="-1 1" force="20" lmin=".6" lmax="1.5" vmax="1.2" fpmax="1.1"
         fvmax="1.3"/>)"),
         {{"qpos", {0}}, {"qvel", {-0.4}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-9.476249999999999}}, {"act_dot", {-13.999999999999998}}}},
        {"MuscleCurves4",
         slider(R"(<muscle joint="j" lengthrange="-1 1" force="20" lmin=".6" lmax="1.5" vmax="1.2" fpmax="1.1"
         fvmax="1.3"/>)"),
         {{"qpos", {0.45}}, {"qvel", {0.3}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-12.674172363281249}}, {"act_dot", {-13.999999999999998}}}},
        {"MuscleCurves5",
         slider(R"(<muscle joint="j" lengthrange="-1 1" force="20" lmin=".6" lmax="1.5" vmax="1.2" fpmax="1.1"
         fvmax="1.3"/>)"),
         {{"qpos", {0.9}}, {"qvel", {2}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-15.5637}}, {"act_dot", {-13.999999999999998}}}},
        {"MuscleCurves6",
         slider(R"(<muscle joint="j" lengthrange="-1 1" force="20" lmin=".6" lmax="1.5" vmax="1.2" fpmax="1.1"
         fvmax="1.3"/>)"),
         {{"qpos", {1.6}}, {"qvel", {0}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-13.568000000000001}}, {"act_dot", {-13.999999999999998}}}},
        {"MuscleForceFromScaleAndAcc0",
         slider(R"(<muscle joint="j" lengthrange="-1 1" scale="300"/>)"),
         {{"qpos", {0.3}}, {"qvel", {-0.2}}, {"act", {0.6}}, {"ctrl", {0.2}}},
         {{"actuator_force", {-337.37699519999995}}, {"act_dot", {-13.999999999999998}}}},
        {"PidInputs",
         arm(R"(<pid joint="j" kp="10" kv="2" input="pos vel ff"/>
       <pid joint="k" kp="10" kv="2" input="vel ff"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.5, 1.5, 0.3, 0.2}}},
         {{"actuator_force", {4.5, 12.8}}, {"qfrc_actuator", {4.5, 12.8}}}},
        {"PidIntegralWithWindupLimit",
         arm(R"(<pid joint="j" kp="10" kv="1" ki="5" imax=".2" input="pos"/>
       <pid joint="k" kp="10" kv="1" ki="5" imax=".2" input="pos"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.2}}, {"act", {0.2, -0.1}}},
         {{"actuator_force", {4.5, 11}},
          {"act_dot", {0, 0.8999999999999999}},
          {"next act", {0.2, -0.09100000000000001}}}},
        {"PidSlewLimit",
         arm(R"(<pid joint="j" kp="10" kv="1" slewmax="2" input="pos"/>
       <pid joint="k" kp="10" slewmax="50" input="pos"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.2}}, {"act", {0.1, -0.1}}},
         {{"actuator_force", {-4.3, 9}},
          {"act_dot", {2.0000000000000004, 30.000000000000004}},
          {"next act", {0.12000000000000001, 0.20000000000000004}}}},
        {"DcMotorByVoltage",
         arm(R"(<dcmotor joint="j" motorconst="0.08" resistance="1.7"/>
       <dcmotor joint="k" motorconst="0.08" resistance="1.7" inductance=".02" gear="5"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {6, -4}}, {"act", {2.5}}},
         {{"actuator_force", {0.2767058823529412, 0.004647447370742058}},
          {"act_dot", {-362.5}},
          {"next act", {0.058093092134275714}}}},
        {"DcMotorController",
         arm(R"(<dcmotor joint="j" motorconst="0.08" resistance="1.7" input="pos vel ff" controller="2 0 .3"/>
       <dcmotor joint="k" motorconst="0.08" resistance="1.7" input="pos" controller="2 1.5 .3 3 .4 5"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.4, 0.1, 0.8}}, {"act", {0.75, 0.39}}},
         {{"actuator_force", {0.7699999999999999, 0.24470588235294116}},
          {"act_dot", {3.0000000000000027, 1.48}},
          {"next act", {0.78, 0.4}}}},
        {"DcMotorThermalFrictionAndCogging",
         arm(R"(<dcmotor joint="j" motorconst="0.08" resistance="1.7" thermal="4 30 0 .004 25 20"
         lugre="40 .5 .02 .03 .1" cogging=".02 7 .3"/>
       <dcmotor joint="k" motorconst="0.08" resistance="1.7" inductance=".02" thermal="4 30 0 .004 25 20"
         lugre="40 .5 .02 .03 .1"/>)"),
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {6, -4}}, {"act", {15, 0.001, 22, -0.002, 3}}},
         {{"actuator_force", {0.9768949616649554, -3.6632927784647062}},
          {"act_dot", {0.5268552036199095, -1.5, 0.36134666666666676, 7.5, -432.90262172284645}},
          {"next act", {15.005268552036199, 0.0005000000000000467, 22.003613466666668, -0.0005, 0.08384026919116883}}}},
        {"DcMotorWithAllStates",
         arm(R"(<dcmotor joint="j" motorconst="0.08" resistance="1.7" input="pos vel ff voltage"
         controller="2 1.5 .3 3 .4 5" inductance=".02" saturation="2 5 50"
         thermal="4 30 0 .004 25 20" lugre="40 .5 .02 .03 .1" cogging=".02 7 .3" gear="3"/>)"),
         {{"qpos", {0.4, -0.7}},
          {"qvel", {1.5, -2.5}},
          {"ctrl", {0.9, 0.4, 0.1, 0.5}},
          {"act", {0.75, 0.39, 15, 0.001, 2}}},
         {{"actuator_force", {2.3563142049286423}},
          {"act_dot", {3.0000000000000027, -0.42000000000000015, 0.11073333333333334, -4.5, -50}},
          {"next act", {0.78, 0.38580000000000003, 15.001107333333334, 0.0005, 1.6631852540874863}}}},
        {"OrientationByExpmap",
         ball(R"(<orientation joint="b" kp="20" kv="3"/>)"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {0.3, -0.2, 0.5}}, {"ctrl", {0.3, -2.5, 1.1}}},
         {{"actuator_force", {28.065681936745396, 47.47276162880548, -29.825733635054604}},
          {"qfrc_actuator", {28.065681936745396, 47.47276162880548, -29.825733635054604}}}},
        {"OrientationByQuaternion",
         ball(R"(<orientation site="s" refsite="w" kp="20" input="quat" forcerange="0 7"/>)"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {0.3, -0.2, 0.5}}, {"ctrl", {0.3, -2.5, 1.1, 0.4}}},
         {{"actuator_force", {-1.4796069888113461, 5.614420461122224, -3.910120975672329}},
          {"qfrc_actuator", {-6.062034081539741, 3.4949887954338843, 0.19182313218758518}}}},
        {"OrientationIntegrated",
         ball(
             R"(<general joint="b" gaintype="so3" biastype="so3" dyntype="integrator" gainprm="20" biasprm="0 -20 -1"/>)"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {0.3, -0.2, 0.5}}, {"ctrl", {30, -40, 20}}, {"act", {2, -1.5, 1.8}}},
         {{"actuator_force", {4.455690619986415, -30.344198391058015, 45.061402907900586}},
          {"act_dot", {30, -40, 20}},
          {"next act", {-1.7235819315923586, 1.423828552184992, -1.4987668970368337}}}},
        {"SetpointsThatRepeat",
         ball(R"(<position joint="b" kp="10" gear="1 0 0"/>
       <position site="s" refsite="w" kp="10" gear="0 0 0 0 2 0"/>
       <intvelocity joint="b" kp="3" gear="0 0 1" actrange="-100 100"/>
       <pid joint="b" kp="4" ki="1" gear="0 1 0" input="pos"/>)"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {0.3, -0.2, 0.5}}, {"ctrl", {3.5, 9, 40, -5}}, {"act", {6.1, 0.3}}},
         {{"actuator_force", {30.70999260804477, -59.21057218647967, -3.1235603567118977, 2.000735315154161}},
          {"act_dot", {40, 0.42518382878854055}},
          {"next act", {0.21681469282041377, 0.3042518382878854}}}},
        {"DisabledGroupsAreSilent",
         R"(<mujoco><option actuatorgroupdisable="2" timestep="0.01"/><worldbody>
<body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".3 0 0" mass="2"/>
<body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0" mass="1"/></body></body></worldbody>
<actuator><motor joint="j" group="1"/><general joint="k" dyntype="integrator" group="2"/><dcmotor joint="k"
         motorconst="0.08" resistance="1.7" lugre="40 .5 .02 .03 .1" group="2"/></actuator></mujoco>)",
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.9, 0.3, 2}}, {"act", {0.1, 0.002}}},
         {{"actuator_force", {0.9, 0, 0}},
          {"act_dot", {0.3, -12.5}},
          {"qfrc_actuator", {0.9, 0}},
          {"next act", {0.1, -0.0005}}}},
        {"TendonAndJointForceLimits",
         R"(<mujoco><worldbody><body><joint name="j" axis="0 1 0" actuatorfrcrange="-1 2"/><geom size=".1" pos=".3 0 0"
         mass="2"/>
<body pos=".5 0 0"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0" mass="1"/></body></body></worldbody>
<tendon><fixed name="t" actuatorfrcrange="-1 3" actuatorfrclimited="true"><joint joint="j" coef="1.5"/><joint
         joint="k" coef="-.5"/></fixed></tendon>
<actuator><motor tendon="t" gear="2"/><motor tendon="t" forcerange="-.5 .5"/><motor joint="j"/></actuator></mujoco>)",
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {4, 2, 1}}},
         {{"actuator_force", {2, 0.5, 1}}, {"qfrc_actuator", {2, -2.25}}}},
        {"GravityCompensationThroughActuators",
         R"(<mujoco><worldbody><body gravcomp="1"><joint name="j" axis="0 1 0" actuatorgravcomp="true"
         actuatorfrcrange="-8 4"/><geom size=".1" pos=".3 0 0" mass="2"/>
<body pos=".5 0 0" gravcomp=".7"><joint name="k" axis="0 1 0"/><geom size=".1" pos=".2 0 0"
         mass="1"/></body></body></worldbody><actuator><motor joint="k"/></actuator></mujoco>)",
         {{"qpos", {0.4, -0.7}}, {"qvel", {1.5, -2.5}}, {"ctrl", {0.5}}},
         {{"qfrc_gravcomp", {-9.895887067774995, -1.3120591341651073}},
          {"qfrc_passive", {0, -1.3120591341651073}},
          {"qfrc_actuator", {-8, 0.5}}}},
        // acceptance criteria of the actuator specifications for velocities and forces
        {"SliderCrankVelocity",
         slider_crank(".5 0 .5", ".6"),
         {{"qvel", {1}}},
         {{"actuator_velocity", {0.25377836144440913}}}},
        {"SliderCrankForceInLine",
         slider_crank("0 0 1", ".5"),
         {{"ctrl", {1}}},
         {{"actuator_force", {1}}, {"qfrc_actuator", {0}}}},
        {"SliderCrankForceOffset",
         slider_crank(".5 0 .5", ".6"),
         {{"ctrl", {1}}},
         {{"actuator_force", {1}}, {"qfrc_actuator", {0.25377836144440913}}}},
        {"SliderOnAMovingSite",
         R"(<mujoco><worldbody>
       <body><joint axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
         <site name="slider" pos="0.1 0 0" euler="10 20 0"/></body>
       <body pos="0.3 0.1 0.2"><joint axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>
         <site name="crank" pos="0.1 0 0.2"/></body></worldbody>
       <actuator><general cranksite="crank" slidersite="slider" cranklength="0.6" gear="1.5"/></actuator></mujoco>)",
         {{"qpos", {0.2, -0.3}}, {"qvel", {0.5, 0.4}}},
         {{"actuator_velocity", {0.11750246099031143}}}},
        {"HingeByJoint",
         geared("hinge", "joint", "5"),
         {{"qpos", {0.4}}, {"qvel", {0.7}}, {"ctrl", {1}}},
         {{"actuator_velocity", {3.5}}, {"qfrc_actuator", {5}}}},
        {"HingeByJointInParent",
         geared("hinge", "jointinparent", "5"),
         {{"qpos", {0.4}}, {"qvel", {0.7}}, {"ctrl", {1}}},
         {{"actuator_velocity", {3.5}}, {"qfrc_actuator", {5}}}},
        {"SlideByJoint",
         geared("slide", "joint", "5"),
         {{"qpos", {0.4}}, {"qvel", {0.7}}, {"ctrl", {1}}},
         {{"actuator_velocity", {3.5}}, {"qfrc_actuator", {5}}}},
        {"SlideByJointInParent",
         geared("slide", "jointinparent", "5"),
         {{"qpos", {0.4}}, {"qvel", {0.7}}, {"ctrl", {1}}},
         {{"actuator_velocity", {3.5}}, {"qfrc_actuator", {5}}}},
        {"BallByJoint",
         geared("ball", "joint", "1 2 3 4 5 6"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {1, 2, 3}}},
         {{"actuator_velocity", {14}}}},
        {"BallByJointInParent",
         geared("ball", "jointinparent", "1 2 3 4 5 6"),
         {{"qpos", {0.8, 0.2, 0.4, 0.4}}, {"qvel", {1, 2, 3}}},
         {{"actuator_velocity", {13.6}}}},
        {"FreeByJoint",
         geared("free", "joint", "1 2 3 4 5 6"),
         {{"qpos", {0.1, 0.2, 0.3, 0.8, 0.2, 0.4, 0.4}}, {"qvel", {1, 2, 3, 4, 5, 6}}},
         {{"actuator_velocity", {91}}}},
        {"FreeByJointInParent",
         geared("free", "jointinparent", "1 2 3 4 5 6"),
         {{"qpos", {0.1, 0.2, 0.3, 0.8, 0.2, 0.4, 0.4}}, {"qvel", {1, 2, 3, 4, 5, 6}}},
         {{"actuator_velocity", {89.64}}}},
    }),
    golden_name);

TEST(Actuation, OneBadControlDisablesAllActuatorsAndIsCounted) {
  const Model m = model_of(arm(R"(<motor joint="j"/><motor joint="k"/><motor joint="k" ctrlrange="-1 1"/>)"));
  Data d = world_of(m);
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), 2e10, -std::numeric_limits<double>::infinity()};
  int events = 0;
  for (double value : bad) {
    d.ctrl[0] = 3;
    d.ctrl[1] = value;
    smooth_forces(m, d);
    for (double force : d.actuator_force) EXPECT_EQ(force, 0);
    const WarningStat& warning = d.warning[std::size_t(Warning::BadCtrl)];
    EXPECT_EQ(warning.number, ++events);
    EXPECT_EQ(warning.lastinfo, 1);
  }
  // a control that is clamped is not bad
  d.ctrl[1] = 0;
  d.ctrl[2] = std::numeric_limits<double>::infinity();
  smooth_forces(m, d);
  EXPECT_EQ(d.actuator_force[2], 1);
  EXPECT_EQ(d.warning[std::size_t(Warning::BadCtrl)].number, events);
}

TEST(Actuation, IfDisabledLeavesActivationsAndTheirRatesUnchanged) {
  Model m = model_of(arm(R"(<general joint="j" dyntype="integrator"/>)"));
  Data d = world_of(m);
  d.ctrl[0] = 2;
  d.act[0] = 0.5;
  smooth_forces(m, d);
  EXPECT_EQ(d.act_dot[0], 2);
  m.opt.disableflags |= kDisableActuation;
  d.ctrl[0] = 7;
  d.qvel[0] = 1;
  smooth_forces(m, d);
  EXPECT_EQ(d.act_dot[0], 2);
  EXPECT_EQ(d.actuator_force[0], 0);
  EXPECT_EQ(d.actuator_velocity[0], 0);
  EXPECT_EQ(d.qfrc_actuator[0], 0);
  advance_activations(m, d, d.act_dot.data());
  EXPECT_EQ(d.act[0], 0.5);
}

TEST(Actuation, UserTypesCallTheCallbacksOfTheirWorld) {
  const Model m = model_of(arm(R"(<general joint="j" dyntype="user" gaintype="user" biastype="user"/>)"));
  Data d = world_of(m), other = d;
  d.callbacks.act_dyn = [](const Model&, const Data& w, int) { return 3 * w.ctrl[0]; };
  d.callbacks.act_gain = [](const Model&, const Data& w, int i) { return 10 + w.actuator_length[i]; };
  d.callbacks.act_bias = [](const Model&, const Data& w, int i) { return -w.actuator_velocity[i]; };
  for (Data* world : {&d, &other}) {
    world->qpos[0] = 0.5;
    world->qvel[0] = 0.25;
    world->ctrl[0] = 2;
    world->act[0] = 4;
    positions(m, *world);
    smooth_forces(m, *world);
  }
  EXPECT_EQ(d.act_dot[0], 6);
  EXPECT_EQ(d.actuator_force[0], 10.5 * 4 - 0.25);
  // without callbacks: constant activation, gain 1, no bias
  EXPECT_EQ(other.act_dot[0], 0);
  EXPECT_EQ(other.actuator_force[0], 4);
}

// MuJoCo's convention: mjcb_act_dyn returns the rate of a single activation, and writes those of several
TEST(Actuation, UserDynamicsOfSeveralActivationsWriteTheirRates) {
  const Model m = model_of(arm(R"(<general joint="j" dyntype="user" actdim="2"/>)"));
  Data d = world_of(m);
  d.callbacks.act_dyn = [](const Model&, const Data& w, int) {
    w.act_dot[0] = w.act[1];
    w.act_dot[1] = -w.act[0];
    return 99.0;
  };
  d.act[0] = 2;
  d.act[1] = 3;
  positions(m, d);
  smooth_forces(m, d);
  EXPECT_EQ(d.act_dot[0], 3);
  EXPECT_EQ(d.act_dot[1], -2);
}

TEST(Actuation, ClampingCanBeDisabled) {
  Model m = model_of(arm(R"(<motor joint="j" ctrlrange="-1 1"/>)"));
  m.opt.disableflags |= kDisableClampctrl;
  Data d = world_of(m);
  d.ctrl[0] = 5;
  smooth_forces(m, d);
  EXPECT_EQ(d.actuator_force[0], 5);
}

TEST(Muscle, CurvesAreContinuousAtTheirKnots) {
  const double lmin = 0.5, lmax = 1.6, fvmax = 1.2, eps = 1e-9;
  for (double L : {lmin, 0.5 * (lmin + 1), 1.0, 0.5 * (1 + lmax), lmax})
    EXPECT_NEAR(muscle_force_length(L - eps, lmin, lmax), muscle_force_length(L + eps, lmin, lmax), 1e-8) << L;
  for (double L : {1.0, 0.5 * (1 + lmax)})
    EXPECT_NEAR(muscle_passive(L - eps, lmax), muscle_passive(L + eps, lmax), 1e-8) << L;
  for (double V : {-1.0, 0.0, fvmax - 1})
    EXPECT_NEAR(muscle_force_velocity(V - eps, fvmax), muscle_force_velocity(V + eps, fvmax), 1e-8) << V;
  EXPECT_EQ(muscle_force_length(1.0, lmin, lmax), 1);
  EXPECT_EQ(muscle_force_velocity(0.0, fvmax), 1);
}

}  // namespace
}  // namespace sinew
