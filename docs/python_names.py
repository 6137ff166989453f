"""Writes docs/python_names.md: which names of the package mujoco there are, from the module itself.

PYTHONPATH=build/python python3 docs/python_names.py [--check]
"""

import sys
from pathlib import Path

import sinew
import sinew.minimize
import sinew.rollout
import sinew.viewer

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "python_names.md"
REFUSING = {
    "Renderer", "GLContext", "MjvScene", "MjvFigure", "MjvGeom", "MjvLight", "MjvGLCamera", "MjrRect", "MjrContext", "viewer",
    "MjrRendererInfo", "mj_printScene", "mj_printFormattedScene", "mj_rayFlex", "mj_copyBack",
}  # fmt: skip
TITLES = {
    "function": "Functions", "class": "Classes", "module": "Modules and other names", "enum": "Enumerations",
    "constant": "Constants",
}  # fmt: skip


def names():
    table = {}
    for line in (ROOT / "python/tests/mujoco_names.txt").read_text().splitlines():
        kind, _, name = line.partition(" ")
        if kind in TITLES:
            table.setdefault(kind, []).append(name)
    return table


def wrapped(words):
    return ", ".join(f"`{word}`" for word in words) or "none"


def page():
    lines = ["# Names of the package mujoco in sinew", "",
             "Written by `docs/python_names.py` from the module. [python.md](python.md) tells what differs in meaning.", ""]  # fmt: skip
    known = set()
    for kind, wanted in names().items():
        offered = [n for n in wanted if hasattr(sinew, n) and n not in REFUSING]
        refusing = [n for n in wanted if n in REFUSING and hasattr(sinew, n)]
        missing = [n for n in wanted if not hasattr(sinew, n)]
        known.update(wanted)
        lines += [f"## {TITLES[kind]}", "", f"Offered ({len(offered)} of {len(wanted)}): {wrapped(offered)}.", ""]
        if refusing:
            lines += [f"There, but refuse (no renderer, no flexes, nothing carried back to a spec): {wrapped(refusing)}.", ""]
        lines += [f"Missing ({len(missing)}): {wrapped(missing)}.", ""]
    fields = len(sinew._sinew._model_fields), len(sinew._sinew._absent_model_fields)
    rows = len(sinew._sinew._data_fields) + len(sinew._sinew._row_fields), len(sinew._sinew._absent_data_fields)
    lines += ["## Fields", "",
              f"All arrays of mjModel and mjData: {fields[0]} of the model live and {fields[1]} as empty arrays of their type, "
              f"{rows[0]} of the world live and {rows[1]} empty.", "",
              "Empty in the model: " + wrapped(n for n, *_ in sinew._sinew._absent_model_fields) + ".", "",
              "Empty in the world: " + wrapped(n for n, *_ in sinew._sinew._absent_data_fields) + ".", ""]  # fmt: skip
    own = [n for n in sinew.__all__ if n not in known and not n.startswith("_")]
    lines += ["## Names that mujoco does not have", "", wrapped(sorted(own)) + ".", ""]
    return "\n".join(lines)


def main(check):
    text = page()
    if not check:
        PAGE.write_text(text)
    elif not PAGE.exists() or PAGE.read_text() != text:
        sys.exit("docs/python_names.md is not up to date; run ./dev python")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
