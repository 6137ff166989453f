"""The examples run, produce their results, and pass mypy."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import sinew

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "python"


def run(name, folder, *arguments):
    env = {**os.environ, "PYTHONPATH": str(Path(sinew.__file__).parents[1])}
    command = [sys.executable, "-B", str(EXAMPLES / name), *arguments]
    result = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    return result.stdout


def lines_of(path):
    """The polylines of a plot, which must be well-formed XML."""
    return ElementTree.parse(path).getroot().findall("{http://www.w3.org/2000/svg}polyline")


def test_a_model_is_loaded_and_plotted(tmp_path):
    assert "5 joints" in run("load_and_plot.py", tmp_path, "--time", "0.2", "--out", "cradle.svg")
    assert len(lines_of(tmp_path / "cradle.svg")) == 5
    run("load_and_plot.py", tmp_path, str(ROOT / "models" / "boxes.xml"), "--time", "0.05")
    assert lines_of(tmp_path / "plot.svg")


def test_a_policy_learns_to_balance(tmp_path):
    first, best = map(int, re.search(r"return (\d+) -> (\d+)", run("gym_style_env.py", tmp_path)).groups())
    assert first < 60 and best == 250
    assert lines_of(tmp_path / "learning.svg")


def test_the_environment_has_the_interface_of_gymnasium(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    env = pytest.importorskip("gym_style_env").CartPole()
    observation, info = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation) and info == {}
    assert observation.tolist() == again.tolist()
    action = env.action_space.sample(env.rng)
    assert env.action_space.contains(action)
    observation, reward, terminated, truncated, info = env.step(action)
    assert reward == 1 and not terminated and not truncated and info["time"] == 0.02


def test_inverse_kinematics_reaches_every_pose(tmp_path):
    assert "20 of 20 poses reached" in run("inverse_kinematics.py", tmp_path)


def test_a_batch_has_random_masses(tmp_path):
    text = run("batch_random_masses.py", tmp_path, "--worlds", "16", "--time", "0.5")
    assert re.search(r"1[3-6] of 16 stand, 0 diverged", text)
    assert len(lines_of(tmp_path / "heights.svg")) == 5


def test_the_tutorial_writes_its_plots(tmp_path):
    text = run("tutorial.py", tmp_path, "--out", "plots")
    assert float(re.search(r"drifts by (\S+)", text).group(1)) < 1e-5
    assert sorted(p.name for p in (tmp_path / "plots").iterdir()) == [
        "angles.svg", "contact.svg", "energy.svg", "gravity.svg", "rollouts.svg"]  # fmt: skip
    for path in (tmp_path / "plots").iterdir():
        assert lines_of(path)


def test_the_examples_pass_strict_mypy():
    env = {**os.environ, "MYPYPATH": f"{ROOT / 'python'}:{EXAMPLES}"}
    command = ["/usr/bin/mypy", "--cache-dir=/dev/null", "--strict", *map(str, sorted(EXAMPLES.glob("*.py")))]
    result = subprocess.run(command, capture_output=True, text=True, env=env)
    assert result.returncode == 0, result.stdout
