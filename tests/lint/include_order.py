#!/usr/bin/env python3
"""include_order.py [ROOT]: refuses an include against the one-way order of the folders of src/ (docs/architecture.md),
past the public headers of a folder that has some, and of a header that a folder must not know by any way."""
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
if ROOT.is_file():
    ROOT = ROOT.parents[2]

# what each folder may include besides itself and include/sinew
MAY_INCLUDE = {
    "base": [],
    "math": ["base"],
    "model": ["base", "math"],
    "solver": ["base", "math"],  # numerics only: no Model, no Data
    "spec": ["base", "math", "model", "geometry"],  # flexcomp reads the points of meshes
    "geometry": ["base", "math", "model"],
    # meshes and inertias are judged with the geometry's own functions
    "urdf": ["base", "math", "model", "spec", "geometry"],
    "dynamics": ["base", "math", "model", "geometry"],
    "collision": ["base", "math", "model", "geometry", "dynamics"],
    "constraint": ["base", "math", "model", "geometry", "dynamics", "collision", "solver"],
    "sensor": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint"],
    "sim": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint", "solver", "sensor"],
    # MuJoCo's own plugins, behind the public interface of plugins: only the registry names them
    "plugin": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint"],
    "scene": ["base", "math", "model", "geometry", "dynamics", "collision", "sensor", "sim"],
    "render": ["base", "math", "model"],  # a library of its own
    "record": ["base", "math", "model", "dynamics"],
    "derivative": ["base", "math", "model", "geometry", "dynamics", "collision", "constraint", "solver", "sensor", "sim"],
    # length ranges are found by simulating, so the compiler is above sim
    "compile": ["base", "math", "model", "spec", "geometry", "dynamics", "collision", "constraint", "solver", "sensor",
                "sim"],
    # what happens to a model after it was compiled
    "edit": ["base", "math", "model", "spec", "geometry", "dynamics", "sensor", "sim", "compile"],
    "file": ["base", "math", "model", "spec", "geometry", "urdf", "compile"],
    # constants that follow from per-world masses are computed by the compiler
    "batch": ["base", "math", "model", "dynamics", "sim", "compile"],
    "view": ["base", "math", "model", "record", "sim"],  # a library of its own
}
# the headers of a folder that others may include; where it is not listed, all of them
PUBLIC = {
    "solver": ["problem.h", "solve.h", "evaluate.h", "rows.h"],
}
# headers that no file of a folder may reach, directly or through another
MUST_NOT_REACH = {
    "base": ["sinew/model.h", "sinew/data.h"],
    "math": ["sinew/model.h", "sinew/data.h"],
    "solver": ["sinew/model.h", "sinew/data.h"],
}
THIRD_PARTY = re.compile(r"fmt/|Eigen|nlohmann|CLI|gtest|lodepng|libqhull|embree|boost|tiny_obj|immintrin|x86intrin")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)


@functools.cache
def includes(path):
    """[(line, whether it is in quotes, name), ...]"""
    text = path.read_text(encoding="utf-8")
    return [(text.count("\n", 0, match.start(2)) + 1, match[1] == '"', match[2]) for match in INCLUDE.finditer(text)]


def way_to(path, forbidden, seen):
    """The includes that lead from a file to one of the forbidden headers, as [(line, name), ...], or nothing."""
    for line, quoted, name in includes(path):
        if name in forbidden:
            return [(line, name)]
        target = next((root / name for root in (ROOT / "src", ROOT / "include") if (root / name).is_file()), None)
        if target is None or target in seen:
            continue
        seen.add(target)
        if rest := way_to(target, forbidden, seen):
            return [(line, name), *rest]
    return []


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
            elif name.split("/", 1)[1] not in PUBLIC.get(target, [name.split("/", 1)[1]]):
                yield path, line, f'"{name}" is private to src/{target} (public: {", ".join(PUBLIC[target])})'
        if way := way_to(path, MUST_NOT_REACH.get(folder, []), set()):
            yield path, way[0][0], f"{folder} must not know {way[-1][1]}: " + " -> ".join(name for _, name in way)
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
