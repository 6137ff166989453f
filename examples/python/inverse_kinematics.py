"""Inverse kinematics: joint angles that bring the hand of an arm to given poses, by damped least squares.

The error of position and orientation is e; the Jacobian J of the hand's site relates it to the joint velocities. Each
iteration solves (J^T J + λ I) Δq = J^T e, moves the joints by Δq and clamps them to their limits.

    python3 inverse_kinematics.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import sinew

Vector = NDArray[np.float64]

ARM = """
<mujoco model="arm">
  <compiler angle="radian" autolimits="true"/>
  <default>
    <geom type="capsule" size="0.04"/>
    <joint range="-2.8 2.8"/>
  </default>
  <worldbody>
    <body name="shoulder" pos="0 0 0.4">
      <joint name="yaw" axis="0 0 1"/>
      <joint name="pitch" axis="0 1 0"/>
      <geom fromto="0 0 0 0.4 0 0"/>
      <body name="forearm" pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" range="0 2.8"/>
        <joint name="roll" axis="1 0 0"/>
        <geom fromto="0 0 0 0.35 0 0"/>
        <body name="wrist" pos="0.35 0 0">
          <joint name="bend" axis="0 1 0"/>
          <joint name="twist" axis="1 0 0"/>
          <geom fromto="0 0 0 0.1 0 0"/>
          <site name="hand" pos="0.12 0 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <keyframe><key name="bent" qpos="0.2 -0.4 1.2 0.1 0.5 0"/></keyframe>
</mujoco>
"""


class Solver:
    """Finds joint positions for a pose of one site."""

    def __init__(self, model: sinew.MjModel, site: str, damping: float = 1e-4) -> None:
        self.model = model
        self.data = sinew.MjData(model)
        self.site = model.site(site).id
        self.damping = damping
        self.jacobian = np.zeros((6, model.nv))

    def error(self, position: Vector, quat: Vector) -> Vector:
        """The required motion of the hand: translation, then rotation vector, in the world frame."""
        out, hand, inverse, turn = np.zeros(6), np.zeros(4), np.zeros(4), np.zeros(4)
        out[:3] = position - self.data.site_xpos[self.site]
        sinew.mju_mat2Quat(hand, self.data.site_xmat[self.site])
        sinew.mju_negQuat(inverse, hand)
        sinew.mju_mulQuat(turn, quat, inverse)
        sinew.mju_quat2Vel(out[3:], turn, 1.0)
        return out

    def solve(self, position: Vector, quat: Vector, start: Vector, iterations: int = 200) -> tuple[Vector, float]:
        """Joint positions, and the norm of the remaining error."""
        model, data = self.model, self.data
        data.qpos = start
        for _ in range(iterations):
            sinew.mj_kinematics(model, data)
            sinew.mj_comPos(model, data)
            error = self.error(position, quat)
            if np.linalg.norm(error) < 1e-10:
                break
            sinew.mj_jacSite(model, data, self.jacobian[:3], self.jacobian[3:], self.site)
            normal = self.jacobian.T @ self.jacobian + self.damping * np.eye(model.nv)
            step = np.linalg.solve(normal, self.jacobian.T @ error)
            sinew.mj_integratePos(model, data.qpos, step, 1.0)
            data.qpos = np.clip(data.qpos, model.jnt_range[:, 0], model.jnt_range[:, 1])
        sinew.mj_kinematics(model, data)
        return data.qpos.copy(), float(np.linalg.norm(self.error(position, quat)))


def main() -> None:
    model = sinew.MjModel.from_xml_string(ARM)
    start = model.key("bent").qpos.copy()
    solver = Solver(model, "hand")
    reference = sinew.MjData(model)
    rng = np.random.default_rng(1)
    worst, solved = 0.0, 0
    for _ in range(20):
        # a reachable pose: that of random joint positions
        reference.qpos = np.clip(start + rng.uniform(-0.6, 0.6, model.nq), *model.jnt_range.T)
        sinew.mj_kinematics(model, reference)
        quat = np.zeros(4)
        sinew.mju_mat2Quat(quat, reference.site("hand").xmat)
        _, error = solver.solve(reference.site("hand").xpos.copy(), quat, start)
        solved += error < 1e-6
        worst = max(worst, error)
    print(f"{solved} of 20 poses reached, largest error {worst:.1e}")


if __name__ == "__main__":
    main()
