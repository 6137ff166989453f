"""Editing: a table is built by a program, three arms from a file are attached to it, and one of them is made heavier.

    python3 edit_model.py --out table.xml
"""

from __future__ import annotations

import argparse
from pathlib import Path

import sinew

ARM = """
<mujoco model="arm">
  <worldbody>
    <body name="arm">
      <joint name="hinge" axis="0 1 0" damping="0.5"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.3 0 0" size="0.02" mass="0.4"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="builds a model from parts")
    parser.add_argument("--out", default="table.xml", help="the model to write")
    arguments = parser.parse_args()

    spec = sinew.MjSpec()
    spec.modelname = "table"
    table = spec.worldbody.add_geom(name="table", type=sinew.mjtGeom.mjGEOM_BOX, size=[0.8, 0.3, 0.02])
    table.rgba = [0.6, 0.45, 0.3, 1]
    for i, side in enumerate(("left", "middle", "right")):
        place = spec.worldbody.add_frame(pos=[0.5 * (i - 1), 0, 0.4])
        arm = sinew.MjSpec.from_string(ARM)
        place.attach_body(arm.body("arm"), side + "_", "")
    spec.geom("right_rod").mass = 1.2

    model = spec.compile()
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    torques = [float(data.qfrc_bias[model.joint(f"{side}_hinge").dofadr[0]]) for side in ("left", "middle", "right")]
    Path(arguments.out).write_text(spec.to_xml(), encoding="utf-8")
    print(f"{model.nbody - 1} arms, {model.nu} motors; gravity turns them with", " ".join(f"{-t:.4f}" for t in torques), "N m")


if __name__ == "__main__":
    main()
