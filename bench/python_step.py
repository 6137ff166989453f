"""Overhead of a step through Python: mj_step called n times, and mj_step(nstep=n) called once.

PYTHONPATH=build/python python3 bench/python_step.py
"""

import time

import sinew

PENDULUM = "<mujoco><worldbody><body><joint/><geom size='.1' pos='0 0 1'/></body></worldbody></mujoco>"


def best(function, repeats=50):
    """The shortest of many runs, the one least disturbed by other load on the machine."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def overhead(n=2000):
    """Seconds per step: in C++, and added by Python."""
    model = sinew.MjModel.from_xml_string(PENDULUM)
    data = sinew.MjData(model)

    def one_by_one():
        step = sinew.mj_step
        for _ in range(n):
            step(model, data)

    inside = best(lambda: sinew.mj_step(model, data, nstep=n)) / n
    return inside, best(one_by_one) / n - inside


if __name__ == "__main__":
    inside, added = overhead()
    print(f"a step of a pendulum: {inside * 1e9:.0f} ns in C++, {added * 1e9:.0f} ns more through Python")
