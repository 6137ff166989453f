"""Common parts of the elements and settings of an editable model: attributes by name, live arrays, lists."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

import numpy as np

import sinew._enums as _enums

Node = Any  # sinew._sinew._SpecNode
_T = TypeVar("_T")


class _Array(np.ndarray[Any, Any]):
    """The value of an attribute; writing into it writes the attribute."""

    _owner: tuple[Node, str] | None = None

    def __array_finalize__(self, obj: object) -> None:
        self._owner = None  # a copy or a slice does not write through

    def __setitem__(self, key: Any, value: Any) -> None:
        np.asarray(self)[key] = value
        if self._owner is not None:
            node, name = self._owner
            node.set(name, np.asarray(self))


def value_of(node: Node, name: str) -> Any:
    value = node.get(name)
    if not isinstance(value, np.ndarray):
        return _as_enum(node.kind, name, value)
    array = value.view(_Array)
    array._owner = (node, name)
    return array


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
}
_TYPES: dict[str, Any] = {
    "geom": _enums.mjtGeom,
    "site": _enums.mjtGeom,
    "joint": _enums.mjtJoint,
    "equality": _enums.mjtEq,
    "sensor": _enums.mjtSensor,
    "texture": _enums.mjtTexture,
    "light": _enums.mjtLightType,
}


def _as_enum(kind: str, name: str, value: Any) -> Any:
    """Converts integers to their enumeration."""
    enum = _TYPES.get(kind) if name == "type" else _ENUMS.get(name)
    return value if enum is None or not isinstance(value, int) else enum(value)


class Attributes:
    """Base of elements and settings: attributes by name, from the table of the MJCF language."""

    _node: Node
    _wrap: Any  # makes the element of a node; set in _elements.py

    def __init__(self, node: Node) -> None:
        object.__setattr__(self, "_node", node)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return value_of(self._node, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            self._node.set(name, value)

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) | set(self._node.names()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Attributes) and self._node.address == other._node.address

    def __hash__(self) -> int:
        return hash(self._node.address)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._node.title()}>"


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
    """Alternative forms of an orientation; the one set last overrides quat."""

    _FORMS = ("axisangle", "xyaxes", "zaxis", "euler")

    def __init__(self, node: Node) -> None:
        object.__setattr__(self, "_node", node)

    @property
    def type(self) -> int:
        """mjtOrientation: 0 if the quaternion is used, else the number of the form."""
        for place, name in enumerate(self._FORMS, start=1):
            if not np.isnan(self._node.get(name)).any():
                return place
        return 0

    def __getattr__(self, name: str) -> Any:
        if name not in self._FORMS:
            raise AttributeError(f"an orientation has no form '{name}'; it has {', '.join(self._FORMS)}")
        return value_of(self._node, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._FORMS:
            raise AttributeError(f"an orientation has no form '{name}'; it has {', '.join(self._FORMS)}")
        self._node.set(name, value)
