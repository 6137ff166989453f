"""Options, statistics, contacts and other structs, and lists of them."""

import copy
import pickle

import numpy as np
import pytest
import sinew as mujoco


def test_a_standalone_struct_has_default_values():
    option = mujoco.MjOption()
    assert option.timestep == 0.002 and option.gravity.tolist() == [0, 0, -9.81] and option.iterations == 100
    assert mujoco.MjStatistic().extent == 2 and mujoco.MjLROpt().accel == 20
    assert mujoco.MjContact().geom.tolist() == [-1, -1] and mujoco.MjVisual().map.znear == pytest.approx(0.01)


def test_parts_of_a_model_are_live_and_the_same_object(creature):
    assert creature.opt is creature.opt and creature.stat is creature.stat and creature.vis is creature.vis
    gravity = creature.opt.gravity
    creature.opt.gravity = [1, 2, 3]
    assert gravity.tolist() == [1, 2, 3]
    option = mujoco.MjOption()
    option.timestep = 0.25
    creature.opt = option
    assert creature.opt.timestep == 0.25
    creature.stat.center[:] = 4
    assert creature.stat.center.tolist() == [4, 4, 4]
    creature.vis.rgba.haze[0] = 0.5
    assert creature.vis.rgba.haze[0] == 0.5
    creature.vis.map.force = 2
    assert creature.vis.map.force == 2


def test_structs_compare_copy_and_pickle_and_have_no_hash():
    a = mujoco.MjOption()
    a.density = 3
    for b in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        assert a == b and a is not b
        b.wind[1] = 1
        assert a != b and a.wind[1] == 0
    assert a != 3 and a != mujoco.MjStatistic()
    with pytest.raises(TypeError):
        hash(a)


def test_lists_have_length_items_slices_and_columns(boxes):
    contact = boxes.contact
    assert len(contact) == boxes.ncon >= 8
    assert contact[-1] == contact[len(contact) - 1] and contact[0] == boxes.contact[0]
    assert contact == boxes.contact and contact[:3] == boxes.contact[:3] and contact[:2] != contact[:3]
    assert [c.dist for c in contact] == contact.dist.tolist()
    assert contact[::-2].dist.tolist() == contact.dist[::-2].tolist()
    assert contact.pos.shape == (len(contact), 3) and contact.frame.shape == (len(contact), 9)
    assert contact.H.shape == (len(contact), 36) and contact.flex.tolist() == [[-1, -1]] * len(contact)
    contact[2].pos = [1, 2, 3]
    assert contact.pos[2].tolist() == [1, 2, 3]
    contact.mu = 5
    assert contact[4].mu == 5
    for bad in (len(contact), -len(contact) - 1):
        with pytest.raises(IndexError):
            contact[bad]
    with pytest.raises(TypeError):
        contact["x"]


def test_statistics_of_the_solver_and_timers(boxes):
    mujoco.mj_forward(boxes.model, boxes)
    assert boxes.solver_niter[0] > 0 and boxes.solver[0].improvement > 0
    assert boxes.solver.nactive.shape == (len(boxes.solver),)
    step = boxes.timer[mujoco.mjtTimer.mjTIMER_STEP]
    assert step.number == 20 and step.duration > 0
    assert len(boxes.timer) == mujoco.mjtTimer.mjNTIMER and len(boxes.warning) == mujoco.mjtWarning.mjNWARNING


def test_a_wrong_value_is_rejected(creature):
    for bad in ("fast", None, [1, 2]):
        with pytest.raises(TypeError):
            creature.opt.timestep = bad
    with pytest.raises(TypeError):
        creature.opt.iterations = 2**40
    with pytest.raises(ValueError):
        creature.opt.gravity = [1, 2]
    with pytest.raises(TypeError):
        creature.opt = mujoco.MjStatistic()
    with pytest.raises(AttributeError):
        del creature.opt.timestep
    with pytest.raises(AttributeError):
        creature.opt.nonsense = 1


def test_representations_are_readable(creature, world):
    assert "timestep: 0.002" in repr(creature.opt)
    assert repr(creature) == "<MjModel 'creature': 5 bodies, 4 joints, 5 geoms, nq=13 nv=11 nu=3>"
    assert repr(world).startswith("<MjData of 'creature' at 0.0 s: ")
    assert repr(world.contact) == f"<list of {world.ncon} MjContact>"
