#!/usr/bin/env python3
"""Names in the documentation exist: what a page shows in backticks and looks like a name of code, an option or a subcommand.

A name is a word with an underscore, a capital inside, or parentheses behind it; it must occur in the sources, outside of the
documentation. Options (--name) must be those of `sinew`, ./dev or a program of the project; `sinew X` and `./dev X` must be subcommands.
Names that belong to others (MuJoCo's interface in C, ROS, operating systems) are listed below.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
GENERATED = {"mjcf.md", "step.md", "conformance.md", "python_names.md", "command.md"}
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md",
         *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name not in GENERATED)]
SOURCES = ["include", "src", "tools", "python", "models", "cmake", "examples", "bench", "fuzz", "web/src", "tests"]
OTHERS = {
    # what MuJoCo's C interface has and ours replaces by something else
    "mjModel", "mjData", "mj_loadXML", "mj_makeData", "mj_deleteData", "mj_compile", "mj_recompile", "mj_loadModel", "mjSpec",
    "mju_error", "mjJNT_HINGE", "mjOBJ_BODY", "mj_name2id", "mjcb_control", "mjr_render",
    # MuJoCo's tests of its Python package, which docs/python.md counts
    "bindings_test", "specs_test", "test_docstrings", "test_compile_errors_with_line_info", "test_incorrect_hfield_size",
    # other programs, libraries and their files
    "run_module", "run_name",
    "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "particle_free2d",  # a model of ../shared/conformance
}
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def words_of_sources():
    words = set()
    files = [ROOT / "dev", ROOT / "CMakeLists.txt", ROOT / "CMakePresets.json"]
    for folder in SOURCES:
        files += [f for f in (ROOT / folder).rglob("*") if f.suffix in
                  {".h", ".cpp", ".def", ".py", ".pyi", ".cmake", ".txt", ".xml", ".in", ".ts", ".sh", ".urdf"}]
    for file in files:
        words.update(NAME.findall(file.read_text(encoding="utf-8", errors="replace")))
        words.add(file.stem)
    return words


def looks_like_code(span, name, end):
    if len(name) < 3:
        return False
    inner_capital = re.search(r"[a-z0-9][A-Z]", name) is not None
    return "_" in name.strip("_") or inner_capital or span[end:end + 1] == "("


def wrong_examples(manual):
    """Examples of `sinew X --help` have options that X has, and models that exist."""
    common, *sections = re.split(r"^## sinew ", manual, flags=re.M)
    of_all = set(re.findall(r"--[a-z][\w-]*", re.sub(r"^```.*?^```", "", common, flags=re.M | re.S))) | {"--help"}
    own = {section.split()[0]: set(re.findall(r"--[a-z][\w-]*", "".join(re.findall(r"^\| `.*", section, re.M)))) for section in sections}
    for line in re.findall(r"^  (sinew [a-z]+ .*)", manual, re.M):
        name = line.split()[1]
        command = re.split("[|>;]", line)[0]
        if name == "help":
            continue
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", command):
            if option not in own.get(name, set()) | of_all:
                yield f"docs/command.md: `{line}`: sinew {name} has no {option}"
        for model in re.findall(r"models/[\w.*]+", command):
            if not list(ROOT.glob(model)):
                yield f"docs/command.md: `{line}`: there is no {model}"


def problems():
    words = words_of_sources()
    manual = (ROOT / "docs/command.md").read_text(encoding="utf-8")
    ours = (ROOT / "dev").read_text(encoding="utf-8")
    subcommands = set(re.findall(r"^## sinew (\w+)", manual, re.M)) | {"help"}
    commands = set(re.search(r"^  ([a-z |]+)\) \"cmd_", ours, re.M)[1].split(" | ")) | {"help"}
    options = set(re.findall(r"--[a-z][\w-]*", manual + ours)) | {"--help", "--version"}
    for name in ("tests/conformance/hold_floor.py", "tests/packaging/pages.py", "docs/step.py", "docs/make_site.py", "setup.py"):
        options |= set(re.findall(r"--[a-z][\w-]*", (ROOT / name).read_text(encoding="utf-8")))
    for source in [*(ROOT / "tests/random").glob("*.cpp"), *(ROOT / "bench").glob("*.cpp")]:
        options |= set(re.findall(r"--[a-z][\w-]*", source.read_text(encoding="utf-8")))
    yield from wrong_examples(manual)
    for page in PAGES:
        text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"), flags=re.M | re.S)
        text = re.sub(r"<!--.*?-->", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
        for number, line in enumerate(text.splitlines(), 1):
            where = f"{page.relative_to(ROOT)}:{number}"
            for span in SPAN.findall(line):
                command = re.match(r"(?:build/)?sinew ([a-z]+)\b(?!\.)", span)
                if command and command[1] not in subcommands:
                    yield f"{where}: `{span}`: there is no subcommand {command[1]}"
                command = re.match(r"\./dev ([a-z]+)\b", span)
                if command and command[1] not in commands:
                    yield f"{where}: `{span}`: ./dev has no {command[1]}"
                for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", span):
                    foreign = re.match(r"(pip|cmake|ctest|apt|git|c\+\+ )", span)
                    if option not in options and not foreign:
                        yield f"{where}: `{span}`: nothing has the option {option}"
                if re.search(r"[/*<>…]|https?:|\.(md|cpp|h|py|def)$|^-D|NAME", span):
                    continue  # paths (tests/lint/architecture.py), patterns, formulas
                for match in NAME.finditer(re.sub(r" -D(\w)", r"   \1", span)):
                    if looks_like_code(span, match[0], match.end()) and match[0] not in words | OTHERS:
                        yield f"{where}: `{span}`: nothing is called {match[0]}"


def main():
    found = list(problems())
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
