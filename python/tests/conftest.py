"""Models shared by many tests."""

import pytest
import sinew

CREATURE = """
<mujoco model="creature">
  <option timestep="0.002" integrator="RK4"/>
  <default><geom friction="1 .5 .5"/></default>
  <asset>
    <texture name="grid" type="2d" builtin="checker" width="4" height="6" rgb1="1 0 0" rgb2="0 1 0"/>
    <material name="paint" texture="grid"/>
    <hfield name="hill" nrow="2" ncol="3" size="1 1 1 .1" elevation="0 1 2 3 4 5"/>
    <mesh name="wedge" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 3"/>
    <camera name="track" mode="trackcom" pos="0 -3 1"/>
    <geom name="floor" type="plane" size="5 5 .1" material="paint"/>
    <body name="torso" pos="0 0 .3">
      <freejoint name="root"/>
      <geom name="ball" size=".1"/>
      <site name="nose" pos=".1 0 0"/>
      <body name="upper" pos=".2 0 0">
        <joint name="shoulder" type="ball" damping=".1"/>
        <geom name="upper" type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
        <body name="lower" pos=".2 0 0">
          <joint name="elbow" axis="0 1 0" range="-90 90" limited="true"/>
          <joint name="slider" type="slide" axis="1 0 0" stiffness="10"/>
          <geom name="lower" type="capsule" fromto="0 0 0 .2 0 0" size=".03"/>
          <site name="hand" pos=".2 0 0"/>
        </body>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 0 1"><geom name="mark" size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair name="touch" geom1="lower" geom2="ball"/><exclude name="apart" body1="torso" body2="upper"/></contact>
  <equality><joint name="couple" joint1="slider" polycoef="0 0 0 0 0" active="false"/></equality>
  <tendon><fixed name="cord"><joint joint="elbow" coef="2"/><joint joint="slider" coef="1"/></fixed></tendon>
  <actuator>
    <motor name="elbow_motor" joint="elbow" ctrllimited="true" ctrlrange="-1 2" gear="3"/>
    <position name="slide_servo" joint="slider" kp="5"/>
    <general name="lag" joint="elbow" dyntype="filter" dynprm=".1"/>
  </actuator>
  <sensor>
    <jointpos name="elbow_angle" joint="elbow"/>
    <accelerometer name="feel" site="hand"/>
    <touch name="press" site="nose"/>
  </sensor>
  <custom>
    <numeric name="gains" data="1 2 3"/><text name="note" data="hello"/>
    <tuple name="pairing"><element objtype="body" objname="torso" prm="4"/></tuple>
  </custom>
  <keyframe>
    <key name="home" qpos="0 0 .5 1 0 0 0  1 0 0 0  .3 .01"/>
    <key name="far" time="2" qpos="9 0 .5 1 0 0 0 1 0 0 0 0 0"/>
  </keyframe>
</mujoco>
"""

BOXES = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".05 0 .28"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def creature():
    return sinew.MjModel.from_xml_string(CREATURE)


@pytest.fixture
def world(creature):
    data = sinew.MjData(creature)
    sinew.mj_forward(creature, data)
    return data


@pytest.fixture
def boxes():
    model = sinew.MjModel.from_xml_string(BOXES)
    data = sinew.MjData(model)
    sinew.mj_step(model, data, 20)
    return data


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    sinew.mj_resetCallbacks()
