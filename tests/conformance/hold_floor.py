#!/usr/bin/env python3
"""hold_floor.py CORPUS ENGINE [--only NAME] [--raise]

Lets the judge of the corpus (its compare.py) compare every model without flex, skin or plugin, prints the totals and
holds them against floor.txt beside this file: the number of models that pass in each group. A group below its floor, a
crash or a hang fails; a rise is to be committed (--raise writes it). Writes docs/conformance.md: every model and group
with its largest error. With --only a part is judged in detail and nothing is held or written.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FLOOR = HERE / "floor.txt"
PAGE = HERE.parents[1] / "docs" / "conformance.md"
NOT_YET = ("flex", "skin", "plugin")  # features of the corpus that sinew refuses by name
SECONDS = 60  # for one model


def judged_models(corpus):
    """(name, reference) of every model whose features we have, in the order of their names; and how many were left out."""
    models, left_out = [], 0
    for path in sorted(corpus.rglob("*.json")):
        if path.parent.name == "must_reject" or not path.with_suffix(".xml").exists():
            continue
        features = json.loads(path.read_text())["meta"].get("features", [])
        if any(feature.split(":")[0] in NOT_YET for feature in features):
            left_out += 1
        else:
            models.append((str(path.relative_to(corpus).with_suffix("")), path))
    return models, left_out


def judge_model(compare, engine, name, path, exempt):
    """{group: (error, where)} of one model, and why the engine gave no answer."""
    answer, why, _ = compare.run(engine, str(path.with_suffix(".xml")), str(path), SECONDS)
    reference = json.loads(path.read_text())
    return compare.judge(reference, answer if answer is not None else {}, exempt.get(name)), why


def power_of_ten(error):
    """1e-10 for 3.4e-11: the next power of ten above; what is rounding alone, which any change of the code moves, is ·."""
    if error <= 1e-12:
        return "·"
    return "inf" if math.isinf(error) else f"1e{math.ceil(math.log10(error))}"


def page(compare, results, totals, left_out):
    groups = compare.GROUPS
    lines = [
        "# Conformance",
        "",
        "Written by `./dev conform`: what sinew computes on each model of the corpus, beside frames taken from MuJoCo 3.12.0.",
        "The error of an array is max |sinew - MuJoCo| / max(1, max |MuJoCo|); a group's is that of its worst array in all judged",
        f"frames, rounded up to a power of ten (·: at most 1e-12). {left_out} models with {', '.join(NOT_YET)} are left out: they are refused by name.",
        "",
        "| | " + " | ".join(groups) + " | must be refused |",
        "|---" * (len(groups) + 2) + "|",
        "| models that agree | " + " | ".join(f"{totals[g][0]} of {totals[g][1]}" for g in groups)
        + f" | {totals['rejects'][0]} of {totals['rejects'][1]} |",
        "| tolerance | " + " | ".join(f"{compare.TOL[g]:.0e}" for g in groups) + " | |",
        "| largest error | " + " | ".join(
            power_of_ten(max((r[g][0] for _, r, _ in results if g in r), default=0)) for g in groups) + " | |",
        "",
        "| model | " + " | ".join(groups) + " | note |",
        "|---" * (len(groups) + 2) + "|",
    ]
    for name, result, why in results:
        cells = [power_of_ten(result[g][0]) if g in result else "" for g in groups]
        beyond = "; ".join(f"{g}: {result[g][1]}" for g in groups if g in result and result[g][0] > compare.TOL[g])
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {why or beyond} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="./dev conform")
    parser.add_argument("corpus", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("engine", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", metavar="NAME", help="models whose path contains NAME, in detail")
    parser.add_argument("--raise", dest="write", action="store_true", help="write better totals to the floor")
    args = parser.parse_args()
    engine = str(args.engine.resolve())
    if args.only:
        judge = [sys.executable, "-B", str(args.corpus / "compare.py"), "--engine", engine, "--without", *NOT_YET]
        sys.exit(subprocess.run([*judge, "--only", args.only, "-v"]).returncode)

    sys.path.insert(0, str(args.corpus))
    import compare

    models, left_out = judged_models(args.corpus)
    exempt = json.loads((args.corpus / "exempt.json").read_text())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        judged = pool.map(lambda model: judge_model(compare, engine, *model, exempt), models)
        results = [(name, *result) for (name, _), result in zip(models, judged)]

    totals = {group: (sum(not why and r[group][0] <= compare.TOL[group] for _, r, why in results if group in r),
                      sum(group in r for _, r, _ in results)) for group in compare.GROUPS}
    refused, accepted = compare.rejects(engine, str(args.corpus), SECONDS)
    totals["rejects"] = (refused, refused + len(accepted))
    crashes = [name for name, _, why in results if why.startswith(("signal", "no answer"))]
    for name, (passed, all_of_them) in totals.items():
        print(f"{name:9} {passed:4}/{all_of_them}")
    print(f"crashes or hangs: {len(crashes)}\nleft out: {left_out} models with {', '.join(NOT_YET)}")
    PAGE.write_text(page(compare, results, totals, left_out))

    floor = {name: int(passed) for name, passed in (line.split() for line in FLOOR.read_text().splitlines())}
    fallen = [f"{name} {totals[name][0]}, floor {low}" for name, low in floor.items() if totals[name][0] < low]
    fallen += [f"{name}: crash or hang" for name in crashes]
    if fallen:
        sys.exit(f"fallen below tests/conformance/floor.txt: {'; '.join(fallen)} (details: {PAGE})")
    risen = [f"{name} {floor.get(name, 0)} -> {passed}" for name, (passed, _) in totals.items() if passed > floor.get(name, 0)]
    if risen and args.write:
        FLOOR.write_text("".join(f"{name} {passed}\n" for name, (passed, _) in totals.items()))
        print(f"raised tests/conformance/floor.txt: {', '.join(risen)}")
    elif risen:
        print(f"risen above the floor: {', '.join(risen)}; commit it: ./dev conform --raise")


if __name__ == "__main__":
    main()
