"""The overhead of Python."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import python_step  # noqa: E402


def test_python_adds_less_than_a_microsecond_to_a_step():
    assert min(python_step.overhead()[1] for _ in range(3)) < 1e-6
