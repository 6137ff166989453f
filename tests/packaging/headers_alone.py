#!/usr/bin/env python3
"""headers_alone.py COMPILER [--private]: every public header, or every header of src/, compiles on its own."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
folder = "src" if "--private" in sys.argv else "include"

failed = 0
for header in sorted((ROOT / folder).rglob("*.h")):
    name = header.relative_to(ROOT / folder)
    run = subprocess.run([sys.argv[1], "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", ROOT / "include",
                          "-I", ROOT / folder, "-isystem", "/usr/include/eigen3", "-x", "c++", "-"],
                         input=f"#include <{name}>\n", text=True, capture_output=True, check=False)
    if run.returncode:
        failed += 1
        print(f"{name}:\n{run.stderr}")
sys.exit(failed > 0)
