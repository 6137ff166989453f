"""Writes the type stubs of the package from the module itself and from its field tables.

PYTHONPATH=build/python python3 python/tools/stubs.py [--check]: with --check nothing is written, and stubs that are not
up to date are an error.
"""

import inspect
import re
import sys
from pathlib import Path

import sinew
from sinew import _enums, _named, _sinew

FOLDER = Path(__file__).resolve().parents[1] / "sinew"
NUMPY = {
    "float64": "np.float64", "float32": "np.float32", "int32": "np.int32", "int64": "np.int64", "uint64": "np.uint64",
    "uint8": "np.uint8", "bool": "np.bool_",
}  # fmt: skip
HEADER = '''"""Written by python/tools/stubs.py."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, Iterator, List, Optional, Tuple, TypeVar, Union, overload

import numpy as np
import numpy.typing
from numpy.typing import ArrayLike, NDArray

_T = TypeVar("_T", bound=np.generic)

class _Array(Generic[_T]):
    """A field: an array, to which anything that numpy takes can be assigned."""
    @overload
    def __get__(self, instance: None, owner: Any) -> _Array[_T]: ...
    @overload
    def __get__(self, instance: object, owner: Any) -> NDArray[_T]: ...
    def __set__(self, instance: Any, value: ArrayLike) -> None: ...

'''


def array_type(dtype):
    return "bytes" if dtype == "bytes" else f"NDArray[{NUMPY[dtype]}]"


def field_types():
    """Class -> attribute -> (type, type that may be assigned or None, doc)."""
    types = {"MjModel": {}, "MjData": {}, "Batch": {}}
    for owner, tables, writable in (
        ("MjModel", (_sinew._absent_model_fields,), False),
        ("MjModel", (_sinew._model_fields,), True),
        ("MjData", (_sinew._absent_data_fields, _sinew._row_fields), False),
        ("MjData", (_sinew._data_fields,), True),
        ("Batch", (_sinew._data_fields,), True),
    ):
        for table in tables:
            for name, dtype, *_ in table:
                assigned = "ArrayLike" if writable and dtype != "bytes" else None
                types[owner][name] = (array_type(dtype), assigned)
    return types


FIELDS = field_types()


def annotation(text):
    """A type of a pybind11 docstring as a type of a stub. Parts of MjVisual are classes of their own there."""
    text = re.sub(r"\bsinew\._sinew\.MjVisual\.(\w+)", r"_MjVisual_\1", text)
    text = re.sub(r"\bsinew\._sinew\.", "", text)
    text = re.sub(r"<[^>]*>", "Any", text)
    text = re.sub(r"\b(object|handle|iterable)\b", "Any", text)
    text = text.replace("numpy.ndarray", "NDArray[Any]").replace("numpy.float64", "np.float64")
    text = text.replace("numpy.int32", "np.int32").replace("numpy.uint8", "np.uint8")
    text = re.sub(r"\bdict\b", "Dict[Any, Any]", text)
    return re.sub(r"NDArray\[Any\]\[([\w.]+)\]", r"NDArray[\1]", text)


def signatures(doc, name):
    """The signatures that pybind11 wrote into a docstring: (arguments, result)."""
    found = []
    for line in (doc or "").splitlines():
        match = re.match(rf"^(?:\d+\. )?{re.escape(name)}\((.*)\) -> (.*)$", line)
        if match:
            found.append((match[1], annotation(match[2])))
    return found


def arguments(text):
    """Arguments with their types; a default becomes `...`, for its value stands in the docstring."""
    depth, parts, part = 0, [], ""
    for char in text:
        depth += char in "[(" or -(char in "])")
        if char == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += char
    if part.strip():
        parts.append(part.strip())
    result = []
    for part in parts:
        if part == "*":
            result.append("*")
            continue
        name, _, kind = part.partition(": ")
        kind, default, value = kind.partition(" = ")
        if not kind:
            result.append(name)
            continue
        kind = annotation(kind)
        if value == "None" and kind != "Any":
            kind = f"Optional[{kind}]" if not kind.startswith("Optional") else kind
        name = f"_{name}" if re.match(r"arg\d+$", name) and name == "self" else name
        result.append(f"{name}: {kind}" + (" = ..." if default else ""))
    return result


def function(name, doc, indent="", method=False, static=False):
    lines = []
    found = signatures(doc, name)
    if not found:
        found = [("*args: Any, **kwargs: Any", "Any")] if not method or static else [("self, *args: Any", "Any")]
    for text, result in found:
        given = arguments(text)
        if method and not static and given and given[0].startswith("self"):
            given[0] = "self"
        elif method and not static and given:
            given[0] = "self"
        if len(found) > 1:
            lines.append(f"{indent}@overload")
        if static:
            lines.append(f"{indent}@staticmethod")
        result = "None" if name == "__init__" else result
        lines.append(f"{indent}def {name}({', '.join(given)}) -> {result}: ...")
    return lines


SPECIAL = {
    "__len__": "def __len__(self) -> int: ...",
    "__eq__": "def __eq__(self, other: object) -> bool: ...",
    "__init__": None,
    "bind": "def bind(self, elements: Any) -> Any: ...",
}
SKIPPED = {"__getstate__", "__setstate__", "__hash__", "__module__", "__doc__", "__new__", "__reduce__", "__repr__"}


def property_lines(cls, name, value):
    fields = FIELDS.get(cls.__name__, {})
    if name in fields:
        kind, assigned = fields[name]
    elif isinstance(value, property):
        results = signatures(getattr(value.fget, "__doc__", ""), "")
        kind = results[0][1] if results else inspect.signature(value.fget).return_annotation if value.fget else "Any"
        kind = kind if isinstance(kind, str) else getattr(kind, "__name__", "Any")
        kind = "Any" if kind == "_empty" else kind
        assigned = None if value.fset is None else "Any" if kind.startswith("NDArray") else kind
    else:
        kind, assigned = struct_types(cls, name)
    if assigned == "ArrayLike" or (assigned == "Any" and kind.startswith("NDArray")):
        return [f"    {name}: _Array[{kind.removeprefix('NDArray[').removesuffix(']')}]"]
    lines = ["    @property", f"    def {name}(self) -> {kind}: ..."]
    if assigned:
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {assigned}) -> None: ..."]
    return lines


def sample(cls):
    """An object to ask for the types of its attributes."""
    if cls is _sinew.MjModel:
        return _sinew.MjModel.from_xml_string("<mujoco/>")
    if cls is _sinew.MjData:
        return _sinew.MjData(sample(_sinew.MjModel))
    data = sample(_sinew.MjData)
    for name in ("contact", "warning", "timer", "solver"):
        if type(getattr(data, name)) is cls:
            return getattr(data, name)
    return cls()


def struct_types(cls, name):
    value = getattr(sample(cls), name)
    if hasattr(value, "dtype"):
        return array_type(value.dtype.name), "ArrayLike"
    kind = type(value).__name__
    writable = cls not in (_sinew.MjModel, _sinew.MjData)
    return kind, ("float" if kind in ("float", "int") and kind == "float" else kind) if writable else None


def class_stub(cls, title=None):
    bases = [b.__name__ for b in cls.__bases__ if b.__module__.startswith("sinew")]
    lines = [f"class {title or cls.__name__}{'(' + ', '.join(bases) + ')' if bases else ''}:"]
    body = []
    for name, value in vars(cls).items():
        if name in SKIPPED or (name.startswith("_") and not name.startswith("__")):
            continue
        if isinstance(value, property) or inspect.isgetsetdescriptor(value):
            if name not in ("__dict__", "__weakref__"):
                body += property_lines(cls, name, value)
        elif isinstance(value, staticmethod):
            body += function(name, value.__func__.__doc__, "    ", method=True, static=True)
        elif SPECIAL.get(name):
            body.append("    " + SPECIAL[name])
        elif inspect.isfunction(value):
            body.append(f"    def {name}(self, key: Union[str, int] = ...) -> {view_name(cls, name)}: ...")
        elif callable(value) and getattr(value, "__doc__", None):
            body += function(name, value.__doc__, "    ", method=True)
        elif name.startswith("_"):
            continue
        elif isinstance(value, (int, str)):
            body.append(f"    {name}: {type(value).__name__}")
    if cls.__name__.endswith("List"):
        item = item_class(cls)
        body += ["    @overload", f"    def __getitem__(self, key: int) -> {item}: ...", "    @overload",
                 f"    def __getitem__(self, key: slice) -> {cls.__name__}: ...",
                 f"    def __iter__(self) -> Iterator[{item}]: ..."]  # fmt: skip
        body = [line for line in body if "arg0" not in line]
    return lines + (body or ["    ..."])


def item_class(cls):
    return {"_MjStructList": "MjStruct"}.get(cls.__name__, cls.__name__.removeprefix("_").removesuffix("List"))


def view_name(cls, method):
    groups = _named._MODEL_GROUPS if cls is _sinew.MjModel else _named._DATA_GROUPS
    for group in groups:
        if method in group.names:
            return f"_{cls.__name__}{group.title}Views"
    return "Any"


def view_stub(cls):
    tables = _sinew._model_fields + _sinew._absent_model_fields if "MjModel" in cls.__name__ else _sinew._data_fields
    types = {name: array_type(dtype) for name, dtype, *_ in tables}
    lines = [f"class {cls.__name__}:", "    id: int", "    name: str"]
    for name, cut in sorted(cls._cuts.items()):
        kind = types.get(getattr(cut, "field", ""), "NDArray[Any]")
        lines.append(f"    {name}: _Array[{kind.removeprefix('NDArray[').removesuffix(']')}]")
    return lines


def extension():
    lines = []
    for name, value in sorted(vars(_sinew).items(), key=lambda item: (not inspect.isclass(item[1]), item[0])):
        if inspect.isclass(value):
            if issubclass(value, Exception):
                lines.append(f"class {name}(Exception): ...")
            else:
                lines += class_stub(value)
                for part in ("global_", "quality", "headlight", "map", "scale", "rgba") if name == "MjVisual" else ():
                    lines += class_stub(getattr(value, f"_{part}_type"), f"_MjVisual_{part}")
        elif callable(value):
            lines += function(name, value.__doc__)
        elif isinstance(value, (int, float, str)) and not name.startswith("__"):
            lines.append(f"{name}: {type(value).__name__}")
        elif isinstance(value, tuple):
            lines.append(f"{name}: Tuple[Any, ...]")
    for cls in sinew._named_views.values():
        lines += view_stub(cls)
    return HEADER + "\n".join(lines) + "\n"


def enumerations():
    lines = ['"""Written by python/tools/stubs.py."""', "", "import enum", "", "class _Enum(enum.IntEnum): ...", ""]
    for name in _enums.__all__:
        lines.append(f"class {name}(_Enum):")
        lines += [f"    {member} = {int(value)}" for member, value in getattr(_enums, name).__members__.items()]
    return "\n".join(lines) + "\n"


def package():
    lines = ['"""Written by python/tools/stubs.py."""', "", "import types", "", "import numpy as np", ""]
    lines += ["from . import _sinew as _sinew"]
    lines += ["from . import " + f"{m} as {m}" for m in ("minimize", "rollout", "spec", "viewer")]
    # as in the module itself
    source = (FOLDER / "__init__.py").read_text()
    lines += [f"from .{module} import *" for module in re.findall(r"^from sinew\.(\w+) import \*", source, re.M)]
    lines += [f"from ._sinew import {name} as {name}" for name in sinew._named_views]
    lines += ["", "__version__: str", "MJTNUM_DTYPE = np.float64", "", "def install_as_mujoco() -> types.ModuleType: ..."]
    return "\n".join(lines) + "\n"


def main(check):
    stale = []
    for name, text in (("_sinew", extension()), ("_enums", enumerations()), ("__init__", package())):
        path = FOLDER / f"{name}.pyi"
        if check:
            if not path.exists() or path.read_text() != text:
                stale.append(path.name)
        else:
            path.write_text(text)
    if stale:
        sys.exit(f"not up to date: {', '.join(stale)}; run ./dev python")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
