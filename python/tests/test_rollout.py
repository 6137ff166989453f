"""Rollouts: laws of sinew.rollout."""

import copy
import inspect

import numpy as np
import pytest
import sinew as mujoco
from sinew import rollout

XML = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <sensor><jointpos joint="hinge"/><jointvel joint="hinge"/></sensor>
</mujoco>
"""
CTRL, QFRC_APPLIED = 1 << 6, 1 << 7
NBATCH, NSTEP = 5, 30


@pytest.fixture(name="model")
def fixture_model():
    return mujoco.MjModel.from_xml_string(XML)


def initial_states(model):
    rng = np.random.default_rng(1)
    states = np.zeros((NBATCH, 1 + model.nq + model.nv))
    states[:, 1 : 1 + model.nq] = model.qpos0
    states[:, 1 + model.nq :] = rng.normal(size=(NBATCH, model.nv))
    return states


def controls(model):
    return np.random.default_rng(2).normal(size=(NBATCH, NSTEP, model.nu))


def python_loop(model, states, control):
    """State and sensor values after each step, one world after the other."""
    state = np.zeros((NBATCH, NSTEP, states.shape[1]))
    sensordata = np.zeros((NBATCH, NSTEP, model.nsensordata))
    for r in range(NBATCH):
        data = mujoco.MjData(model)
        data.time = states[r, 0]
        data.qpos = states[r, 1 : 1 + model.nq]
        data.qvel = states[r, 1 + model.nq :]
        for t in range(NSTEP):
            data.ctrl = control[r, t]
            mujoco.mj_step(model, data)
            state[r, t] = np.concatenate([[data.time], data.qpos, data.qvel])
            sensordata[r, t] = data.sensordata
    return state, sensordata


@pytest.mark.parametrize("nthread", [1, 2, 3])
def test_a_rollout_equals_a_python_loop_bit_for_bit(model, nthread):
    states, control = initial_states(model), controls(model)
    data = [mujoco.MjData(model) for _ in range(nthread)]
    for d in data:
        d.qvel[:] = 3  # the contents of data do not matter
    state, sensordata = rollout.rollout(model, data, states, control)
    expected_state, expected_sensordata = python_loop(model, states, control)
    assert state.tobytes() == expected_state.tobytes()
    assert sensordata.tobytes() == expected_sensordata.tobytes()


def test_results_are_written_to_the_given_arrays(model):
    states, control = initial_states(model), controls(model)
    state = np.zeros((NBATCH, NSTEP, states.shape[1]))
    sensordata = np.zeros((NBATCH, NSTEP, model.nsensordata))
    result = rollout.rollout(model, mujoco.MjData(model), states, control, state=state, sensordata=sensordata)
    assert np.shares_memory(result[0], state) and np.shares_memory(result[1], sensordata)
    assert state[0, -1, 0] == pytest.approx(NSTEP * 0.01)
    again = rollout.rollout(
        model, mujoco.MjData(model), states, control, skip_checks=True, nstep=NSTEP, chunk_size=2
    )
    assert np.array_equal(state, again[0])


def test_missing_dimensions_are_broadcast(model):
    states, control = initial_states(model), controls(model)
    data = mujoco.MjData(model)
    one, _ = rollout.rollout(model, data, states[0], control[0])
    assert one.shape == (1, NSTEP, states.shape[1])
    tiled, _ = rollout.rollout(model, data, states[0], control)
    assert tiled.shape == (NBATCH, NSTEP, states.shape[1])
    assert np.array_equal(tiled[0], one[0])
    held, _ = rollout.rollout(model, data, states, 0.5, nstep=4)
    assert held.shape == (NBATCH, 4, states.shape[1])
    free, _ = rollout.rollout(model, data, states, nstep=4)
    assert not np.array_equal(held, free)


def test_controls_may_be_other_inputs(model):
    states = initial_states(model)
    force = np.zeros((NBATCH, NSTEP, model.nv))
    plain, _ = rollout.rollout(model, mujoco.MjData(model), states, force, control_spec=QFRC_APPLIED)
    force[:, :, 2] = 10
    pushed, _ = rollout.rollout(model, mujoco.MjData(model), states, force, control_spec=QFRC_APPLIED)
    assert np.all(pushed[:, -1, 3] > plain[:, -1, 3])


def test_each_rollout_may_have_its_own_model(model):
    states, control = initial_states(model), controls(model)
    models = [mujoco.MjModel.from_xml_string(XML.replace("0.04", f"0.0{i + 3}")) for i in range(NBATCH)]
    state, _ = rollout.rollout(models, [mujoco.MjData(model) for _ in range(2)], states, control)
    alone, _ = rollout.rollout(models[3], mujoco.MjData(models[3]), states[3], control[3])
    assert np.array_equal(state[3], alone[0])
    with pytest.raises(ValueError, match="models are not compatible"):
        rollout.rollout([model, mujoco.MjModel.from_xml_string("<mujoco/>")], mujoco.MjData(model), states)


def test_a_diverging_rollout_repeats_its_last_row_and_does_not_affect_others(model):
    states, control = initial_states(model), controls(model)
    good, _ = rollout.rollout(model, mujoco.MjData(model), states, control)
    states[2, 3] = np.nan
    with rollout.Rollout(nthread=2) as pool:
        with pytest.warns(rollout.RolloutWarning, match="1 of 5 rollouts diverged, the first is 2 at step 0"):
            state, _ = pool.rollout(model, [mujoco.MjData(model) for _ in range(2)], states, control)
        assert pool.diverged.tolist() == [-1, -1, 0, -1, -1]
    assert np.all(state[2] == state[2, 0])
    others = [0, 1, 3, 4]
    assert np.array_equal(state[others], good[others])


def test_a_closed_pool_raises(model):
    pool = rollout.Rollout(nthread=2)
    data = [mujoco.MjData(model) for _ in range(2)]
    pool.rollout(model, data, initial_states(model))
    pool.close()
    with pytest.raises(RuntimeError, match="rollout requested after thread pool shutdown"):
        pool.rollout(model, data, initial_states(model))


def test_a_persistent_pool_is_kept_and_shut_down(model):
    data = [mujoco.MjData(model) for _ in range(2)]
    first, _ = rollout.rollout(model, data, initial_states(model), nstep=3, persistent_pool=True)
    second, _ = rollout.rollout(model, data, initial_states(model), nstep=3, persistent_pool=True)
    assert np.array_equal(first, second)
    rollout.shutdown_persistent_pool()
    rollout.rollout(model, data, initial_states(model), nstep=3, persistent_pool=True)
    rollout.shutdown_persistent_pool()


def test_errors_state_what_was_passed_and_what_was_expected(model):
    states, data = initial_states(model), mujoco.MjData(model)

    def refused(text, *args, **kwargs):
        with pytest.raises(ValueError) as error:
            rollout.rollout(*args, **kwargs)
        assert str(error.value) == text

    refused("control must be a numpy array or float", model, data, states, "string")
    refused("control can have at most 3 dimensions", model, data, states, np.zeros((1, 1, 1, 1)))
    refused("trailing dimension of initial_state must be 16, got 17", model, data, np.zeros((2, 17)))
    refused("dimension 0 inferred as 5 but control has 3", model, data, states, np.zeros((3, 4, 1)))
    wrong_steps = np.zeros((5, 4, 16))
    refused("dimension 1 inferred as 3 but state has 4", model, data, states, np.zeros((5, 3, 1)), state=wrong_steps)
    not_inputs = "control_spec can only contain bits in mjSTATE_USER"
    refused(not_inputs, model, data, states, control_spec=1)
    refused("The list of data instances is empty", model, [], states)
    refused("a data instance is in the list twice", model, [data, data], states)
    integers = np.zeros((5, 1, 16), int)
    refused("state is written in place: it must be a contiguous array of float64", model, data, states, state=integers)
    with pytest.raises(ValueError, match="Length of data: 1 not equal to nthread: 2"):
        rollout.Rollout(nthread=2).rollout(model, [data], states)
    with pytest.raises(TypeError):
        rollout.rollout(None, data, states)
    read_only = np.zeros((5, 1, 16))
    read_only.flags.writeable = False
    refused("state is read-only", model, data, states, state=read_only)


def test_without_checks_there_may_be_more_models_than_rollouts(model):
    models = [copy.copy(model) for _ in range(9)]
    expected, _ = rollout.rollout(model, mujoco.MjData(model), initial_states(model), nstep=2)
    state = np.empty_like(expected)
    rollout.rollout(models, mujoco.MjData(model), initial_states(model), nstep=2, skip_checks=True, state=state)
    assert np.array_equal(state, expected)
    with pytest.raises(ValueError, match="nbatch inferred as 5 but model is length 9"):
        rollout.rollout(models, mujoco.MjData(model), initial_states(model), nstep=2)
    several, _ = rollout.rollout(models, mujoco.MjData(model), initial_states(model)[0], nstep=2)
    assert several.shape == (9, 2, 16)


@pytest.mark.parametrize("place", [0, 2])
def test_an_unknown_solver_is_a_fatal_error(model, place):
    models = [copy.copy(model) for _ in range(5)]
    models[place].opt.solver = 10
    with pytest.raises(mujoco.FatalError, match=r"\Amj_fwdConstraint: unknown solver type 10\Z"):
        rollout.rollout(models, mujoco.MjData(model), initial_states(model))
    with pytest.raises(mujoco.FatalError, match=r"\Amj_fwdConstraint: unknown solver type 10\Z"):
        mujoco.mj_step(models[place], mujoco.MjData(model))


def test_callbacks_are_called_with_the_data_and_their_exceptions_propagate(model):
    data = [mujoco.MjData(model) for _ in range(2)]
    seen = set()

    def control(m, d):
        assert m is model
        seen.add(id(d))
        d.ctrl[:] = 1

    mujoco.set_mjcb_control(control)
    called, _ = rollout.rollout(model, data, initial_states(model), nstep=20)
    assert seen and seen <= {id(d) for d in data}

    def broken(m, d):
        raise KeyError("broken")

    mujoco.set_mjcb_control(broken)
    with pytest.raises(KeyError, match="broken"):
        rollout.rollout(model, data, initial_states(model), nstep=20)
    mujoco.set_mjcb_control(None)
    given, _ = rollout.rollout(model, data, initial_states(model), np.ones((NBATCH, 20, 1)))
    assert np.array_equal(called, given)


def test_the_function_and_the_method_have_the_same_arguments():
    function, method = (inspect.signature(f).parameters for f in (rollout.rollout, rollout.Rollout.rollout))
    assert list(function) == [*list(method)[1:], "persistent_pool"]
    assert all(function[name] == method[name] for name in list(method)[1:])
