"""System identification: the mass and damping with which the simulation reproduces a noisy recording, by least squares.

    python3 identify_mass.py --out fit.svg
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray
from svg_plot import write_plot

import sinew
from sinew import minimize

Vector = NDArray[np.float64]
ARM = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0" damping="{damping}"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.2"/>
      <geom name="load" pos="0.3 0 0" size="0.04" mass="{mass}"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
STEPS = 400


def motion(mass: float, damping: float) -> Vector:
    """Angles of the arm while its motor pushes with a sine."""
    model = sinew.MjModel.from_xml_string(ARM.format(mass=mass, damping=damping))
    data = sinew.MjData(model)
    angles = np.zeros(STEPS)
    for i in range(STEPS):
        data.ctrl[0] = 2 * np.sin(4 * data.time)
        sinew.mj_step(model, data)
        angles[i] = data.qpos[0]
    return angles


def main() -> None:
    parser = argparse.ArgumentParser(description="finds a mass and a damping")
    parser.add_argument("--out", default="fit.svg")
    arguments = parser.parse_args()
    truth = (0.7, 0.15)
    noise = np.random.default_rng(0).normal(scale=1e-3, size=STEPS)
    recording = motion(*truth) + noise

    def residual(x: Vector) -> Vector:
        """One column per set of parameters."""
        return np.stack([motion(*column) - recording for column in x.T], axis=1)

    guess = np.array([0.3, 0.05])
    found, _ = minimize.least_squares(guess, residual, bounds=[np.full(2, 1e-3), np.full(2, 5.0)], verbose=0)
    lines = {"recording": recording, "guess": motion(*guess), "found": motion(*found)}
    write_plot(arguments.out, 0.005 * np.arange(STEPS), lines, title="angle of an arm", xlabel="s", ylabel="rad")
    print(f"mass {found[0]:.3f} kg (true {truth[0]}), damping {found[1]:.4f} N m s/rad (true {truth[1]}): {arguments.out}")


if __name__ == "__main__":
    main()
