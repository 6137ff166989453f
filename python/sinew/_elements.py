"""Elements of an editable model, with the names of MuJoCo's MjsGeom, MjsBody and so on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from sinew._attributes import Attributes, Children, MjsOrientation, Node, Record

__all__ = [
    "MjsActuator",
    "MjsBody",
    "MjsCamera",
    "MjsCompiler",
    "MjsDefault",
    "MjsElement",
    "MjsEquality",
    "MjsExclude",
    "MjsFlex",
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
    "MjsStatistic",
    "MjsTendon",
    "MjsText",
    "MjsTexture",
    "MjsTuple",
    "MjsVisual",
    "MjsWrap",
]

_T = TypeVar("_T")


class MjsElement(Attributes):
    """An element of the model."""

    @property
    def parent(self) -> MjsBody | None:
        """The body that contains it; None outside the body tree."""
        return _wrap_body(self._node.parent)

    @property
    def classname(self) -> MjsDefault:
        """Its default class."""
        name = self._node.class_name
        return next(c for c in _classes(self._node) if c.name == name)

    @classname.setter
    def classname(self, value: MjsDefault | str) -> None:
        self._node.class_name = value if isinstance(value, str) else value.name

    @property
    def id(self) -> int:
        """Its index among the elements of its kind, in the order of the compiled model."""
        return [n.address for n in self._node.tree.list(self._node.kind)].index(self._node.address)

    def delete(self) -> None:
        """Removes it and everything that refers to it; a body or a frame with its contents."""
        self._node.remove()


class _Posed(MjsElement):
    @property
    def alt(self) -> MjsOrientation:
        """The orientation in a form other than quat."""
        return MjsOrientation(self._node)

    @property
    def frame(self) -> MjsFrame | None:
        """The frame that contains it."""
        node = self._node.frame()
        return None if node is None else MjsFrame(node)

    def set_frame(self, frame: MjsFrame | None) -> None:
        """Moves it into a frame of the same body, or directly into the body."""
        self._node.set_frame(None if frame is None else frame._node)


class MjsJoint(_Posed):
    """A degree of freedom of a body relative to its parent."""


class MjsGeom(_Posed):
    """A shape for collision, mass and rendering."""


class MjsCamera(_Posed):
    """A camera."""


class MjsLight(_Posed):
    """A light."""


class MjsSite(_Posed):
    """A point on a body for sensors, tendons and actuators."""

    def attach_body(self, body: MjsBody, prefix: str = "", suffix: str = "") -> MjsBody:
        """Attaches a body, with everything that belongs to it, at the site."""
        frame = MjsFrame(self._node.frame_at_site())
        return frame.attach_body(body, prefix, suffix)


class MjsFrame(_Posed):
    """Transforms its contents; does not exist in the compiled model."""

    def attach_body(self, body: MjsBody, prefix: str = "", suffix: str = "") -> MjsBody:
        """Attaches a body, with everything that belongs to it, in this frame."""
        return MjsBody(attach(self._node, body._node, body._node.tree, (prefix, suffix)))


class MjsBody(_Posed):
    """A body: its joints to the parent, its shapes, and its child bodies.

    Every add method takes a default class (for a body or frame: its childclass), the frame of this body for the new
    element, and attribute values.
    """

    def add_body(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsBody:
        return cast(MjsBody, self._add("body", default, frame, values))

    def add_frame(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsFrame:
        return cast(MjsFrame, self._add("frame", default, frame, values))

    def add_joint(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsJoint:
        return cast(MjsJoint, self._add("joint", default, frame, values))

    def add_freejoint(self, **values: Any) -> MjsJoint:
        """Six degrees of freedom; default classes do not apply to it."""
        return cast(MjsJoint, filled(self._node.add_freejoint(), values))

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
        return cast(MjsElement, filled(self._node.add(kind, node_of(default), node_of(frame)), values))

    def attach_frame(self, frame: MjsFrame, prefix: str = "", suffix: str = "") -> MjsFrame:
        """Attaches a frame, with its contents and everything that belongs to them, to this body."""
        return MjsFrame(attach(self._node, frame._node, frame._node.tree, (prefix, suffix)))

    def make_flex(self, *args: Any, **kwargs: Any) -> Any:
        """Not implemented: a flex with its bodies is made by a flexcomp in MJCF, or by add_flex on bodies."""
        raise NotImplementedError("make_flex: use a <flexcomp> in MJCF, or add_flex on bodies that exist")

    def find_all(self, kind: Any) -> list[Any]:
        """All elements of a kind ("geom" or mjtObj) below this body."""
        return [wrap(node) for node in self._node.below(kind_name(kind))]

    def find_child(self, name: str) -> MjsBody | None:
        """The body with this name below this one."""
        return next((body for body in self.find_all("body") if body.name == name), None)

    # direct children of this body
    bodies = Children["MjsBody"]("body")
    frames = Children[MjsFrame]("frame")
    joints = Children[MjsJoint]("joint")
    geoms = Children[MjsGeom]("geom")
    sites = Children[MjsSite]("site")
    cameras = Children[MjsCamera]("camera")
    lights = Children[MjsLight]("light")

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


class _Textures(list[str]):
    """Names of textures by role; writing one writes the material."""

    def __init__(self, node: Node) -> None:
        super().__init__(node.textures())
        self._node = node

    def __setitem__(self, role: Any, name: Any) -> None:
        super().__setitem__(role, name)
        self._node.set_textures(list(self))


class MjsMaterial(MjsElement):
    """How a surface looks."""

    @property
    def textures(self) -> list[str]:
        """Names of textures by mjtTextureRole."""
        return _Textures(self._node)

    @textures.setter
    def textures(self, names: list[str]) -> None:
        self._node.set_textures(list(names))


class MjsPair(MjsElement):
    """Two geoms that are always tested for collision."""


class MjsExclude(MjsElement):
    """Two bodies that never collide."""


class MjsFlex(MjsElement):
    """A deformable object: vertices of bodies, or interpolated from nodes of bodies, and the elements between them."""

    @property
    def vertbody(self) -> list[str]:
        """Names of the bodies of the vertices: one each, or one for all."""
        return cast(str, self._node.get("vertbody")).split()

    @vertbody.setter
    def vertbody(self, names: Sequence[str]) -> None:
        self._node.set("vertbody", " ".join(names))

    @property
    def nodebody(self) -> list[str]:
        """Names of the bodies of the nodes."""
        return cast(str, self._node.get("nodebody")).split()

    @nodebody.setter
    def nodebody(self, names: Sequence[str]) -> None:
        self._node.set("nodebody", " ".join(names))


class MjsEquality(MjsElement):
    """An equality constraint."""


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
    """A length on which springs, limits and actuators act."""

    _JOINT, _PULLEY, _SITE, _GEOM = 1, 2, 3, 4  # mjtWrap; a geom is a sphere until it is compiled

    def wrap_site(self, name: str) -> MjsWrap:
        """Routes the path through a site."""
        self._node.add_wrap(self._SITE, name, "", 0.0)
        return self.path[-1]

    def wrap_geom(self, name: str, sidesite: str = "") -> MjsWrap:
        """Routes the path around a geom, on the side of a site."""
        self._node.add_wrap(self._GEOM, name, sidesite, 0.0)
        return self.path[-1]

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Adds a joint position, times a coefficient, to the length."""
        self._node.add_wrap(self._JOINT, name, "", coef)
        return self.path[-1]

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Ends a branch; the length of the next one is divided by divisor."""
        self._node.add_wrap(self._PULLEY, "", "", divisor)
        return self.path[-1]

    @property
    def path(self) -> list[MjsWrap]:
        return [MjsWrap(*wrap) for wrap in self._node.path()]


class MjsActuator(MjsElement):
    """An actuator. The set_to methods take the attributes of MJCF's shortcuts."""

    def set_to_motor(self) -> None:
        self._node.set_shortcut("motor", {})

    def set_to_position(self, kp: float, **words: Any) -> None:
        """A position servo: kv or dampratio, timeconst, inheritrange."""
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
        """The attributes of <dcmotor>."""
        self._node.set_shortcut("dcmotor", words)


class MjsSensor(MjsElement):
    """A sensor."""


class MjsNumeric(MjsElement):
    """User-defined numbers."""


class MjsText(MjsElement):
    """User-defined text."""


class MjsTuple(MjsElement):
    """A list of objects of the model."""

    @property
    def items(self) -> list[tuple[int, str, float]]:
        """(mjtObj, name, number) of each object."""
        items: list[tuple[int, str, float]] = self._node.items()
        return items

    @items.setter
    def items(self, items: list[tuple[int, str, float]]) -> None:
        self._node.set_items([(int(kind), name, float(prm)) for kind, name, prm in items])


class MjsKey(MjsElement):
    """A state to reset to; empty arrays are as in the reference pose."""


class MjsDefault(Attributes):
    """A default class: initial values of new elements of each kind. Existing elements do not change with it."""

    joint = Record[MjsJoint]("joint")
    geom = Record[MjsGeom]("geom")
    site = Record[MjsSite]("site")
    camera = Record[MjsCamera]("camera")
    light = Record[MjsLight]("light")
    mesh = Record[MjsMesh]("mesh")
    material = Record[MjsMaterial]("material")
    pair = Record[MjsPair]("pair")
    equality = Record[MjsEquality]("equality")
    tendon = Record[MjsTendon]("tendon")
    actuator = Record[MjsActuator]("actuator")

    def delete(self) -> None:
        """Removes it and the classes below it; elements of the class keep their values."""
        self._node.remove()


class MjsOption(Attributes):
    """Physics options, as in MjOption."""


class MjsStatistic(Attributes):
    """Scales that override those computed by the compiler; NaN: computed."""


class MjsCompiler(Attributes):
    """How the model is interpreted and compiled."""

    @property
    def LRopt(self) -> Attributes:
        """How actuator length ranges are computed."""
        return Attributes(self._node.tree.setting("lengthrange"))


class MjsVisual:
    """Settings for a viewer: global_, quality, headlight, map, scale, rgba."""

    def __init__(self, tree: Any) -> None:
        for group in ("global", "quality", "headlight", "map", "scale", "rgba"):
            name = "global_" if group == "global" else group
            setattr(self, name, Attributes(tree.setting(f"visual.{group}")))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"visual has no group '{name}'")


CLASSES: dict[str, type[Attributes]] = {
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
    "flex": MjsFlex,
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
    1: "body", 3: "joint", 5: "geom", 6: "site", 7: "camera", 8: "light", 9: "flex", 10: "mesh", 12: "hfield", 13: "texture",
    14: "material", 15: "pair", 16: "exclude", 17: "equality", 18: "tendon", 19: "actuator", 20: "sensor",
    21: "numeric", 22: "text", 23: "tuple", 24: "key", 100: "frame", 101: "default",
}  # fmt: skip


def kind_name(kind: Any) -> str:
    if isinstance(kind, str):
        if kind in CLASSES:
            return kind
        if kind.endswith("s") and kind[:-1] in CLASSES:
            return kind[:-1]
    else:
        try:
            return _OBJECTS[int(kind)]
        except (KeyError, TypeError, ValueError, OverflowError):
            pass
    raise ValueError(f"{kind!r} is not a kind of element; valid kinds: {', '.join(CLASSES)}")


def _classes(node: Node) -> list[MjsDefault]:
    return [MjsDefault(other) for other in node.tree.list("default")]


def wrap(node: Node) -> Any:
    return CLASSES[node.kind](node)


def _wrap_body(node: Node) -> MjsBody | None:
    return None if node is None else MjsBody(node)


def node_of(element: Attributes | None) -> Node:
    if element is not None and not isinstance(element, Attributes):
        raise TypeError(f"{element!r} is not part of an MjSpec")
    return None if element is None else element._node


def filled(node: Node, values: Mapping[str, Any]) -> Any:
    """A new element with these values; if one of them is invalid, it is not added."""
    element = wrap(node)
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


def attach(place: Node, part: Node, source: Any, names: tuple[str, str]) -> Node:
    """Attaches a part, or all, of a tree, with its in-memory files."""
    own = place.tree.assets
    for name, content in source.assets.items():
        if own.get(name, content) != content:
            raise ValueError(f"both models have an asset '{name}', with different contents")
    added = place.attach(part, source, *names)
    own.update(source.assets)
    return added


def _first(elements: list[_T]) -> _T | None:
    return elements[0] if elements else None


def _next(elements: list[_T], element: _T) -> _T | None:
    following: Iterator[_T] = iter(elements)
    for other in following:
        if other == element:
            return next(following, None)
    raise ValueError(f"{element!r} is not a child of this body")


Attributes._wrap = staticmethod(wrap)
