"""Any argument: the right exception, never a crash."""

import copy
import inspect
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sinew as mujoco
from conftest import BOXES, CREATURE

XML_ERRORS = {
    "<mujoco><worldbody><geom sizz='1'/></worldbody></mujoco>": ("XML Error: ", "Element 'geom', line 1", "did you mean"),
    "<mujoco>\n<worldbody>\n<geom name='a' size='-1'/></worldbody></mujoco>": ("Error: ", "Element name 'a', id 0, line 3"),
    "<mujoco><worldbody>": ("XML Error: ",),
    "": ("XML Error: ",),
}


@pytest.mark.parametrize("xml", XML_ERRORS)
def test_an_invalid_model_is_a_value_error_with_the_location(xml):
    with pytest.raises(ValueError) as error:
        mujoco.MjModel.from_xml_string(xml)
    for part in XML_ERRORS[xml]:
        assert part in str(error.value)


def test_a_missing_file_is_a_value_error():
    with pytest.raises(ValueError, match="nowhere.xml"):
        mujoco.MjModel.from_xml_path("/nowhere.xml")
    with pytest.raises(ValueError, match="nowhere.mjb"):
        mujoco.MjModel.from_binary_path("/nowhere.mjb")


def test_models_have_no_constructor():
    with pytest.raises(TypeError):
        mujoco.MjModel()
    for bad in (None, 3, "model"):
        with pytest.raises(TypeError):
            mujoco.MjData(bad)


def test_an_error_gives_the_wrong_size_and_the_right_one(creature, world):
    nq, nv, nx = creature.nq, creature.nv, 2 * creature.nv + creature.na
    for text, call in {
        f"jacp has shape (3, {nv + 1}) instead of (3, nv) = (3, {nv})": lambda: mujoco.mj_jacBody(creature, world, np.empty((3, nv + 1)), None, 1),
        f"jacr has shape ({nv}, 3) instead of (3, nv) = (3, {nv})": lambda: mujoco.mj_jacBody(creature, world, None, np.empty((nv, 3)), 1),
        "state size should equal mj_stateSize(m, sig)": lambda: mujoco.mj_getState(creature, world, np.empty(3), 1),
        f"qpos has 3 numbers instead of nq = {nq}": lambda: mujoco.mj_integratePos(creature, np.empty(3), np.empty(nv), 1),
        f"dst has shape (3, 3) instead of (nv, nv) = ({nv}, {nv})": lambda: mujoco.mj_fullM(creature, world, np.empty((3, 3))),
        f"A has shape (3, 3) instead of (2*nv+na, 2*nv+na) = ({nx}, {nx})": lambda: mujoco.mjd_transitionFD(
            creature, world, 1e-6, True, np.empty((3, 3)), None, None, None),
    }.items():  # fmt: skip
        with pytest.raises(TypeError) as error:
            call()
        assert str(error.value) == text


def test_outputs_are_never_copied_silently(creature, world):
    nv = creature.nv
    frozen = np.empty((3, nv))
    frozen.flags.writeable = False
    for bad in (
        np.empty((3, nv), np.float32), np.empty((3, nv), int), np.empty((nv, 3)).T, np.empty((3, 2 * nv))[:, ::2],
        frozen, np.empty((3, nv)).tolist(), "x", np.empty((3, nv)).astype(">f8"),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            mujoco.mj_jacBody(creature, world, bad, None, 1)


def test_inputs_may_be_lists_of_numbers_only():
    res = np.empty(4)
    mujoco.mju_mulQuat(res, [1, 0, 0, 0], (0, 1, 0, 0))
    assert res.tolist() == [0, 1, 0, 0]
    for bad in (None, "abcd", [1, 2], [1, 2, 3, "x"], [1j, 0, 0, 0], {}, [[1], [2, 3]], np.zeros((2, 2, 1))):
        with pytest.raises(TypeError):
            mujoco.mju_mulQuat(res, bad, [1, 0, 0, 0])


def test_engine_errors_are_fatal_errors(creature, world):
    assert mujoco.FatalError.__bases__ == mujoco.UnexpectedError.__bases__ == (Exception,)
    with pytest.raises(mujoco.FatalError) as error:
        mujoco.mj_stateSize(creature, 16384)
    assert str(error.value) == "mj_stateSize: invalid state signature 16384 >= 2^mjNSTATE"
    creature.opt.solver = 10
    with pytest.raises(mujoco.FatalError) as error:
        mujoco.mj_forward(creature, world)
    assert str(error.value) == "mj_fwdConstraint: unknown solver type 10"


def test_a_world_of_another_model_is_rejected(creature):
    other = mujoco.MjData(mujoco.MjModel.from_xml_string(BOXES))
    for call in (mujoco.mj_step, mujoco.mj_forward, mujoco.mj_resetData):
        with pytest.raises(ValueError, match="the data belongs to another model: nq is 14 there and 13 here"):
            call(creature, other)


def test_invalid_ids_are_rejected(creature, world):
    jac = np.empty((3, creature.nv))
    for bad in (-1, 5, 2**31 - 1):
        with pytest.raises(ValueError, match="is not in the model"):
            mujoco.mj_jacBody(creature, world, jac, None, bad)
        with pytest.raises(ValueError):
            mujoco.mj_geomDistance(creature, world, bad, 0, 1.0, None)
    with pytest.raises(TypeError):
        mujoco.mj_jacBody(creature, world, jac, None, 2**31)
    mujoco.mj_resetDataKeyframe(creature, world, 99)  # as MuJoCo: a plain reset
    assert np.array_equal(world.qpos, creature.qpos0)


def test_an_invalid_model_is_rejected_until_it_is_corrected(creature, world):
    parent = creature.body_parentid[2]
    creature.body_parentid[2] = 99
    for call in (mujoco.mj_step, mujoco.mj_forward, mujoco.mj_kinematics):
        with pytest.raises(ValueError, match="model is invalid"):
            call(creature, world)
    for call in (
        lambda: mujoco.MjData(creature), lambda: copy.copy(creature), lambda: mujoco.Batch(creature, 2),
        lambda: mujoco.mj_integratePos(creature, world.qpos, world.qvel, 1.0),
        lambda: mujoco.mj_name2id(creature, 1, "x"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="model is invalid"):
            call()
    creature.body_parentid[2] = parent
    mujoco.mj_step(creature, world)
    creature.jnt_type = 77
    with pytest.raises(ValueError, match="model is invalid"):
        mujoco.mj_step(creature, world)


def test_an_invalid_contact_is_rejected_and_dropped(boxes):
    boxes.contact[0].geom = [1000, 2000]
    with pytest.raises(ValueError, match="contact 0"):
        mujoco.mj_fwdConstraint(boxes.model, boxes)
    mujoco.mj_step(boxes.model, boxes)
    assert np.isfinite(boxes.qpos).all()


def test_an_invalid_delay_buffer_is_overwritten_and_does_not_affect_others():
    model = mujoco.MjModel.from_xml_string("""
      <mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body>
        <body pos="1 0 0"><joint name="k"/><geom size=".1"/></body></worldbody>
      <actuator><motor joint="j" delay=".01" nsample="3"/><motor joint="k" delay=".01" nsample="3"/></actuator>
      </mujoco>""")
    first = slice(model.actuator_historyadr[0], model.actuator_historyadr[1])
    for nonsense in (1e300, -5, 2.5, np.nan, np.inf, -np.inf):
        data, sound = mujoco.MjData(model), mujoco.MjData(model)
        data.history[first] = nonsense
        data.ctrl[:] = sound.ctrl[:] = [0.3, 0.4]
        for interp in (-1, 0, 1, 2):
            read = mujoco.mj_readCtrl(model, data, 0, 0.0, interp)
            assert np.array_equal(read, nonsense, equal_nan=True)  # the buffer contains nothing else
        mujoco.mj_step(model, data)
        # a control that is NaN or too large counts as invalid and is replaced by zero
        bad = not abs(nonsense) < mujoco.mjMAXVAL
        assert data.actuator_force[0] == (0 if bad else nonsense)
        assert (data.warning[mujoco.mjtWarning.mjWARN_BADCTRL].number > 0) == bad
        mujoco.mj_step(model, data, nstep=6)
        mujoco.mj_step(model, sound, nstep=7)
        assert data.actuator_force.tolist() == [0.3, 0.4]
        assert np.isfinite(data.qpos).all() and data.time == sound.time
        assert data.qpos[1] == sound.qpos[1] and data.qvel[1] == sound.qvel[1]
        assert np.array_equal(data.history[first.stop :], sound.history[first.stop :])


def test_uninitialized_objects_are_rejected_as_arguments(creature):
    data, model = mujoco.MjData.__new__(mujoco.MjData), mujoco.MjModel.__new__(mujoco.MjModel)
    option = mujoco.MjOption.__new__(mujoco.MjOption)
    for call in (
        lambda: data.qpos, lambda: model.nq, lambda: model.body_mass, lambda: option.timestep, lambda: data.contact,
        lambda: mujoco.mj_step(creature, data), lambda: mujoco.mj_step(model, data), lambda: mujoco.MjData(model),
        lambda: repr(data), lambda: repr(option), lambda: setattr(option, "timestep", 1), lambda: data.body(0),
        lambda: setattr(creature, "opt", option),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            call()


def wrong_values(rng, creature, world):
    return [
        None, -1, 0, 1, 3, 2**31, -(2**40), 10**30, 1.5, float("nan"), float("inf"), "", "torso", b"x", [], [1, 2, 3],
        {}, (), object(), np.empty(0), np.empty(3), np.empty(4), np.empty((3, 11)), np.empty((11, 11)), np.empty((0, 3)),
        np.zeros(3, np.int32), np.zeros(13), np.zeros(11), np.full(13, np.nan), np.zeros((2, 2, 2)), np.array(1.0),
        np.array(["a"]), np.zeros(3, np.uint8), creature, world, creature.opt, world.contact, mujoco.mjtObj.mjOBJ_BODY,
        np.zeros(9, np.float32), np.zeros((6, 11))[:, ::2], world.qpos, creature.body_mass, True, type, lambda *a: None,
    ]  # fmt: skip


REFUSALS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, RuntimeError, mujoco.FatalError)


def functions():
    for name in sorted(dir(mujoco)):
        function = getattr(mujoco, name)
        if name.startswith(("mj", "set_", "get_")) and callable(function) and not inspect.isclass(function):
            yield name, function


def storm(seed, calls):
    """Random calls of random functions and attributes with random arguments."""
    rng = random.Random(seed)
    names = list(functions())
    model = mujoco.MjModel.from_xml_string(CREATURE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    refused = 0
    for _ in range(calls):
        values = wrong_values(rng, model, data)
        name, function = rng.choice(names)
        arguments = [rng.choice(values) for _ in range(rng.randrange(0, 8))]
        if rng.random() < 0.7 and name.startswith("mj_"):
            arguments[:2] = [model, data]
        try:
            function(*arguments)
        except REFUSALS:
            refused += 1
        owner = rng.choice([model, data, model.opt, model.vis.global_, data.contact, data.warning])
        attribute = rng.choice([n for n in dir(type(owner)) if not n.startswith("__")])
        try:
            if rng.random() < 0.3:
                setattr(owner, attribute, rng.choice(values))
            else:
                value = getattr(owner, attribute)
                if callable(value) and attribute not in ("_to_bytes",):
                    value(rng.choice(values))
        except REFUSALS:
            refused += 1
        mujoco.mj_resetCallbacks()
        if rng.random() < 0.05:
            model = mujoco.MjModel.from_xml_string(CREATURE)
            data = mujoco.MjData(model)
            mujoco.mj_forward(model, data)
    return refused


def test_a_thousand_random_wrong_calls_raise_and_never_crash(tmp_path):
    """In a separate process, so that a crash fails only this test; some calls write files."""
    paths = [str(Path(__file__).parent), str(Path(mujoco.__file__).absolute().parents[1])]
    code = f"import sys; sys.path[:0] = {paths!r}; import test_wrong_calls as t; "
    for seed in (1, 2):
        command = [sys.executable, "-B", "-W", "ignore", "-c", code + f"print(t.storm({seed}, 1000), file=sys.stderr)"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr[-3000:]
        assert int(run.stderr.split()[-1]) > 1000
