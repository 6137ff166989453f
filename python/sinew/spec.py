"""Editable models: the tree between MJCF and MjModel, under the names of MuJoCo's MjSpec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

import sinew._enums as _enums
import sinew._sinew as _sinew
from sinew._sinew import MjData, MjModel

__all__ = [
    "MjSpec",
    "MjsActuator",
    "MjsBody",
    "MjsCamera",
    "MjsCompiler",
    "MjsDefault",
    "MjsElement",
    "MjsEquality",
    "MjsExclude",
    "MjsFrame",
    "MjsGeom",
    "MjsHField",
    "MjsJoint",
    "MjsKey",
    "MjsLight",
    "MjsMaterial",
    "MjsMesh",
    "MjsNumeric",
    "MjsOption",
    "MjsOrientation",
    "MjsPair",
    "MjsSensor",
    "MjsSite",
    "MjsTendon",
    "MjsText",
    "MjsTexture",
    "MjsTuple",
    "MjsWrap",
]

_Node = Any  # sinew._sinew._SpecNode


class _Array(np.ndarray[Any, Any]):
    """The value of an attribute; writing into it writes the attribute."""

    _owner: tuple[_Node, str] | None = None

    def __array_finalize__(self, obj: object) -> None:
        self._owner = None  # a copy or a slice is an array of its own

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        if self._owner is not None:
            node, name = self._owner
            node.set(name, np.asarray(self))


def _value(node: _Node, name: str) -> Any:
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
    """Enumerations come as such."""
    enum = _TYPES.get(kind) if name == "type" else _ENUMS.get(name)
    return value if enum is None or not isinstance(value, int) else enum(value)


class _Attributes:
    """What elements and settings have in common: attributes by name, from the table of the MJCF language."""

    _node: _Node

    def __init__(self, node: _Node) -> None:
        object.__setattr__(self, "_node", node)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _value(self._node, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            self._node.set(name, value)

    def __dir__(self) -> list[str]:
        return sorted(set(super().__dir__()) | set(self._node.names()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Attributes) and self._node.address == other._node.address

    def __hash__(self) -> int:
        return hash(self._node.address)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._node.title()}>"


class MjsOrientation:
    """Other forms of an orientation; the one that was set last overrides quat."""

    _FORMS = ("axisangle", "xyaxes", "zaxis", "euler")

    def __init__(self, node: _Node) -> None:
        object.__setattr__(self, "_node", node)

    @property
    def type(self) -> int:
        """mjtOrientation: 0 where the quaternion counts, else the place of the form."""
        for place, name in enumerate(self._FORMS, start=1):
            if not np.isnan(self._node.get(name)).any():
                return place
        return 0

    def __getattr__(self, name: str) -> Any:
        if name not in self._FORMS:
            raise AttributeError(f"an orientation has no form '{name}'; it has {', '.join(self._FORMS)}")
        return _value(self._node, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._FORMS:
            raise AttributeError(f"an orientation has no form '{name}'; it has {', '.join(self._FORMS)}")
        self._node.set(name, value)


class MjsElement(_Attributes):
    """An element of the model."""

    @property
    def parent(self) -> MjsBody | None:
        """The body that holds it; None outside of the tree of bodies."""
        return _wrap_body(self._node.parent)

    @property
    def classname(self) -> MjsDefault:
        """The default class that it belongs to."""
        name = self._node.class_name
        return next(c for c in _classes(self._node) if c.name == name)

    @classname.setter
    def classname(self, value: MjsDefault | str) -> None:
        self._node.class_name = value if isinstance(value, str) else value.name

    @property
    def id(self) -> int:
        """Its place among the elements of its kind, in the order of the compiled model."""
        return [n.address for n in self._node.tree.list(self._node.kind)].index(self._node.address)

    def delete(self) -> None:
        """Removes it, with what refers to it; a body with all that it holds."""
        self._node.remove()


class _Posed(MjsElement):
    @property
    def alt(self) -> MjsOrientation:
        """The orientation in another form than quat."""
        return MjsOrientation(self._node)

    @property
    def frame(self) -> MjsFrame | None:
        """The frame that it stands in."""
        node = self._node.frame()
        return None if node is None else MjsFrame(node)

    def set_frame(self, frame: MjsFrame | None) -> None:
        """Puts it into a frame of the same body, or directly into the body."""
        self._node.set_frame(None if frame is None else frame._node)


class MjsJoint(_Posed):
    """A degree of freedom of a body relative to its parent."""


class MjsGeom(_Posed):
    """A shape that collides, has mass and is seen."""


class MjsCamera(_Posed):
    """A camera."""


class MjsLight(_Posed):
    """A light."""


class MjsSite(_Posed):
    """A place on a body for sensors, tendons and actuators."""

    def attach_body(self, body: MjsBody, prefix: str = "", suffix: str = "") -> MjsBody:
        """A copy of a body, with all that belongs to it, at the place of the site."""
        frame = MjsFrame(self._node.frame_at_site())
        return frame.attach_body(body, prefix, suffix)


class MjsFrame(_Posed):
    """Moves what stands in it; gone once the model is compiled."""

    def attach_body(self, body: MjsBody, prefix: str = "", suffix: str = "") -> MjsBody:
        """A copy of a body, with all that belongs to it, inside of this frame."""
        return MjsBody(_attach(self._node, body._node, body._node.tree, (prefix, suffix)))


class MjsBody(_Posed):
    """A body: its joints to the parent, its shapes, and the bodies that hang on it.

    Every add takes a default class (for a body or frame: the class of all that it will hold), the frame of this body
    that the new element stands in, and values of attributes.
    """

    def add_body(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsBody:
        return cast(MjsBody, self._add("body", default, frame, values))

    def add_frame(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsFrame:
        return cast(MjsFrame, self._add("frame", default, frame, values))

    def add_joint(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsJoint:
        return cast(MjsJoint, self._add("joint", default, frame, values))

    def add_freejoint(self, **values: Any) -> MjsJoint:
        """Six degrees of freedom; default classes do not reach it."""
        return cast(MjsJoint, _filled(self._node.add_freejoint(), values))

    def add_geom(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsGeom:
        return cast(MjsGeom, self._add("geom", default, frame, values))

    def add_site(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsSite:
        return cast(MjsSite, self._add("site", default, frame, values))

    def add_camera(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsCamera:
        return cast(MjsCamera, self._add("camera", default, frame, values))

    def add_light(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsLight:
        return cast(MjsLight, self._add("light", default, frame, values))

    def _add(
        self, kind: str, default: MjsDefault | None, frame: MjsFrame | None, values: Mapping[str, Any]
    ) -> MjsElement:
        return _filled(self._node.add(kind, _node_of(default), _node_of(frame)), values)

    def attach_frame(self, frame: MjsFrame, prefix: str = "", suffix: str = "") -> MjsFrame:
        """A copy of a frame, with all that it holds and all that belongs to it, in this body."""
        return MjsFrame(_attach(self._node, frame._node, frame._node.tree, (prefix, suffix)))

    def find_all(self, kind: Any) -> list[Any]:
        """All elements of a kind ("geom" or mjtObj) below this body."""
        return [_wrap(node) for node in self._node.below(_kind_name(kind))]

    def find_child(self, name: str) -> MjsBody | None:
        """The body of this name below this one."""
        return next((body for body in self.find_all("body") if body.name == name), None)

    def _children(self, kind: str) -> list[Any]:
        return [_wrap(node) for node in self._node.children(kind)]

    @property
    def bodies(self) -> list[MjsBody]:
        """The bodies that hang directly on this one; so for the other lists."""
        return self._children("body")

    @property
    def frames(self) -> list[MjsFrame]:
        return self._children("frame")

    @property
    def joints(self) -> list[MjsJoint]:
        return self._children("joint")

    @property
    def geoms(self) -> list[MjsGeom]:
        return self._children("geom")

    @property
    def sites(self) -> list[MjsSite]:
        return self._children("site")

    @property
    def cameras(self) -> list[MjsCamera]:
        return self._children("camera")

    @property
    def lights(self) -> list[MjsLight]:
        return self._children("light")

    def first_body(self) -> MjsBody | None:
        return _first(self.bodies)

    def next_body(self, body: MjsBody) -> MjsBody | None:
        return _next(self.bodies, body)

    def first_frame(self) -> MjsFrame | None:
        return _first(self.frames)

    def next_frame(self, frame: MjsFrame) -> MjsFrame | None:
        return _next(self.frames, frame)

    def first_joint(self) -> MjsJoint | None:
        return _first(self.joints)

    def next_joint(self, joint: MjsJoint) -> MjsJoint | None:
        return _next(self.joints, joint)

    def first_geom(self) -> MjsGeom | None:
        return _first(self.geoms)

    def next_geom(self, geom: MjsGeom) -> MjsGeom | None:
        return _next(self.geoms, geom)

    def first_site(self) -> MjsSite | None:
        return _first(self.sites)

    def next_site(self, site: MjsSite) -> MjsSite | None:
        return _next(self.sites, site)

    def first_camera(self) -> MjsCamera | None:
        return _first(self.cameras)

    def next_camera(self, camera: MjsCamera) -> MjsCamera | None:
        return _next(self.cameras, camera)

    def first_light(self) -> MjsLight | None:
        return _first(self.lights)

    def next_light(self, light: MjsLight) -> MjsLight | None:
        return _next(self.lights, light)


class MjsMesh(MjsElement):
    """A triangulated surface."""


class MjsHField(MjsElement):
    """Elevations on a grid."""


class MjsTexture(MjsElement):
    """An image."""


class MjsMaterial(MjsElement):
    """How a surface looks."""

    @property
    def textures(self) -> list[str]:
        """Names of textures by mjtTextureRole."""
        return list(self._node.textures())

    @textures.setter
    def textures(self, names: list[str]) -> None:
        self._node.set_textures(list(names))


class MjsPair(MjsElement):
    """Two geoms that are always tested for contact."""


class MjsExclude(MjsElement):
    """Two bodies that never collide."""


class MjsEquality(MjsElement):
    """A constraint that holds at all times."""


class MjsWrap:
    """One element of a tendon's path."""

    def __init__(self, type: int, target: str, sidesite: str, prm: float) -> None:  # pylint: disable=redefined-builtin
        self.type = type
        self.target = target
        self.sidesite = sidesite
        self.coef = prm
        self.divisor = prm

    def __repr__(self) -> str:
        return f"<MjsWrap {self.target or self.divisor}>"


class MjsTendon(MjsElement):
    """A length that springs, limits and actuators act on."""

    _JOINT, _PULLEY, _SITE, _GEOM = 1, 2, 3, 4  # mjtWrap; a geom is a sphere until it is compiled

    def wrap_site(self, name: str) -> None:
        """The path goes through a site."""
        self._node.add_wrap(self._SITE, name, "", 0.0)

    def wrap_geom(self, name: str, sidesite: str = "") -> None:
        """The path goes around a geom, on the side of a site."""
        self._node.add_wrap(self._GEOM, name, sidesite, 0.0)

    def wrap_joint(self, name: str, coef: float) -> None:
        """The length has a joint's position, times a coefficient."""
        self._node.add_wrap(self._JOINT, name, "", coef)

    def wrap_pulley(self, divisor: float) -> None:
        """Ends a branch; what follows counts 1/divisor."""
        self._node.add_wrap(self._PULLEY, "", "", divisor)

    @property
    def path(self) -> list[MjsWrap]:
        return [MjsWrap(*wrap) for wrap in self._node.path()]


class MjsActuator(MjsElement):
    """What drives the model. The set_to functions take the words of MJCF's shortcuts."""

    def set_to_motor(self) -> None:
        self._node.set_shortcut("motor", {})

    def set_to_position(self, kp: float, **words: Any) -> None:
        """A servo that holds a position: kv or dampratio, timeconst, inheritrange."""
        self._node.set_shortcut("position", {"kp": kp, **words})

    def set_to_intvelocity(self, kp: float, **words: Any) -> None:
        self._node.set_shortcut("intvelocity", {"kp": kp, **words})

    def set_to_velocity(self, kv: float) -> None:
        self._node.set_shortcut("velocity", {"kv": kv})

    def set_to_damper(self, kv: float) -> None:
        self._node.set_shortcut("damper", {"kv": kv})

    def set_to_cylinder(self, **words: Any) -> None:
        """timeconst, area or diameter, bias."""
        self._node.set_shortcut("cylinder", words)

    def set_to_muscle(self, **words: Any) -> None:
        """timeconst, tausmooth, range, force, scale, lmin, lmax, vmax, fpmax, fvmax."""
        self._node.set_shortcut("muscle", words)

    def set_to_adhesion(self, gain: float) -> None:
        self._node.set_shortcut("adhesion", {"gain": gain})

    def set_to_dcmotor(self, **words: Any) -> None:
        """The words of <dcmotor>."""
        self._node.set_shortcut("dcmotor", words)


class MjsSensor(MjsElement):
    """What is measured."""


class MjsNumeric(MjsElement):
    """Numbers of the user's own."""


class MjsText(MjsElement):
    """A text of the user's own."""


class MjsTuple(MjsElement):
    """A list of objects of the model."""

    @property
    def items(self) -> list[tuple[int, str, float]]:
        """(mjtObj, name, number) of each object."""
        return self._node.items()

    @items.setter
    def items(self, items: list[tuple[int, str, float]]) -> None:
        self._node.set_items([(int(kind), name, float(prm)) for kind, name, prm in items])


class MjsKey(MjsElement):
    """A state to reset to; arrays that are empty are as in the reference pose."""


class MjsDefault(_Attributes):
    """A default class: what an element of each kind starts from. Elements that exist already do not change with it."""

    def _record(self, kind: str) -> Any:
        return _wrap(self._node.record(kind))

    @property
    def joint(self) -> MjsJoint:
        return self._record("joint")

    @property
    def geom(self) -> MjsGeom:
        return self._record("geom")

    @property
    def site(self) -> MjsSite:
        return self._record("site")

    @property
    def camera(self) -> MjsCamera:
        return self._record("camera")

    @property
    def light(self) -> MjsLight:
        return self._record("light")

    @property
    def mesh(self) -> MjsMesh:
        return self._record("mesh")

    @property
    def material(self) -> MjsMaterial:
        return self._record("material")

    @property
    def pair(self) -> MjsPair:
        return self._record("pair")

    @property
    def equality(self) -> MjsEquality:
        return self._record("equality")

    @property
    def tendon(self) -> MjsTendon:
        return self._record("tendon")

    @property
    def actuator(self) -> MjsActuator:
        return self._record("actuator")


class MjsOption(_Attributes):
    """Physics options, as in MjOption."""


class MjsStatistic(_Attributes):
    """Scales that replace what the compiler computes; NaN: computed."""


class MjsCompiler(_Attributes):
    """How the model is understood and compiled."""

    @property
    def LRopt(self) -> _Attributes:
        """How length ranges of actuators are found."""
        return _Attributes(self._node.tree.setting("lengthrange"))


class MjsVisual:
    """Settings for a viewer: global_, quality, headlight, map, scale, rgba."""

    def __init__(self, tree: Any) -> None:
        for group in ("global", "quality", "headlight", "map", "scale", "rgba"):
            name = "global_" if group == "global" else group
            setattr(self, name, _Attributes(tree.setting(f"visual.{group}")))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"visual has no group '{name}'")


_CLASSES: dict[str, type[_Attributes]] = {
    "body": MjsBody,
    "frame": MjsFrame,
    "joint": MjsJoint,
    "geom": MjsGeom,
    "site": MjsSite,
    "camera": MjsCamera,
    "light": MjsLight,
    "mesh": MjsMesh,
    "hfield": MjsHField,
    "texture": MjsTexture,
    "material": MjsMaterial,
    "pair": MjsPair,
    "exclude": MjsExclude,
    "equality": MjsEquality,
    "tendon": MjsTendon,
    "actuator": MjsActuator,
    "sensor": MjsSensor,
    "numeric": MjsNumeric,
    "text": MjsText,
    "tuple": MjsTuple,
    "key": MjsKey,
    "default": MjsDefault,
}

# mjtObj
_OBJECTS = {
    1: "body", 3: "joint", 5: "geom", 6: "site", 7: "camera", 8: "light", 10: "mesh", 12: "hfield", 13: "texture",
    14: "material", 15: "pair", 16: "exclude", 17: "equality", 18: "tendon", 19: "actuator", 20: "sensor",
    21: "numeric", 22: "text", 23: "tuple", 24: "key", 100: "frame", 101: "default",
}  # fmt: skip


def _kind_name(kind: Any) -> str:
    if isinstance(kind, str):
        if kind in _CLASSES:
            return kind
        if kind.endswith("s") and kind[:-1] in _CLASSES:
            return kind[:-1]
    else:
        try:
            return _OBJECTS[int(kind)]
        except (KeyError, TypeError, ValueError):
            pass
    raise ValueError(f"{kind!r} is no kind of element; there are {', '.join(_CLASSES)}")


def _classes(node: _Node) -> list[MjsDefault]:
    return [MjsDefault(other) for other in node.tree.list("default")]


def _wrap(node: _Node) -> Any:
    return _CLASSES[node.kind](node)


def _wrap_body(node: _Node) -> MjsBody | None:
    return None if node is None else MjsBody(node)


def _node_of(element: _Attributes | None) -> _Node:
    if element is not None and not isinstance(element, _Attributes):
        raise TypeError(f"{element!r} is no part of an MjSpec")
    return None if element is None else element._node


def _filled(node: _Node, values: Mapping[str, Any]) -> Any:
    """A new element with these values; where one of them is wrong, it is not added."""
    element = _wrap(node)
    try:
        for name, value in values.items():
            if name in MjsOrientation._FORMS:
                setattr(element.alt, name, value)
            else:
                setattr(element, name, value)
    except Exception:
        node.discard()
        raise
    return element


def _attach(place: _Node, part: _Node, source: Any, names: tuple[str, str]) -> _Node:
    """Attaches a part, or all, of a tree, with the files that it brings."""
    own = place.tree.assets
    for name, content in source.assets.items():
        if own.get(name, content) != content:
            raise ValueError(f"both models have an asset '{name}', with different contents")
    added = place.attach(part, source, *names)
    own.update(source.assets)
    return added


def _first(elements: list[Any]) -> Any:
    return elements[0] if elements else None


def _next(elements: list[Any], element: Any) -> Any:
    following: Iterator[Any] = iter(elements)
    for other in following:
        if other == element:
            return next(following, None)
    raise ValueError(f"{element!r} does not stand here")


def _files(*given: Mapping[str, bytes | str] | None) -> dict[str, bytes]:
    out: dict[str, bytes] = {}
    for files in given:
        for name, content in (files or {}).items():
            out[name] = content.encode() if isinstance(content, str) else bytes(content)
    return out


class MjSpec:
    """An editable model: read it or build it, change it, compile it, write it.

    Attributes have MuJoCo's names; those of MJCF are understood too. Names are resolved when the model is compiled, so
    the order of changes does not matter. A wrong value or name is a ValueError that says what is right.
    """

    def __init__(self) -> None:
        self._tree = _sinew._SpecTree()

    @classmethod
    def _of(cls, tree: Any) -> MjSpec:
        spec = cls()
        spec._tree = tree
        return spec

    @property
    def assets(self) -> dict[str, bytes]:
        """Contents of files that need not be on disk, by name."""
        files: dict[str, bytes] = self._tree.assets
        return files

    @assets.setter
    def assets(self, files: Mapping[str, bytes | str]) -> None:
        self._tree.assets = _files(files)

    @classmethod
    def from_file(
        cls,
        filename: str,
        include: Mapping[str, bytes | str] | None = None,
        assets: Mapping[str, bytes | str] | None = None,
    ) -> MjSpec:
        """Reads an MJCF file; `include` and `assets` are contents of files that need not be on disk."""
        files = _files(include, assets)
        spec = cls._of(_sinew._SpecTree.from_file(str(filename), files))
        spec.assets = files
        return spec

    @classmethod
    def from_string(
        cls,
        xml: str,
        include: Mapping[str, bytes | str] | None = None,
        assets: Mapping[str, bytes | str] | None = None,
    ) -> MjSpec:
        """Reads MJCF text."""
        files = _files(include, assets)
        spec = cls._of(_sinew._SpecTree.from_string(xml, files))
        spec.assets = files
        return spec

    def copy(self) -> MjSpec:
        """A tree of its own with the same content."""
        return self._of(self._tree.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    def compile(self) -> MjModel:
        """The model that is simulated."""
        model: MjModel = self._tree.compile()
        return model

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """The model of the changed tree, and a world that goes on with the state of what both models have."""
        if not isinstance(model, MjModel):
            raise TypeError("recompile needs an MjModel and an MjData")
        new: tuple[MjModel, MjData] = self._tree.recompile(data)
        return new

    def to_xml(self) -> str:
        """MJCF that compiles to the same model, bit for bit."""
        text: str = self._tree.to_xml()
        return text

    def to_file(self, filename: str) -> None:
        """Writes MJCF."""
        self._tree.to_file(str(filename))

    def __repr__(self) -> str:
        counts = {name: len(self._tree.list(name)) for name in ("body", "joint", "geom", "actuator", "sensor")}
        text = ", ".join(f"{count} {name}" for name, count in counts.items())
        return f"<MjSpec '{self.modelname}': {text}>"

    # settings

    @property
    def modelname(self) -> str:
        name: str = self._tree.modelname
        return name

    @modelname.setter
    def modelname(self, name: str) -> None:
        self._tree.modelname = name

    @property
    def modelfiledir(self) -> str:
        """Where relative paths of assets start."""
        path: str = self._tree.directory
        return path

    @modelfiledir.setter
    def modelfiledir(self, path: str) -> None:
        self._tree.directory = path

    @property
    def compiler(self) -> MjsCompiler:
        return MjsCompiler(self._tree.setting("compiler"))

    @property
    def option(self) -> MjsOption:
        return MjsOption(self._tree.setting("option"))

    @property
    def stat(self) -> MjsStatistic:
        return MjsStatistic(self._tree.setting("statistic"))

    @property
    def visual(self) -> MjsVisual:
        return MjsVisual(self._tree)

    @property
    def default(self) -> MjsDefault:
        """The class main, which all others start from."""
        return MjsDefault(self._tree.setting("default"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in _SIZES:
            return self._tree.setting("size").get(name)
        if name in _COMPILER:
            return self._tree.setting("compiler").get(name)
        raise AttributeError(f"an MjSpec has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _SIZES:
            self._tree.setting("size").set(name, value)
        elif name in _COMPILER:
            self._tree.setting("compiler").set(name, value)
        elif name == "_tree" or isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"an MjSpec has no attribute '{name}'")

    # the elements

    @property
    def worldbody(self) -> MjsBody:
        return MjsBody(self._tree.setting("body"))

    @property
    def world(self) -> MjsBody:
        return self.worldbody

    def find_all(self, kind: Any) -> list[Any]:
        """All elements of a kind ("geom" or mjtObj), in the order of the compiled model."""
        return [_wrap(node) for node in self._tree.list(_kind_name(kind))]

    def find(self, kind: Any, name: str) -> Any:
        """The element of this kind and name, or None."""
        return next((element for element in self.find_all(kind) if element.name == name), None)

    def find_default(self, name: str) -> MjsDefault | None:
        return cast("MjsDefault | None", self.find("default", name))

    def delete(self, element: MjsElement) -> None:
        """Removes an element with what refers to it, a body with all that it holds."""
        if not isinstance(element, MjsElement):
            raise TypeError(f"{element!r} is no element")
        if element._node.tree is not self._tree:
            raise ValueError(f"{element!r} is not part of this MjSpec")
        element.delete()

    def attach(
        self,
        child: MjSpec,
        prefix: str = "",
        suffix: str = "",
        site: MjsSite | str | None = None,
        frame: MjsFrame | str | None = None,
    ) -> MjsFrame:
        """A copy of all that another model holds, in a frame or at a site; returns the frame around it."""
        if not isinstance(child, MjSpec):
            raise TypeError("attach needs an MjSpec")
        if (site is None) == (frame is None):
            raise ValueError("attach needs one of site and frame")
        if isinstance(site, str):
            site = self._named("site", site)
        if isinstance(frame, str):
            frame = self._named("frame", frame)
        place = frame._node if frame is not None else cast(MjsSite, site)._node.frame_at_site()
        _attach(place, None, child._tree, (prefix, suffix))
        return MjsFrame(place)

    def _named(self, kind: str, name: str) -> Any:
        found = self.find(kind, name)
        if found is None:
            raise ValueError(f"there is no {kind} '{name}'")
        return found

    def add_default(self, classname: str, parent: MjsDefault | None = None) -> MjsDefault:
        """A new default class that starts as a copy of its parent, main where none is given."""
        return MjsDefault(self._tree.add_class(classname, _node_of(parent)))

    def _add(self, kind: str, default: MjsDefault | None, values: Mapping[str, Any]) -> Any:
        return _filled(self._tree.add(kind, _node_of(default)), values)

    def add_mesh(self, default: MjsDefault | None = None, **values: Any) -> MjsMesh:
        return cast(MjsMesh, self._add("mesh", default, values))

    def add_hfield(self, **values: Any) -> MjsHField:
        return cast(MjsHField, self._add("hfield", None, values))

    def add_texture(self, **values: Any) -> MjsTexture:
        return cast(MjsTexture, self._add("texture", None, values))

    def add_material(self, default: MjsDefault | None = None, **values: Any) -> MjsMaterial:
        return cast(MjsMaterial, self._add("material", default, values))

    def add_pair(self, default: MjsDefault | None = None, **values: Any) -> MjsPair:
        return cast(MjsPair, self._add("pair", default, values))

    def add_exclude(self, **values: Any) -> MjsExclude:
        return cast(MjsExclude, self._add("exclude", None, values))

    def add_equality(self, default: MjsDefault | None = None, **values: Any) -> MjsEquality:
        return cast(MjsEquality, self._add("equality", default, values))

    def add_tendon(self, default: MjsDefault | None = None, **values: Any) -> MjsTendon:
        return cast(MjsTendon, self._add("tendon", default, values))

    def add_actuator(self, default: MjsDefault | None = None, **values: Any) -> MjsActuator:
        return cast(MjsActuator, self._add("actuator", default, values))

    def add_sensor(self, **values: Any) -> MjsSensor:
        return cast(MjsSensor, self._add("sensor", None, values))

    def add_numeric(self, **values: Any) -> MjsNumeric:
        return cast(MjsNumeric, self._add("numeric", None, values))

    def add_text(self, **values: Any) -> MjsText:
        return cast(MjsText, self._add("text", None, values))

    def add_tuple(self, **values: Any) -> MjsTuple:
        return cast(MjsTuple, self._add("tuple", None, values))

    def add_key(self, **values: Any) -> MjsKey:
        return cast(MjsKey, self._add("key", None, values))


_SIZES = frozenset(_sinew._SpecTree().setting("size").names())
_COMPILER = frozenset({"meshdir", "texturedir", "strippath"})


def _add_lists_and_finders() -> None:
    """spec.geoms and spec.geom(name) for every kind of element."""
    plurals = {"body": "bodies", "mesh": "meshes", "equality": "equalities", "default": "defaults"}
    for kind, element in _CLASSES.items():
        plural = plurals.get(kind, f"{kind}s")

        def elements(self: MjSpec, kind: str = kind) -> list[Any]:
            return self.find_all(kind)

        def finder(self: MjSpec, name: str, kind: str = kind) -> Any:
            return self.find(kind, name)

        elements.__doc__ = f"All elements of class {element.__name__}, in the order of the compiled model."
        finder.__doc__ = f"The {element.__name__} of this name, or None."
        setattr(MjSpec, plural, property(elements))
        if kind != "default":
            setattr(MjSpec, kind, finder)


_add_lists_and_finders()
