"""The package under the name mujoco."""

import subprocess
import sys

import pytest
import sinew

CLIENT = """
import sinew
alias = sinew.install_as_mujoco()
import mujoco
import mujoco.viewer, mujoco.rollout
from mujoco import MjModel
from mujoco._structs import MjData
from mujoco._enums import mjtObj
from mujoco._functions import mj_step
assert mujoco is alias is sinew.install_as_mujoco()
assert mujoco.__version__ == "3.12.0" and sinew.__version__ == "0.1.0"
assert tuple(map(int, mujoco.__version__.split(".")))[0] >= 3 and not mujoco.__version__ < "2.3.6"
model = mujoco.MjModel.from_xml_string("<mujoco/>")
data = mujoco.MjData(model)
mj_step(model, data)
assert type(data) is MjData and isinstance(model, MjModel) and mujoco.mjtObj is mjtObj
"""


def test_a_client_that_imports_mujoco_gets_sinew():
    run = subprocess.run([sys.executable, "-B", "-c", CLIENT], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_another_mujoco_is_not_replaced():
    code = "import sys, types; sys.modules['mujoco'] = types.ModuleType('mujoco')\nimport sinew; sinew.install_as_mujoco()"
    run = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True)
    assert run.returncode == 1 and "mujoco is already imported" in run.stderr


def test_records_have_their_defaults():
    assert sinew.MjvOption().flags.shape == (31,) and sinew.MjvCamera().fixedcamid == -1


def test_constants():
    assert sinew.mjPI == 3.141592653589793 and sinew.mjMINVAL == 1e-15 and sinew.mjNGROUP == 6
    assert sinew.MJTNUM_DTYPE().dtype.name == "float64"
