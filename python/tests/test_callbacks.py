"""User callbacks inside a step."""

import numpy as np
import pytest
import sinew as mujoco

USER = """
<mujoco>
  <worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos="0 0 -.5"/></body></worldbody>
  <actuator>
    <general joint="j" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
  </actuator>
  <sensor><user name="u" dim="2" needstage="vel"/></sensor>
</mujoco>
"""


def test_the_control_callback_receives_the_callers_objects(creature, world):
    seen = []

    def control(model, data):
        seen.append((model is creature, data is world))
        data.ctrl[0] = 1.5

    mujoco.set_mjcb_control(control)
    assert mujoco.get_mjcb_control() is control
    mujoco.mj_step(creature, world)
    assert seen and all(a and b for a, b in seen) and world.ctrl[0] == 1.5
    mujoco.set_mjcb_control(None)
    count = len(seen)
    mujoco.mj_step(creature, world)
    assert len(seen) == count and mujoco.get_mjcb_control() is None


def test_passive_forces_are_added(creature, world):
    def passive(model, data):
        data.qfrc_passive[0] += 4

    before = world.qacc.copy()
    mujoco.set_mjcb_passive(passive)
    mujoco.mj_forward(creature, world)
    assert world.qacc[0] > before[0] + 0.1


def test_user_actuators_and_sensors():
    model = mujoco.MjModel.from_xml_string(USER)
    data = mujoco.MjData(model)
    data.act[0] = 3
    mujoco.set_mjcb_act_dyn(lambda m, d, i: 7)
    mujoco.set_mjcb_act_gain(lambda m, d, i: 2.0)
    mujoco.set_mjcb_act_bias(lambda m, d, i: 0.5)
    stages = []

    def sensor(m, d, stage):
        stages.append(stage)
        d.sensor("u").data[:] = [1, 2]

    mujoco.set_mjcb_sensor(sensor)
    mujoco.mj_forward(model, data)
    assert data.act_dot[0] == 7 and data.actuator_force[0] == pytest.approx(2 * 3 + 0.5)
    assert data.sensordata.tolist() == [1, 2] and mujoco.mjtStage.mjSTAGE_VEL in stages


SPHERES = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 .05"><freejoint/><geom name="low" size=".1" contype="2" conaffinity="2"/></body>
    <body pos="0 0 .15"><freejoint/><geom name="high" size=".1" contype="3" conaffinity="3"/></body>
  </worldbody>
</mujoco>
"""


def test_a_contact_filter_replaces_the_masks():
    model = mujoco.MjModel.from_xml_string(SPHERES)
    data = mujoco.MjData(model)
    low, high = model.geom("low").id, model.geom("high").id
    mujoco.mj_forward(model, data)
    assert data.contact.geom.tolist() == [[low, high]]
    asked = []

    def refuse(m, d, geom1, geom2):
        asked.append((m is model, d is data, geom1, geom2))
        return 1

    mujoco.set_mjcb_contactfilter(refuse)
    mujoco.mj_forward(model, data)
    # the masks of floor and low do not match, those of floor and high do but they are apart; the floor's type is lower
    assert data.ncon == 0 and set(asked) == {(True, True, low, high), (True, True, 0, high)}
    mujoco.set_mjcb_contactfilter(lambda m, d, geom1, geom2: 0)
    mujoco.mj_forward(model, data)
    assert data.contact.geom.tolist() == [[low, high]]
    mujoco.set_mjcb_contactfilter(lambda m, d, geom1, geom2: None)
    with pytest.raises(TypeError, match="mjcb_contactfilter callback did not return a number"):
        mujoco.mj_forward(model, data)


def test_rows_held_by_a_callback_stay_readable():
    """The four stages of this integrator detect collisions again after the callback has read the rows."""
    model = mujoco.MjModel.from_xml_string(SPHERES)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    held = []
    mujoco.set_mjcb_passive(lambda m, d: held.append((d.contact.dist, d.contact.dist.copy(), d.efc_pos, d.efc_pos.copy())))
    for _ in range(5):
        mujoco.mj_step(model, data)
    assert len(held) == 20
    for dist, dist_then, pos, pos_then in held:
        assert np.array_equal(dist, dist_then) and np.array_equal(pos, pos_then)


def test_an_exception_propagates_unchanged(creature, world):
    class Mine(Exception):
        pass

    def broken(model, data):
        raise Mine("here")

    mujoco.set_mjcb_control(broken)
    with pytest.raises(Mine, match="here"):
        mujoco.mj_step(creature, world)
    mujoco.set_mjcb_control(None)
    mujoco.mj_resetData(creature, world)
    mujoco.mj_step(creature, world)
    assert np.isfinite(world.qpos).all()


def test_a_callback_must_be_callable():
    for name in ("passive", "control", "contactfilter", "sensor", "time", "act_dyn", "act_gain", "act_bias"):
        with pytest.raises(TypeError, match=r"callback is not an Optional\[Callable\]"):
            getattr(mujoco, f"set_mjcb_{name}")(1)
        assert getattr(mujoco, f"get_mjcb_{name}")() is None


def test_the_user_clock_measures_steps(creature, world):
    ticks = iter(range(100))
    mujoco.set_mjcb_time(lambda: next(ticks))
    mujoco.mj_step(creature, world)
    assert world.timer[mujoco.mjtTimer.mjTIMER_STEP].duration == 1
    mujoco.set_mjcb_time(lambda: "late")
    with pytest.raises(TypeError, match="mjcb_time callback did not return a number"):
        mujoco.mj_step(creature, world)


def test_a_callback_may_call_the_engine_to_a_limited_depth(creature, world):
    def control(model, data):
        jac = np.empty((3, model.nv))
        mujoco.mj_jacSite(model, data, jac, None, 0)
        data.ctrl[0] = jac[0, 0]

    mujoco.set_mjcb_control(control)
    mujoco.mj_step(creature, world)
    assert world.ctrl[0] == 1
    mujoco.set_mjcb_control(lambda m, d: mujoco.mj_forward(m, d))
    with pytest.raises(RuntimeError, match="too deeply"):
        mujoco.mj_step(creature, world)


def test_finite_differences_include_the_control_callback(creature, world):
    """A state feedback in a callback is part of the derivative."""
    gain = 3.0

    def control(model, data):
        data.qfrc_applied[10] = -gain * data.qvel[10]

    creature.opt.integrator = 0
    n = 2 * creature.nv + creature.na
    plain, fed = np.empty((n, n)), np.empty((n, n))
    mujoco.mjd_transitionFD(creature, world, 1e-6, True, plain, None, None, None)
    mujoco.set_mjcb_control(control)
    qvel = world.qvel.copy()
    mujoco.mjd_transitionFD(creature, world, 1e-6, True, fed, None, None, None)
    assert np.array_equal(qvel, world.qvel)
    entry = creature.nv + 10
    assert fed[entry, entry] < plain[entry, entry] - 0.001
