"""The first things that a user does."""

import numpy as np
import sinew as mujoco

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="arm"><joint name="hinge" axis="0 1 0"/><geom size="0.1" pos="0 0 -1"/></body>
  </worldbody>
</mujoco>
"""


def test_a_pendulum_that_is_let_go_falls():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    data = mujoco.MjData(model)
    data.qpos[:] = np.pi / 2
    qvel = data.qvel
    mujoco.mj_step(model, data, nstep=10)
    assert qvel[0] < 0
    assert data.qvel is qvel
