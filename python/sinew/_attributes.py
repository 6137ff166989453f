"""Common parts of the elements and settings of an editable model: attributes from the table of the MJCF language, arrays,
lists of words."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, cast

import numpy as np

import sinew._enums as _enums
from sinew import _sinew

Node = Any  # sinew._sinew._SpecNode
_T = TypeVar("_T")


class _Array(np.ndarray[Any, Any]):
    """A value that the tree does not store as an array: writing into it writes the attribute."""

    _write: Callable[[Any], None] | None = None

    def __array_finalize__(self, obj: object) -> None:
        self._write = None  # a copy or a slice does not write through

    def __setitem__(self, key: Any, value: Any) -> None:
        np.asarray(self)[key] = value
        if self._write is not None:
            self._write(np.asarray(self))


def _in_place(name: str) -> Any:
    def operate(self: _Array, other: Any) -> _Array:
        self[...] = getattr(np.asarray(self), name)(other)
        return self

    return operate


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    setattr(_Array, f"__i{_name}__", _in_place(f"__{_name}__"))


def written_through(value: Any, write: Callable[[Any], None]) -> Any:
    """An array whose changes are passed on."""
    array = np.asarray(value).view(_Array)
    array._write = write
    return array


class Words(Sequence[str]):
    """A list of texts of fixed or variable length; writing one of them writes the attribute."""

    def __init__(self, words: Iterable[str], write: Callable[[list[str]], None]) -> None:
        self._words = list(words)
        self._write = write

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __getitem__(self, index: Any) -> Any:
        return self._words[index] if isinstance(index, slice) else self._words[self._checked(index)]

    def __setitem__(self, index: int, word: str) -> None:
        words = list(self._words)
        words[self._checked(index)] = word
        self._write(words)
        self._words = words

    def _checked(self, index: Any) -> int:
        if not 0 <= int(index) < len(self._words):
            raise IndexError("Index out of range.")
        return int(index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (list, tuple, Words)) and self._words == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._words)


def exactly(count: int, name: str) -> Callable[[Any], list[str]]:
    """Checks a list of texts that has a fixed length."""

    def check(words: Any) -> list[str]:
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"{name} must be a list of str")
        if len(words) != count:
            raise ValueError(f"{name} must have exactly {count} elements, got {len(words)}")
        return list(words)

    return check


def characters(name: str, count: int) -> property:
    """A text of fixed length as a list of characters."""

    def get(self: Any) -> Words:
        return Words(self._node.get(name)[:count], lambda letters: put(self, letters))

    def put(self: Any, letters: Any) -> None:
        if not isinstance(letters, str):
            if not all(isinstance(letter, str) for letter in letters):
                raise TypeError(f"{name} must be a str or a list of characters")
            if any(len(letter) != 1 for letter in letters):
                raise ValueError(f"{name}: list elements must be single characters")
        if len(letters) != count:
            raise ValueError(f"{name} should have length {count}, got {len(letters)}")
        self._node.set(name, "".join(letters))

    return property(get, put)


_ENUMS: dict[str, Any] = {
    "trntype": _enums.mjtTrn,
    "dyntype": _enums.mjtDyn,
    "gaintype": _enums.mjtGain,
    "biastype": _enums.mjtBias,
    "objtype": _enums.mjtObj,
    "reftype": _enums.mjtObj,
    "datatype": _enums.mjtDataType,
    "needstage": _enums.mjtStage,
    "mode": _enums.mjtCamLight,
    "proj": _enums.mjtProjection,
    "builtin": _enums.mjtBuiltin,
    "mark": _enums.mjtMark,
    "colorspace": _enums.mjtColorSpace,
    "sleep": _enums.mjtSleepPolicy,
    "limited": _enums.mjtLimited,
    "actfrclimited": _enums.mjtLimited,
    "ctrllimited": _enums.mjtLimited,
    "forcelimited": _enums.mjtLimited,
    "actlimited": _enums.mjtLimited,
    "align": _enums.mjtAlignFree,
    "inertiafromgeom": _enums.mjtInertiaFromGeom,
    "conflict": _enums.mjtConflict,
}
_KIND_ENUMS: dict[tuple[str, str], Any] = {
    ("geom", "type"): _enums.mjtGeom,
    ("site", "type"): _enums.mjtGeom,
    ("joint", "type"): _enums.mjtJoint,
    ("equality", "type"): _enums.mjtEq,
    ("sensor", "type"): _enums.mjtSensor,
    ("texture", "type"): _enums.mjtTexture,
    ("light", "type"): _enums.mjtLightType,
    ("geom", "typeinertia"): _enums.mjtGeomInertia,
    ("mesh", "inertia"): _enums.mjtMeshInertia,
}


def _enum_of(kind: str, name: str) -> Any:
    return _KIND_ENUMS.get((kind, name)) or (None if kind == "mesh" else _ENUMS.get(name))


def _field(kind: str, index: int, row: tuple[str, str, bool, bool]) -> property:
    """An attribute of a kind, by its place in the table."""
    name, _, is_list, is_live = row
    enum = _enum_of(kind, name)

    def set_value(self: Any, value: Any) -> None:
        self._node.set_at(index, value)

    def get_value(self: Any) -> Any:
        return self._node.get_at(index)

    def get_enum(self: Any) -> Any:
        value = self._node.get_at(index)
        return enum(value) if isinstance(value, int) and value in enum._value2member_map_ else value

    def get_copy(self: Any) -> Any:
        return written_through(self._node.get_at(index), lambda values: cast(None, self._node.set_at(index, values)))

    get = get_enum if enum else get_copy if is_list and not is_live else get_value
    return property(get, set_value, doc=f"The attribute {name}.")


def install(cls: type, kind: str) -> None:
    """Adds the attributes of a kind to its class."""
    for index, row in enumerate(_sinew._spec_fields(kind)):
        if not hasattr(cls, row[0]):
            setattr(cls, row[0], _field(kind, index, row))


class Attributes:
    """Base of elements and settings: attributes from the table of the MJCF language."""

    _node: Node
    _wrap: Any  # makes the element of a node; set in _elements.py

    def __init__(self, node: Node) -> None:
        object.__setattr__(self, "_node", node)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self._node.get(name)  # by MJCF's name, or an error that lists the valid ones
        if isinstance(value, np.ndarray) and value.base is None:
            return written_through(value, lambda values: cast(None, self._node.set(name, values)))
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            self._node.set(name, value)

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) | set(self._node.names()))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Attributes) and self._node is other._node)

    def __hash__(self) -> int:
        return hash(self._node.address)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._node.title()}>"


def wrapper_of(node: Node, make: Callable[[Node], _T]) -> _T:
    """The Python object of a node: the same one as long as it is used."""
    known = node.wrapper
    found = None if known is None else known()
    if found is None:
        found = make(node)
        node.wrapper = weakref.ref(found)
    return cast(_T, found)


class Children(Generic[_T]):
    """The elements of one kind directly in a body."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __get__(self, body: Any, owner: Any) -> list[_T]:
        return [body._wrap(node) for node in body._node.children(self._kind)]


class Record(Generic[_T]):
    """The defaults of one kind of element in a default class."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __get__(self, dclass: Any, owner: Any) -> _T:
        return cast(_T, dclass._wrap(dclass._node.record(self._kind)))


class MjsOrientation:
    """Alternative forms of an orientation; the one set last overrides the quaternion."""

    _FORMS = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}

    def __init__(self, node: Node, prefix: str = "") -> None:
        object.__setattr__(self, "_node", node)
        object.__setattr__(self, "_prefix", prefix)

    def _values(self, form: str) -> Any:
        return self._node.get(self._prefix + form)

    @property
    def type(self) -> Any:
        """mjtOrientation: which form is used."""
        for place, form in enumerate(self._FORMS, start=1):
            if not np.isnan(self._values(form)).any():
                return _enums.mjtOrientation(place)
        return _enums.mjtOrientation(0)

    @type.setter
    def type(self, form: Any) -> None:
        place = int(_enums.mjtOrientation(int(form)))
        if place == 0:
            quat = "iquat" if self._prefix else "quat"
            self._node.set(quat, np.array(self._node.get(quat)))  # setting it drops the other form
        elif self.type != place:
            name, count = list(self._FORMS.items())[place - 1]
            self._node.set(self._prefix + name, np.zeros(count))

    def __getattr__(self, name: str) -> Any:
        if name not in self._FORMS:
            raise AttributeError(f"an orientation has no form '{name}'; it has {', '.join(self._FORMS)}")
        values = self._values(name)
        if np.isnan(values).any():
            values = np.zeros(self._FORMS[name])
        return written_through(values, lambda changed: setattr(self, name, changed))

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "type":
            object.__setattr__(self, name, value)
        elif name in self._FORMS:
            self._node.set(self._prefix + name, value)
        else:
            raise AttributeError(f"an orientation has no form '{name}'; it has {', '.join(self._FORMS)}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MjsOrientation):
            return NotImplemented
        return self._node is other._node and self._prefix == other._prefix

    __hash__ = None  # type: ignore[assignment]
