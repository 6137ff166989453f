"""The examples run, produce their results, and pass mypy."""

import os
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import numpy as np
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

def number_after(text, words):
    return float(re.search(re.escape(words) + r" (-?[\d.]+(?:e[+-]\d+)?)", text).group(1))


def test_linear_feedback_catches_a_pole_that_falls_without(tmp_path):
    text = run("linear_feedback.py", tmp_path)
    assert number_after(text, "largest eigenvalue") < 0.99 and abs(number_after(text, "ends at")) < 1e-3
    assert len(lines_of(tmp_path / "balance.svg")) == 2
    text = run("linear_feedback.py", tmp_path, "--angle", "1.5")  # its motor is too weak to catch it from there
    assert abs(number_after(text, "ends at")) > 0.1


def test_mass_and_damping_are_found(tmp_path):
    text = run("identify_mass.py", tmp_path)
    assert number_after(text, "mass") == pytest.approx(0.7, abs=0.002)
    assert number_after(text, "damping") == pytest.approx(0.15, abs=0.001)
    assert len(lines_of(tmp_path / "fit.svg")) == 3


def test_sampling_swings_a_pendulum_up_with_a_weak_motor(tmp_path):
    text = run("sampling_control.py", tmp_path)
    assert number_after(text, "upright in") > 90
    assert number_after(text, "weight needs") == pytest.approx(0.5 * 9.81 * 0.25, abs=0.005)
    assert len(lines_of(tmp_path / "swing_up.svg")) == 2


def test_a_model_is_built_from_parts(tmp_path):
    text = run("edit_model.py", tmp_path)
    torques = [float(x) for x in re.search(r"with (.*) N m", text).group(1).split()]
    assert torques == pytest.approx([9.81 * 0.15 * mass for mass in (0.4, 0.4, 1.2)], abs=1e-4)
    again = sinew.MjModel.from_xml_path(str(tmp_path / "table.xml"))
    assert again.nu == 3 and again.geom("right_rod").id >= 0


def test_pictures_show_color_depth_and_segments(tmp_path):
    text = run("draw_picture.py", tmp_path)
    assert "geoms are seen" in text
    picture = (tmp_path / "boxes.png").read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture[16:24]) == (3 * 320, 240)
    rows = np.frombuffer(zlib.decompress(picture[41 : picture.rindex(b"IEND") - 8]), np.uint8).reshape(240, 1 + 9 * 320)
    color, depth, segments = np.split(rows[:, 1:].reshape(240, 3 * 320, 3), 3, axis=1)
    assert len(np.unique(depth)) > 50 and len(np.unique(color)) > 50
    assert 4 <= len(np.unique(segments.reshape(-1, 3), axis=0)) <= 20


def test_the_examples_pass_strict_mypy():
    env = {**os.environ, "MYPYPATH": f"{ROOT / 'python'}:{EXAMPLES}"}
    command = ["/usr/bin/mypy", "--cache-dir=/dev/null", "--strict", *map(str, sorted(EXAMPLES.glob("*.py")))]
    result = subprocess.run(command, capture_output=True, text=True, env=env)
    assert result.returncode == 0, result.stdout
