"""Arrays are the engine's memory: the engine reads what Python writes, and vice versa."""

import copy
import gc
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest
import sinew as mujoco
from conftest import BOXES, CREATURE


def test_every_array_of_a_world_is_the_same_memory_for_the_engine(creature):
    data = mujoco.MjData(creature)
    rng = np.random.default_rng(0)
    bits = mujoco.mjtState.mjSTATE_INTEGRATION
    for name in ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat"):
        array = getattr(data, name)
        array[...] = rng.normal(size=array.shape)
        state = np.empty(mujoco.mj_stateSize(creature, bits))
        mujoco.mj_getState(creature, data, state, bits)
        assert set(array.ravel()) <= set(state), name


def test_a_held_array_sees_later_steps(creature):
    data = mujoco.MjData(creature)
    qpos, xpos = data.qpos, data.xpos
    before = qpos.copy()
    mujoco.mj_step(creature, data, 10)
    assert not np.array_equal(before, qpos) and data.qpos is qpos and data.xpos is xpos


def test_writing_a_model_changes_the_next_step(creature):
    a, b = mujoco.MjData(creature), mujoco.MjData(creature)
    mujoco.mj_forward(creature, a)
    creature.opt.gravity[2] = 0
    creature.body_mass[1] *= 2
    mujoco.mj_forward(creature, b)
    assert a.qacc[2] == pytest.approx(-9.81) and abs(b.qacc[2]) < 1e-9


def test_a_copied_world_has_its_own_memory_and_keeps_views(creature):
    a, b = mujoco.MjData(creature), mujoco.MjData(creature)
    view = b.qpos
    mujoco.mj_step(creature, a, 7)
    mujoco.mj_copyData(b, creature, a)
    assert np.array_equal(view, a.qpos) and np.shares_memory(view, b.qpos)


@pytest.mark.parametrize("make", ["contact", "efc"])
def test_contacts_and_rows_are_live_until_the_engine_runs_and_never_dangle(make):
    model = mujoco.MjModel.from_xml_string(BOXES)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    held = []
    for i in range(200):
        if make == "contact":
            contact = data.contact
            contact.friction[:, 0] = 0.25
            assert (data.contact.friction[:, 0] == 0.25).all()
            if len(contact):
                contact[0].dist = -i
                assert data.contact[0].dist == -i == data.contact.dist[0]
            held.append((contact.dist, contact.dist.copy()))
        else:
            force = data.efc_force
            force[:] = i
            assert (data.efc_force == i).all()
            held.append((force, force.copy()))
        data.qpos[0::7] += 0.3 if i % 20 == 0 else 0  # contacts appear and disappear
        mujoco.mj_step(model, data)
    for kept, copy in held:
        assert np.array_equal(kept, copy)


def test_a_list_of_contacts_shows_those_of_the_last_call():
    model = mujoco.MjModel.from_xml_string(BOXES)
    data = mujoco.MjData(model)
    contact = data.contact
    assert len(contact) == 0 and data.efc_type.flags.owndata
    mujoco.mj_forward(model, data)
    assert len(contact) == data.ncon > 0 and not data.efc_type.flags.owndata
    assert np.shares_memory(contact.dist, data.contact.dist)
    mujoco.mj_resetData(model, data)
    assert len(contact) == 0


def test_a_contact_has_room_for_a_hessian(boxes):
    mujoco.mj_forward(boxes.model, boxes)
    for i, contact in enumerate(boxes.contact):
        contact.H = i
    assert boxes.contact.H.shape == (boxes.ncon, 36)
    assert boxes.contact[::2].H[:, 7].tolist() == list(range(0, boxes.ncon, 2))
    alone = copy.copy(boxes.contact[1])
    assert (pickle.loads(pickle.dumps(alone)).H == 1).all()
    alone.H[3] = 5
    assert alone != boxes.contact[1]


def test_rows_can_be_made_by_the_program(creature, world):
    functions = mujoco._sinew
    functions._realloc_con_efc(world, ncon=3, nefc=4, nJ=7)
    assert len(world.contact) == 3 and world.efc_J.shape == (7,) and world.efc_KBIP.shape == (4, 4)
    world.efc_id[2] = 5
    assert world.efc_id[2] == 5
    functions._realloc_island(world, nisland=2, nidof=3)
    assert world.island_nv.shape == (2,) and world.ifrc_smooth.shape == (3,)
    with pytest.raises(ValueError, match="contact 0 was edited"):
        mujoco.mj_forward(creature, world)
    mujoco.mj_forward(creature, world)
    for bad in ((10**8, 10**8), (0, 2**31 - 1)):
        with pytest.raises(mujoco.FatalError, match="Insufficient arena memory"):
            functions._realloc_con_efc(world, *bad)
        assert world.ncon == world.nefc == 0
    with pytest.raises(ValueError, match="nidof is 1000"):
        functions._realloc_island(world, 1, 1000)
    with pytest.raises(ValueError, match="negative"):
        functions._realloc_con_efc(world, -1, 0)


def test_views_by_name_give_the_same_array(creature, world):
    joint = creature.joint(0)
    assert joint.qpos0 is joint.qpos0 and joint.axis is creature.joint(joint.name).axis
    assert world.joint(0).qpos is world.joint(0).qpos


def test_arrays_of_one_object_share_their_base(creature):
    assert creature.qpos0.base is creature.body_mass.base
    assert creature._address != copy.copy(creature)._address


def test_edits_of_a_contact_affect_its_constraint_rows(boxes):
    model = boxes.model
    mujoco.mj_fwdPosition(model, boxes)
    boxes.contact.dist[:] = -0.123
    mujoco.mj_makeConstraint(model, boxes)
    rows = boxes.efc_pos[boxes.contact.efc_address]
    assert np.allclose(rows, -0.123)


def test_an_array_keeps_the_memory_alive():
    model = mujoco.MjModel.from_xml_string(CREATURE)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    mass, qpos, contact, body = model.body_mass, data.qpos, data.contact, data.body("torso")
    option = model.opt
    copies = mass.copy(), qpos.copy()
    del model, data
    gc.collect()
    _ = [mujoco.MjModel.from_xml_string(CREATURE) for _ in range(5)]
    assert np.array_equal(mass, copies[0]) and np.array_equal(qpos, copies[1])
    assert body.xpos.shape == (3,) and body.name == "torso" and option.timestep == 0.002
    assert contact.dist.shape == (len(contact),)


def test_unused_objects_are_released():
    model = mujoco.MjModel.from_xml_string(CREATURE)
    data = mujoco.MjData(model)
    data.body("torso").xpos, model.body("torso").mass, model.opt, data.contact
    before = sys.getrefcount(model)
    del data
    assert sys.getrefcount(model) == before - 1


def test_memory_is_constant_over_many_worlds():
    import resource

    ball = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    model = mujoco.MjModel.from_xml_string(ball)

    def churn(n):
        for _ in range(n):
            data = mujoco.MjData(model)
            data.qpos, data.body(1), data.contact, data.efc_J, data.warning.number, model.opt.gravity

    churn(2_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    churn(100_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2_000  # kB


def test_memory_is_constant_over_many_models():
    import resource

    def churn(n):
        for _ in range(n):
            model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><body name='b'/></worldbody></mujoco>")
            model.body_mass, model.body("b").mass, model.opt, model.vis.global_

    churn(500)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    churn(3_000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2_000  # kB


def test_pickling_preserves_every_bit(creature):
    data = mujoco.MjData(creature)
    data.ctrl[:] = [0.5, -0.2, 0.3]
    mujoco.mj_step(creature, data, 50)
    back = pickle.loads(pickle.dumps(data))
    for name, dtype, *_ in mujoco._sinew._data_fields + mujoco._sinew._row_fields:
        a, b = getattr(data, name), getattr(back, name)
        assert a.tobytes() == b.tobytes(), name
    for name, dtype, *_ in mujoco._sinew._model_fields:
        a, b = getattr(creature, name), getattr(back.model, name)
        assert (a == b if dtype == "bytes" else a.tobytes() == b.tobytes()), name
    assert back.time == data.time and back.contact == data.contact and back.model.opt == creature.opt
    mujoco.mj_step(creature, data, 20)
    mujoco.mj_step(back.model, back, 20)
    assert data.qpos.tobytes() == back.qpos.tobytes()


def test_an_invalid_pickle_is_rejected(creature):
    model = mujoco.MjModel.__new__(mujoco.MjModel)
    with pytest.raises(ValueError, match="another version of sinew"):
        model.__setstate__(b"\x07abc")
    with pytest.raises(ValueError, match="the saved model is damaged"):
        mujoco.MjModel.__new__(mujoco.MjModel).__setstate__(b"\x01abc")
    with pytest.raises(ValueError, match="does not match its model"):
        mujoco.MjData.__new__(mujoco.MjData).__setstate__((1, creature, b"abc"))


def test_threads_that_share_a_world_take_turns(creature):
    """Steps, reads of growing arrays and copies at the same time: no crash, and every step is counted."""
    data = mujoco.MjData(creature)

    def run():
        for _ in range(100):
            mujoco.mj_step(creature, data)
            len(data.contact), data.efc_force.sum(), data.contact.dist.sum()
            pickle.dumps(data)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert data.timer[mujoco.mjtTimer.mjTIMER_STEP].number == 400
    assert data.time == pytest.approx(400 * 0.002)


def test_the_gil_is_released_while_the_engine_runs(creature):
    data = mujoco.MjData(creature)
    thread = threading.Thread(target=mujoco.mj_step, args=(creature, data, 20_000))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
    assert turns > 1000


def test_views_by_name_do_not_create_a_reference_cycle(creature):
    gc.collect()
    gc.disable()
    try:
        class Probe:
            pass

        data = mujoco.MjData(creature)
        data.body("torso").xpos, data.joint("root").qpos
        probe = Probe()
        data._named["probe"] = probe
        alive = weakref.ref(probe)
        del probe, data
        assert alive() is None
    finally:
        gc.enable()


def test_valid_edits_of_model_integers_are_accepted(creature):
    data = mujoco.MjData(creature)
    for name, value in dict(
        geom_contype=0, geom_conaffinity=3, geom_condim=4, geom_group=2, geom_priority=1, geom_matid=-1, site_group=1,
        site_matid=0, jnt_group=4, tendon_group=1, actuator_group=3, cam_mode=0, cam_resolution=64, light_mode=1,
        light_type=2, geom_dataid=-1, sensor_datatype=0, tendon_matid=0, key_time=1, body_gravcomp=1, pair_dim=1,
    ).items():  # fmt: skip
        array = getattr(creature, name)
        array[...] = value
        mujoco.mj_step(creature, data)
    creature.eq_obj1id[0] = creature.joint("elbow").id
    creature.eq_active0[0] = True
    creature.actuator_trnid[0, 0] = creature.joint("slider").id
    creature.actuator_biastype[0] = mujoco.mjtBias.mjBIAS_AFFINE
    creature.body_parentid[0] = 0
    creature.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    mujoco.mj_step(creature, data)
    assert np.isfinite(data.qpos).all()


SLEEPERS = """
<mujoco>
  <option><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".05 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="3 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


def test_the_sleep_state_can_be_written_and_is_checked():
    model = mujoco.MjModel.from_xml_string(SLEEPERS)
    data = mujoco.MjData(model)
    asleep = data.tree_asleep
    while (asleep < 0).any() and data.time < 3:
        mujoco.mj_step(model, data)
    assert sorted(asleep) == [0, 1, 2] and asleep[2] == 2
    asleep[:2] = -11  # wakes the pile, which falls asleep again
    mujoco.mj_step(model, data)
    assert (asleep[:2] < 0).all() and data.body_awake[1:].tolist() == [1, 1, 0]
    for wrong in ([1, 1, -11], [2, -11, -11], [5, 5, 5], [-12, -1, -1], [1, 2, 1]):
        asleep[:] = wrong
        with pytest.raises(ValueError, match="tree_asleep"):
            mujoco.mj_step(model, data)
        assert asleep.tolist() == [-11, -11, -11]
        mujoco.mj_step(model, data)


def test_integers_computed_by_the_engine_come_back_with_the_next_call(creature, world):
    mujoco.mj_forward(creature, world)
    twin = copy.copy(world)
    held = []
    for name, dtype, *_ in (*mujoco._sinew._data_fields, *mujoco._sinew._row_fields):
        array = getattr(world, name)
        assert array.flags.writeable, name
        if dtype == "int32" and name != "tree_asleep" and array.size:
            before = array.copy()
            array[...] = 1_000_000
            assert (getattr(world, name) == 1_000_000).all(), name
            held.append((name, before))
    assert held
    assert (copy.copy(world).body_awake == twin.body_awake).all()
    mujoco.mj_energyPos(creature, world)
    for name, before in held:
        assert (getattr(world, name) == before).all(), name
    for _ in range(3):
        awake = world.body_awake
        awake[:] = 77
        mujoco.mj_step(creature, world)
        mujoco.mj_step(creature, twin)
        assert (awake == twin.body_awake).all() and (world.qpos == twin.qpos).all()
    world.eq_active[0] = 1
    mujoco.mj_forward(creature, world)
    assert world.ne == 1
    world.eq_active = 0
    mujoco.mj_forward(creature, world)
    assert world.ne == 0
