"""Many worlds at once, each with its own masses and friction: how robustly does a robot stand?

A quadruped is dropped from slightly above its standing pose in 256 worlds with random masses, friction and motor
strength. The worlds step on all cores.

    python3 batch_random_masses.py --worlds 256 --out heights.svg
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from svg_plot import write_plot

import sinew

MODEL = Path(__file__).resolve().parents[2] / "models" / "quadruped.xml"


def main() -> None:
    parser = argparse.ArgumentParser(description="a robot with random masses")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--time", type=float, default=1.0, help="seconds to simulate")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="heights.svg")
    arguments = parser.parse_args()

    model = sinew.MjModel.from_xml_path(str(MODEL))
    batch = sinew.Batch(model, arguments.worlds)
    rng = np.random.default_rng(arguments.seed)

    # randomized per world: masses (and inertias in proportion), friction, and the gain of the position servos
    scale = rng.uniform(0.7, 1.3, (arguments.worlds, model.nbody))
    batch.vary("body_mass")[:] *= scale
    batch.vary("body_inertia")[:] *= scale[:, :, None]
    batch.vary("geom_friction")[:, :, 0] *= rng.uniform(0.5, 1.5, (arguments.worlds, 1))
    stiffness = rng.uniform(0.6, 1.4, (arguments.worlds, 1))
    batch.vary("actuator_gainprm")[:, :, 0] *= stiffness
    batch.vary("actuator_biasprm")[:, :, 1] *= stiffness
    batch.update_constants()

    batch.reset(keyframe="stand")
    batch.qpos[:, 2] += 0.05
    times, heights = [], []
    started = time.perf_counter()
    steps = round(arguments.time / model.opt.timestep / 10)
    for _ in range(steps):
        batch.step(10)
        times.append(float(batch.time[0]))
        heights.append(batch.qpos[:, 2].copy())
    elapsed = time.perf_counter() - started

    shares = np.quantile(heights, [0.05, 0.25, 0.5, 0.75, 0.95], axis=1)
    lines = {f"{share:.0%}": line for share, line in zip((0.05, 0.25, 0.5, 0.75, 0.95), shares)}
    write_plot(arguments.out, times, lines, title="height of the trunk: quantiles over the worlds", xlabel="s", ylabel="m")
    standing = int(np.sum(batch.qpos[:, 2] > 0.2))
    rate = 10 * steps * arguments.worlds / elapsed
    print(f"{standing} of {arguments.worlds} stand, {int(batch.diverged.sum())} diverged; "
          f"{rate:.0f} steps per second on {batch.threads} threads: {arguments.out}")  # fmt: skip


if __name__ == "__main__":
    main()
