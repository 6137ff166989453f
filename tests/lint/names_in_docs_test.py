#!/usr/bin/env python3
"""names_in_docs.py and architecture.py refuse pages that name what does not exist."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTHING = "_".join(["none", "such"])  # in two words, since this file is one of the sources
WRONG = {
    "names_in_docs.py": [f"call `{NOTHING}(model)`", f"the field `qfrc_{NOTHING}`", "run `sinew fly models/car.xml`", "`./dev fly`",
                         "`sinew run --no-such-option`", f"a `{NOTHING}Type`"],
    "architecture.py": ["in `tests/nowhere.py`", "see `src/nothing/none.cpp`"],
}
RIGHT = {"names_in_docs.py": ["`contact_parameters(1, 2, 3)`", "`qfrc_bias`", "`sinew run --record FILE`", "`./dev test -R spec`"],
         "architecture.py": ["in `tests/lint/names_in_docs.py`"]}

failed = 0
with tempfile.TemporaryDirectory() as folder:
    copy = pathlib.Path(folder)
    for name in ("include", "src", "tools", "python", "models", "cmake", "examples", "bench", "fuzz", "web", "tests", "docs"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__", "*.svg", "*.png"))
    for file in ROOT.iterdir():
        if file.is_file():
            shutil.copy(file, copy)

    def said(program):
        return subprocess.run([sys.executable, "-B", copy / "tests/lint" / program], capture_output=True, text=True, check=False).stdout

    for program, lines in WRONG.items():
        page = copy / "docs/new_page.md"
        page.write_text("# A page\n\n" + "\n".join(lines + RIGHT[program]) + "\n", encoding="utf-8")
        output = said(program)
        for number, line in enumerate(lines + RIGHT[program], 3):
            wrong = f"docs/new_page.md:{number}:" in output
            if wrong != (line in lines):
                failed += 1
                print(f"{program}: {line}: {'refused' if wrong else 'accepted'}")
        page.unlink()
sys.exit(failed > 0)
