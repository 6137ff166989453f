"""Predictive control by sampling: many futures with random controls are simulated on all cores, and the first control
of their weighted mean is applied. A pendulum with a weak motor swings up.

    python3 sampling_control.py --out swing_up.svg
"""

from __future__ import annotations

import argparse

import numpy as np
from svg_plot import write_plot

import sinew
from sinew import rollout

PENDULUM = """
<mujoco>
  <option timestep="0.02" integrator="implicitfast"/>
  <worldbody>
    <body>
      <joint name="hinge" axis="0 1 0" damping="0.02"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.02" mass="0.5"/>
    </body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-0.5 0.5"/></actuator>
</mujoco>
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="swings a pendulum up")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--horizon", type=int, default=60, help="steps to look ahead")
    parser.add_argument("--out", default="swing_up.svg")
    arguments = parser.parse_args()

    model = sinew.MjModel.from_xml_string(PENDULUM)
    data = sinew.MjData(model)
    workers = [sinew.MjData(model) for _ in range(2)]
    size = sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_FULLPHYSICS)
    rng = np.random.default_rng(0)
    plan = np.zeros((arguments.horizon, 1))
    times, angles, pushes = [], [], []
    while data.time < 8:
        noise = rng.normal(scale=0.4, size=(arguments.samples, arguments.horizon, 1))
        noise[0] = 0
        # a control that is held for ten steps at a time swings more than one that changes with each
        noise = np.repeat(noise[:, ::10], 10, axis=1)[:, : arguments.horizon]
        controls = np.clip(plan + noise, -0.5, 0.5)
        start = np.zeros(size)
        sinew.mj_getState(model, data, start, sinew.mjtState.mjSTATE_FULLPHYSICS)
        states, _ = rollout.rollout(model, workers, start, controls)
        angle, velocity = states[:, :, 1], states[:, :, 2]
        cost = np.mean(1 + np.cos(angle), axis=1) + 0.01 * np.mean(velocity**2, axis=1)
        weight = np.exp(-(cost - cost.min()) / 0.02)
        plan = np.tensordot(weight / weight.sum(), controls, axes=1)
        data.ctrl = plan[0]
        times.append(data.time)
        angles.append(float(data.qpos[0]))
        pushes.append(float(plan[0, 0]))
        sinew.mj_step(model, data)
        plan = np.vstack([plan[1:], plan[-1:]])

    write_plot(arguments.out, times, {"angle, rad": angles, "torque, N m": pushes}, title="swing up", xlabel="s")
    upright = np.mean(np.cos(angles[-50:]) < -0.9)
    print(f"weight needs {0.5 * 9.81 * 0.25:.2f} N m, the motor has 0.5; upright in {upright:.0%} of the last second: {arguments.out}")


if __name__ == "__main__":
    main()
