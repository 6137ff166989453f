"""Enumerations behave as ints and as names."""

import pickle

import numpy as np
import pytest
import sinew as mujoco


def test_members_compute_as_ints():
    joint = mujoco.mjtJoint.mjJNT_HINGE
    assert joint == 3 and 3 == joint and joint != 2 and hash(joint) == hash(3)
    assert joint + 1 == 4 and 2 * joint == 6 and joint / 2 == 1.5 and joint - 0.5 == 2.5
    assert joint | 4 == 7 and joint & 1 == 1 and ~joint == -4 and joint << 1 == 6 and -joint == -3
    assert ["a", "b", "c", "d"][joint] == "d" and np.arange(5)[joint] == 3
    assert joint < mujoco.mjtJoint.mjJNT_HINGE + 1 and int(joint) == 3 and float(joint) == 3.0


def test_members_are_found_by_value_and_have_names():
    assert mujoco.mjtJoint(3) is mujoco.mjtJoint.mjJNT_HINGE
    assert mujoco.mjtGeom(value=100) is mujoco.mjtGeom.mjGEOM_ARROW
    assert mujoco.mjtJoint.mjJNT_FREE.name == "mjJNT_FREE" and mujoco.mjtJoint.mjJNT_BALL.value == 1
    assert str(mujoco.mjtJoint.mjJNT_FREE) == f"{mujoco.mjtJoint.mjJNT_FREE}" == "mjtJoint.mjJNT_FREE"
    assert repr(mujoco.mjtJoint.mjJNT_FREE) == "<mjtJoint.mjJNT_FREE: 0>"
    with pytest.raises(ValueError, match="mjtJoint has no value 1000; it has 0, 1, 2, 3"):
        mujoco.mjtJoint(1000)


def test_members_are_ordered_with_the_count_last():
    members = list(mujoco.mjtDisableBit.__members__)
    assert members[0] == "mjDSBL_CONSTRAINT" and members[-1] == "mjNDISABLE"
    assert list(mujoco.mjtWarning.__members__)[-1] == "mjNWARNING"


def test_values_of_the_engine_are_those_of_the_enumerations():
    text = "<mujoco><option integrator='implicitfast' cone='elliptic' solver='CG' jacobian='sparse'/></mujoco>"
    option = mujoco.MjModel.from_xml_string(text).opt
    assert option.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert option.cone == mujoco.mjtCone.mjCONE_ELLIPTIC and option.solver == mujoco.mjtSolver.mjSOL_CG
    assert option.jacobian == mujoco.mjtJacobian.mjJAC_SPARSE
    assert mujoco.mjtState.mjSTATE_FULLPHYSICS == 8223 and mujoco.mjtState.mjSTATE_INTEGRATION == 16383


def test_members_can_be_pickled():
    member = mujoco.mjtObj.mjOBJ_GEOM
    assert pickle.loads(pickle.dumps(member)) is member
