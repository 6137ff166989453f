"""A Gymnasium-style environment, written without the library, and a policy that learns to balance in it.

reset and step have the same meaning as in Gymnasium, so a reinforcement learning library can be used with it.
The loop below finds a linear policy by random search: no library, a few seconds.

    python3 gym_style_env.py --out learning.svg
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from svg_plot import write_plot

import sinew

Vector = NDArray[np.float64]

CART_POLE = """
<mujoco model="cart and pole">
  <option timestep="0.01" integrator="implicitfast"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" range="-2 2" limited="true" damping="0.1"/>
      <geom type="box" size="0.15 0.1 0.05" mass="1"/>
      <body name="pole" pos="0 0 0.05">
        <joint name="hinge" axis="0 1 0" damping="0.002"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.03" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slide" gear="20" ctrllimited="true" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


@dataclass(frozen=True)
class Box:
    """A space of vectors between two bounds."""

    low: Vector
    high: Vector

    @property
    def shape(self) -> tuple[int, ...]:
        return self.low.shape

    def sample(self, rng: np.random.Generator) -> Vector:
        return rng.uniform(self.low, self.high)

    def contains(self, x: Vector) -> bool:
        return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))


class CartPole:
    """Keep the pole up: a reward of 1 for every step in which it is upright and the cart is on the rail."""

    frame_skip = 2
    max_steps = 250

    def __init__(self) -> None:
        self.model = sinew.MjModel.from_xml_string(CART_POLE)
        self.data = sinew.MjData(self.model)
        limits = self.model.actuator_ctrlrange
        self.action_space = Box(limits[:, 0].copy(), limits[:, 1].copy())
        size = self.model.nq + self.model.nv
        self.observation_space = Box(np.full(size, -np.inf), np.full(size, np.inf))
        self.rng = np.random.default_rng()
        self.steps = 0

    def observation(self) -> Vector:
        return np.concatenate([self.data.qpos, self.data.qvel])

    def reset(self, *, seed: int | None = None) -> tuple[Vector, dict[str, Any]]:
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        sinew.mj_resetData(self.model, self.data)
        self.data.qpos = self.rng.uniform(-0.1, 0.1, self.model.nq)
        self.data.qvel = self.rng.uniform(-0.1, 0.1, self.model.nv)
        sinew.mj_forward(self.model, self.data)
        self.steps = 0
        return self.observation(), {}

    def step(self, action: Vector) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        self.data.ctrl = np.clip(action, self.action_space.low, self.action_space.high)
        sinew.mj_step(self.model, self.data, nstep=self.frame_skip)
        self.steps += 1
        position, angle = self.data.qpos
        terminated = bool(abs(angle) > 0.3 or abs(position) > 1.9)
        truncated = self.steps >= self.max_steps
        return self.observation(), float(not terminated), terminated, truncated, {"time": self.data.time}


def episode(env: CartPole, policy: Vector, seed: int) -> float:
    """The return of one episode with the controls policy @ observation."""
    observation, _ = env.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        observation, reward, terminated, truncated, _ = env.step(np.atleast_1d(policy @ observation))
        total += reward
        done = terminated or truncated
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description="learns to balance a pole")
    parser.add_argument("--trials", type=int, default=60, help="policies to try")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="learning.svg")
    arguments = parser.parse_args()

    env = CartPole()
    rng = np.random.default_rng(arguments.seed)
    best = np.zeros(env.observation_space.shape)
    best_return = np.mean([episode(env, best, seed) for seed in range(3)])
    first, history = best_return, []
    for _ in range(arguments.trials):
        trial = best + rng.normal(scale=1.0, size=best.shape)
        value = np.mean([episode(env, trial, seed) for seed in range(3)])
        if value >= best_return:
            best, best_return = trial, value
        history.append(best_return)

    write_plot(arguments.out, range(len(history)), {"best return": history}, title="cart and pole", xlabel="trial")
    print(f"return {first:.0f} -> {best_return:.0f} of {env.max_steps}: {arguments.out}")


if __name__ == "__main__":
    main()
