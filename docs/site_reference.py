"""Reference pages of the site, as Markdown, from the tables and headers of the project (docs/make_site.py)."""
import inspect
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import step  # noqa: E402  the tables of the fields of Data, read once for docs/step.md

UNIT = re.compile(r"^(kg m\^2|kg/m\^3|m/s\^2|rad/s\^2|rad/s|m/s|m or rad|N m|N|Pa s|J|kg|rad|s|m)(?=[,:]| *$)")
# quantities of dofs, whose unit follows from their joint
BY_JOINT = {"qpos": "m or rad", "qvel": "m/s or rad/s", "qacc": "m/s² or rad/s²", "qfrc": "N or N m"}


def unit_of(name, doc):
    """The unit that a description begins with, or that of a quantity of dofs; and the rest of the description."""
    found = UNIT.match(doc)
    if found:
        return found[1].replace("^2", "²").replace("^3", "³"), doc[found.end():].lstrip(",: ")
    stem = name.split("_")[0]
    return BY_JOINT.get(stem, "") if name != "qpos_spring" else "m or rad", doc


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def shape(rows, cols):
    return f"({rows},)" if cols == "1" else f"({rows}, {cols})"


def kind(c_type):
    return {"double": "real", "Real": "real", "float": "float", "int": "int", "std::uint8_t": "byte", "char": "char",
            "std::int64_t": "int64"}.get(c_type, c_type)


def fields(root):
    """Fields of Model and Data with shape, unit and stage."""
    read = lambda name: (root / "include/sinew" / name).read_text(encoding="utf-8")  # noqa: E731
    out = ["# Fields", "", "Arrays of the model and of a world, from the tables in `include/sinew/*.def`. Names and shapes are MuJoCo's. In C++ an array is",
           "flat and row-major (`data.xpos[3 * body + 1]`); in Python it has the shape given (`data.xpos[body, 1]`).", "", "## Sizes", "",
           "| size | counts |", "|---|---|"]
    for name, doc in re.findall(r'^SINEW_SIZE\((\w+), "(.*)"\)', read("model_sizes.def"), re.M):
        out.append(f"| `{name}` | {cell(doc)} |")
    out += ["", "## Options: `model.opt`", "", "| option | default | unit | |", "|---|---|---|---|"]
    for name, size, value, doc, rest in re.findall(
            r'^SINEW_OPTION(?:_ARRAY)?\(\w[\w:]*, (\w+), (?:(\d+), (?="))?(?:([^"]*?), )?"(.*?)"(?:, (.*))?\)', read("option_fields.def"), re.M):
        unit, text = unit_of(name, doc)
        out.append(f"| `{name}` | {cell(rest or value)} | {unit} | {cell(text)} |")
    out += ["", "## Model", "", "Constants; [editing](editing.md) describes what may be changed between steps.", "",
            "| field | shape | type | unit | |", "|---|---|---|---|---|"]
    for c_type, name, rows, cols, doc in re.findall(r'^SINEW_FIELD\(([\w:]+), (\w+), (\w+), (\w+), "(.*)"\)', read("model_fields.def"), re.M):
        unit, text = unit_of(name, doc)
        out.append(f"| `{name}` | {shape(rows, cols)} | {kind(c_type)} | {unit} | {cell(text)} |")
    tables = step.Fields()
    types = dict(re.findall(r"^SINEW_DATA\(\w+, ([\w:]+), (\w+),", read("data_fields.def"), re.M))
    types = {name: c_type for c_type, name in re.findall(r"^SINEW_DATA\(\w+, ([\w:]+), (\w+),", read("data_fields.def"), re.M)}
    for group, title in step.GROUPS.items():
        out += ["", f"## Data: {title[0].lower()}{title[1:]}", "", "| field | shape | type | unit | written by | |", "|---|---|---|---|---|---|"]
        for one, name, rows, cols, writer, doc in tables.arrays:
            if one == group:
                unit, text = unit_of(name, doc)
                out.append(f"| `{name}` | {shape(rows, cols)} | {kind(types[name])} | {unit} | {writer} | {cell(text)} |")
    out += ["", "## Data: numbers", "", "| field | |", "|---|---|"]
    out += [f"| `{name}` | {cell(doc)} |" for name, doc in tables.scalars]
    out += ["", "## Data: rows of the constraints", "", "They grow with the number of rows.", "",
            "| field | shape | unit | written by | |", "|---|---|---|---|---|"]
    for name, rows, cols, writer, doc in tables.rows:
        unit, text = unit_of(name, doc)
        out.append(f"| `{name}` | {shape(rows, cols)} | {unit} | {writer} | {cell(text)} |")
    out += ["", "## Contacts: `data.contact[i]`", "", "| field | unit | |", "|---|---|---|"]
    for name, doc in tables.contacts:
        unit, text = unit_of(name, doc)
        out.append(f"| `{name[8:]}` | {unit} | {cell(text)} |")
    out += ["", "The stages are described in [the step](step.md).", ""]
    return "\n".join(out)


def declarations(text):
    """(comment, declaration) of what a header declares in namespace sinew or below, in order."""
    lines = text.splitlines()
    out, comment, i = [], [], 0
    while i < len(lines):
        line = lines[i]
        if line.lstrip().startswith("///"):
            comment.append(line.strip()[3:].strip())
        elif not line.strip():
            comment = []
        elif re.match(r"(template|struct|class|enum|inline|constexpr|using|extern|\[\[|[A-Za-z_][\w:<>, *&]*\()|[A-Za-z_]", line) \
                and not line.startswith(("namespace", "#", "}")):
            start = i
            depth = 0
            while True:  # up to the end of the declaration
                depth += lines[i].count("{") - lines[i].count("}")
                if depth <= 0 and lines[i].rstrip().endswith((";", "}")) or i + 1 == len(lines):
                    break
                i += 1
            out.append(("\n".join(comment), lines[start:i + 1]))
            comment = []
        i += 1
    return out


def cpp(root):
    """Every public C++ function and type, from the headers."""
    out = ["# C++", "", "`#include \"sinew/sinew.h\"` is everything below but `sinew/render.h`, which belongs to the library `sinew::render`. All names",
           "are in the namespace `sinew`. Functions that can fail return a `Result` or a `Status`; misuse throws `sinew::Exception`.", ""]
    for header in sorted((root / "include/sinew").glob("*.h")):
        if header.name == "sinew.h":
            continue
        text = header.read_text(encoding="utf-8")
        body = text.split("namespace sinew", 1)
        if len(body) < 2:
            continue
        intro = " ".join(line[2:].strip() for line in body[0].splitlines() if line.startswith("//") and not line.startswith("///"))
        out += [f"## {header.name}", "", f"[`sinew/{header.name}`](../include/sinew/{header.name}). {intro}", ""]
        group = []
        for comment, lines in declarations(body[1].split("\n", 1)[1]):
            if comment and group:
                out += ["```cpp", *group, "```", ""]
                group = []
            if comment:
                out += [comment.replace("<", "&lt;"), ""]
            group += lines if len(lines) <= 60 else [*lines[:58], "  // … the header has the rest", "};"]
        if group:
            out += ["```cpp", *group, "```", ""]
    return "\n".join(out)


def python(root):
    """The Python package: names with signature and description, from the built package."""
    script = r'''
import inspect, json, sinew, sinew.minimize, sinew.rollout
def entry(name, thing):
    doc = inspect.getdoc(thing) or ""
    lines = doc.splitlines()
    if lines and lines[0].startswith(name + "("):
        return [lines[0], "\n".join(lines[1:]).strip()]
    try:
        return [name + str(inspect.signature(thing)), doc]
    except (TypeError, ValueError):
        return [name, doc]
def members(cls):
    return [entry(n, getattr(cls, n)) for n in sorted(vars(cls)) if not n.startswith("_") and callable(getattr(cls, n))]
functions = [n for n in sorted(dir(sinew)) if n.startswith(("mj_", "mjd_", "mju_", "mjv_", "mjr_", "set_mj", "get_mj")) and callable(getattr(sinew, n))]
own = ["load_urdf", "install_as_mujoco"]
classes = ["MjModel", "MjData", "MjSpec", "Batch", "Rollout", "Renderer", "MjVfs"]
print(json.dumps({
    "own": [entry(n, getattr(sinew, n)) for n in own if hasattr(sinew, n)],
    "classes": [[n, (inspect.getdoc(getattr(sinew, n)) or ""), members(getattr(sinew, n))] for n in classes if hasattr(sinew, n)],
    "modules": [["rollout", [entry("rollout", sinew.rollout.rollout)]], ["minimize", [entry(n, getattr(sinew.minimize, n)) for n in ("least_squares", "jacobian_fd") if hasattr(sinew.minimize, n)]]],
    "functions": [entry(n, getattr(sinew, n)) for n in functions]}))
'''
    import json
    build = pathlib.Path(sys.argv[1]).resolve() / "python"
    run = subprocess.run(["/usr/bin/python3", "-B", "-c", script], capture_output=True, text=True, check=False, env={"PYTHONPATH": str(build)})
    out = ["# The Python package", "", "From the docstrings of the package; [Python](python.md) describes what differs from `mujoco`, and",
           "[the names](python_names.md) lists what there is. Fields of `MjModel` and `MjData` are under [fields](fields.md).", ""]
    if run.returncode:
        return "\n".join([*out, "The package was not built when this page was made (`./dev python`).", ""])
    found = json.loads(run.stdout)

    def show(entries):
        for signature, doc in entries:
            # no angle brackets, which would be HTML, and no addresses of objects
            doc = re.sub(r" at 0x[0-9a-f]+", "", doc).replace("<", "&lt;")
            signature = re.sub(r"sinew\._sinew\.|numpy\.ndarray\[|typing\.", lambda m: "ndarray[" if "ndarray" in m[0] else "", signature)
            out.extend(["```python", re.sub(r" at 0x[0-9a-f]+", "", signature), "```", "", doc, ""])

    out += ["## Own functions", ""]
    show(found["own"])
    for name, doc, entries in found["classes"]:
        out.extend([f"## {name}", "", doc.replace("<", "&lt;"), ""])
        show(entries)
    for name, entries in found["modules"]:
        out += [f"## sinew.{name}", ""]
        show(entries)
    out += ["## Functions of MuJoCo", ""]
    show(found["functions"])
    return "\n".join(out)


# Units of MJCF attributes, by name; by element where a name means something else there.
MJCF_UNITS = {
    "timestep": "s", "gravity": "m/s²", "wind": "m/s", "density": "kg/m³", "viscosity": "Pa s", "o_margin": "m", "pos": "m", "size": "m",
    "mass": "kg", "diaginertia": "kg m²", "fullinertia": "kg m²", "margin": "m", "gap": "m", "fromto": "m", "radius": "m", "width": "m",
    "boundmass": "kg", "boundinertia": "kg m²", "settotalmass": "kg", "timeconst": "s", "time": "s", "adhesion": "N", "fovy": "degree",
    "delay": "s", "interval": "s", "solref": "s, 1", "solreflimit": "s, 1", "solreffriction": "s, 1", "solimp": "1, 1, m, 1, 1",
    "meaninertia": "kg m²", "meanmass": "kg", "meansize": "m", "extent": "m", "center": "m", "cranklength": "m", "forcerange": "N or N m",
    "actuatorfrcrange": "N or N m", "force": "N", "axisangle": "1, angle", "euler": "angle", "znear": "1", "spacing": "m",
    "young": "Pa", "thickness": "m", "jointdamping": "", "cutoff": "",
    "joint": {"range": "angle or m", "stiffness": "N m/rad or N/m", "damping": "N m s/rad or N s/m", "armature": "kg m² or kg",
              "frictionloss": "N m or N", "ref": "angle or m", "springref": "angle or m", "springdamper": "s, 1"},
    "spatial": {"range": "m", "stiffness": "N/m", "damping": "N s/m", "frictionloss": "N", "springlength": "m", "armature": "kg"},
    "position": {"kp": "N m/rad or N/m", "kv": "N m s/rad or N s/m", "ctrlrange": "angle or m"},
    "velocity": {"kv": "N m s/rad or N s/m"}, "motor": {"ctrlrange": "N or N m, times gear"},
    "muscle": {"scale": "N", "range": "optimal lengths", "lengthrange": "m", "vmax": "optimal lengths/s", "lmin": "optimal lengths",
               "lmax": "optimal lengths", "tausmooth": "", "timeconst": "s, s"},
    "camera": {"focal": "m", "sensorsize": "m", "principal": "m"}, "light": {"bulbradius": "m", "range": "m", "cutoff": "degree"},
    "key": {"qpos": "m, rad, quaternions", "qvel": "m/s, rad/s", "mpos": "m"},
}


def mjcf_examples(root):
    """element path: its first use in models/, as text with its place."""
    out = {}
    for model in sorted((root / "models").glob("*.xml")):
        text = model.read_text(encoding="utf-8")

        def visit(element, path):
            if path not in out:
                shown = ElementTree.tostring(ElementTree.Element(element.tag, element.attrib), encoding="unicode")
                out[path] = (shown, model.name)
            for child in element:
                if isinstance(child.tag, str):
                    name = child.tag
                    visit(child, path if path.endswith("/body") and name == "body" else f"{path}/{name}")

        visit(ElementTree.fromstring(text), "mujoco")
    return {path.replace("/worldbody/", "/body/") if path.count("/") > 1 else path: example for path, example in out.items()}


def mjcf(root, page):
    """docs/mjcf.md with a column for units, and an example from models/ below each element that has one."""
    examples = mjcf_examples(root)
    by_tail = {}
    for path, example in examples.items():
        by_tail.setdefault("/".join(path.split("/")[-2:]), example)
    out, element = [], ""
    for line in page.splitlines():
        heading = re.match(r"## (\S+)", line)
        if heading:
            element = heading[1]
        if line == "| attribute | value | default | |":
            line = "| attribute | value | default | unit | |"
        elif line == "|---|---|---|---|":
            line = "|---|---|---|---|---|"
        row = re.match(r"\| `(\w+)` \|(.*)\|(.*)\|(.*)\|$", line)
        if row:
            of_element = MJCF_UNITS.get(element.split("/")[-1])
            unit = of_element.get(row[1]) if isinstance(of_element, dict) else None
            if unit is None:
                unit = MJCF_UNITS.get(row[1], "")
            line = f"| `{row[1]}` |{row[2]}|{row[3]}| {unit if isinstance(unit, str) and 'real' in row[2] else ''} |{row[4]}|"
        out.append(line)
        example = by_tail.get("/".join(element.split("/")[-2:])) if heading else None
        if example:
            out += ["", "```xml", example[0], "```", "", f"From [models/{example[1]}](../models/{example[1]})."]
    return "\n".join(out) + "\n"
