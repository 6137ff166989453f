#!/usr/bin/env python3
"""no_system_functions.py BUILD: refuses the system's transcendental functions in the library's objects: their last bits
depend on its version and on the processor. src/math/elementary.h has our own."""
import pathlib
import re
import subprocess
import sys

SYSTEMS = re.compile(
    r"^\s*U (a?(?:sin|cos|tan)h?|atan2|sincos|exp(?:2|10|m1)?|log(?:2|10|1p)?|pow|cbrt|hypot|erfc?|[tl]gamma)(?:f|l|f32|f64)?(?:@.*)?$",
    re.M)

objects = sorted(pathlib.Path(sys.argv[1]).glob("CMakeFiles/sinew.dir/**/*.o"))
if not objects:
    sys.exit(f"no objects of the library in {sys.argv[1]}")
bad = 0
for path in objects:
    text = subprocess.run(["nm", "--undefined-only", path], check=True, capture_output=True, text=True).stdout
    found = sorted({match[0] if isinstance(match, tuple) else match for match in SYSTEMS.findall(text)})
    if found:
        bad += 1
        print(f"{path}: calls {', '.join(found)} of the system")
sys.exit(bad > 0)
