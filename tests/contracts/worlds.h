#pragma once

#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/sinew.h"

// Worlds that exercise every stage, for the tests of the contracts.

namespace sinew::test {

/// One of every joint, transmission, actuator, tendon, equality, sensor, camera and light, in a medium, with contacts
/// of every dimension.
inline constexpr std::string_view kZoo = R"(
<mujoco model="zoo">
  <compiler angle="degree" autolimits="true"/>
  <option timestep="0.004" density="60" viscosity="0.3" wind=".3 .1 -.2" magnetic="0.1 -0.5 0.3"/>
  <size nuserdata="3"/>
  <asset>
    <mesh name="wedge" vertex="-.1 -.1 -.1  .1 -.1 -.1  0 .12 -.1  0 0 .12"/>
    <hfield name="hills" nrow="3" ncol="3" elevation="0 1 0  1 2 1  0 1 0" size="1 1 .1 .1"/>
    <texture name="sky" type="skybox" builtin="gradient" width="4" height="4"/>
  </asset>
  <default><geom friction=".8 .02 .01"/><default class="gap"><geom margin=".02" gap=".015"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" adhesion="3"/>
    <geom name="hills" type="hfield" hfield="hills" pos="3 3 0"/>
    <light name="lamp" mode="trackcom" pos="0 0 3"/>
    <light name="spot" mode="targetbody" target="trunk" pos="1 0 3"/>
    <site name="anchor" pos="0 0 1.2"/>
    <site name="gate" type="box" size=".8 .8 .8" pos="0 0 .5"/>
    <camera name="eye" pos="0 -3 1" xyaxes="1 0 0 0 .2 1" resolution="3 2" fovy="50"/>
    <body name="hand" mocap="true" pos="-.6 .3 .5"><geom name="hand" size=".08" contype="0" conaffinity="0"/></body>
    <body name="trunk" pos="0 0 .11" euler="2 3 0">
      <freejoint/>
      <geom name="trunk" type="box" size=".2 .15 .1" mass="3" condim="6"/>
      <site name="imu" pos=".05 .02 .03" euler="0 20 30"/>
      <site name="belly" type="sphere" size=".5" pos="0 0 -.1"/>
      <camera name="own" mode="track" pos="0 0 1"/><camera name="com" mode="trackcom" pos="0 1 1"/>
      <light mode="track" pos="0 0 1"/>
      <body name="upper" pos=".25 0 0" gravcomp=".6">
        <joint name="shoulder" axis="0 1 0" range="-20 5" damping=".3 .1" frictionloss=".2" stiffness="2 .5" springref="10"
               actuatorgravcomp="true" actuatorfrcrange="-8 8"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".04" mass=".8" fluidshape="ellipsoid"/>
        <site name="mid" pos=".15 0 .04"/>
        <camera name="aim" mode="targetbody" target="ball" pos="0 0 .1"/>
        <camera name="aimcom" mode="targetbodycom" target="trunk" pos="0 0 .2"/>
        <body name="lower" pos=".3 0 0">
          <joint name="wrist" type="ball" range="0 4" damping=".02" stiffness=".5"/>
          <geom name="lower" type="capsule" fromto="0 0 0 .2 0 0" size=".03" mass=".4" condim="1"/>
          <site name="tip" pos=".2 0 0" euler="0 90 0"/>
        </body>
      </body>
      <body name="wheel" pos="-.25 0 .02">
        <joint name="axle" axis="0 1 0" armature=".01"/>
        <joint name="strut" type="slide" axis="0 0 1" range="-.05 -.001" stiffness="30"/>
        <geom name="wheel" type="cylinder" size=".06 .02" euler="90 0 0" mass=".3" fluidshape="ellipsoid"/>
        <site name="pin" pos="0 .02 .04"/>
      </body>
    </body>
    <body name="ball" pos=".5 .3 .118"><freejoint/><geom name="ball" size=".12" mass=".5" condim="4" surfacevel=".1 0 0"/>
      <site name="ballsite"/></body>
    <body name="wedge" pos="-.1 .6 .095"><freejoint/><geom name="wedge" type="mesh" mesh="wedge" mass=".4" adhesion="2"/></body>
    <body name="block" pos=".5 .3 .29"><freejoint/><geom name="block" type="box" size=".1 .1 .06" mass=".6" condim="3"/></body>
    <body name="egg" pos="3 3 .23"><freejoint/><geom name="egg" type="ellipsoid" size=".1 .12 .14" mass=".4"/></body>
    <body name="comb" pos="0 -1 .045">
      <freejoint/>
      <geom size=".05" pos="0 0 0" mass=".05"/><geom size=".05" pos="0.12 0 0" mass=".05"/><geom size=".05" pos="0.24 0 0" mass=".05"/>
      <geom size=".05" pos="0.36 0 0" mass=".05"/><geom size=".05" pos="0.48 0 0" mass=".05"/><geom size=".05" pos="0.6 0 0" mass=".05"/>
      <geom size=".05" pos="0.72 0 0" mass=".05"/><geom size=".05" pos="0.84 0 0" mass=".05"/><geom size=".05" pos="0.96 0 0" mass=".05"/>
    </body>
    <body name="brush" pos=".03 -1 .13" euler="0 0 10">
      <freejoint/>
      <geom size=".05" pos="0 0 0" mass=".05" class="gap"/><geom size=".05" pos="0.1 0.02 0" mass=".05" class="gap"/><geom size=".05" pos="0.2 0.04 0" mass=".05" class="gap"/>
      <geom size=".05" pos="0.3 0.06 0" mass=".05" class="gap"/><geom size=".05" pos="0.4 0.08 0" mass=".05" class="gap"/><geom size=".05" pos="0.5 0.1 0" mass=".05" class="gap"/>
      <geom size=".05" pos="0.6 0.12 0" mass=".05" class="gap"/><geom size=".05" pos="0.7 0.14 0" mass=".05" class="gap"/><geom size=".05" pos="0.8 0.16 0" mass=".05" class="gap"/>
    </body>
    <body name="pole" pos="-1 -.5 1">
      <joint name="swing" axis="1 0 0" damping=".1"/>
      <geom name="pole" type="capsule" fromto="0 0 0 0 0 -.4" size=".03" mass=".5"/>
      <geom name="drum" type="cylinder" size=".05 .1" pos="0 0 -.2" euler="0 90 0" contype="0" conaffinity="0"/>
      <site name="top" pos="0 .1 -.05"/><site name="low" pos="0 .12 -.35"/><site name="side" pos="0 -.3 -.2"/>
      <body name="bob" pos="0 0 -.45"><joint name="twist" axis="0 0 1" limited="true" range="-5 5" ref="2"/>
        <joint name="hang" type="slide" axis="0 0 1" stiffness="40" damping=".5"/>
        <geom name="bob" size=".06" mass=".4"/><geom name="ring" type="sphere" size=".07" contype="0" conaffinity="0"/>
        <site name="hook" pos="0 .1 0"/></body>
    </body>
    <body name="far" pos="-1 .9 1"><joint name="farhinge" axis="0 1 0" stiffness="3" springdamper=".2 1"/>
      <geom name="far" type="box" size=".05 .05 .2" mass=".3" pos="0 0 -.1"/><site name="farsite" pos="0 0 -.3"/></body>
  </worldbody>
  <contact>
    <exclude body1="trunk" body2="wheel"/>
    <pair geom1="far" geom2="pole" margin=".01" condim="3"/>
    <pair geom1="floor" geom2="wedge" friction="1 1 .01 .001 .001" solreffriction="-50 -5" condim="6"/>
  </contact>
  <tendon>
    <spatial name="cord" range="0 .1" stiffness="3 1" damping=".2 .05" frictionloss=".1" armature=".02" actuatorfrcrange="-5 5">
      <site site="imu"/><site site="mid"/></spatial>
    <spatial name="belt" damping=".1">
      <site site="top"/><geom geom="drum" sidesite="side"/><site site="low"/><pulley divisor="2"/>
      <site site="low"/><geom geom="ring"/><site site="hook"/></spatial>
    <spatial name="rope" range="0 .5" springlength="0 .3" stiffness="5"><site site="farsite"/><site site="hook"/></spatial>
    <fixed name="sum" range="-.1 .1" frictionloss=".05"><joint joint="swing" coef=".5"/><joint joint="farhinge" coef="-1"/></fixed>
    <fixed name="pair"><joint joint="twist" coef="1"/><joint joint="hang" coef="2"/></fixed>
  </tendon>
  <equality>
    <connect body1="pole" body2="far" anchor="0 .1 -.3"/>
    <weld body1="hand" body2="wedge" relpose="0 .3 -.1 1 0 0 0"/>
    <joint joint1="axle" joint2="strut" polycoef="0 .5 .1 0 0"/>
    <tendon tendon1="sum" tendon2="pair" polycoef="0 .5 0 0 0"/>
    <connect site1="farsite" site2="hook" active="false"/>
    <weld site1="ballsite" site2="pin" active="false"/>
    <joint joint1="swing" polycoef=".1 0 0 0 0"/>
  </equality>
  <actuator>
    <position name="servo" joint="shoulder" kp="20" kv="1" ctrlrange="-1 1" forcerange="-6 6"/>
    <motor name="pull" tendon="cord" gear="2" damping=".1" armature=".01"/>
    <general name="lag" joint="axle" dyntype="filter" dynprm=".05" gainprm="3" biastype="affine" biasprm="0 -1 -.2" actearly="true"/>
    <general name="exact" joint="hang" dyntype="filterexact" dynprm=".05" gainprm="3" gaintype="affine"/>
    <general name="integral" joint="swing" dyntype="integrator" actrange="-1 1" gainprm="2" biastype="affine" biasprm="0 -2 -.1"/>
    <intvelocity name="turret" joint="wrist" kp=".1" gear="0 0 1"/>
    <intvelocity name="steer" joint="farhinge" kp="4" actrange="-1 1"/>
    <muscle name="muscle" tendon="rope" lengthrange=".1 1.5" force="30"/>
    <motor name="thrust" site="tip" refsite="imu" gear="1 2 3 .4 .5 .6"/>
    <motor name="jet" site="ballsite" gear="0 .1 .2 .01 0 .02"/>
    <general name="crank" cranksite="pin" slidersite="imu" cranklength=".4" gear="1.5"/>
    <motor name="ballmotor" joint="wrist" gear=".1 .2 .3"/>
    <motor name="parent" jointinparent="wrist" gear=".3 .2 .1"/>
    <adhesion name="grip" body="block" ctrlrange="0 1" gain="3"/>
    <damper name="brake" joint="twist" kv="2" ctrlrange="0 1"/>
    <cylinder name="air" tendon="pair" timeconst=".1" area=".5"/>
    <orientation name="turn" joint="wrist" kp="2" kv=".1"/>
    <general name="spinner" joint="wrist" gaintype="so3" biastype="so3" dyntype="integrator" gainprm="1" biasprm="0 -1 -.1"/>
    <motor name="late" joint="swing" delay=".01" nsample="6" interp="linear"/>
    <pid name="hold" joint="twist" kp="3" kv=".2" ki="1"/>
    <motor name="off" joint="hang" group="3"/>
    <dcmotor name="dc" joint="axle" motorconst=".05" resistance="2" inductance=".02" lugre="40 .5 .02 .03 .1"/>
  </actuator>
  <sensor>
    <touch site="belly"/><accelerometer site="imu"/><velocimeter site="imu"/><gyro site="imu"/><force site="mid"/><torque site="mid"/>
    <magnetometer site="imu"/><rangefinder site="tip"/><rangefinder site="imu" data="dist dir origin point normal depth"/>
    <rangefinder camera="eye" data="dist depth"/>
    <camprojection site="tip" camera="eye"/><jointpos joint="shoulder"/><jointvel joint="shoulder"/><tendonpos tendon="cord"/>
    <tendonvel tendon="cord"/><actuatorpos actuator="servo"/><actuatorvel actuator="servo"/><actuatorfrc actuator="servo"/>
    <jointactuatorfrc joint="shoulder"/><tendonactuatorfrc tendon="cord"/><ballquat joint="wrist"/><ballangvel joint="wrist"/>
    <jointlimitpos joint="shoulder"/><jointlimitvel joint="shoulder"/><jointlimitfrc joint="shoulder"/>
    <jointlimitpos joint="wrist"/><tendonlimitpos tendon="cord"/><tendonlimitvel tendon="cord"/><tendonlimitfrc tendon="cord"/>
    <framepos objtype="site" objname="tip" reftype="body" refname="trunk"/><framequat objtype="geom" objname="lower" reftype="xbody" refname="upper"/>
    <framepos objtype="camera" objname="own" reftype="geom" refname="ball"/><framequat objtype="body" objname="lower"/>
    <framequat objtype="site" objname="tip" reftype="camera" refname="com"/>
    <framexaxis objtype="camera" objname="aim"/><frameyaxis objtype="body" objname="lower"/><framezaxis objtype="site" objname="tip" reftype="site" refname="imu"/>
    <framelinvel objtype="site" objname="tip" reftype="body" refname="upper"/><frameangvel objtype="xbody" objname="lower" reftype="xbody" refname="trunk"/>
    <framelinvel objtype="camera" objname="own" reftype="geom" refname="ball"/>
    <framelinacc objtype="site" objname="tip"/><frameangacc objtype="body" objname="lower"/>
    <framelinacc objtype="camera" objname="own"/><framelinacc objtype="geom" objname="bob"/><framelinacc objtype="xbody" objname="bob"/>
    <subtreecom body="trunk"/><subtreelinvel body="trunk"/><subtreeangmom body="trunk"/>
    <insidesite site="gate" objtype="site" objname="tip"/><distance geom1="lower" geom2="ball" cutoff="1"/>
    <normal body1="lower" body2="ball" cutoff="1"/><fromto geom1="trunk" geom2="ball" cutoff="1"/>
    <contact geom1="floor" body2="trunk" num="2" data="found force torque dist pos normal tangent" reduce="mindist"/>
    <contact subtree1="trunk" data="found force torque pos" reduce="netforce"/><contact site="gate" num="3" data="found dist" reduce="maxforce"/>
    <tactile geom="wedge" mesh="wedge"/>
    <e_potential/><e_kinetic/><clock/><accelerometer site="tip" cutoff="5"/>
    <jointvel joint="swing" nsample="2"/><framelinvel objtype="site" objname="tip" nsample="3"/>
    <gyro site="tip" delay=".012" nsample="5"/><jointpos joint="swing" delay=".012" nsample="5" interp="linear"/>
    <force site="tip" delay=".008" nsample="4"/><accelerometer site="imu" delay=".008" nsample="3"/><subtreeangmom body="pole" delay=".008" nsample="4"/><clock interval=".02" nsample="2"/>
    <framepos objtype="camera" objname="own" delay=".012" nsample="5"/><contact geom1="floor" data="found force" delay=".008" nsample="3"/>
    <user dim="2" needstage="pos"/><user dim="1" needstage="vel"/><user dim="1" needstage="acc"/>
  </sensor>
</mujoco>)";

/// Trees that come to rest, alone and in islands, and one that keeps moving. A tendon, an equality and a contact can
/// wake sleeping trees.
inline constexpr std::string_view kSleepers = R"(
<mujoco model="sleepers">
  <option timestep="0.005"><flag sleep="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="hand" mocap="true" pos="2 2 .5"><geom name="hand" size=".05"/></body>
    <body name="lower" pos="0 0 .098"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="a" pos="0 0 .1"/></body>
    <body name="upper" pos="0 0 .3"><freejoint/><geom type="box" size=".08 .08 .1"/></body>
    <body name="alone" pos=".6 0 .1"><freejoint/><geom name="alone" type="box" size=".1 .1 .1"/><site name="b"/>
      <camera name="cam" mode="track" pos="0 0 1"/><light mode="track" pos="0 0 1"/></body>
    <body name="lonely" pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="f"/>
      <body pos=".3 0 0"><joint name="stiff" axis="0 0 1" stiffness="1" damping=".1" range="-30 30"/><geom size=".1"/></body></body>
    <body name="held" pos="1.2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="c"/></body>
    <body name="pair" pos="1.2 .4 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="early" pos="3 0 .1" sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="quiet" pos="-1 0 .5" gravcomp="1"><joint name="quiet" axis="0 1 0" damping="2"/>
      <geom name="quiet" size=".1" fluidshape="ellipsoid"/><site name="d" pos="0 0 .1"/></body>
    <body name="mover" pos="-.5 1 .6"><joint name="spin" axis="0 0 1" armature=".1"/><geom name="mover" type="capsule"
      fromto="0 0 0 .6 0 0" size=".05"/><site name="e" pos=".6 0 0"/></body>
  </worldbody>
  <tendon>
    <spatial name="leash" range="0 4"><site site="e"/><site site="f"/></spatial>
    <spatial name="slack" stiffness="1" damping=".1" springlength="0 5"><site site="b"/><site site="d"/></spatial>
    <fixed name="fixed" frictionloss=".01"><joint joint="quiet" coef="1"/></fixed>
  </tendon>
  <equality><weld name="weld" body1="held" body2="pair"/><weld name="grab" body1="hand" body2="alone" active="false"/>
    <connect name="catch" body1="mover" body2="held" anchor="0 0 0" active="false"/></equality>
  <actuator>
    <velocity joint="spin" kv="5"/><motor name="tug" tendon="slack" gear="0"/><motor joint="quiet" gear=".001"/>
    <motor site="e" refsite="a" gear=".01 0 0 0 0 0"/>
  </actuator>
  <sensor>
    <framepos objtype="site" objname="a"/><framepos objtype="site" objname="e" reftype="site" refname="b"/><jointvel joint="spin"/>
    <framelinvel objtype="site" objname="c"/><subtreelinvel body="alone"/><accelerometer site="c"/><touch site="d"/>
    <rangefinder site="e"/><contact geom1="floor" data="found force" num="2"/><framepos objtype="camera" objname="cam"/>
    <tendonpos tendon="slack"/><tendonpos tendon="leash"/><force site="e"/><jointpos joint="quiet" delay=".01" nsample="4"/>
  </sensor>
</mujoco>)";

/// An explicit contact pair of static geoms.
inline constexpr std::string_view kStatic = R"(
<mujoco model="static">
  <option jacobian="sparse"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body mocap="true" pos="0 0 .05"><geom name="hand" size=".1"/></body>
    <body pos="1 0 .1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <contact><pair geom1="floor" geom2="hand"/></contact>
</mujoco>)";

/// Flexes of every kind: elastic, interpolated, held by equalities, passive, with contacts of vertices and elements.
inline constexpr std::string_view kFlexes = R"(
<mujoco model="flexes">
  <option solver="CG" integrator="implicitfast" jacobian="sparse"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 .05"><freejoint/><geom type="box" size=".06 .05 .04"/></body>
    <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 .1" radius=".01" mass=".3">
      <elasticity young="3e3" poisson=".2" thickness=".01" damping=".01" elastic2d="both"/>
      <contact selfcollide="none"/><pin id="0"/></flexcomp>
    <body name="cart" pos="1 0 .3"><joint axis="0 1 0"/><geom size=".03"/>
      <flexcomp name="jelly" type="grid" dim="3" count="2 2 2" spacing=".1 .1 .1" radius=".01" mass=".3" dof="trilinear">
        <elasticity young="3e3" poisson=".2" damping=".01"/><contact selfcollide="none"/><pin id="1"/></flexcomp></body>
    <flexcomp name="shell" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" pos="2 0 .5" radius=".01" mass=".3"
              dof="trilinear" cellcount="2 2 2">
      <elasticity young="3e3" poisson=".2" thickness=".01" elastic2d="bend"/><contact selfcollide="none"/></flexcomp>
    <flexcomp name="rope" type="grid" dim="1" count="4 1 1" spacing=".1 .1 .1" pos="3 0 .005" radius=".01" mass=".1">
      <edge stiffness="30" damping=".2"/></flexcomp>
    <flexcomp name="net" type="grid" dim="2" count="3 2 1" spacing=".1 .1 .1" pos="4 0 .5" radius=".01" mass=".2">
      <edge equality="true" damping=".1"/><contact selfcollide="none"/></flexcomp>
    <flexcomp name="sail" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="5 0 .5" radius=".01" mass=".2">
      <edge equality="vert"/><contact selfcollide="none"/></flexcomp>
    <flexcomp name="brick" type="grid" dim="3" count="2 2 2" spacing=".1 .1 .1" pos="6 0 .5" radius=".01" mass=".2"
              dof="trilinear"><edge equality="strain"/><contact selfcollide="none"/></flexcomp>
    <geom size=".05" pos="7.02 .02 -.03"/>
    <flexcomp name="mat" type="grid" dim="2" count="3 2 1" spacing=".1 .1 .1" pos="7 0 .008" radius=".01" mass=".2">
      <elasticity young="3e3" poisson=".2" thickness=".01" elastic2d="stretch"/>
      <contact selfcollide="none" passive="true"/></flexcomp>
  </worldbody>
</mujoco>)";

inline constexpr std::string_view kSlide = R"(
<mujoco model="slide">
  <option timestep="0.01"/>
  <worldbody><body><joint type="slide"/><geom size=".1" mass="1"/></body></worldbody>
</mujoco>)";

struct TestWorld {
  std::string name;
  Model m;
  Data d;

  TestWorld(std::string its_name, Model model) : name(std::move(its_name)), m(std::move(model)), d(m) { reset(m, d); }
};

using Worlds = std::vector<std::unique_ptr<TestWorld>>;

/// Nonzero velocities, inputs and activations everywhere, the same in every run.
inline void stir(const Model& m, Data& d, double size) {
  std::mt19937 engine(7);
  const auto number = [&] { return size * (static_cast<double>(engine() % 20001) / 10000 - 1); };
  for (double& x : d.qvel) x += number();
  for (double& x : d.ctrl) x += number();
  for (double& x : d.act) x += 0.1 * number();
  for (double& x : d.qfrc_applied) x = number();
  for (int b = 1; b < m.nbody; ++b)
    for (int k = 0; k < 6; ++k) d.xfrc_applied[6 * b + k] = number();
  for (double& x : d.mocap_pos) x += 0.1 * number();
  for (double& x : d.userdata) x = number();
}

inline void step_often(const Model& m, Data& d, int steps) {
  for (int i = 0; i < steps; ++i) step(m, d);
}

inline void add_world(Worlds& worlds, const std::string& name, std::string_view mjcf,
                      const std::function<void(Model&)>& change,
                      const std::function<void(const Model&, Data&)>& prepare) {
  Model m = load_string(mjcf).value_or_throw();
  change(m);
  worlds.push_back(std::make_unique<TestWorld>(name, std::move(m)));
  prepare(worlds.back()->m, worlds.back()->d);
}

/// The zoo with different options: a different solver, cone, integrator or flag each.
inline void add_zoos(Worlds& worlds) {
  struct Variant {
    const char* name;
    std::function<void(Option&)> change;
  };
  const Variant variants[] = {
      {"zoo", [](Option&) {}},
      {"zoo, elliptic", [](Option& o) { o.cone = 1; }},
      {"zoo, conjugate gradient", [](Option& o) { o.solver = 1, o.cone = 1; }},
      {"zoo, Gauss-Seidel and noslip", [](Option& o) { o.solver = 0, o.noslip_iterations = 3; }},
      {"zoo, Gauss-Seidel, elliptic, noslip", [](Option& o) { o.solver = 0, o.cone = 1, o.noslip_iterations = 3; }},
      {"zoo without islands", [](Option& o) { o.disableflags |= kDisableIsland; }},
      {"zoo without islands, gradient", [](Option& o) { o.disableflags |= kDisableIsland, o.solver = 1; }},
      {"zoo without islands, Gauss-Seidel", [](Option& o) { o.disableflags |= kDisableIsland, o.solver = 0; }},
      {"zoo with the exact diagonal", [](Option& o) { o.enableflags |= kEnableDiagexact, o.cone = 1; }},
      {"zoo with energy", [](Option& o) { o.enableflags |= kEnableEnergy | kEnableFwdinv | kEnableInvdiscrete; }},
      {"zoo, implicit", [](Option& o) { o.integrator = 2; }},
      {"zoo, implicitfast", [](Option& o) { o.integrator = 3, o.enableflags |= kEnableInvdiscrete; }},
      {"zoo, dense", [](Option& o) { o.jacobian = 0; }},
      {"zoo, cold", [](Option& o) { o.disableflags |= kDisableWarmstart; }},
      {"zoo without actuation", [](Option& o) { o.disableflags |= kDisableActuation; }},
      {"zoo without a group", [](Option& o) { o.disableactuator = 1 << 3; }},
      {"zoo without constraints", [](Option& o) { o.disableflags |= kDisableConstraint; }},
      {"zoo without springs and dampers", [](Option& o) { o.disableflags |= kDisableSpring | kDisableDamper; }},
      {"zoo without sensors", [](Option& o) { o.disableflags |= kDisableSensor; }},
      {"zoo without gravity", [](Option& o) { o.disableflags |= kDisableGravity | kDisableClampctrl; }},
  };
  for (const Variant& variant : variants) {
    add_world(
        worlds, variant.name, kZoo, [&](Model& m) { variant.change(m.opt); },
        [](const Model& m, Data& d) {
          stir(m, d, 0.3);
          step_often(m, d, 6);
          forward(m, d);
        });
  }
}

inline void add_flexes(Worlds& worlds) {
  const auto add = [&](const std::string& name, const std::function<void(Model&)>& change) {
    add_world(worlds, name, kFlexes, change, [](const Model& m, Data& d) {
      stir(m, d, 0.05);
      step_often(m, d, 2);
      for (auto i = d.qpos.size() - 18; i < d.qpos.size(); ++i) d.qpos[i] = 0;  // the mat, back on the floor
      forward(m, d);
    });
  };
  const auto without_passive = [](Model& m) {
    for (int f = 0; f < m.nflex; ++f) m.flex_passive[f] = 0;
    refresh(m);
  };
  add("flexes, implicit", [](Model&) {});
  add("flexes, implicit, too few iterations", [](Model& m) { m.opt.iterations = 1; });
  add("flexes", [&](Model& m) {
    without_passive(m);
    m.opt.solver = static_cast<int>(SolverKind::Newton);
    m.opt.enableflags |= kEnableEnergy;
  });
}

/// Worlds that raise a warning.
inline void add_warned(Worlds& worlds) {
  const auto prepare = [](const Model& m, Data& d) {
    stir(m, d, 0.3);
    forward(m, d);
  };
  add_world(
      worlds, "zoo with a bad control", kZoo, [](Model&) {}, prepare);
  worlds.back()->d.ctrl[2] = 1e20;
  add_world(
      worlds, "a zero implicit matrix", kSlide,
      [](Model& m) {
        m.opt.integrator = static_cast<int>(Integrator::Implicit);
        m.dof_damping[0] = -100;  // 1 kg - 0.01 s * 100 kg/s
      },
      prepare);
}

inline void add_sleepers(Worlds& worlds) {
  const auto add = [&](const std::string& name, const std::function<void(const Model&, Data&)>& prepare) {
    add_world(
        worlds, name, kSleepers, [](Model&) {}, prepare);
  };
  const auto settle = [](const Model& m, Data& d) {
    d.ctrl[0] = 0.5;
    step_often(m, d, 400);
    forward(m, d);
  };
  add("sleepers before they sleep", [](const Model& m, Data& d) {
    d.ctrl[0] = 0.5;
    step_often(m, d, 8);
    forward(m, d);
  });
  add("sleepers about to fall asleep", [&](const Model& m, Data& d) {
    d.ctrl[0] = 0.5;
    const auto sleeping = [&] { return std::ranges::count_if(d.tree_asleep, [](int next) { return next >= 0; }); };
    for (int i = 0; i < 400; ++i) {
      Data next(d);
      step(m, next);
      const auto before = sleeping();
      if (std::ranges::count_if(next.tree_asleep, [](int t) { return t >= 0; }) > before) break;
      step(m, d);
    }
    forward(m, d);
  });
  add("sleepers asleep", settle);
  add("sleepers, one pushed", [&](const Model& m, Data& d) {
    settle(m, d);
    d.xfrc_applied[6 * 3] = 1;
    d.qfrc_applied[m.nv - 2] = 0.1;
  });
  add("sleepers, one moved", [&](const Model& m, Data& d) {
    settle(m, d);
    d.qpos[2] += 0.01;
    d.qvel[8] = 0.1;
    for (int j = 0; j < m.njnt; ++j)
      if (m.jnt_type[j] == static_cast<int>(JointType::Free)) d.qpos[m.jnt_qposadr[j] + 4] += 0.05;
  });
  add("sleepers, one grabbed", [&](const Model& m, Data& d) {
    settle(m, d);
    d.eq_active[1] = d.eq_active[2] = 1;
    d.mocap_pos[0] = 1.2, d.mocap_pos[1] = 0, d.mocap_pos[2] = 0.23;
  });
  add("sleepers, leash tight", [&](const Model& m, Data& d) {
    settle(m, d);
    d.ten_length[0] = 4.1;
  });
  add_world(
      worlds, "sleepers with sleep disabled", kSleepers, [](Model&) {}, settle);
  worlds.back()->m.opt.enableflags &= ~kEnableSleep;
}

/// A plugin whose state is a constant that it writes in every step.
struct Writing : CopiedInstance<Writing> {
  void advance(const Model& m, Data& d) override { plugin_state(m, d, 0)[0] = 3; }
};
struct WritingPlugin : Plugin {
  std::string name() const override { return "test.writing"; }
  int capabilities() const override { return kPluginPassive; }
  Result<int> state_size(const PluginConfig&) const override { return 1; }
  Result<std::unique_ptr<PluginInstance>> make(const Model&, int) const override {
    return std::unique_ptr<PluginInstance>(std::make_unique<Writing>());
  }
};

inline void add_plugin(Worlds& worlds) {
  PluginRegistry plugins;
  plugins.add(std::make_shared<WritingPlugin>()).value_or_throw();
  LoadOptions options;
  options.plugins = &plugins;
  Model m = load_string(R"(<mujoco><extension><plugin plugin="test.writing"/></extension><worldbody><body><joint/>
      <geom size=".1"/><plugin plugin="test.writing"/></body></worldbody></mujoco>)",
                        options)
                .value_or_throw();
  worlds.push_back(std::make_unique<TestWorld>("a plugin with a state", std::move(m)));
  forward(worlds.back()->m, worlds.back()->d);
}

inline void add_special(Worlds& worlds) {
  add_plugin(worlds);
  const auto evaluate = [](const Model& m, Data& d) { forward(m, d); };
  add_world(
      worlds, "static pair", kStatic, [](Model&) {}, evaluate);
  worlds.back()->d.contact[0].exclude = 0;  // as set by collide
  // too many geoms for the pairwise test: uses the bounding volume trees
  const auto comb = [](const char* pos) {
    std::string body = std::string("<body pos='") + pos + "'><freejoint/>";
    for (int i = 0; i < 140; ++i) body += "<geom size='.05' mass='.01' pos='" + std::to_string(0.03 * i) + " 0 0'/>";
    return body + "</body>";
  };
  const std::string combs = "<mujoco><worldbody>" + comb("0 0 0") + comb("0 .02 .09") + "</worldbody></mujoco>";
  add_world(
      worlds, "two combs", combs, [](Model&) {}, evaluate);
  // a user filter: all pairs go through the bounding boxes
  add_world(
      worlds, "zoo with a contact filter", kZoo, [](Model&) {},
      [&](const Model& m, Data& d) {
        d.callbacks.contact_filter = [](const Model& model, const Data&, int a, int b) {
          return (model.geom_contype[a] & model.geom_conaffinity[b]) == 0 &&
                 (model.geom_contype[b] & model.geom_conaffinity[a]) == 0;
        };
        evaluate(m, d);
      });
}

inline void add_models(Worlds& worlds) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const auto& path : paths) {
    worlds.push_back(std::make_unique<TestWorld>(path.filename().string(), load_or_throw(path)));
    TestWorld& w = *worlds.back();
    stir(w.m, w.d, 0.1);
    step_often(w.m, w.d, 60);
    forward(w.m, w.d);
  }
}

/// Every world is simulated for a while and then evaluated by forward, so that its fields are consistent.
inline Worlds rich_worlds() {
  Worlds worlds;
  add_zoos(worlds);
  add_warned(worlds);
  add_sleepers(worlds);
  add_special(worlds);
  add_flexes(worlds);
  add_models(worlds);
  return worlds;
}

}  // namespace sinew::test
