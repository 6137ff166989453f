"""What dm_control's suite uses without rendering: section 3 of the survey of clients, name by name."""

import copy
import ctypes
import pickle

import numpy as np
import pytest
import sinew as mujoco
from conftest import CREATURE


def test_header_and_library_have_the_same_version():
    assert mujoco.mjVERSION_HEADER == mujoco.mj_version() == 3012000
    assert mujoco.mj_versionString() == "3.12.0"


def test_classes_show_every_attribute_and_can_be_subclassed():
    assert {"qpos", "xpos", "contact", "efc_force"} <= set(dir(mujoco.MjData))
    assert {"body_mass", "names", "opt", "flex_vert"} <= set(dir(mujoco.MjModel))
    for name in ("MjvCamera", "MjvOption", "MjvScene", "MjvPerturb", "MjvFigure"):
        type("Sub", (getattr(mujoco, name),), {})


def test_string_tables():
    assert mujoco.mjDISABLESTRING[0] == "Constraint" and len(mujoco.mjDISABLESTRING) == mujoco.mjtDisableBit.mjNDISABLE
    assert len(mujoco.mjENABLESTRING) == mujoco.mjtEnableBit.mjNENABLE
    assert len(mujoco.mjTIMERSTRING) == mujoco.mjtTimer.mjNTIMER
    assert len(mujoco.mjLABELSTRING) == mujoco.mjtLabel.mjNLABEL
    assert len(mujoco.mjFRAMESTRING) == mujoco.mjtFrame.mjNFRAME
    assert len(mujoco.mjVISSTRING) == mujoco.mjtVisFlag.mjNVISFLAG and len(mujoco.mjVISSTRING[0]) == 3
    assert len(mujoco.mjRNDSTRING) == mujoco.mjtRndFlag.mjNRNDFLAG and mujoco.mjRNDSTRING[0] == ("Shadow", "1", "S")


def test_enumerations_that_are_read_at_import():
    assert mujoco.mjtFontScale.mjFONTSCALE_150.value == 150
    assert list(mujoco.mjtRndFlag.__members__)[0] == "mjRND_SHADOW"
    assert [int(mujoco.mjtFont[f"mjFONT_{n}"]) for n in ("NORMAL", "SHADOW", "BIG")] == [0, 1, 2]
    corners = ("TOPLEFT", "TOPRIGHT", "BOTTOMLEFT", "BOTTOMRIGHT")
    assert [int(mujoco.mjtGridPos[f"mjGRID_{n}"]) for n in corners] == [0, 1, 2, 3]
    assert list(mujoco.mjtWarning.__members__)[3] == "mjWARN_BADQPOS"


def test_assets_are_files(tmp_path):
    xml = '<mujoco><include file="part.xml"/></mujoco>'
    part = b'<mujoco><worldbody><body name="part"/></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(xml, {"some/folder/part.xml": part})
    assert model.body("part").id == 1
    with pytest.raises(ValueError, match="Repeated file name.*part.xml"):
        mujoco.MjModel.from_xml_string(xml, {"a/part.xml": part, "b/part.xml": part})
    main = tmp_path / "main.xml"
    main.write_text(xml)
    assert mujoco.MjModel.from_xml_path(str(main), {"part.xml": part}).nbody == 2
    with pytest.raises(ValueError, match="assets or vfs, not both"):
        mujoco.MjModel.from_xml_string(xml, assets={}, vfs={})


def test_a_saved_model_can_be_loaded(creature, tmp_path):
    buffer = np.empty(mujoco.mj_sizeModel(creature), np.uint8)
    mujoco.mj_saveModel(creature, None, buffer)
    back = mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": buffer.tobytes()})
    assert back.names == creature.names and np.array_equal(back.body_mass, creature.body_mass)
    mujoco.mj_saveModel(creature, str(tmp_path / "m.mjb"))
    assert mujoco.MjModel.from_binary_path(str(tmp_path / "m.mjb")).nq == creature.nq
    with pytest.raises(ValueError, match="not a model saved by sinew"):
        mujoco.MjModel.from_binary_path("x.mjb", {"x.mjb": b"nonsense"})


def test_xml_can_be_saved(creature, tmp_path):
    path = str(tmp_path / "out.xml")
    mujoco.mj_saveLastXML(path, creature)
    assert mujoco.MjModel.from_xml_path(path).names == creature.names


def test_a_step_in_halves_is_a_step():
    model = mujoco.MjModel.from_xml_string(CREATURE.replace("RK4", "Euler"))
    a, b = mujoco.MjData(model), mujoco.MjData(model)
    mujoco.mj_step(model, a, 3)
    for _ in range(3):
        mujoco.mj_step1(model, b)
        mujoco.mj_step2(model, b)
    assert np.array_equal(a.qpos, b.qpos)


def test_names_and_types(creature):
    body = mujoco.mjtObj.mjOBJ_BODY
    assert mujoco.mj_id2name(creature, body, 1) == "torso" and not mujoco.mj_id2name(creature, body, 100)
    assert mujoco.mju_str2Type(b"body") == body and mujoco.mju_str2Type("geom") == mujoco.mjtObj.mjOBJ_GEOM
    assert mujoco.mju_str2Type("nothing") == 0
    assert mujoco.mju_type2Str(int(body)) == "body"


def test_addresses_point_into_the_bytes_of_names(creature):
    assert type(creature.names) is bytes
    start = creature.name_bodyadr[1]
    assert creature.names[start : creature.names.find(b"\0", start)] == b"torso"
    assert creature.name_actuatoradr.shape == (creature.nactuator,) == (3,)


def test_every_field_is_a_plain_array(creature, world):
    """As dm_control's indexer accesses them."""
    tables = mujoco._sinew
    for owner, fields in (
        (creature, tables._model_fields),
        (world, tables._data_fields + tables._absent_data_fields),
    ):
        for name, dtype, *_ in fields:
            value = getattr(owner, name)
            assert isinstance(value, bytes if dtype == "bytes" else np.ndarray), name


def test_objects_move_with_their_velocity(creature, world):
    world.qvel[:] = 0
    world.qvel[:3] = [1, 2, 3]
    mujoco.mj_forward(creature, world)
    velocity = np.empty(6)
    mujoco.mj_objectVelocity(creature, world, mujoco.mjtObj.mjOBJ_SITE, 0, velocity, 0)
    assert np.allclose(velocity, [0, 0, 0, 1, 2, 3])


def test_symmetric_matrix_from_its_rows(creature, world):
    dense, full = np.empty((creature.nv, creature.nv)), np.empty((creature.nv, creature.nv))
    mujoco.mju_sym2dense(dense, world.M, creature.M_rownnz, creature.M_rowadr, creature.M_colind)
    mujoco.mj_fullM(creature, world, full)
    assert np.array_equal(dense, full)


def test_warnings_are_counted_in_one_view(creature, world):
    number = world.warning.number
    assert number.shape == (7,) and not number.any()
    world.qvel[0] = np.nan
    mujoco.mj_step(creature, world)
    assert number[mujoco.mjtWarning.mjWARN_BADQVEL] == 1
    assert world.warning[mujoco.mjtWarning.mjWARN_BADQVEL].number == 1
    mujoco.mj_resetData(creature, world)


def test_a_warning_handler_may_be_a_c_function(creature, world):
    heard = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append)
    mujoco.set_mju_user_warning(handler)
    world.qpos[0] = np.inf
    mujoco.mj_step(creature, world)
    assert len(heard) == 1 and b"QPOS" in heard[0]
    told = []
    mujoco.set_mju_user_warning(told.append)
    other = mujoco.MjData(creature)
    other.qpos[0] = np.inf
    mujoco.mj_step(creature, other)
    assert type(told[0]) is str


def test_contacts_are_sliced_and_read_as_arrays(boxes):
    contact = boxes.contact[: boxes.ncon]
    assert len(contact) == boxes.ncon > 0
    assert contact.geom1.shape == contact.geom2.shape == (boxes.ncon,)
    assert contact.geom.tolist() == np.stack([contact.geom1, contact.geom2], 1).tolist()
    force = np.empty(6)
    total = 0
    mujoco.mj_forward(boxes.model, boxes)
    for i, touch in enumerate(boxes.contact):
        mujoco.mj_contactForce(boxes.model, boxes, i, force)
        if touch.geom1 == 0:
            total += force[0]
    assert total > 0


def test_flags_are_changed_and_restored(creature):
    bit = mujoco.mjtDisableBit.mjDSBL_ACTUATION
    assert mujoco.mjtDisableBit(bit.value) is bit and "mjDSBL_ACTUATION" in mujoco.mjtDisableBit.__members__
    old = creature.opt.disableflags
    creature.opt.disableflags = old | bit.value
    data = mujoco.MjData(creature)
    data.ctrl[:] = 1
    mujoco.mj_forward(creature, data)
    assert not data.qfrc_actuator.any()
    creature.opt.disableflags = old
    mujoco.mj_forward(creature, data)
    assert data.qfrc_actuator.any()
    assert mujoco.mjtIntegrator.mjINT_RK4.value == creature.opt.integrator


def test_copies_share_or_copy_the_model(world):
    shallow, deep = copy.copy(world), copy.deepcopy(world)
    assert shallow.model is world.model and deep.model is not world.model
    assert not np.shares_memory(shallow.qpos, world.qpos)
    back = pickle.loads(pickle.dumps(world))
    for other in (shallow, deep, back):
        mujoco.mj_step(other.model, other, 5)
    mujoco.mj_step(world.model, world, 5)
    for other in (shallow, deep, back):
        assert np.array_equal(other.qpos, world.qpos) and np.array_equal(other.sensordata, world.sensordata)


def test_a_quaternion_from_an_axis_and_angle():
    q = np.empty(4)
    mujoco.mju_axisAngle2Quat(q, [0, 0, 1], np.pi / 2)
    assert np.allclose(q, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
