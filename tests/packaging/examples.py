#!/usr/bin/env python3
"""examples.py BUILD NAME...: the small C++ examples print what a formula says, and write their pictures."""
import math
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv[1]).resolve()
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]\d+)?")
G = 9.81


def catenary_depth(length, span):
    low, high = 0.01, 10.0
    for _ in range(100):
        a = (low + high) / 2
        low, high = (a, high) if 2 * a * math.sinh(span / 2 / a) > length else (low, a)
    return low * (math.cosh(span / 2 / low) - 1)


def slide(friction):
    slope = math.radians(20)
    return max(0.0, 0.5 * G * (math.sin(slope) - friction * math.cos(slope)))


# period of a pendulum of length l and amplitude 0.1 whose bob is a sphere of radius r: 2π √((l² + 0.4 r²) / (g l)) (1 + 0.1²/16)
period = 2 * math.pi * math.sqrt((0.5**2 + 0.4 * 0.02**2) / (G * 0.5)) * (1 + 0.1**2 / 16)
pillar = 2 * math.floor(math.degrees(math.asin(0.25)) / 0.5) + 1  # rays every half degree; the tangent is at asin(r / distance)

# the numbers that a program prints, in order: (value, tolerance), (None, least, most), or None for one that is not checked
EXPECTED = {
    "pendulum": [(period, 2e-5), (0, 1e-11)],
    "sensors": [(0, 1e-9), (G, 1e-3), (2 * G, 2e-3)],
    "friction": [one for mu in (0.1, 0.2, 0.3, 0.45, 0.6) for one in ((mu, 0), (slide(mu), 3e-3), (slide(mu), 1e-4))],
    "chain": [(catenary_depth(1.5, 1), 1e-3), (catenary_depth(1.5, 1), 1e-4)],
    "tracking": [(0, 2e-3), (None, 0.2, 2)],
    "muscle": [(200, 1e-6), (1, 1e-9), (1.6, 1e-9), (1.3 * 200 * 1.5, 1e-6)],
    "batch": [(200, 0), (0, 0.01)],
    "lidar": [(3, 1e-9), (2, 1e-9), (0.75, 1e-9), (pillar, 0), (720, 0)],
    "balance": [(None, 1.001, 1.1), (None, 0.5, 0.999), (6, 0), (0, 1e-3), (0, 1e-3)],
    "robot": [(None, 0.01, 0.1), None, (0, 2e-3)],
}


def check(name):
    folder = BUILD / "examples"
    folder.mkdir(exist_ok=True)
    picture = folder / f"{name}.svg"
    picture.unlink(missing_ok=True)
    run = subprocess.run([BUILD / f"example_{name}", folder], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        return f"exit code {run.returncode}: {run.stdout}{run.stderr}"
    found = [float(x) for x in NUMBER.findall(run.stdout.replace("m/s^2", ""))]
    wanted = EXPECTED[name]
    if name == "robot" and abs(found[0] - found[1]) > 1e-3 * found[0]:
        return f"the error is not that of gravity: {run.stdout}"
    if len(found) != len(wanted):
        return f"{len(found)} numbers, expected {len(wanted)}: {run.stdout}"
    for value, want in zip(found, wanted):
        if want is None:
            continue
        ok = want[1] <= value <= want[2] if want[0] is None else abs(value - want[0]) <= want[1] + 1e-4 * abs(want[0])
        if not ok:
            return f"{value} is not {want}: {run.stdout}"
    root = ElementTree.parse(picture).getroot()
    if not [e for e in root.iter() if e.tag.endswith(("polyline", "path", "circle"))]:
        return f"{picture} shows nothing"
    return ""


names = sys.argv[2:]
failed = 0
if sorted(names) != sorted(EXPECTED):
    sys.exit(f"examples without expected results: {sorted(set(names) ^ set(EXPECTED))}")
for each in names:
    problem = check(each)
    failed += bool(problem)
    print(f"{each}: {problem or 'as the formula says'}")
sys.exit(failed > 0)
