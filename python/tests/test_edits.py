"""Models edited between steps: the step follows the edit, or raises an error that describes the problem."""

import copy
import pathlib

import numpy as np
import pytest
import sinew as mujoco

RICH = pathlib.Path(__file__).resolve().parents[2] / "tests" / "edit" / "rich.xml"
NASTY = (-(2**31), -1, 0, 1, 1000, 2**31 - 1)


@pytest.fixture(scope="module")
def original():
    return mujoco.MjModel.from_xml_path(str(RICH))


def integer_fields(model):
    for name, *_ in mujoco._sinew._model_fields:
        array = getattr(model, name)
        if isinstance(array, np.ndarray) and array.dtype.kind in "iu" and array.size and array.flags.writeable:
            yield name


def test_any_integer_gives_correct_results_or_an_error(original):
    random = np.random.default_rng(1)
    told = done = 0
    for name in integer_fields(original):
        for value in NASTY:
            model = copy.copy(original)
            data = mujoco.MjData(model)
            array = getattr(model, name)
            info = np.iinfo(array.dtype)
            array.flat[random.integers(array.size)] = max(info.min, min(info.max, value))
            before = data.qpos.copy()
            try:
                mujoco.mj_step(model, data, nstep=2)
                done += 1
            except ValueError as error:
                assert "model is invalid" in str(error)
                assert np.array_equal(data.qpos, before)
                told += 1
    assert told > 100 and done > 100


def test_the_error_names_the_field(original):
    model = copy.copy(original)
    data = mujoco.MjData(model)
    model.actuator_gaintype[0] = 99
    with pytest.raises(ValueError, match=r"actuator_gaintype\[0\] is 99"):
        mujoco.mj_step(model, data)
    with pytest.raises(ValueError, match=r"actuator_gaintype\[0\] is 99"):
        mujoco.MjData(model)
    model.actuator_gaintype[0] = 0
    mujoco.mj_step(model, data)


def test_an_index_stored_as_a_real_number_is_also_checked(original):
    model = copy.copy(original)
    data = mujoco.MjData(model)
    geom = int(np.flatnonzero(np.isin(model.wrap_type, (4, 5)))[0])
    model.wrap_prm[geom] = 1e9
    with pytest.raises(ValueError, match="wrap_prm"):
        mujoco.mj_step(model, data)


def test_masks_of_bodies_follow_those_of_their_geoms(original):
    model = copy.copy(original)
    data = mujoco.MjData(model)
    geom = model.geom("drum").id
    model.geom_contype[geom] = 8
    mujoco.mj_step(model, data)
    assert model.body_contype[model.geom_bodyid[geom]] & 8


def test_a_callback_that_makes_the_model_invalid_ends_the_step(original):
    model = copy.copy(original)
    data = mujoco.MjData(model)

    def control(m, d):
        m.jnt_type[0] = 77

    mujoco.set_mjcb_control(control)
    try:
        with pytest.raises(ValueError, match="jnt_type"):
            mujoco.mj_step(model, data)
    finally:
        mujoco.set_mjcb_control(None)


def test_invalid_options_are_reported(original):
    model = copy.copy(original)
    data = mujoco.MjData(model)
    for name in ("integrator", "cone", "jacobian", "solver"):
        kept = getattr(model.opt, name)
        setattr(model.opt, name, 99)
        with pytest.raises(mujoco.FatalError, match="unknown solver type 99" if name == "solver" else f"opt.{name}"):
            mujoco.mj_step(model, data)
        setattr(model.opt, name, kept)
    mujoco.mj_step(model, data)
