"""Objects by name or id."""

import numpy as np
import pytest
import sinew as mujoco


def test_names_and_ids_give_the_same_object(creature, world):
    assert creature.geom("ball") is creature.geom(1) and world.actuator("elbow_motor") is world.actuator(0)
    assert creature.geom("ball").id == 1 and creature.geom(1).name == "ball"
    assert world.body(np.int64(1)) is world.body("torso")


def test_scalar_fields_are_arrays_of_length_one(creature):
    body = creature.body("torso")
    assert body.mass.shape == (1,) and body.mocapid[0] == -1 and body.pos.shape == (3,)
    body.mass = 7
    assert creature.body_mass[1] == 7
    body.pos[1] = 3
    assert creature.body_pos[1, 1] == 3


def test_joint_fields_have_one_entry_per_coordinate(creature, world):
    assert [world.joint(n).qpos.shape for n in ("root", "shoulder", "elbow")] == [(7,), (4,), (1,)]
    assert [world.joint(n).qvel.shape for n in ("root", "shoulder", "elbow")] == [(6,), (3,), (1,)]
    assert world.joint("root").cdof.shape == (6, 6) and world.joint("elbow").xaxis.shape == (3,)
    world.joint("elbow").qpos = 0.7
    assert world.qpos[11] == 0.7
    assert creature.joint("elbow").qposadr[0] == 11 and creature.joint("elbow").dofadr[0] == 9
    assert creature.joint("root").qpos0.shape == (7,) and creature.joint("shoulder").damping.shape == (3,)
    assert creature.joint("elbow").range.tolist() == pytest.approx([-np.pi / 2, np.pi / 2])
    assert creature.jnt("slider").type[0] == mujoco.mjtJoint.mjJNT_SLIDE


def test_every_group_has_its_names(creature, world):
    for group, name in dict(
        actuator="lag", body="lower", cam="track", camera="track", eq="couple", equality="couple", exclude="apart",
        geom="upper", hfield="hill", jnt="elbow", joint="elbow", light="sun", mat="paint", material="paint",
        mesh="wedge", numeric="gains", pair="touch", sensor="feel", site="hand", tendon="cord", tex="grid", texture="grid",
        tuple="pairing", key="far", keyframe="far",
    ).items():  # fmt: skip
        assert getattr(creature, group)(name).name == name, group
    for group, name in dict(
        actuator="lag", body="lower", cam="track", camera="track", geom="upper", jnt="elbow", joint="elbow",
        light="sun", sensor="feel", site="hand", tendon="cord", ten="cord",
    ).items():  # fmt: skip
        assert getattr(world, group)(name).name == name, group
    with pytest.raises(KeyError):
        creature.skin("none")


def test_data_of_variable_length(creature, world):
    assert creature.hfield("hill").data.shape == (2, 3)
    assert np.array_equal(creature.hfield("hill").data.ravel(), creature.hfield_data)
    assert creature.tex("grid").data.shape == (6, 4, 3)
    assert creature.numeric("gains").data.tolist() == [1, 2, 3]
    assert creature.tuple("pairing").objprm.tolist() == [4]
    assert world.sensor("feel").data.shape == (3,) and world.sensor("elbow_angle").data.shape == (1,)
    assert np.shares_memory(world.sensor("feel").data, world.sensordata)
    assert creature.key("far").time[0] == 2 and creature.keyframe("far").qpos[0] == 9
    assert creature.key("far").ctrl.shape == (3,)


def test_actuators_have_controls_forces_and_activations(creature, world):
    world.actuator("slide_servo").ctrl = 2
    assert world.ctrl[1] == 2 and world.actuator("lag").act.shape == (1,) and world.actuator(0).act.shape == (0,)
    assert creature.actuator("elbow_motor").ctrlrange.tolist() == [-1, 2]
    assert creature.actuator("elbow_motor").gear.tolist() == [3, 0, 0, 0, 0, 0]
    assert creature.actuator("slide_servo").gainprm[0] == 5 and creature.actuator(1).biasprm[1] == -5
    mujoco.mj_forward(creature, world)
    assert world.actuator("slide_servo").force[0] == pytest.approx(10) and world.actuator(1).length.shape == (1,)


def test_an_unknown_name_lists_the_valid_names(creature, world):
    with pytest.raises(KeyError) as error:
        creature.site("badsite")
    assert error.value.args == ("Invalid name 'badsite'. Valid names: ['hand', 'nose']",)
    with pytest.raises(KeyError) as error:
        world.site()
    assert error.value.args == ("Invalid name ''. Valid names: ['hand', 'nose']",)
    for index in (2, -1, 10**30):
        with pytest.raises(IndexError) as error:
            creature.site(index)
        assert error.value.args == (f"Invalid index {index}. Valid indices from 0 to 1",)
    for key in (None, 1.5, [1]):
        with pytest.raises(TypeError):
            world.body(key)


def test_a_view_has_a_readable_repr(creature):
    text = repr(creature.site("hand"))
    assert "name: 'hand'" in text and "bodyid: array([3]" in text
