"""What the Gymnasium environments use: section 2 of the survey of clients, name by name."""

import copy

import numpy as np
import pytest
import sinew as mujoco
from conftest import CREATURE


def test_model_comes_from_a_path(tmp_path):
    path = tmp_path / "creature.xml"
    path.write_text(CREATURE)
    assert mujoco.MjModel.from_xml_path(str(path)).nbody == 5


def test_sizes_are_ints(creature):
    assert [creature.nq, creature.nv, creature.nu, creature.na] == [13, 11, 3, 1]
    assert [creature.nbody, creature.njnt, creature.ngeom, creature.ntendon] == [5, 4, 5, 1]
    assert all(type(n) is int for n in (creature.nq, creature.nbvh, creature.nbody))
    with pytest.raises(AttributeError):
        creature.nq = 3


def test_reset_restores_the_initial_state_and_forward_keeps_the_state(creature):
    data = mujoco.MjData(creature)
    data.qpos[:] = np.copy(data.qpos) + 0.01
    data.qvel[:] = 2
    data.time = 3
    mujoco.mj_resetData(creature, data)
    assert np.array_equal(data.qpos, creature.qpos0) and not data.qvel.any() and data.time == 0
    before = data.qpos.copy()
    mujoco.mj_forward(creature, data)
    assert np.array_equal(data.qpos, before) and data.xpos[1, 2] == 0.3


def test_steps_by_keyword_are_steps_one_by_one(creature):
    a, b = mujoco.MjData(creature), mujoco.MjData(creature)
    mujoco.mj_step(creature, a, nstep=5)
    for _ in range(5):
        mujoco.mj_step(creature, b)
    assert np.array_equal(a.qpos, b.qpos) and a.time == pytest.approx(0.01, abs=1e-15)


def test_rne_post_constraint_fills_external_forces(boxes):
    assert not boxes.cfrc_ext.any()
    mujoco.mj_rnePostConstraint(boxes.model, boxes)
    assert boxes.cfrc_ext.shape == (3, 6)
    # the forces between the boxes cancel: what remains is the force of the floor
    floor, force = 0.0, np.empty(6)
    for i, touch in enumerate(boxes.contact):
        mujoco.mj_contactForce(boxes.model, boxes, i, force)
        floor += force[0] if touch.geom1 == 0 else 0
    assert boxes.cfrc_ext[1:, 5].sum() == pytest.approx(floor) and floor > 0


def test_the_id_of_a_missing_camera_is_minus_one(creature):
    camera = mujoco.mjtObj.mjOBJ_CAMERA
    assert mujoco.mj_name2id(creature, camera, "track") == 0
    assert mujoco.mj_name2id(creature, camera, "nowhere") == -1
    assert mujoco.mj_name2id(creature, 99, "track") == -1


def test_control_range_gives_two_rows(creature):
    low, high = creature.actuator_ctrlrange.copy().astype(np.float32).T
    assert low.tolist() == [-1, 0, 0] and high.tolist() == [2, 0, 0]
    assert creature.body_mass.shape == (5,)


def test_options_and_viewer_size_are_read_and_assigned(creature):
    assert creature.opt.timestep == 0.002 and type(creature.opt.timestep) is float
    creature.vis.global_.offwidth = 1000
    creature.vis.global_.offheight = 700
    assert (creature.vis.global_.offwidth, creature.vis.global_.offheight) == (1000, 700)


def test_arrays_are_plain_contiguous_and_of_the_right_shape(world):
    m = world.model
    for name, shape in dict(
        qpos=(m.nq,), qvel=(m.nv,), ctrl=(m.nu,), act=(m.na,), cfrc_ext=(m.nbody, 6), cvel=(m.nbody, 6),
        cinert=(m.nbody, 10), xipos=(m.nbody, 3), site_xpos=(m.nsite, 3), qfrc_actuator=(m.nv,),
        qfrc_constraint=(m.nv,), ten_length=(m.ntendon,), ten_velocity=(m.ntendon,),
    ).items():  # fmt: skip
        array = getattr(world, name)
        assert type(array) is np.ndarray and array.dtype == np.float64 and array.flags.c_contiguous, name
        assert array.shape == shape, name
    assert world.qpos.ravel().copy().size == world.qpos.flat[:].size == m.nq


def test_without_activations_act_is_an_empty_array_that_accepts_none():
    model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model)
    assert data.act.shape == (0,) and data.act.dtype == np.float64
    data.act[:] = None


def test_bodies_by_name_and_id(world):
    assert np.shares_memory(world.body("torso").xpos, world.xpos)
    assert np.array_equal(world.body(1).xpos, world.xpos[1])


@pytest.mark.parametrize("keyword", ["sig", "spec"])
def test_states_round_trip_under_both_names_of_the_last_argument(creature, world, keyword):
    for bits in (mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.mjtState.mjSTATE_INTEGRATION):
        size = mujoco.mj_stateSize(creature, bits)
        state = np.empty(size)
        mujoco.mj_step(creature, world, 3)
        mujoco.mj_getState(creature, world, state, bits)
        other = mujoco.MjData(creature)
        mujoco.mj_setState(creature, other, state, **{keyword: bits})
        assert np.array_equal(other.qpos, world.qpos) and other.time == world.time
        back = np.empty(size)
        mujoco.mj_getState(creature, other, back, bits)
        assert np.array_equal(state, back)


def test_kinematics_alone_moves_bodies(creature, world):
    world.qpos[0] += 1
    before = copy.copy(world).xpos.copy()
    mujoco.mj_kinematics(creature, world)
    assert np.allclose(world.xpos[1:4, 0] - before[1:4, 0], 1)
