"""URDF from Python: by root element in the mujoco names, with options in load_urdf."""

import warnings
from pathlib import Path

import numpy as np
import pytest
import sinew

ROOT = Path(__file__).resolve().parents[2]
ARM = str(ROOT / "models/manipulator.urdf")


@pytest.fixture(autouse=True)
def _quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_the_mujoco_names_read_urdf():
    model = sinew.MjModel.from_xml_path(ARM)
    text = Path(ARM).read_text()
    assert model.nq == 6 and model.nu == 5 and model.neq == 1
    assert sinew.MjModel.from_xml_string(text).nq == 6
    assert sinew.MjSpec.from_file(ARM).compile().nq == 6
    assert sinew.MjSpec.from_string(text).joint("elbow").name == "elbow"


def test_options():
    assert sinew.load_urdf(ARM, base="floating").compile().nv == 12
    assert sinew.load_urdf(ARM, actuators="none").compile().nu == 0
    assert sinew.load_urdf(ARM, keep_fixed=True).compile().body("tool").id > 0
    with pytest.raises(ValueError, match="base is 'flying', must be one of 'as_written', 'fixed', 'floating'"):
        sinew.load_urdf(ARM, base="flying")


def test_what_is_not_used_is_a_warning():
    with pytest.warns(UserWarning, match="a velocity limit is not used"):
        sinew.load_urdf(ARM)


def test_packages_and_assets(tmp_path):
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://toy/x.obj"/></geometry></collision></link></robot>'
    )
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    with pytest.raises(ValueError, match="there is no file 'package://toy/x.obj'; tried"):
        sinew.load_urdf(str(tmp_path / "r.urdf"))
    assert sinew.load_urdf(str(tmp_path / "r.urdf"), assets={"x.obj": mesh}).compile().nmesh == 1
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "x.obj").write_text(mesh)
    assert sinew.load_urdf(str(tmp_path / "r.urdf"), packages={"toy": str(tmp_path / "far")}).compile().nmesh == 1


def test_written_mjcf_is_the_same_model():
    spec = sinew.load_urdf(ARM)
    model, again = spec.compile(), sinew.MjModel.from_xml_string(spec.to_xml())
    for name in ("body_inertia", "body_iquat", "jnt_range", "eq_data", "geom_quat", "actuator_ctrlrange"):
        assert np.array_equal(getattr(model, name), getattr(again, name)), name
