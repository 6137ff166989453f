"""A tour of sinew, cell by cell.

Every cell begins with `# %%`, as notebook-aware editors expect; as a script it writes its plots to a folder.

    python3 tutorial.py --out tutorial
"""

# %% A model
from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from svg_plot import write_plot

import sinew
from sinew import rollout

parser = argparse.ArgumentParser(description="a tour of sinew")
parser.add_argument("--out", default="tutorial", help="folder for the plots")
out = Path(parser.parse_args().out)
out.mkdir(parents=True, exist_ok=True)

PENDULUM = """
<mujoco model="double pendulum">
  <option timestep="0.002" integrator="RK4"><flag energy="enable" contact="disable"/></option>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow" axis="0 1 0"/>
        <geom name="forearm" type="capsule" fromto="0 0 0 0 0 -0.4" size="0.02"/>
        <site name="tip" pos="0 0 -0.4"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
model = sinew.MjModel.from_xml_string(PENDULUM)
data = sinew.MjData(model)
print(f"{model.nq} positions, {model.nv} velocities; the forearm weighs {model.body('lower').mass[0]:.2f} kg")

# %% Forward kinematics: set positions, read poses
data.joint("shoulder").qpos = np.pi / 2
sinew.mj_forward(model, data)
print("the tip is at", np.round(data.site("tip").xpos, 3))

# %% Simulation: arrays are live views, so copy what you keep
times, angles, energies = [], [], []
while data.time < 5:
    sinew.mj_step(model, data)
    times.append(data.time)
    angles.append(data.qpos.copy())
    energies.append(data.energy.copy())
shoulder, elbow = np.transpose(angles)
write_plot(out / "angles.svg", times, {"shoulder": shoulder, "elbow": elbow}, title="double pendulum", xlabel="s", ylabel="rad")

# %% Energy is conserved: there is no friction, and the integrator is fourth order
potential, kinetic = np.transpose(energies)
total = potential + kinetic
write_plot(out / "energy.svg", times, {"potential": potential, "kinetic": kinetic, "total": total}, xlabel="s", ylabel="J")
drift = np.ptp(total) / np.ptp(potential)
print(f"energy drifts by {drift:.1e} relative to the energy exchanged")

# %% Editing: the same model with a heavier forearm and a motor
spec = sinew.MjSpec.from_string(PENDULUM)
spec.geom("forearm").density = 4000
motor = spec.add_actuator(name="drive", target="elbow", trntype=sinew.mjtTrn.mjTRN_JOINT)
motor.set_to_position(kp=20, kv=2)
heavy = spec.compile()
print(f"now it weighs {heavy.body('lower').mass[0]:.2f} kg")

# %% Rollouts: many futures from one state, on several threads
nstate = sinew.mj_stateSize(heavy, sinew.mjtState.mjSTATE_FULLPHYSICS)
start = np.zeros(nstate)
targets = np.linspace(-1, 1, 5)
controls = np.broadcast_to(targets[:, None, None], (5, 500, 1))
workers = [sinew.MjData(heavy) for _ in range(2)]
states, sensordata = rollout.rollout(heavy, workers, start, controls)
futures = {f"target {target:g}": state[:, 2] for target, state in zip(targets, states)}
write_plot(out / "rollouts.svg", np.arange(500) * heavy.opt.timestep, futures, title="elbow", xlabel="s", ylabel="rad")

# %% Batches: many persistent worlds, each with its own gravity
batch = sinew.Batch(model, 4)
gravity = batch.vary("opt.gravity")
gravity[:, 2] = [-1.6, -3.7, -9.8, -24.8]
batch.qpos[:, 0] = 0.5
swings = []
for _ in range(300):
    batch.step(5)
    swings.append(batch.qpos[:, 0].copy())
names = ("Moon", "Mars", "Earth", "Jupiter")
write_plot(out / "gravity.svg", 0.01 * np.arange(300), dict(zip(names, np.transpose(swings))), xlabel="s", ylabel="rad")

# %% Contacts: how a box lands
BOX = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="box" pos="0 0 0.4" euler="20 30 0"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
</mujoco>
"""
model = sinew.MjModel.from_xml_string(BOX)
data = sinew.MjData(model)
times, forces, force = [], [], np.zeros(6)
while data.time < 1:
    sinew.mj_step(model, data)
    total_force = 0.0
    for i in range(data.ncon):
        sinew.mj_contactForce(model, data, i, force)
        total_force += force[0]
    times.append(data.time)
    forces.append(total_force)
weight = model.body_mass.sum() * 9.81
write_plot(out / "contact.svg", times, {"contact": forces, "weight": np.full(len(times), weight)}, xlabel="s", ylabel="N")
print(f"at rest the contact force is {forces[-1]:.1f} N; the box weighs {weight:.1f} N")
print(f"plots: {', '.join(sorted(path.name for path in out.glob('*.svg')))}")
