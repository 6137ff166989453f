#!/usr/bin/env python3
"""no_fused_instructions.py BUILD: refuses fused multiply-add in the library's objects: it changes the results."""
import pathlib
import re
import subprocess
import sys

FUSED = re.compile(r"^\s*[0-9a-f]+:\s.*\b(vfn?m(?:add|sub)\w*|fn?m(?:add|sub)\b|fml[as])", re.M)

objects = sorted(pathlib.Path(sys.argv[1]).glob("CMakeFiles/sinew.dir/**/*.o"))
if not objects:
    sys.exit(f"no objects of the library in {sys.argv[1]}")
bad = 0
for path in objects:
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True).stdout
    found = FUSED.findall(text)
    if found:
        bad += 1
        print(f"{path}: {len(found)} fused instructions, the first: {found[0]}")
sys.exit(bad > 0)
