#!/usr/bin/env python3
"""Writes docs/step.md from include/sinew/data_fields.def and from what the stages declare about themselves.

step.py           write the page
step.py --check   exit 1 if the page is not what it should be, or a declaration contradicts the field table
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "step.md"
FIELD = re.compile(r'SINEW_DATA\((\w+), ([\w:]+), (\w+), (\w+), (\w+), (\w+), "(.*)"\)')
DECLARATION = re.compile(r"((?:^ *///.*\n)+)(?:^ *template <class Real>\n)?^ *void (\w+)\(const Model& m,", re.M)
PART = re.compile(r"\b(reads|writes|needs|cost) {2,}")
GROUPS = {"State": "State: what a step carries on", "Input": "Inputs: what the user sets between steps",
          "Output": "Outputs: what the stages compute"}


def fields():
    return [FIELD.match(line).groups() for line in
            (ROOT / "include/sinew/data_fields.def").read_text(encoding="utf-8").splitlines() if line.strip()]


def stages():
    """{name: {where, says, reads, writes, needs}} of every declaration that tells what it writes."""
    found = {}
    for path in sorted((ROOT / "src").rglob("*.h")):
        for comment, name in DECLARATION.findall(path.read_text(encoding="utf-8")):
            lines = [line.strip().removeprefix("///").strip() for line in comment.splitlines()]
            first = next((i for i, line in enumerate(lines) if PART.match(line)), None)
            if first is None:
                continue
            stage = {"where": path.relative_to(ROOT), "says": " ".join(lines[:first]), "reads": "", "writes": "", "needs": ""}
            last = None
            for line in lines[first:]:
                pieces = PART.split(line)
                if len(pieces) == 1 and not (last and stage[last].endswith(",")):
                    break  # the formula that follows the contract
                if len(pieces) == 1:
                    stage[last] += " " + line
                for key, text in zip(pieces[1::2], pieces[2::2]):
                    stage[key], last = re.sub(r" {2,}", "; ", text.strip()), key
            if "Data:" in stage["writes"]:
                found[name] = stage
    return found


def in_order(found, writers):
    """A stage follows what it needs; else the order of the field table."""
    done, rank = [], {name: i for i, name in enumerate(writers)}
    waiting = sorted(found, key=lambda name: (rank.get(name, len(rank)), name))
    while waiting:
        ready = [n for n in waiting if not any(re.search(rf"\b{o}\b", found[n]["needs"]) for o in waiting if o != n)]
        name = (ready or waiting)[0]
        done.append(name)
        waiting.remove(name)
    return done


def contradictions(table, found):
    writer = {name: by for _, _, name, _, _, by, _ in table}
    for name, stage in found.items():
        for field in re.findall(r"\b[A-Za-z]\w*", stage["writes"].partition("Data:")[2]):
            if field in writer and name in writer.values() and writer[field] != name:
                yield f"{stage['where']}: {name} says it writes {field}, data_fields.def says {writer[field]} does"


def page(table, found):
    writers = list(dict.fromkeys(by for *_, by, _ in table))
    out = ["# One step, stage by stage", "",
           "Written by `docs/step.py` from `include/sinew/data_fields.def` and the declarations of the stages; do not edit.", "",
           "A stage is a function of the model and one world. It reads and writes only what its declaration says, allocates",
           "nothing and branches on the state nowhere that a derivative would mind.", "", "## Stages", ""]
    for name in in_order(found, writers):
        stage = found[name]
        out += [f"### {name}", "", stage["says"], ""]
        out += [f"- {key}: {stage[key]}" for key in ("reads", "writes", "needs") if stage[key]]
        out += [f"- declared in `{stage['where']}`", ""]
    for group, title in GROUPS.items():
        out += [f"## {title}", "", "| field | shape | written by | meaning |", "|---|---|---|---|"]
        for its_group, _, name, rows, cols, by, doc in table:
            if its_group == group:
                shape = rows if cols == "1" else f"{rows} × {cols}"
                out.append(f"| `{name}` | {shape} | {by} | {doc} |")
        out.append("")
    return "\n".join(out).rstrip() + "\n"


def main():
    table, found = fields(), stages()
    text = page(table, found)
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    problems = list(contradictions(table, found))
    if PAGE.read_text(encoding="utf-8") != text:
        problems.append("docs/step.md is not up to date: ./dev docs")
    print("\n".join(problems))
    return bool(problems)


sys.exit(main())
