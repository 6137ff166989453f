"""Loads a model, simulates it and plots its joints.

    python3 load_and_plot.py models/cradle.xml --time 3 --out cradle.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from svg_plot import write_plot

import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("model", nargs="?", default=str(MODELS / "cradle.xml"), help="an MJCF file")
    parser.add_argument("--time", type=float, default=3.0, help="seconds to simulate")
    parser.add_argument("--out", default="plot.svg", help="the picture to write")
    arguments = parser.parse_args()

    model = sinew.MjModel.from_xml_path(arguments.model)
    data = sinew.MjData(model)
    if model.nkey:
        sinew.mj_resetDataKeyframe(model, data, 0)

    # only hinges and slides, which have a single coordinate
    joints = [model.joint(i) for i in range(model.njnt) if model.jnt_type[i] >= sinew.mjtJoint.mjJNT_SLIDE]
    addresses = [int(joint.qposadr[0]) for joint in joints]
    times, positions = [], []
    while data.time < arguments.time:
        times.append(data.time)
        positions.append(data.qpos[addresses])  # indexing by a list copies
        sinew.mj_step(model, data)

    lines = {joint.name or f"joint {joint.id}": column for joint, column in zip(joints, np.transpose(positions))}
    if not lines:
        lines = {"time": np.asarray(times)}
    write_plot(arguments.out, times, lines, title=Path(arguments.model).stem, xlabel="s", ylabel="rad or m")
    print(f"{len(times)} steps, {len(joints)} joints: {arguments.out}")


if __name__ == "__main__":
    main()
