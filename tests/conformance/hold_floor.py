#!/usr/bin/env python3
"""hold_floor.py CORPUS ENGINE [--only NAME] [--raise]

Runs the judge of the corpus, prints its totals and holds them against floor.txt beside this file: the number of models
that pass in each group. A group below its floor, a crash or a hang fails; a rise is to be committed (--raise writes it).
With --only a part is judged in detail and nothing is held.
"""
import argparse
import pathlib
import re
import subprocess
import sys

FLOOR = pathlib.Path(__file__).with_name("floor.txt")
TOTAL = re.compile(r"^(\w+) +(\d+)/(\d+)$", re.M)
CRASHES = re.compile(r"^crashes or hangs: (\d+)$", re.M)

parser = argparse.ArgumentParser(prog="./dev conform")
parser.add_argument("corpus", help=argparse.SUPPRESS)
parser.add_argument("engine", help=argparse.SUPPRESS)
parser.add_argument("--only", default="", metavar="NAME", help="models whose path contains NAME, in detail")
parser.add_argument("--raise", dest="write", action="store_true", help="write better totals to the floor")
args = parser.parse_args()

command = [sys.executable, f"{args.corpus}/compare.py", "--engine", args.engine, "--without", "flex", "skin", "plugin", "-v"]
if args.only:
    command += ["--only", args.only]
run = subprocess.run(command, capture_output=True, text=True)
details = pathlib.Path(args.engine).with_name("conform.log")
details.write_text(run.stdout)
totals = {name: int(passed) for name, passed, _ in TOTAL.findall(run.stdout)}
crashes = CRASHES.search(run.stdout)
if not totals or not crashes:
    sys.exit(f"{run.stdout}{run.stderr}./dev conform: the judge did not finish (exit {run.returncode})")

print(run.stdout if args.only else "\n".join(line for line in run.stdout.splitlines() if not line.startswith("  ")))
if args.only:
    sys.exit(0)

floor = {name: int(passed) for name, passed in (line.split() for line in FLOOR.read_text().splitlines())}
fallen = [f"{name} {totals.get(name, 0)}, floor {low}" for name, low in floor.items() if totals.get(name, 0) < low]
if int(crashes[1]):
    fallen.append(f"{crashes[1]} crashes or hangs, none are allowed")
if fallen:
    sys.exit(f"fallen below tests/conformance/floor.txt: {'; '.join(fallen)} (details: {details})")
risen = [f"{name} {floor.get(name, 0)} -> {passed}" for name, passed in totals.items() if passed > floor.get(name, 0)]
if risen and args.write:
    FLOOR.write_text("".join(f"{name} {passed}\n" for name, passed in totals.items()))
    print(f"raised tests/conformance/floor.txt: {', '.join(risen)}")
elif risen:
    print(f"risen above the floor: {', '.join(risen)}; commit it: ./dev conform --raise")
