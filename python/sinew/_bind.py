"""model.bind(spec.geoms), data.bind(spec.joint("hinge")): the fields of elements of an MjSpec in a compiled model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from sinew import _sinew
from sinew._elements import MjsElement


class Bound:
    """The fields of several elements of one kind: one row per element, or concatenated if the fields are scalar or
    their size depends on the joint type. Reading gathers, assigning writes to all."""

    def __init__(self, views: list[Any]) -> None:
        object.__setattr__(self, "_views", views)

    @property
    def id(self) -> list[int]:
        return [view.id for view in self._views]

    @property
    def name(self) -> list[str]:
        return [view.name for view in self._views]

    def __len__(self) -> int:
        return len(self._views)

    def __getattr__(self, name: str) -> Any:
        if any(not hasattr(view, name) for view in self._views):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        parts = [np.asarray(getattr(view, name)) for view in self._views]
        return _joined(parts) if parts else np.zeros(0)

    def __setattr__(self, name: str, value: Any) -> None:
        parts = [getattr(view, name) for view in self._views]
        if not parts:
            return
        values = np.broadcast_to(np.asarray(value), _joined(parts).shape)
        if _is_row(parts):
            for part, row in zip(parts, values):
                part[...] = row
            return
        first = 0
        for part in parts:
            part[...] = values[first : first + len(part)]
            first += len(part)

    def __dir__(self) -> list[str]:
        return sorted({"id", "name"}.union(*(dir(view) for view in self._views[:1])))

    def __repr__(self) -> str:
        return f"<{len(self._views)} elements: {', '.join(self.name)}>"


def _is_row(parts: list[Any]) -> bool:
    """Arrays of the same size, with more than one number each, become rows."""
    return len({part.shape for part in parts}) == 1 and parts[0].size != 1


def _joined(parts: list[Any]) -> Any:
    return np.stack(parts) if _is_row(parts) else np.concatenate(parts)


def bind(self: Any, elements: MjsElement | Iterable[MjsElement]) -> Any:
    """The fields of an element, or of several of one kind, of the MjSpec from which the model was compiled.

    Elements are found by name; unnamed ones by their id.
    """
    if isinstance(elements, MjsElement):
        return _view(self, elements)
    listed = list(elements)
    for element in listed:
        if not isinstance(element, MjsElement):
            raise TypeError(f"bind needs elements of an MjSpec, not {element!r}")
        if type(element) is not type(listed[0]):
            raise TypeError(f"bind needs elements of one kind, not {listed[0]!r} and {element!r}")
    return Bound([_view(self, element) for element in listed])


def _view(owner: Any, element: MjsElement) -> Any:
    model = owner if isinstance(owner, _sinew.MjModel) else owner.model
    expected = _sinew._model_signature(model)
    if expected is not None and expected != element.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    find = getattr(owner, element._node.kind, None)
    if find is None:
        raise TypeError(f"{type(owner).__name__} has no fields of a {element._node.kind}")
    return find(element.name or element.id)
