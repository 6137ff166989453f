#!/usr/bin/env python3
"""headers_alone.py COMPILER: every public header compiles as the only thing that a file includes."""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

failed = 0
for header in sorted((ROOT / "include").rglob("*.h")):
    name = header.relative_to(ROOT / "include")
    run = subprocess.run([sys.argv[1], "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                          "-I", ROOT / "include", "-x", "c++", "-"],
                         input=f"#include <{name}>\n", text=True, capture_output=True)
    if run.returncode:
        failed += 1
        print(f"{name}:\n{run.stderr}")
sys.exit(failed > 0)
