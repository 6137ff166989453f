"""guard.py SINEW MODELS [--write]: instructions per step of the models of a folder, as callgrind counts them, against those
in bench/instructions.json. Fails if a model needs over 3 % more. --write keeps the new counts.

Counts do not depend on how busy the machine is, but on compiler and libraries: after a change of those, write them anew
from the commit before."""

import json
import pathlib
import re
import subprocess
import sys

KEPT = pathlib.Path(__file__).parent / "instructions.json"
ALLOWED = 1.03
FEW, MANY = 100, 300  # steps of two runs, whose difference is free of loading and of the first steps


def instructions(sinew, model, steps):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sinew, "run", str(model), "--steps", str(steps)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"guard.py: {' '.join(command)} failed:\n{done.stderr}")
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def main():
    sinew, models = sys.argv[1:3]
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    now, grown = {}, []
    for model in sorted(pathlib.Path(models).glob("*.xml")):
        name = model.stem
        now[name] = round((instructions(sinew, model, MANY) - instructions(sinew, model, FEW)) / (MANY - FEW))
        change = now[name] / kept[name] - 1 if name in kept else None
        print(f"{name:16}{now[name]:10}" + (f"{change:+9.2%}" if change is not None else "      new"), flush=True)
        if change is not None and now[name] > ALLOWED * kept[name]:
            grown.append(f"{name} {change:+.1%}")
    if "--write" in sys.argv:
        KEPT.write_text(json.dumps(now, indent=2) + "\n")
    elif grown:
        sys.exit(f"more instructions per step than kept in {KEPT.name}: {', '.join(grown)}")


main()
