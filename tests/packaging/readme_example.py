#!/usr/bin/env python3
"""readme_example.py OUT.cpp: writes the C++ program of the README to a file."""
import pathlib
import re
import sys

readme = pathlib.Path(__file__).resolve().parents[2] / "README.md"
examples = re.findall(r"^```cpp\n(.*?)^```$", readme.read_text(encoding="utf-8"), re.M | re.S)
programs = [example for example in examples if "int main(" in example]
if len(programs) != 1:
    sys.exit(f"README.md has {len(programs)} C++ programs, one is expected")
text = programs[0]
out = pathlib.Path(sys.argv[1])
if not out.exists() or out.read_text(encoding="utf-8") != text:
    out.write_text(text, encoding="utf-8")
