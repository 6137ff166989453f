#!/usr/bin/env python3
"""readme_example.py OUT.cpp: the C++ example of the README, as a file of its own."""
import pathlib
import re
import sys

readme = pathlib.Path(__file__).resolve().parents[2] / "README.md"
examples = re.findall(r"^```cpp\n(.*?)^```$", readme.read_text(encoding="utf-8"), re.M | re.S)
if len(examples) != 1:
    sys.exit(f"README.md has {len(examples)} C++ examples, one is expected")
out = pathlib.Path(sys.argv[1])
if not out.exists() or out.read_text(encoding="utf-8") != examples[0]:
    out.write_text(examples[0], encoding="utf-8")
