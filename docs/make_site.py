#!/usr/bin/env python3
"""Builds the documentation as a site that works without a server.

make_site.py BUILD [--check]: writes BUILD/site from docs/, the tables and headers of include/ and the command BUILD/sinew.
With --check every link and picture of the pages must lead somewhere; otherwise exit 1.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import markdown
import pygments
import pygments.formatters
import pygments.lexers

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import site_reference  # noqa: E402

SECTIONS = [
    ("", ["index.md"]),
    ("Tutorial", ["tutorial/command.md", "tutorial/cpp.md", "tutorial/python.md"]),
    ("Tasks", ["tasks/muscles_and_tendons.md", "tasks/transmissions.md", "tasks/contact.md", "tasks/solver_and_integrator.md",
               "tasks/sensors.md", "tasks/recording.md", "batch.md", "tasks/learning.md", "derivatives.md", "tasks/control.md",
               "your_robot.md", "tasks/embedding.md", "extending.md", "tasks/performance.md", "spec.md", "editing.md",
               "flexcomp.md", "pictures.md", "viewer.md", "viewer_page.md", "gallery.md"]),
    ("Coming from MuJoCo", ["from_mujoco.md", "python.md", "python_names.md"]),
    ("Reference", ["mjcf.md", "fields.md", "cpp.md", "python_reference.md", "command.md", "limits.md"]),
    ("Inside", ["architecture.md", "walks.md", "step.md", "numerics.md", "collision.md", "flex.md", "scene.md", "viewer_protocol.md", "testing.md",
                "speed.md", "conformance.md"]),
]
EXTENSIONS = ["tables", "fenced_code", "codehilite", "toc", "sane_lists"]
COMMENT = re.compile(r"<!--.*?-->\n?", re.S)


class Site:
    def __init__(self, build):
        self.build = build
        self.out = build / "site"
        self.version = re.search(r"VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8").split("project(")[1])[1]
        self.pages = {}  # path under docs/: Markdown
        self.sources = set()  # files of the project that pages link to
        self.index = []
        self.problems = []

    def read(self):
        generated = {"fields.md": site_reference.fields, "cpp.md": site_reference.cpp, "python_reference.md": site_reference.python}
        known = [page for _, pages in SECTIONS for page in pages]
        others = sorted(str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md"))
        for page in known:
            if page in generated:
                self.pages[page] = generated[page](ROOT)
            elif (ROOT / "docs" / page).exists():
                self.pages[page] = (ROOT / "docs" / page).read_text(encoding="utf-8")
            else:
                self.problems.append(f"docs/{page} is in docs/make_site.py and does not exist")
        more = [page for page in others if page not in known]
        self.sections = [*SECTIONS, ("More", more)] if more else SECTIONS
        for page in more:
            self.pages[page] = (ROOT / "docs" / page).read_text(encoding="utf-8")
        self.pages["mjcf.md"] = site_reference.mjcf(ROOT, self.pages["mjcf.md"])

    def title(self, page):
        return re.search(r"^# (.*)", self.pages[page], re.M)[1].replace("`", "")

    def navigation(self, here):
        out = []
        for section, pages in self.sections:
            out += [f"<h2>{section}</h2>"] if section else []
            for page in pages:
                if page in self.pages:
                    mark = ' class="here"' if page == here else ""
                    out.append(f'<a href="{self.relative(here, page[:-3] + ".html")}"{mark}>{html.escape(self.title(page))}</a>')
        return "\n".join(out)

    @staticmethod
    def relative(here, target):
        return "../" * here.count("/") + target

    def link(self, here, target):
        """Where a link of a page leads on the site."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, _, anchor = target.partition("#")
        full = (ROOT / "docs" / here).parent.joinpath(path).resolve()
        anchor = "#" + anchor if anchor else ""
        docs = ROOT / "docs"
        if full.is_relative_to(docs) and str(full.relative_to(docs)) in self.pages:
            return self.relative(here, str(full.relative_to(docs))[:-3] + ".html") + anchor
        if not full.exists():
            self.problems.append(f"docs/{here}: there is no {target}")
            return target
        if full == ROOT / "README.md":
            return self.relative(here, "index.html")
        inside = full.relative_to(ROOT)
        if full.suffix in (".svg", ".png", ".jpg", ".mp4"):
            place = self.out / "files" / inside
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(full, place)
            return self.relative(here, f"files/{inside}")
        if full.is_dir():
            self.problems.append(f"docs/{here}: {target} is a folder")
            return target
        self.sources.add(inside)
        return self.relative(here, f"source/{inside}.html")

    def frame(self, here, title, body, inside=""):
        up = "../" * here.count("/")
        return f"""<!DOCTYPE html>
<html lang="en" data-root="{up}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)} · sinew</title>
<link rel="stylesheet" href="{up}style.css">
<link rel="stylesheet" href="{up}code.css">
</head>
<body>
<header><a class="name" href="{up}index.html">sinew</a><span class="version">{self.version}</span>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off"><button id="theme" title="dark, light or as the system">auto</button><div id="found"></div></header>
<div class="columns">
<nav>{self.navigation(here)}</nav>
<main>
{body}
<footer>sinew {self.version}, Apache-2.0. This page works offline.</footer>
</main>
<nav class="inside">{inside}</nav>
</div>
<script src="{up}search_index.js"></script>
<script src="{up}search.js"></script>
</body>
</html>
"""

    def add_to_index(self, page, body):
        """A section of the index per heading."""
        parts = re.split(r'<h[1-3] id="([^"]*)">(.*?)</h[1-3]>', body, flags=re.S)
        for anchor, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            plain = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))).strip()
            self.index.append({"page": self.title(page), "title": html.unescape(re.sub(r"<[^>]*>", "", heading)),
                               "link": page[:-3] + ".html#" + anchor, "text": plain[:6000]})

    def write_page(self, page):
        text = COMMENT.sub("", self.pages[page])
        convert = markdown.Markdown(extensions=EXTENSIONS, extension_configs={
            "codehilite": {"guess_lang": False, "css_class": "highlight"}, "toc": {"toc_depth": "2-3"}})
        # python-markdown needs a blank line before a list
        text = re.sub(r"(^[^\s\-|#>].*\n)(?=- )", r"\1\n", text, flags=re.M)
        body = convert.convert(text)
        body = re.sub(r'(href|src)="([^"]*)"', lambda m: f'{m[1]}="{self.link(page, html.unescape(m[2]))}"', body)
        body = body.replace("<table>", '<div class="table"><table>').replace("</table>", "</table></div>")
        self.add_to_index(page, body)
        out = self.out / (page[:-3] + ".html")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(self.frame(page, self.title(page), body, convert.toc), encoding="utf-8")

    def write_source(self, path):
        text = (ROOT / path).read_text(encoding="utf-8", errors="replace")
        try:
            lexer = pygments.lexers.get_lexer_for_filename("x.cpp" if path.suffix in (".def", ".h") else path.name)
        except pygments.util.ClassNotFound:
            lexer = pygments.lexers.get_lexer_by_name("text")
        code = pygments.highlight(text, lexer, pygments.formatters.HtmlFormatter(cssclass="highlight"))
        here = f"source/{path}"
        out = self.out / f"{here}.html"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(self.frame(here, path.name, f"<h1>{path}</h1>\n{code}"), encoding="utf-8")

    def write(self):
        shutil.rmtree(self.out, ignore_errors=True)
        self.out.mkdir(parents=True)
        self.read()
        for page in self.pages:
            self.write_page(page)
        for path in sorted(self.sources):
            self.write_source(path)
        for name in ("style.css", "search.js"):
            shutil.copy(ROOT / "docs/site" / name, self.out / name)
        light = pygments.formatters.HtmlFormatter(style="default").get_style_defs(".highlight")
        dark = pygments.formatters.HtmlFormatter(style="monokai").get_style_defs
        rules = "\n".join(re.sub(r"background(-color)?: [^;}]*;?", "", line) for line in light.splitlines() if line.startswith(".highlight ."))

        def dark_rules(prefix):
            lines = [line for line in dark(f"{prefix} .highlight").splitlines() if " .highlight ." in line]
            return "\n".join(re.sub(r"background(-color)?: [^;}]*;?", "", line) for line in lines)

        automatic = dark_rules(':root:not([data-theme="light"])')
        chosen = dark_rules(':root[data-theme="dark"]')
        (self.out / "code.css").write_text(f"{rules}\n@media (prefers-color-scheme: dark) {{\n{automatic}\n}}\n{chosen}\n")
        (self.out / "search_index.js").write_text("const SEARCH_INDEX = " + json.dumps(self.index, ensure_ascii=False) + ";\n",
                                                  encoding="utf-8")
        self.check_links()

    def check_links(self):
        """Every local link and anchor leads somewhere."""
        ids = {}
        for page in self.out.rglob("*.html"):
            ids[page] = set(re.findall(r'\bid="([^"]*)"', page.read_text(encoding="utf-8")))
        for page in ids:
            for target in re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
                target = html.unescape(target)
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                full = pathlib.Path(os.path.normpath(page.parent / path)) if path else page
                where = page.relative_to(self.out)
                if not full.exists():
                    self.problems.append(f"{where}: there is no {target}")
                elif anchor and full.suffix == ".html" and anchor not in ids[full]:
                    self.problems.append(f"{where}: {path or 'the page'} has no section {anchor}")


def main():
    site = Site(pathlib.Path(sys.argv[1]).resolve())
    site.write()
    for problem in sorted(set(site.problems)):
        print(problem)
    print(f"{len(site.pages)} pages, {len(site.sources)} source files, {len(site.index)} sections to search: {site.out}/index.html")
    return bool(site.problems) and "--check" in sys.argv


if __name__ == "__main__":
    sys.exit(main())
