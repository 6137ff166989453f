"""`python -m sinew` is the command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"
COMMAND = Path(sinew.__file__).parent / "bin" / "sinew"


def run(*words):
    path = os.pathsep.join(filter(None, [str(Path(sinew.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "sinew", *words]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, timeout=60)


@pytest.mark.skipif(not COMMAND.exists(), reason="the package was built without the command")
def test_the_package_runs_the_command():
    shown = run("info", str(MODELS / "cradle.xml"))
    assert shown.returncode == 0 and "cradle" in shown.stdout
    wrong = run("check", str(MODELS / "no_such_file.xml"))
    assert wrong.returncode != 0 and "no_such_file.xml" in wrong.stdout
