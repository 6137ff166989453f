"""What Python costs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import python_step  # noqa: E402


def test_a_step_costs_less_than_a_microsecond_more_than_in_cpp():
    assert min(python_step.overhead()[1] for _ in range(3)) < 1e-6
