"""The type stubs: up to date, and correct for a client."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sinew

ROOT = Path(__file__).resolve().parents[2]

CLIENT = """
import numpy as np
import sinew as mujoco
from numpy.typing import NDArray

model: mujoco.MjModel = mujoco.MjModel.from_xml_string("<mujoco/>")
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=3)
q: NDArray[np.float64] = data.qpos
n: int = model.nq
data.qpos = [1.0, 2.0]
h: float = model.opt.timestep
model.opt.gravity = np.zeros(3)
x: NDArray[np.float64] = data.body("torso").xpos
i: int = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "torso")
for contact in data.contact:
    d: float = contact.dist
flags: NDArray[np.int32] = data.warning.number
mujoco.mj_jacBody(model, data, np.empty((3, model.nv)), None, 0)
w: int = model.vis.global_.offwidth
"""

MISTAKES = """
import sinew as mujoco

model = mujoco.MjModel.from_xml_string("<mujoco/>")
data = mujoco.MjData(model)
model.nq = 3
mujoco.mj_step(model, 3)
data.qpoz
model.body("a").masss
mujoco.mjtObj.mjOBJ_NOTHING
"""


def mypy(path, *options):
    env = {**os.environ, "MYPYPATH": str(ROOT / "python")}
    command = ["/usr/bin/mypy", "--cache-dir=/dev/null", *options, str(path)]
    return subprocess.run(command, capture_output=True, text=True, env=env)


def test_stubs_are_up_to_date():
    command = [sys.executable, "-B", ROOT / "python/tools/stubs.py", "--check"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_client_that_uses_every_name_passes_strict_mypy(tmp_path):
    names = "".join(f"_ = mujoco.{name}\n" for name in sinew.__all__ if not name.startswith("_"))
    (tmp_path / "client.py").write_text(CLIENT + "from typing import Any\n_: Any\n" + names)
    run = mypy(tmp_path / "client.py", "--strict")
    assert run.returncode == 0, run.stdout + run.stderr


def test_mistakes_are_found(tmp_path):
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    lines = [line for line in mypy(tmp_path / "mistakes.py").stdout.splitlines() if ": error:" in line]
    assert {int(line.split(":")[1]) for line in lines} == {6, 7, 8, 9, 10}


@pytest.mark.skipif(shutil.which("pyright") is None, reason="pyright is not installed")
def test_pyright_finds_the_mistakes_and_nothing_else(tmp_path):
    names = "".join(f"_ = mujoco.{name}\n" for name in sinew.__all__ if not name.startswith("_"))
    (tmp_path / "client.py").write_text(CLIENT + "from typing import Any\n_: Any\n" + names)
    (tmp_path / "mistakes.py").write_text(MISTAKES)
    paths = [str(ROOT / "python"), str(Path(np.__file__).parents[1])]
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": paths}))
    run = subprocess.run(["pyright", "--outputjson"], capture_output=True, text=True, cwd=tmp_path)
    found = [(Path(d["file"]).name, d["range"]["start"]["line"] + 1) for d in json.loads(run.stdout)["generalDiagnostics"]]
    assert sorted(found) == [("mistakes.py", line) for line in (6, 7, 8, 9, 10)]


def test_the_package_is_marked_as_typed():
    assert (Path(sinew.__file__).parent / "py.typed").exists()


def test_the_page_of_names_is_up_to_date():
    command = [sys.executable, "-B", ROOT / "docs/python_names.py", "--check"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
