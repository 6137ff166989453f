"""Every field of MuJoCo 3.12.0 exists, with its type and shape."""

from pathlib import Path

import numpy as np
import pytest
import sinew as mujoco

TYPES = {
    "mjtNum": np.float64, "int": np.int32, "float": np.float32, "mjtBool": np.bool_, "mjtByte": np.uint8,
    "uintptr_t": np.uint64, "mjtSize": np.int64,
}  # fmt: skip
NUMBERS = {"mjNREF": 2, "mjNIMP": 5, "mjNPOLY": 2, "mjNFLUID": 12, "mjNEQDATA": 11, "mjNDYN": 10, "mjNGAIN": 10,
           "mjNBIAS": 10, "mjNSENS": 3, "mjNTEXROLE": 10}  # fmt: skip


def rows(struct):
    for line in (Path(__file__).parent / "mujoco_fields.txt").read_text().splitlines():
        name, field, kind, *dims = line.split()
        if name == struct:
            yield field, kind, dims


def dimension(text, *owners):
    if text.isdigit() or text in NUMBERS:
        return int(NUMBERS.get(text, text))
    if "*" in text:
        return int(np.prod([dimension(part, *owners) for part in text.split("*")]))
    return next(getattr(owner, text) for owner in owners if hasattr(owner, text))


# computed on access, or stored by the engine in a different form
LENGTH_DIFFERS = {"body_awake_ind", "parent_awake_ind", "dof_awake_ind", "efc_Y_rownnz", "efc_Y_rowadr", "efc_AR_rownnz",
                  "efc_AR_rowadr"}  # fmt: skip


@pytest.mark.parametrize("struct", ["mjModel", "mjData"])
def test_every_field_has_its_type_and_shape(struct, creature, boxes):
    for data in (mujoco.MjData(creature), boxes):
        owner = data.model if struct == "mjModel" else data
        for field, kind, dims in rows(struct):
            if field == "signature" and struct == "mjModel":
                continue
            value = getattr(owner, field)
            if not dims or kind.startswith("mj") and kind not in TYPES:
                continue
            if kind == "char":
                assert type(value) is bytes, field
                continue
            assert value.dtype == (np.int64 if field == "tex_adr" else TYPES[kind]), field
            assert value.ndim == len(dims), field
            if field not in LENGTH_DIFFERS:
                assert value.shape == tuple(dimension(d, owner, data.model) for d in dims), field


@pytest.mark.parametrize("struct,make", [
    ("mjOption", mujoco.MjOption), ("mjStatistic", mujoco.MjStatistic), ("mjContact", mujoco.MjContact),
    ("mjLROpt", mujoco.MjLROpt), ("mjSolverStat", mujoco.MjSolverStat), ("mjWarningStat", mujoco.MjWarningStat),
    ("mjTimerStat", mujoco.MjTimerStat),
])  # fmt: skip
def test_every_field_of_a_struct_has_its_type_and_shape(struct, make):
    object = make()
    for field, kind, dims in rows(struct):
        value = getattr(object, field)
        if dims:
            assert value.dtype == TYPES[kind] and value.shape == (int(dims[0]),), field
        else:
            assert type(value) is (float if kind == "mjtNum" else int), field


def test_fields_of_unsupported_features_are_read_only(creature):
    world = mujoco.MjData(creature)
    with pytest.raises(AttributeError):
        world.bvh_active = 1
    with pytest.raises(ValueError, match="read-only"):
        world.bvh_active[0] = 1


def test_plugin_ids_must_exist(creature):
    assert creature.body_plugin.tolist() == [-1] * creature.nbody
    creature.body_plugin[0] = 1
    with pytest.raises(ValueError, match="body_plugin"):
        mujoco.mj_step(creature, mujoco.MjData(creature))


def test_docstrings_give_shape_type_and_unit():
    assert mujoco.MjModel.body_mass.__doc__ == "(nbody,) float64. kg"
    assert mujoco.MjData.xpos.__doc__.startswith("(nbody, 3) float64. m")
