#!/usr/bin/env python3
"""Refuses an include against the one-way order of the folders of src/ (docs/architecture.md)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# what each folder may include besides itself and include/sinew
MAY_INCLUDE = {
    "base": [],
    "math": ["base"],
    "model": ["base", "math"],
    "solver": ["base", "math"],  # numerics only: no Model, no Data
    "spec": ["base", "math", "model"],
    "geometry": ["base", "math", "model"],
    "dynamics": ["base", "math", "model", "geometry"],
    "collision": ["base", "math", "model", "geometry", "dynamics"],
    "constraint": ["base", "math", "model", "geometry", "dynamics", "collision", "solver"],
    "sensor": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint"],
    "sim": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint", "solver", "sensor"],
    "record": ["base", "math", "model", "dynamics"],
    "derivative": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint", "solver", "sensor", "sim"],
    # length ranges are found by simulating, so the compiler is above sim
    "compile": ["base", "math", "model", "spec", "geometry", "dynamics", "collision", "constraint", "solver", "sensor",
                "sim"],
    # what happens to a model after it was compiled
    "edit": ["base", "math", "model", "spec", "geometry", "dynamics", "sensor", "sim", "compile"],
    "file": ["base", "math", "model", "spec", "compile"],
    # constants that follow from per-world masses are computed by the compiler
    "batch": ["base", "math", "model", "dynamics", "sim", "compile"],
}
THIRD_PARTY = re.compile(r"fmt/|Eigen|nlohmann|CLI|gtest|lodepng|libqhull|tiny_obj|immintrin|x86intrin")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


def includes(path):
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match[1] == '"', match[2]


def problems():
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix not in (".h", ".cpp", ".def"):
            continue
        folder = path.relative_to(ROOT / "src").parts[0]
        if folder not in MAY_INCLUDE:
            yield path, 1, f"folder src/{folder} has no place in the order: add it to MAY_INCLUDE"
            continue
        for line, quoted, name in includes(path):
            target = name.split("/")[0]
            if not quoted or target in ("sinew", folder):
                continue
            if target not in MAY_INCLUDE:
                yield path, line, f'"{name}": write the folder first, as in "{folder}/{name}"'
            elif target not in MAY_INCLUDE[folder]:
                yield path, line, f"{folder} must not include {target} (may: {', '.join(MAY_INCLUDE[folder]) or 'nothing'})"
    for path in sorted((ROOT / "include").rglob("*.h")):
        for line, quoted, name in includes(path):
            if THIRD_PARTY.search(name) or (quoted and not name.startswith("sinew/")):
                yield path, line, f"a public header must not include {name}"


def main():
    found = list(problems())
    for path, line, text in found:
        print(f"{path.relative_to(ROOT)}:{line}: {text}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
