#!/usr/bin/env python3
"""docs/step.py refuses contracts that are missing, incomplete or name unknown fields.

Each case is one edit in a copy of the sources, and a part of the expected message.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = {
    "a stage of a level without a contract": (
        "src/dynamics/com.h", "/// Reads: xmat, xipos", "/// Takes: xmat, xipos", "com_position: a contract"),
    "a stage of a level whose contract was removed": (
        "src/dynamics/inertia.h", "/// Reads: M. Writes: qLD, qLDiagInv.\n", "", "position calls factor_inertia"),
    "a function without a contract called by the step": (
        "src/sim/checks.h", "/// Reads: qvel, warning. Writes: *.\n", "", "begin_step calls check_velocities"),
    "a new stage in the table without a contract": (
        "src/sim/forward.cpp", '{"collide", collide_and_waking},', '{"collide", collide_and_waking}, {"more", more_work},',
        "position calls more_work"),
    "an incomplete contract": (
        "src/dynamics/velocity.h", "Writes: ten_velocity.", "", "tendon_velocity: a contract"),
    "a field that does not exist": (
        "src/dynamics/energy.h", "Reads: M, qvel.", "Reads: M, qvelocity.", 'Data has no field "qvelocity"'),
    "a pattern that matches no field": (
        "src/dynamics/transmission.h", "moment_*", "moments_*", 'Data has no field "moments_*"'),
    "a reference to a function without a contract": (
        "src/dynamics/bias.h", "as rne,", "as newton,", "newton has no contract"),
    "a field that its writer does not declare": (
        "src/dynamics/inertia.h", "Writes: qLD, qLDiagInv.", "Writes: qLD.", "says that factor_inertia writes qLDiagInv"),
    "a page that was not regenerated": (
        "src/dynamics/energy.h", "armature included.", "with armature.", "docs/step.md is"),
}


def check(folder):
    done = subprocess.run([sys.executable, "-B", folder / "docs/step.py", "--check"], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("docs", "include", "src"):
            shutil.copytree(ROOT / part, folder / part)
        code, said = check(folder)
        if code != 0:
            print(f"FAILED: the unmodified sources: {said}")
            failures += 1
        for law, (path, old, new, wanted) in CASES.items():
            file = folder / path
            before = file.read_text(encoding="utf-8")
            if old not in before:
                print(f"FAILED: {law}: {path} has no '{old}' to edit")
                failures += 1
                continue
            file.write_text(before.replace(old, new, 1), encoding="utf-8")
            code, said = check(folder)
            file.write_text(before, encoding="utf-8")
            if code == 0 or wanted not in said or "Traceback" in said:
                print(f"FAILED: {law}: expected '{wanted}', got exit {code}: {said}")
                failures += 1
    return 1 if failures else 0


sys.exit(main())
