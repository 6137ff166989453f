#!/usr/bin/env python3
"""Writes docs/step.md from the field tables and the contracts in the declarations of the stages.

step.py                 write the page
step.py --check         exit 1 if the page is out of date
step.py --table FILE    write what each stage reads and writes as C++, for tests/contracts

A declaration in src/ has a contract if its comment contains the two sentences "Reads: a, b_*." and "Writes: c.": names
of fields of Data, with * for any characters; "as f" stands for what the function f reads or writes; "nothing" for
nothing. A function that depends on the stage it is called for has one contract per stage, after "At Stage::Pos:".

All three modes fail on a name that is not a field, on a function of the step without a contract, and on a field that is
not written by the stage given in the field table.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
ENTRANCE = ROOT / "src" / "sim" / "ready.cpp"  # public functions that check, then call the same name in unchecked
PAGE = ROOT / "docs" / "step.md"

FIELD = re.compile(r'^SINEW_DATA\((\w+), [\w:]+, (\w+), (\w+), (\w+), (\w+), "(.*)"\)', re.M)
ROW = re.compile(r'^SINEW_ROW\(\w+, (\w+), (\w+), (\w+), (\w+), "(.*)"\)', re.M)
CONTACT = re.compile(r'^SINEW_CONTACT(?:_ARRAY)?\(\w+, (\w+), .*?"(.*)"', re.M)
STAT = re.compile(r'^SINEW_SOLVER_STAT\(\w+, (\w+), "(.*)"\)', re.M)
SCALAR = re.compile(r'^SINEW_SCALAR\((\w+), "(.*?)", .*\)', re.M)

DECLARATION = re.compile(r"((?:^ *///.*\n)+)(?:^ *template <class Real>\n)?^[\w:<>& ]* \**(\w+)\(const Model& m, ", re.M)
CONTRACT = re.compile(r"(?:At (Stage::\w+): )?Reads: (.*?)\.(?:$| )\s*Writes: (.*?)\.(?:$|(?= ))")
DEFINITION = re.compile(r"^((?:  )?)[\w:<>&][\w:<>& ]* \**(?:unchecked::)?(\w+)\([^;{}]*\) \{(?:\n(.*?)^\1\}|([^\n]*)\}$)", re.M | re.S)
STAGE_WITH_KERNEL = re.compile(r"^SINEW_STAGE_WITH_KERNEL\((\w+), (\w+)\);", re.M)
STAGE_TABLE = re.compile(r"^constexpr NamedStage (\w+)\[\] = \{(.*?)^\};", re.M | re.S)
CALL = re.compile(r"(?<!callbacks\.)(?<!stage\.)\b(?!integrate\b)(\w+)(?:<\w+>)?\(m, d(?:, (Stage::\w+))?[,)]|\b(k(?:Position|Velocity|Acceleration))\b|(\.integrate)\(m, d\)")

LEVELS = {"position": "Position", "velocity": "Velocity", "acceleration": "Acceleration"}
SEQUENCES = {"step", "begin_step", "finish_step", "forward", "forward_skip", "inverse_skip", *LEVELS}  # they only call stages
GROUPS = {"State": "State: carried from step to step", "Input": "Inputs: set by the user between steps",
          "Output": "Outputs: computed by the stages"}
# names of writers in the field tables that stand for a group of functions
WRITERS = {"integrate": r"integrate_\w+|advance", "sleep": r"update_awake|fall_asleep|\w+_and_waking",
           "inverse": "compare_forward_inverse", "body_accelerations": "body_accelerations|applied_body_forces"}


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


class Fields:
    """The fields of Data, by the names used in contracts."""

    def __init__(self):
        self.arrays = FIELD.findall(text("include/sinew/data_fields.def"))
        self.rows = ROW.findall(text("include/sinew/row_fields.def"))
        self.contacts = [("contact." + name, doc) for name, doc in CONTACT.findall(text("include/sinew/contact_fields.def"))]
        self.stats = [("solver." + name, doc) for name, doc in STAT.findall(text("include/sinew/solver_stat_fields.def"))]
        self.scalars = []
        for name, doc in SCALAR.findall(text("include/sinew/data_scalars.def")):
            parts = [("energy[0]", "J, potential"), ("energy[1]", "J, kinetic")] if name == "energy" else [(name, doc)]
            self.scalars += parts
        self.names = [name for name, *_ in self.scalars] + [a[1] for a in self.arrays] + [r[0] for r in self.rows] + \
            [name for name, _ in self.contacts + self.stats]
        self.written_by = {a[1]: a[4] for a in self.arrays} | {r[0]: r[3] for r in self.rows}
        self.outputs = {a[1] for a in self.arrays if a[0] == "Output"} | \
            set(self.names) - {a[1] for a in self.arrays} - {"time", "warning"}

    def match(self, pattern):
        wanted = re.compile(re.escape(pattern).replace(r"\*", ".*"))
        return [name for name in self.names if wanted.fullmatch(name)]


class Contracts:
    def __init__(self, fields):
        self.fields = fields
        self.stages = {}  # name: where, says, reads, writes as written
        self.problems = []
        for path in sorted((ROOT / "src").rglob("*.h")):
            for comment, name in DECLARATION.findall(text(path)):
                self.add(path.relative_to(ROOT), name, " ".join(line.strip()[3:].strip() for line in comment.splitlines()))
        self.bodies, self.tables = {}, {}
        for path in sorted(set((ROOT / "src").rglob("*.cpp")) - {ENTRANCE}):
            source = text(path)
            for _, name, lines, line in DEFINITION.findall(source):
                self.bodies[name] = self.bodies.get(name, "") + lines + line
            for name, function in STAGE_WITH_KERNEL.findall(source):
                self.bodies[name] = f"{function}(m, d);"
            for name, rows in STAGE_TABLE.findall(source):
                self.tables[name] = re.findall(r'\{"\w+", (\w+)', rows)
        self.integrators = re.findall(r"\{(integrate_\w+),", text("src/sim/integrator_table.h"))
        self.resolved = {}

    def add(self, where, name, comment):
        found = list(CONTRACT.finditer(comment))
        if len(found) != len(re.findall(r"\bReads:|\bWrites:", comment)) / 2:
            self.problems.append(f"{where}: {name}: a contract has the form \"Reads: …. Writes: ….\"")
        says = re.sub(r" {2,}", " ", CONTRACT.sub("", comment)).strip()
        for match in found:
            stage, reads, writes = match.groups()
            self.stages[f"{name}({stage})" if stage else name] = {"where": where, "says": says, "reads": reads, "writes": writes}

    def variant(self, name, stage):
        return f"{name}({stage})" if f"{name}({stage})" in self.stages else name

    def calls(self, name):
        """The contracts and sequences called by a function, in order, also through helpers without a contract."""
        found, seen = [], set()

        def visit(function):
            if function in seen:
                return
            seen.add(function)
            for called, stage, table, integrate in CALL.findall(self.bodies.get(function, "")):
                called = self.variant(called, stage)
                here = self.tables[table] if table else self.integrators if integrate else [called]
                for stage in here:
                    if stage in self.stages or stage in SEQUENCES:
                        found.append(stage)
                    else:
                        visit(stage)
        visit(name.partition("(")[0])
        return list(dict.fromkeys(stage for stage in found if stage != name))

    def step(self):
        """[(section, stage)] in the order in which a step runs them."""
        order, section = [], "Checks of the state"
        def visit(function):
            nonlocal section
            section = LEVELS.get(function, section)
            for called, stage, table, integrate in CALL.findall(self.bodies[function]):
                called = self.variant(called, stage)
                for name in self.tables[table] if table else self.integrators if integrate else [called]:
                    if name == "check_accelerations":
                        section = "Integration"
                    if name in SEQUENCES:
                        visit(name)
                    elif name in self.stages:
                        order.append((section, name))
                    else:
                        self.problems.append(f"{function} calls {name}, which does not declare what it reads and writes")
        visit("step")
        return list(dict.fromkeys(order))

    def level(self, level):
        return [name for section, name in self.step() if section == LEVELS[level] and not name.startswith("sensors(")]

    def items(self, name, key):
        items = self.stages[name][key].replace(", and for sleeping trees ", ", ").split(", ")
        return [] if items == ["nothing"] else items

    def resolve(self, name, key, through_levels=True):
        """The fields that a stage reads or writes, in the order of the tables."""
        cached = self.resolved.get((name, key, through_levels))
        if cached is not None:
            return cached
        found = set()
        for item in self.items(name, key):
            if item.startswith("as "):
                other = item[3:]
                if other in LEVELS:
                    if through_levels:
                        found.update(*(self.resolve(stage, key) for stage in self.level(other)))
                elif other in self.stages:
                    found.update(self.resolve(other, key, through_levels))
                else:
                    self.problems.append(f"{self.stages[name]['where']}: {name}: \"{item}\": {other} has no contract")
                continue
            matches = self.fields.match(item)
            if not matches:
                self.problems.append(f"{self.stages[name]['where']}: {name}: Data has no field \"{item}\"")
            found.update(matches)
        result = [field for field in self.fields.names if field in found]
        self.resolved[name, key, through_levels] = result
        return result

    def named(self, name, key):
        """Only the fields listed in its own sentence."""
        items = [item for item in self.items(name, key) if not item.startswith("as ")]
        return [field for field in self.fields.names if any(field in self.fields.match(item) for item in items)]

    def check(self):
        for name in self.stages:
            self.resolve(name, "reads"), self.resolve(name, "writes")
        for field, by in self.fields.written_by.items():
            writers = [name for name in self.stages if re.fullmatch(WRITERS.get(by, re.escape(by)), name.partition("(")[0])]
            if by != "user" and not any(field in self.resolve(name, "writes") for name in writers):
                self.problems.append(f"the field table says that {by} writes {field}, but its contract does not")
        self.step()
        return list(dict.fromkeys(self.problems))


def as_code(names):
    return ", ".join(f"`{name}`" for name in names) or "nothing"


def origins(contracts):
    """{stage: (stages of this step that wrote its inputs, inputs left by the previous step)}"""
    writer, result = {}, {}
    for _, name in contracts.step():
        reads = contracts.resolve(name, "reads", through_levels=False)
        result[name] = ({writer[f] for f in reads if f in writer},
                        [f for f in reads if f not in writer and f in contracts.fields.outputs])
        if not name.startswith(("check_", "integrate_")):  # checks rarely reset, and only one integrator runs
            writer.update({f: name for f in contracts.resolve(name, "writes", through_levels=False)})
    return result


def describe(contracts, name, users, origin=None):
    stage = contracts.stages[name]
    out = [f"### {name}", "", stage["says"], ""]
    out += [f"- {key}: {stage[key].replace('*', chr(92) + '*')}" for key in ("reads", "writes")]
    if origin:
        order = [stage for _, stage in contracts.step()]
        if origin[0]:
            out.append("- needs: " + ", ".join(sorted(origin[0], key=order.index)))
        if origin[1]:
            out.append("- from the previous step: " + ", ".join(origin[1]))
    parts = contracts.calls(name)
    if parts:
        out.append("- runs: " + ", ".join(parts))
    if users.get(name):
        out.append("- part of: " + ", ".join(users[name]))
    return out + [f"- declared in `{stage['where']}`", ""]


def page(fields, contracts):
    out = ["# One step, stage by stage", "",
           "Generated by `docs/step.py` from the field tables in `include/sinew` and the declarations of the stages; do not edit.", "",
           "A stage is a function of the model and one world. It reads and writes only the fields listed here; the model, which",
           "is constant, is not listed. `tests/contracts` runs each stage in many worlds: fields that it may not read are",
           "poisoned and must not affect the result, fields that it may not write must not change, and each listed field must",
           "have an effect somewhere. \\* stands for any characters, \"as f\" for what f reads or writes. No stage allocates once",
           "the arrays of contacts and rows are large enough.", "",
           "A stage skips sleeping trees: their part of its outputs keeps its values from when they fell asleep.", ""]
    step, origin, users = contracts.step(), origins(contracts), {}
    for name in [*contracts.stages, "inverse_skip"]:
        for part in contracts.calls(name):
            users.setdefault(part, []).append(name)
    section = None
    for its_section, name in step:
        if its_section != section:
            section = its_section
            out += [f"## {section}", ""]
        out += describe(contracts, name, {}, origin[name])
    in_step = [name for _, name in step]
    rest = []
    def add_parts(name):
        for part in contracts.calls(name):
            if part in contracts.stages and part not in in_step and part not in rest:
                rest.append(part)
                add_parts(part)
    for name in in_step:
        add_parts(name)
    elsewhere = [name for name in contracts.stages if name not in in_step and name not in rest]
    for title, names in (("Parts of stages", rest), ("Outside the step", elsewhere)):
        out += [f"## {title}", ""]
        for name in names:
            out += describe(contracts, name, users)
    for group, title in GROUPS.items():
        out += [f"## {title}", "", "| field | shape | written by | meaning |", "|---|---|---|---|"]
        out += [f"| `{name}` | {shape(rows, cols)} | {by} | {doc} |" for its_group, name, rows, cols, by, doc in fields.arrays
                if its_group == group] + [""]
    out += ["## Constraint rows", "", "| field | shape | written by | meaning |", "|---|---|---|---|"]
    out += [f"| `{name}` | {shape(rows, cols)} | {by} | {doc} |" for name, rows, cols, by, doc in fields.rows] + [""]
    for title, table in (("Contacts (ncon)", fields.contacts), ("Solver iterations", fields.stats),
                         ("Scalars", fields.scalars)):
        out += [f"## {title}", "", "| field | meaning |", "|---|---|"] + [f"| `{name}` | {doc} |" for name, doc in table] + [""]
    return "\n".join(out).rstrip() + "\n"


def shape(rows, cols):
    return rows if cols == "1" else f"{rows} × {cols}"


def table(fields, contracts):
    """C++: all names, and a row for each contract."""
    def strings(names):
        return "{" + ", ".join(f'"{name}"' for name in names) + "}"
    out = ["// Generated by docs/step.py.", f"const std::vector<std::string> kFields = {strings(fields.names)};",
           "const std::vector<Contract> kContracts = {"]
    for name, stage in contracts.stages.items():
        out.append(f'    {{"{name}", "{stage["where"]}", {strings(contracts.resolve(name, "reads"))},')
        out.append(f'     {strings(contracts.named(name, "reads"))},')
        out.append(f'     {strings(contracts.resolve(name, "writes"))},')
        out.append(f'     {strings(contracts.named(name, "writes"))}}},')
    return "\n".join(out + ["};"]) + "\n"


def main():
    fields = Fields()
    contracts = Contracts(fields)
    problems = contracts.check()
    wanted = page(fields, contracts)
    if sys.argv[1:2] == ["--table"]:
        file, rows = pathlib.Path(sys.argv[2]), table(fields, contracts)
        if not file.exists() or file.read_text(encoding="utf-8") != rows:  # avoids recompiling
            file.write_text(rows, encoding="utf-8")
    elif sys.argv[1:] == ["--check"]:
        if PAGE.read_text(encoding="utf-8") != wanted:
            problems.append("docs/step.md is out of date; run ./dev docs")
    else:
        PAGE.write_text(wanted, encoding="utf-8")
    print("\n".join(problems), end="\n" if problems else "")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
