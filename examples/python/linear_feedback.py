"""Derivatives: the A and B of a step give the feedback that balances a pole (discrete Riccati equation).

    python3 linear_feedback.py --out balance.svg
"""

from __future__ import annotations

import argparse

import numpy as np
from gym_style_env import CART_POLE
from numpy.typing import NDArray
from svg_plot import write_plot

import sinew

Matrix = NDArray[np.float64]


def optimal_gain(A: Matrix, B: Matrix, Q: Matrix, R: Matrix) -> Matrix:
    """K of u = -K x that minimizes the sum of x'Qx + u'Ru."""
    P = Q
    while True:
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        better = Q + A.T @ P @ (A - B @ K)
        if np.max(np.abs(better - P)) < 1e-9 * np.max(np.abs(better)):
            return np.asarray(K)
        P = better


def main() -> None:
    parser = argparse.ArgumentParser(description="balances a pole")
    parser.add_argument("--angle", type=float, default=0.3, help="angle at the start, rad")
    parser.add_argument("--out", default="balance.svg")
    arguments = parser.parse_args()

    model = sinew.MjModel.from_xml_string(CART_POLE)
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    A, B = np.zeros((4, 4)), np.zeros((4, 1))
    sinew.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
    K = optimal_gain(A, B, np.diag([1, 1, 0.1, 0.1]), np.eye(1))

    data.qpos[1] = arguments.angle
    times, states = [], []
    while data.time < 5:
        x = np.concatenate([data.qpos, data.qvel])
        times.append(data.time)
        states.append(x)
        data.ctrl = -K @ x
        sinew.mj_step(model, data)
    cart, pole = np.transpose(states)[:2]
    write_plot(arguments.out, times, {"cart, m": cart, "pole, rad": pole}, title="a pole is caught", xlabel="s")
    radius = float(np.max(np.abs(np.linalg.eigvals(A - B @ K))))
    print(f"largest eigenvalue {radius:.4f}; the pole ends at {data.qpos[1]:.1e} rad: {arguments.out}")


if __name__ == "__main__":
    main()
