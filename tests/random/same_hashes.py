#!/usr/bin/env python3
"""same_hashes.py PROGRAM PROGRAM [OPTION...]: two builds of random_worlds give the same bits for every seed."""
import subprocess
import sys

programs, options = sys.argv[1:3], sys.argv[3:]
running = [
    subprocess.Popen([program, "--hash", "--folder", f"hashes{i}", *options], stdout=subprocess.PIPE, text=True)
    for i, program in enumerate(programs)
]
hashes = [dict(line.split() for line in process.communicate()[0].splitlines() if len(line.split()) == 2) for process in running]
if any(process.returncode for process in running):
    sys.exit(f"exit codes {[process.returncode for process in running]}")
if not hashes[0] or hashes[0].keys() != hashes[1].keys():
    sys.exit(f"{len(hashes[0])} and {len(hashes[1])} seeds")
if all(value == "0" * 16 for value in hashes[0].values()):
    sys.exit("no model was simulated")
different = [seed for seed, value in hashes[0].items() if hashes[1][seed] != value]
if different:
    sys.exit(f"different bits for {len(different)} of {len(hashes[0])} seeds: {' '.join(different[:20])}")
print(f"{len(hashes[0])} seeds: same bits")
