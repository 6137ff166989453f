"""What calls through Python cost: processor time of attribute access, access by name, engine calls, loading, and of the
step loops of Gymnasium's HalfCheetah-v5 and Humanoid-v5 (with their models if ../shared has them).

PYTHONPATH=build/python python3 bench/python_seams.py
"""

import time
from pathlib import Path

import numpy as np
import sinew

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT.parent / "shared/conformance/gymnasium/gymnasium/envs/mujoco/assets"
PENDULUM = "<mujoco><worldbody><body><joint/><geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>"


def nanoseconds(function, calls=2000, repeats=30):
    """Processor time of a call: the least of many runs, the one least disturbed by other load on the machine."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time_ns()
        for _ in range(calls):
            function()
        best = min(best, (time.process_time_ns() - start) / calls)
    return best


def seams():
    text = (ROOT / "models/humanoid.xml").read_text()
    model = sinew.MjModel.from_xml_string(text)
    data = sinew.MjData(model)
    sinew.mj_step(model, data)
    small = sinew.MjModel.from_xml_string(PENDULUM)
    world = sinew.MjData(small)
    control, jacobian = np.zeros(model.nu), np.zeros((3, model.nv))
    rotated, axis, quat = np.zeros(3), np.ones(3), np.array([1.0, 0, 0, 0])

    def assign():
        data.ctrl = control

    def write():
        data.ctrl[:] = control

    head = sinew.mjtObj.mjOBJ_BODY
    yield "an empty call", nanoseconds(lambda: None)
    yield "model.nq", nanoseconds(lambda: model.nq)
    yield "model.opt.timestep", nanoseconds(lambda: model.opt.timestep)
    yield "data.time", nanoseconds(lambda: data.time)
    yield "data.qpos", nanoseconds(lambda: data.qpos)
    yield "data.ctrl[:] = a", nanoseconds(write)
    yield "data.ctrl = a", nanoseconds(assign)
    yield "data.contact", nanoseconds(lambda: data.contact)
    yield "data.efc_force", nanoseconds(lambda: data.efc_force)
    yield 'data.body("head").xpos', nanoseconds(lambda: data.body("head").xpos)
    yield "mj_name2id", nanoseconds(lambda: sinew.mj_name2id(model, head, "head"))
    yield "mju_rotVecQuat", nanoseconds(lambda: sinew.mju_rotVecQuat(rotated, axis, quat))
    yield "mj_jacBody", nanoseconds(lambda: sinew.mj_jacBody(model, data, jacobian, None, 3))
    yield "mj_step of a pendulum", nanoseconds(lambda: sinew.mj_step(small, world))
    yield "the same within nstep=1000", nanoseconds(lambda: sinew.mj_step(small, world, nstep=1000), 1) / 1000
    yield "MjData(humanoid)", nanoseconds(lambda: sinew.MjData(model), 100, 5)
    yield "MjModel.from_xml_string(humanoid)", nanoseconds(lambda: sinew.MjModel.from_xml_string(text), 5, 5)


def half_cheetah(model, data, action):
    before = data.qpos[0]
    data.ctrl[:] = action
    sinew.mj_step(model, data, nstep=5)
    sinew.mj_rnePostConstraint(model, data)
    reward = (data.qpos[0] - before) / (5 * model.opt.timestep) - 0.1 * np.sum(np.square(action))
    return np.concatenate((data.qpos[1:], data.qvel)), reward


def humanoid(model, data, action):
    def center():
        mass = np.expand_dims(model.body_mass, axis=1)
        return (np.sum(mass * data.xipos, axis=0) / np.sum(mass))[0:2]

    before = center()
    data.ctrl[:] = action
    sinew.mj_step(model, data, nstep=5)
    sinew.mj_rnePostConstraint(model, data)
    forward = (center() - before)[0] / (5 * model.opt.timestep)
    reward = 1.25 * forward + 5 * (1 < data.qpos[2] < 2) - 0.1 * np.sum(np.square(data.ctrl))
    parts = (data.cinert[1:], data.cvel[1:], data.qfrc_actuator[6:], data.cfrc_ext[1:])
    return np.concatenate((data.qpos[2:], data.qvel, *(part.ravel() for part in parts))), reward


def loops(steps=500):
    for name, step in (("half_cheetah.xml", half_cheetah), ("humanoid.xml", humanoid)):
        if not (ASSETS / name).exists():
            continue
        model = sinew.MjModel.from_xml_path(str(ASSETS / name))
        data = sinew.MjData(model)
        random = np.random.default_rng(0)
        actions = random.uniform(-0.4, 0.4, (steps, model.nu))

        def episode():
            sinew.mj_resetData(model, data)
            for action in actions:
                step(model, data, action)

        whole = nanoseconds(episode, 1, 5) / steps
        sinew.mj_resetData(model, data)
        inside = nanoseconds(lambda: sinew.mj_step(model, data, nstep=5 * steps), 1, 5) / steps
        yield f"step of an environment, {name}", whole
        yield "  its five engine steps alone, unactuated", inside


if __name__ == "__main__":
    for name, cost in (*seams(), *loops()):
        print(f"{name:42s} {cost:10,.0f} ns")
