#pragma once

#include <random>
#include <string>
#include <vector>

// Models that together have every kind of joint, force, actuator and constraint. "$" is replaced by options.

namespace sinew::test {

/// Free, ball, hinge and slide joints with springs and dampers of all kinds, and forces with hand-written derivatives.
inline const std::string kJoints = R"(
<mujoco>
  <option timestep="0.004" $/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body pos="0 0 1" gravcomp="0.4">
      <joint type="slide" axis="1 0.3 0" damping="0.2" stiffness="5 3 40"/>
      <joint type="ball" damping="0.05 0.1 0.02" stiffness="0.5 0.2" pos="0.02 0.03 -0.01"/>
      <geom type="box" size="0.1 0.05 0.2" pos="0.1 0.02 -0.2" euler="10 20 30"/>
      <body pos="0 0 -0.4" gravcomp="1">
        <joint name="hinge" axis="0.2 1 0" damping="0.1 0 0.05" stiffness="2 1 3" springref="30" pos="0.01 0 0.05"/>
        <joint name="slide" type="slide" axis="0 0.3 1" damping="1" stiffness="200" armature="0.1"/>
        <geom type="capsule" size="0.04 0.15" pos="0 0.1 0"/>
        <body pos="0.05 0 -0.2">
          <joint name="last" axis="1 0 0" damping="0.02"/>
          <geom type="capsule" size="0.03 0.1" pos="0 0 -0.1"/>
        </body>
      </body>
    </body>
    <body pos="1 0 1">
      <joint type="free" stiffness="3 1" damping="0.1"/>
      <geom type="box" size="0.1 0.2 0.05"/>
      <geom type="sphere" size="0.05" pos="0.1 0.1 0.1"/>
      <body pos="0 0.2 0.1"><joint name="ear" axis="1 0 1"/><geom type="sphere" size="0.04" pos="0 0.1 0"/></body>
    </body>
    <body pos="2 0 1">
      <freejoint/>
      <geom type="ellipsoid" size="0.1 0.2 0.05" pos="0.03 0 0.02"/>
    </body>
  </worldbody>
  <tendon>
    <fixed stiffness="3 1 2" damping="0.2 0.1" springlength="0.1 0.1">
      <joint joint="hinge" coef="1"/><joint joint="ear" coef="-0.7"/>
    </fixed>
    <fixed name="pull"><joint joint="hinge" coef="0.4"/><joint joint="last" coef="1.5"/></fixed>
  </tendon>
  <actuator>
    <motor joint="last" ctrlrange="-1 1" ctrllimited="true" gear="2"/>
    <general joint="hinge" dyntype="filter" dynprm="0.05" gaintype="affine" gainprm="3 0.5 0.2" biastype="affine"
             biasprm="0.1 -1 -0.2"/>
    <general tendon="pull" dyntype="filterexact" dynprm="0.03" gainprm="2" actearly="true"/>
    <velocity joint="slide" kv="2" forcerange="-5 5" forcelimited="true"/>
    <intvelocity joint="ear" kp="3" actrange="-1 1"/>
    <muscle joint="last" lengthrange="-1 1" force="3"/>
    <position joint="ear" kp="2" dampratio="0.7"/>
  </actuator>
</mujoco>)";

/// Forces differentiated with dual numbers: fluid, wrapping tendons with armature, all other kinds of actuators.
inline const std::string kForces = R"(
<mujoco>
  <option timestep="0.004" density="1.2" viscosity="0.05" wind="1 0.3 -0.2" $/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="world" pos="0.3 0.1 1.2" euler="20 0 40"/>
    <body pos="0 0 1">
      <joint name="ball" type="ball" damping="0.05"/>
      <geom type="box" size="0.1 0.05 0.2" pos="0.1 0 -0.2"/>
      <geom name="drum" type="cylinder" size="0.05 0.2" pos="0 0 -0.4" euler="90 0 0"/>
      <site name="upper" pos="0.12 0 -0.1" euler="0 30 10"/>
      <site name="side" pos="0.2 0 -0.4"/>
      <body pos="0 0 -0.4">
        <joint name="hinge" axis="0 1 0" damping="0.1"/>
        <joint name="slide" type="slide" axis="0 0.3 1" damping="1" stiffness="200" armature="0.1"/>
        <geom type="ellipsoid" size="0.04 0.06 0.15" pos="0 0.1 -0.1" fluidshape="ellipsoid"/>
        <site name="lower" pos="0.1 0 -0.2"/>
      </body>
    </body>
    <body pos="1 0 1">
      <freejoint name="free"/>
      <geom type="box" size="0.1 0.2 0.05" fluidshape="ellipsoid"/>
      <site name="flying" pos="0.1 0.1 0" euler="40 20 0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="wrapped" stiffness="20 5" damping="0.5">
      <site site="upper"/><geom geom="drum" sidesite="side"/><site site="lower"/>
    </spatial>
    <spatial name="straight" armature="0.05" actuatorfrcrange="-1 1" actuatorfrclimited="true">
      <site site="world"/><site site="lower"/><pulley divisor="2"/><site site="lower"/><site site="flying"/>
    </spatial>
  </tendon>
  <actuator>
    <muscle tendon="wrapped" lengthrange="0.2 0.6" force="20"/>
    <motor tendon="straight" gear="0.7"/>
    <motor site="flying" gear="1 2 0.5 0.1 0.2 0.3"/>
    <position site="lower" refsite="world" gear="1 0.5 0.2 0 0 0" kp="3"/>
    <motor joint="ball" gear="0.3 0.2 0.1"/>
    <motor jointinparent="free" gear="0.3 0.2 0.1 1 2 3"/>
    <general joint="hinge" dyntype="filter" dynprm="0.03" gaintype="affine" gainprm="1 0.2 0.3" biastype="affine"
             biasprm="0 -2 -0.3"/>
  </actuator>
</mujoco>)";

/// Equalities, dry friction and limits.
inline const std::string kHeld = R"(
<mujoco>
  <option timestep="0.004" $/>
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <site name="hook" pos="0.3 0 1.3"/>
    <body name="a" pos="0 0 1">
      <joint name="ball" type="ball" range="0 20" damping="0.05"/>
      <geom type="box" size="0.1 0.05 0.2" pos="0.1 0 -0.2"/>
      <site name="sa" pos="0.1 0 -0.3"/>
      <body name="b" pos="0 0 -0.4">
        <joint name="h1" axis="0 1 0" range="-10 10" frictionloss="0.2" solimplimit="0.8 0.95 0.3"/>
        <joint name="s1" type="slide" axis="0 0.3 1" frictionloss="3"/>
        <geom type="capsule" size="0.04 0.15" pos="0 0.1 0"/>
        <site name="sb" pos="0 0.1 -0.1"/>
        <body name="c" pos="0.1 0 -0.2"><joint name="h2" axis="1 0 0"/><geom size="0.06" pos="0 0.1 0"/></body>
      </body>
    </body>
    <body name="d" pos="0.4 0 1"><freejoint/><geom type="box" size="0.1 0.07 0.05"/><site name="sd" pos="0 0.1 0"/></body>
    <body name="e" pos="0.8 0 1"><freejoint/><geom type="box" size="0.1 0.07 0.05"/></body>
    <body name="f" pos="1 0 1">
      <joint name="h3" axis="0 1 0"/><geom size="0.05" pos="0.1 0 0"/><site name="sf" pos="0.1 0 0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="t1" limited="true" range="0 0.3" solimplimit="0.8 0.9 0.1" frictionloss="0.1">
      <site site="sa"/><site site="hook"/>
    </spatial>
    <spatial name="t2"><site site="sb"/><site site="sf"/></spatial>
    <fixed name="t3" limited="true" range="-0.1 0.05"><joint joint="h2" coef="1"/><joint joint="h3" coef="2"/></fixed>
  </tendon>
  <equality>
    <connect body1="c" body2="d" anchor="0.1 0.05 0.02" solimp="0.8 0.95 0.1"/>
    <weld body1="d" body2="e" relpose="0.3 0.1 0 0.9 0.1 0.2 0.1" torquescale="0.7" solimp="0.7 0.95 0.5"/>
    <joint joint1="h2" joint2="h3" polycoef="0.1 0.5 0.3 -0.2 0.1"/>
    <tendon tendon1="t2" tendon2="t1" polycoef="0.05 0.4 0.3 0 0"/>
  </equality>
</mujoco>)";

/// Shapes that rest and roll on each other.
inline const std::string kTouching = R"(
<mujoco>
  <option timestep="0.004" $/>
  <default><geom friction="0.8 0.02 0.01" solimp="0.8 0.95 0.02" density="500"/></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1" euler="3 2 0"/>
    <geom type="box" size="0.5 0.5 0.1" pos="2 0 0.1" euler="2 -3 10"/>
    <body pos="0 0 0.095"><freejoint/><geom size="0.1" condim="6"/></body>
    <body pos="0.4 0.1 0.07" euler="0 88 20"><freejoint/><geom type="capsule" size="0.06 0.15" condim="4"/></body>
    <body pos="0.9 0.1 0.09" euler="2 3 20">
      <freejoint/><geom type="box" size="0.1 0.12 0.08"/>
      <body pos="0 0 0.1"><joint axis="0 1 0" damping="0.1"/><geom type="capsule" size="0.03 0.1" pos="0 0 0.15"/></body>
    </body>
    <body pos="0.95 0.02 0.38"><freejoint/><geom size="0.06" condim="1"/></body>
    <body pos="1.9 0.1 0.27"><freejoint/><geom size="0.08"/></body>
    <body pos="2.1 -0.1 0.24" euler="0 91 40"><freejoint/><geom type="capsule" size="0.05 0.12"/></body>
    <body pos="2.1 0.2 0.29" euler="5 4 30"><freejoint/><geom type="box" size="0.08 0.1 0.09"/></body>
    <body pos="0.1 0.6 0.12" euler="40 10 0"><freejoint/><geom type="ellipsoid" size="0.1 0.13 0.15"/></body>
    <body pos="0.12 0.02 0.26"><freejoint/><geom size="0.08" margin="0.01"/></body>
    <body pos="0.4 0.7 0.1" euler="85 0 10"><freejoint/><geom type="cylinder" size="0.1 0.08"/></body>
  </worldbody>
</mujoco>)";

/// Conveyor belts, adhesive shapes, and an adhesion actuator.
inline const std::string kSticky = R"(
<mujoco>
  <option timestep="0.004" $/>
  <default><geom friction="0.8 0.02 0.01" solimp="0.8 0.95 0.02" density="500"/></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1" surfacevel="0.3 0.1 0 0 0 1"/>
    <body pos="0 0 0.095"><freejoint/><geom size="0.1" condim="4" surfacevel="0 0 0 1 2 0.5"/></body>
    <body pos="0.5 0.1 0.09" euler="2 3 20"><freejoint/><geom type="box" size="0.1 0.12 0.08" adhesion="2"/></body>
    <body name="hand" pos="-0.5 0 0.3">
      <joint axis="0 1 0" damping="0.1"/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.2 0 -0.2"/>
      <body pos="0.2 0 -0.2" name="finger"><joint axis="1 0 0" damping="0.1"/><geom size="0.099" pos="0.02 0 -0.004" margin="0.02" gap="0.01"/></body>
    </body>
  </worldbody>
  <actuator><adhesion body="finger" gain="5" ctrlrange="0 1"/></actuator>
</mujoco>)";

/// A creature on a floor with every kind of smooth sensor.
inline const std::string kSensing = R"(
<mujoco>
  <option timestep="0.004" $><flag energy="enable"/></option>
  <default><geom friction="0.8 0.02 0.01" solimp="0.8 0.95 0.02"/></default>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <site name="fixed" pos="0.3 0.1 0.5" euler="10 20 30"/>
    <camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 0.4 1"/>
    <body name="torso" pos="0 0 0.35">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <site name="imu" pos="0.05 0.02 0.03" euler="5 10 20"/>
      <body name="leg1" pos="0.2 0 0">
        <joint name="hip1" axis="0 1 0" range="-5 60" damping="0.1"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.1 0 -0.31"/>
        <site name="foot1" pos="0.1 0 -0.31" size="0.2"/>
      </body>
      <body name="leg2" pos="-0.2 0 0">
        <joint name="hip2" type="ball" damping="0.1"/>
        <geom name="shin2" type="capsule" size="0.04" fromto="0 0 0 -0.1 0.05 -0.312"/>
        <site name="foot2" pos="-0.1 0.05 -0.3"/>
      </body>
    </body>
    <body name="box" pos="0.8 0 0.099"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
  <tendon>
    <spatial name="cord" limited="true" range="0 0.3"><site site="foot1"/><site site="fixed"/></spatial>
  </tendon>
  <actuator>
    <position name="p" joint="hip1" kp="20"/>
    <general name="g" tendon="cord" dyntype="filter" dynprm="0.05" gainprm="-3"/>
  </actuator>
  <sensor>
    <touch site="foot1"/><accelerometer site="imu"/><velocimeter site="imu"/><gyro site="imu"/><force site="foot1"/>
    <torque site="foot2"/><magnetometer site="imu"/><camprojection site="imu" camera="eye"/>
    <jointpos joint="hip1"/><jointvel joint="hip1"/><tendonpos tendon="cord"/><tendonvel tendon="cord"/>
    <actuatorpos actuator="p"/><actuatorvel actuator="g"/><actuatorfrc actuator="p"/><actuatorfrc actuator="g"/>
    <jointactuatorfrc joint="hip1"/><tendonactuatorfrc tendon="cord"/><ballquat joint="hip2"/>
    <ballangvel joint="hip2"/><jointlimitpos joint="hip1"/><jointlimitvel joint="hip1"/><jointlimitfrc joint="hip1"/>
    <tendonlimitpos tendon="cord"/><tendonlimitvel tendon="cord"/><tendonlimitfrc tendon="cord"/>
    <framepos objtype="site" objname="foot2" reftype="body" refname="box"/><framequat objtype="body" objname="leg1"/>
    <framexaxis objtype="site" objname="imu"/><framelinvel objtype="site" objname="foot1"/>
    <frameangvel objtype="body" objname="leg2" reftype="site" refname="imu"/>
    <framelinacc objtype="site" objname="imu"/><frameangacc objtype="body" objname="leg2"/>
    <subtreecom body="torso"/><subtreelinvel body="torso"/><subtreeangmom body="torso"/>
    <distance geom1="shin2" geom2="box" cutoff="5"/>
    <contact geom1="box" num="1" reduce="netforce" data="force torque"/><contact geom1="box" num="4" data="dist pos normal"/>
    <e_potential/><e_kinetic/><clock/>
  </sensor>
</mujoco>)";

}  // namespace sinew::test
