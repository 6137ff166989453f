#!/usr/bin/env python3
"""Holds docs/ against the tree: docs/architecture.md describes every folder of src/ in an order that the includes follow,
and every file or folder that a page names in backticks exists.

Placeholders such as `joint_<kind>.h` and patterns such as `schema_*.cpp` have to match something.
"""
import importlib.util
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# where a path of a page may start
STARTS = [ROOT, ROOT / "src", ROOT / "docs", ROOT / "include", ROOT / "python" / "src"]
FOLDER_ROW = re.compile(r"^\| `(\w+)` \|", re.M)
PATH = re.compile(r"`([\w./*{},<>-]+)`")
MADE = ("build", "../")  # what a command makes, and what stands outside of the project


def load_order():
    spec = importlib.util.spec_from_file_location("include_order", ROOT / "tests/lint/include_order.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.MAY_INCLUDE


def expand(path):
    """a.{h,cpp} -> a.h, a.cpp"""
    braces = re.search(r"\{([^{}]*)\}", path)
    if not braces:
        return [path]
    return [name for part in braces[1].split(",") for name in expand(path[:braces.start()] + part + path[braces.end():])]


def exists(path):
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    return any(next(start.glob(pattern), None) is not None for start in STARTS)


def problems():
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    described = FOLDER_ROW.findall(page)
    order = load_order()
    folders = sorted(f.name for f in (ROOT / "src").iterdir() if f.is_dir())
    for folder in folders:
        if folder not in described:
            yield f"docs/architecture.md: src/{folder} has no row in the table of folders"
    for folder in described:
        if folder not in folders and not (ROOT / folder).is_dir():
            yield f"docs/architecture.md: there is no folder {folder}"
    rows = [folder for folder in described if folder in order]
    for place, folder in enumerate(rows):
        for later in rows[place + 1:]:
            if later in order[folder]:
                yield f"docs/architecture.md: {folder} may include {later}, which stands after it"
    for path in PAGES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for name in PATH.findall(line):
                is_path = "/" in name or re.search(r"\.(cpp|h|def|py|md|cmake|sh|xml)$", name)
                if not is_path or name.startswith(MADE) or name.startswith(("-", "/", ".")):
                    continue
                for one in expand(name):
                    if not exists(one) and not exists("*/" + one):
                        yield f"{path.relative_to(ROOT)}:{number}: there is no {one}"


found = list(problems())
print("\n".join(found), end="\n" if found else "")
sys.exit(bool(found))
