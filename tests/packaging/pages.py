#!/usr/bin/env python3
"""pages.py BUILD [--update] [PAGE...]: runs every code block and command of the README and of docs/.

  python   the blocks of a page run in order, as one program
  cpp      a block with main is compiled, linked and run; others are compiled, each as the body of a
           function of (model, data), or outside of one if they define a type
  sh       run in order; lines that begin with ./dev need only name a command that ./dev has
  xml      a whole model is checked by `sinew check`; parts of one are put into <mujoco>
  cmake    is part of tests/packaging/outside
  output   is what the block before prints; … stands for any text
  text     anything else that is not code

A comment before a block changes this: <!-- before: CODE --> runs or compiles CODE first, <!-- not run: REASON --> leaves it out,
<!-- same as: FILE --> says that the block is part of that file, which is compiled by another test. Blocks run in an empty folder
with a link to models/. Pictures of a page, docs/images/*, must come out of its blocks; --update writes them to docs/images.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"((?:^<!-- (?:before|not run|same as):.*?-->\n)*)^```(\w*)\n(.*?)^```", re.M | re.S)
NOTE = re.compile(r"<!-- (before|not run|same as):\s?(.*?)\s*-->", re.S)
LANGUAGES = {"python", "cpp", "sh", "xml", "cmake", "output", "text"}
GENERATED = {"step.md", "mjcf.md", "conformance.md", "python_names.md"}
PRELUDE = "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n#include <random>\n#include <string>\n#include <vector>\n" \
          '#include "sinew/sinew.h"\n#include "sinew/render.h"\n'
LIBRARIES = ["-lfmt", "-llodepng", "-lqhull_r", "-ltinyobjloader", "-pthread"]


class Block:
    def __init__(self, page, match, text):
        self.page, self.language, self.code = page, match[2], match[3]
        self.line = text.count("\n", 0, match.start(3)) + 1
        self.notes = dict(NOTE.findall(match[1]))

    def where(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def matches(wanted, said):
    """Whether a text is what a page shows, where … stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in wanted.strip().split("…"))
    return re.fullmatch(pattern, said.strip(), re.S) is not None


class Page:
    def __init__(self, path, build, update):
        self.path, self.build, self.update = path, build, update
        self.text = path.read_text(encoding="utf-8")
        self.blocks = [Block(path, match, self.text) for match in BLOCK.finditer(self.text)]
        self.problems = []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="page-"))
        (self.folder / "models").symlink_to(ROOT / "models")
        self.environment = {**os.environ, "PATH": f"{build}:{os.environ['PATH']}", "PYTHONPATH": f"{build / 'python'}:{ROOT / 'examples/python'}",
                            "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}

    def say(self, block, problem):
        self.problems.append(f"{block.where()}: {problem}")

    def run(self, command, **options):
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=300, check=False,
                              **options)

    def check(self):
        if self.text.count("\n```") % 2:
            self.problems.append(f"{self.path.relative_to(ROOT)}: a block has no end")
        said = {}
        for block in self.blocks:
            if block.language not in LANGUAGES:
                self.say(block, f"language '{block.language}' is none of {', '.join(sorted(LANGUAGES))}")
            if "same as" in block.notes:
                source = (ROOT / block.notes["same as"]).read_text(encoding="utf-8")
                if textwrap.dedent(block.code) not in textwrap.dedent(source) and block.code not in source:
                    self.say(block, f"is not part of {block.notes['same as']}")
                block.language = "text"
            if "not run" in block.notes:
                block.language = "text"
        # in the order of the page, so that a block may use a file that one before it has written
        shown = [block for block in self.blocks if block.language in ("python", "sh", "xml", "output", "cpp")]
        self.run_python([block for block in shown if block.language == "python"], said)
        previous = None
        for block in shown:
            if block.language == "sh":
                said[block] = self.run_shell(block)
            elif block.language == "xml":
                self.check_model(block)
            elif block.language == "output":
                if previous is not None and previous.language == "cpp":
                    continue  # compared when the program is run
                if previous not in said:
                    self.say(block, "output of no block")
                elif not matches(block.code, said[previous]):
                    self.say(block, f"the block before prints\n{said[previous]}")
            if block.language != "output":
                previous = block
        self.compile([block for block in self.blocks if block.language == "cpp"])
        self.check_pictures()
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.problems

    def run_python(self, blocks, said):
        if not blocks:
            return
        program = ""
        for number, block in enumerate(blocks):
            program += block.notes.get("before", "") + f"\nprint('\\n<<{number}>>', flush=True)\n" + block.code
        for block in self.blocks:  # files that blocks of the command line make are there as well
            if block.language == "sh" and "sinew new" in block.code:
                self.run(["bash", "-ec", "\n".join(line for line in block.code.splitlines() if line.startswith("sinew new"))])
        done = self.run(["/usr/bin/python3", "-B", "-c", program])
        parts = re.split(r"^<<\d+>>\n", done.stdout, flags=re.M)[1:]
        said.update(zip(blocks, parts))
        if done.returncode:
            self.say(blocks[max(len(parts) - 1, 0)], f"fails:\n{done.stderr[-1500:]}")

    def run_shell(self, block):
        commands = set(re.search(r"^  ([a-z |]+)\) \"cmd_", (ROOT / "dev").read_text(encoding="utf-8"), re.M)[1].split(" | "))
        lines = []
        for line in block.code.splitlines():
            ours = re.match(r"(?:sudo )?\./dev(?: (\w+))?", line)
            if ours and ours[1] not in commands | {"help"}:
                self.say(block, f"./dev has no command '{ours[1]}'")
            if not ours:
                lines.append(line)
        done = self.run(["bash", "-ec", block.notes.get("before", "") + "\n" + "\n".join(lines)])
        if done.returncode not in (0, 3):
            self.say(block, f"fails with {done.returncode}:\n{done.stderr[-1500:]}")
        return done.stdout + (done.stderr if not done.stdout else "")

    def check_model(self, block):
        code = block.code
        if not re.search(r"<(mujoco|robot|sdf)\b", code):
            code = f"<mujoco>{block.notes.get('before', '')}{code}</mujoco>"
        (self.folder / "block.xml").write_text(code, encoding="utf-8")
        done = self.run(["sinew", "check", "block.xml"])
        if done.returncode:
            self.say(block, done.stdout)

    def compile(self, blocks):
        programs = [block for block in blocks if "int main(" in block.code]
        fragments = [block for block in blocks if block not in programs]
        if fragments:
            source = PRELUDE
            for number, block in enumerate(fragments):
                line = f'\n#line {block.line} "{block.where().split(":")[0]}"\n'
                if re.match(r"\s*(struct|class|namespace|#include|template)", block.code):
                    source += block.notes.get("before", "") + line + block.code
                else:
                    source += f"void block_{number}([[maybe_unused]] sinew::Model& model, [[maybe_unused]] sinew::Data& data) {{ {{\n"
                source += f"{block.notes.get('before', '')}{line}{block.code}}} }}\n"
            self.build_program(fragments[0], source, ["-fsyntax-only"])
        for block in programs:
            if self.build_program(block, block.notes.get("before", "") + block.code,
                                  ["-o", "program", *map(str, sorted(self.build.glob("libsinew.a"))), *LIBRARIES]):
                done = self.run(["./program"])
                if done.returncode:
                    self.say(block, f"fails with {done.returncode}: {done.stdout}{done.stderr}")
                after = self.blocks[self.blocks.index(block) + 1:][:1]
                if after and after[0].language == "output" and not matches(after[0].code, done.stdout):
                    self.say(after[0], f"the program prints\n{done.stdout}")

    def build_program(self, block, source, options):
        (self.folder / "block.cpp").write_text(source, encoding="utf-8")
        done = self.run(["c++", "-std=c++20", "-w", "-isystem", "/usr/include/eigen3", f"-I{ROOT / 'include'}", "block.cpp", *options])
        if done.returncode:
            self.say(block, f"does not compile:\n{done.stderr[:1500]}")
        return done.returncode == 0

    def check_pictures(self):
        for name in re.findall(r"!\[[^\]]*\]\((?:\.\./)?images/([^)]+)\)", self.text):
            made, kept = self.folder / name, ROOT / "docs/images" / name
            if not made.exists():
                self.problems.append(f"{self.path.relative_to(ROOT)}: no block writes {name}")
            elif self.update:
                kept.parent.mkdir(exist_ok=True)
                shutil.copy(made, kept)
            elif not kept.exists():
                self.problems.append(f"{self.path.relative_to(ROOT)}: docs/images/{name} is not there; run tests/packaging/pages.py --update")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    update = "--update" in sys.argv
    pages = [ROOT / name for name in sys.argv[2:] if not name.startswith("--")]
    if not pages:
        pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.name not in GENERATED)]
    problems, blocks = [], 0
    for path in pages:
        page = Page(path, build, update)
        problems += page.check()
        blocks += len(page.blocks)
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{blocks} blocks on {len(pages)} pages, {len(problems)} problems")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
