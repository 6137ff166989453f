"""Elements of an editable model, with the names of MuJoCo's MjsGeom, MjsBody and so on."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from sinew import _sinew
from sinew._attributes import (
    Attributes,
    Children,
    MjsOrientation,
    Node,
    Record,
    Words,
    characters,
    exactly,
    install,
    wrapper_of,
    written_through,
)
from sinew._enums import mjtDisableBit, mjtEnableBit, mjtGeom, mjtWrap

__all__ = [
    "MjsActuator",
    "MjsAuthored",
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
    "MjsPlugin",
    "MjsSensor",
    "MjsSite",
    "MjsSkin",
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
    def name(self) -> str:
        """Its name, unique among the elements of its kind; may be empty."""
        text: str = self._node.name
        return text

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{self._node.title()}: name: must be a str")
        self._node.name = name

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
    def compiler(self) -> MjsCompiler:
        """The settings by which it is compiled: those of the model that it was written for."""
        return MjsCompiler(self._node.compiler())

    @property
    def id(self) -> int:
        """Its index among the elements of its kind, in the order of the compiled model."""
        return [n.address for n in self._node.tree.list(self._node.kind)].index(self._node.address)

    @property
    def signature(self) -> int:
        """Identifies the compiled structure of the model that it belongs to; 0 before the first compilation."""
        return int(self._node.tree.signature)

    def delete(self) -> None:
        """Removes it; a body or a frame with its contents and everything that refers to them."""
        self._node.remove()


class _PluginUse:
    """How an element uses a plugin: through the instance called `name`, or through its own with this configuration."""

    _node: Node

    def __init__(self, node: Node) -> None:
        object.__setattr__(self, "_node", node)

    def _set(self, place: int, value: Any) -> None:
        use = list(self._node.plugin())
        use[place] = value
        self._node.set_plugin(tuple(use))

    @property
    def name(self) -> str:
        """The instance; empty: its own."""
        return str(self._node.plugin()[1])

    @name.setter
    def name(self, name: str) -> None:
        self._set(1, name)

    def _instance(self) -> Node:
        name = self.name
        return self._node.tree.find("plugin", name) if name else None

    @property
    def plugin_name(self) -> str:
        """The plugin, of which the element has its own instance or that of the named one."""
        own, node = self._node.plugin()[0], self._instance()
        return str(own if own or node is None else node.get("plugin_name"))

    @plugin_name.setter
    def plugin_name(self, name: str) -> None:
        self._set(0, name)

    @property
    def active(self) -> bool:
        """Whether the element uses it."""
        return bool(self._node.plugin()[3])

    @active.setter
    def active(self, active: bool) -> None:
        self._set(3, bool(active))

    @property
    def config(self) -> dict[str, str]:
        """The attributes of its own instance."""
        return dict(self._node.plugin()[2])

    @config.setter
    def config(self, config: Mapping[str, str]) -> None:
        self._set(2, _config_pairs(config))

    @property
    def info(self) -> str:
        """Added to errors of the compiler: that of the instance, or of the element."""
        return str((self._instance() or self._node).get("info"))

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(getattr(type(self), name, None), property):
            raise AttributeError(f"a plugin has no attribute '{name}'")
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<plugin '{self.plugin_name}' of {self._node.title()}>"


def _config_pairs(config: Mapping[str, str]) -> list[tuple[str, str]]:
    if not isinstance(config, Mapping) or not all(isinstance(text, str) for pair in config.items() for text in pair):
        raise TypeError("config must be a dict of str to str")
    return list(config.items())


class _WithPlugin(MjsElement):
    """An element that a plugin can compute."""

    @property
    def plugin(self) -> _PluginUse:
        """The plugin that computes it."""
        return _PluginUse(self._node)

    @plugin.setter
    def plugin(self, given: MjsPlugin | _PluginUse) -> None:
        if not isinstance(given, (MjsPlugin, _PluginUse)):
            raise TypeError("plugin must be an MjsPlugin")
        config = [] if given.name else list(given.config.items())
        self._node.set_plugin(("" if given.name else given.plugin_name, given.name, config, given.active))


class _Posed(MjsElement):
    @property
    def alt(self) -> MjsOrientation:
        """The orientation in a form other than quat."""
        return MjsOrientation(self._node)

    @alt.setter
    def alt(self, other: MjsOrientation) -> None:
        _copy_orientation(self.alt, other)

    @property
    def frame(self) -> MjsFrame | None:
        """The frame that contains it."""
        node = self._node.frame()
        return None if node is None else cast(MjsFrame, wrap(node))

    def set_frame(self, frame: MjsFrame | None) -> None:
        """Moves it into a frame of the same body, or directly into the body."""
        self._node.set_frame(None if frame is None else frame._node)


class MjsJoint(_Posed):
    """A degree of freedom of a body relative to its parent."""


class MjsGeom(_Posed, _WithPlugin):
    """A shape for collision, mass and rendering."""


class MjsCamera(_Posed):
    """A camera."""


class MjsLight(_Posed):
    """A light."""


class MjsSite(_Posed):
    """A point on a body for sensors, tendons and actuators."""

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attaches a body, with everything that belongs to it, at the site."""
        return cast(MjsFrame, wrap(self._node.frame_at_site())).attach_body(body, prefix, suffix)


class _Holder(_Posed):
    """A body or a frame. Every add method takes a default class (for a body or frame: its childclass) or the frame of
    the new element, and attribute values."""

    def _place(self, frame: MjsFrame | None) -> tuple[Node, Node]:
        """The body that gets the new element, and its frame."""
        return self._node, node_of(frame)

    def _add(self, kind: str, default: Any, frame: MjsFrame | None, values: Mapping[str, Any]) -> MjsElement:
        if isinstance(default, MjsFrame):
            default, frame = None, default
        body, around = self._place(frame)
        return cast(MjsElement, filled(body.add(kind, node_of(default), around), values))

    def add_body(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsBody:
        return cast(MjsBody, self._add("body", default, frame, values))

    def add_frame(
        self, default: MjsDefault | MjsFrame | None = None, frame: MjsFrame | None = None, **values: Any
    ) -> MjsFrame:
        return cast(MjsFrame, self._add("frame", default, frame, values))

    def add_joint(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsJoint:
        return cast(MjsJoint, self._add("joint", default, frame, values))

    def add_freejoint(self, **values: Any) -> MjsJoint:
        """Six degrees of freedom; default classes do not apply to it."""
        for name in values:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        body, frame = self._place(None)
        joint = cast(MjsJoint, filled(body.add_freejoint(), values))
        joint._node.set_frame(frame)
        return joint

    def add_geom(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsGeom:
        return cast(MjsGeom, self._add("geom", default, frame, values))

    def add_site(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsSite:
        return cast(MjsSite, self._add("site", default, frame, values))

    def add_camera(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsCamera:
        return cast(MjsCamera, self._add("camera", default, frame, values))

    def add_light(self, default: MjsDefault | None = None, frame: MjsFrame | None = None, **values: Any) -> MjsLight:
        return cast(MjsLight, self._add("light", default, frame, values))


class MjsFrame(_Holder):
    """Transforms its contents; does not exist in the compiled model."""

    def _place(self, frame: MjsFrame | None) -> tuple[Node, Node]:
        if frame is not None and frame is not self:
            raise ValueError("an element cannot be in two frames")
        return self._node.parent, self._node

    def attach_body(self, body: MjsBody, prefix: str | None = None, suffix: str | None = None) -> MjsBody:
        """Attaches a body, with everything that belongs to it, in this frame."""
        return cast(MjsBody, wrap(attach(self._node, body._node, body._node.tree, (prefix or "", suffix or ""))))


class MjsBody(_Holder, _WithPlugin):
    """A body: its joints to the parent, its shapes, and its child bodies."""

    @property
    def ialt(self) -> MjsOrientation:
        """The orientation of the inertial frame in a form other than iquat."""
        return MjsOrientation(self._node, "i")

    @ialt.setter
    def ialt(self, other: MjsOrientation) -> None:
        _copy_orientation(self.ialt, other)

    def attach_frame(self, frame: MjsFrame, prefix: str | None = None, suffix: str | None = None) -> MjsFrame:
        """Attaches a frame, with its contents and everything that belongs to them, to this body."""
        return cast(MjsFrame, wrap(attach(self._node, frame._node, frame._node.tree, (prefix or "", suffix or ""))))

    def to_frame(self) -> MjsFrame:
        """Replaces the body by a frame with its pose and contents."""
        return cast(MjsFrame, wrap(self._node.to_frame()))

    def make_flex(self, name: str, **words: Any) -> MjsFlex:
        """Makes a flex and the bodies of its vertices in this body. The words are those of <flexcomp> and of the elements in
        it: type, dim, count, spacing, mass, radius, rigid, dof, cellcount, file, point, element, pos, quat, equality, young…"""
        if "count" not in words and words.get("type", "grid") == "grid":
            words["count"] = [10, 10 if words.get("dim", 2) > 1 else 1, 10 if words.get("dim", 2) > 2 else 1]
        return cast(MjsFlex, wrap(self._node.make_flex({"name": name, **words})))

    def find_all(self, kind: Any) -> list[Any]:
        """All elements of a kind ("geom" or mjtObj) below this body."""
        name = kind_name(kind)
        if name not in ("body", "frame", "geom", "site", "joint", "light", "camera"):
            raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        return [wrap(node) for node in self._node.below(name)]

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


class MjsMesh(_WithPlugin):
    """A triangulated surface. The make methods generate one of MJCF's builtin shapes."""

    def _make(self, shape: str, *params: float) -> None:
        self._node.set("builtin", shape)
        self._node.set("params", np.array(params, dtype=float))

    def make_sphere(self, subdivision: int) -> None:
        """A sphere of triangles: an icosahedron whose faces are divided."""
        self._make("sphere", subdivision)

    def make_hemisphere(self, resolution: int) -> None:
        self._make("hemisphere", resolution)

    def make_cone(self, nedge: int, radius: float) -> None:
        """A cone, or with a radius at the top a truncated one."""
        self._make("cone", nedge, radius)

    def make_wedge(self, resolution: Any, fov: Any, gamma: float) -> None:
        self._make("wedge", *resolution, *fov, gamma)

    def make_plate(self, resolution: Any) -> None:
        self._make("plate", *resolution)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        self._make("supersphere", resolution, e, n)

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        self._make("supertorus", resolution, radius, s, t)


class MjsHField(MjsElement):
    """Elevations on a grid."""


_CUBE_SIDES = ("fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


class MjsTexture(MjsElement):
    """An image."""

    gridlayout = characters("gridlayout", 12)

    @property
    def data(self) -> bytes:
        """Pixels given by the program, by row."""
        content: bytes = self._node.pixels
        return content

    @data.setter
    def data(self, content: Any) -> None:
        self._node.pixels = bytes(content)

    @property
    def cubefiles(self) -> Words:
        """The files of the sides of a cube: right, left, up, down, front, back."""
        return Words([self._node.get(side) for side in _CUBE_SIDES], lambda files: setattr(self, "cubefiles", files))

    @cubefiles.setter
    def cubefiles(self, files: Any) -> None:
        for side, file in zip(_CUBE_SIDES, exactly(6, "cubefiles")(files)):
            self._node.set(side, file)


class MjsMaterial(MjsElement):
    """How a surface looks."""

    @property
    def textures(self) -> Words:
        """Names of textures by mjtTextureRole."""
        return Words(self._node.textures(), self._node.set_textures)

    @textures.setter
    def textures(self, names: Any) -> None:
        self._node.set_textures(exactly(10, "textures")(names))


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


class MjsSkin(MjsElement):
    """A surface that follows bodies. Its bones are given by columns: bodyname, bindpos, bindquat, vertid, vertweight."""

    _BLANK: tuple[Any, ...] = ("", [0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [], [])

    def _column(self, place: int) -> list[Any]:
        return [bone[place] for bone in self._node.bones()]

    def _set_column(self, place: int, values: list[Any]) -> None:
        """Bones beyond the new values stay if something else of them is given."""
        rows = [list(bone) for bone in self._node.bones()]
        for row in rows:
            row[place] = self._BLANK[place]
        while len(rows) > len(values) and tuple(rows[-1]) == self._BLANK:
            rows.pop()
        rows += [list(self._BLANK) for _ in range(len(values) - len(rows))]
        for row, value in zip(rows, values):
            row[place] = value
        self._node.set_bones([tuple(row) for row in rows])

    def _set_numbers(self, place: int, count: int, values: Any) -> None:
        numbers = np.asarray(values, dtype=float).reshape(-1, count).tolist()
        self._set_column(place, numbers)

    @property
    def bodyname(self) -> Words:
        """The body of each bone."""
        return Words(self._column(0), lambda names: setattr(self, "bodyname", names))

    @bodyname.setter
    def bodyname(self, names: Any) -> None:
        self._set_column(0, [str(name) for name in names])

    @property
    def bindpos(self) -> Any:
        """Position of each bone at the bind pose, three numbers each."""
        return written_through(np.ravel(self._column(1)), lambda v: setattr(self, "bindpos", v))

    @bindpos.setter
    def bindpos(self, values: Any) -> None:
        self._set_numbers(1, 3, values)

    @property
    def bindquat(self) -> Any:
        """Orientation of each bone at the bind pose, four numbers each."""
        return written_through(np.ravel(self._column(2)), lambda v: setattr(self, "bindquat", v))

    @bindquat.setter
    def bindquat(self, values: Any) -> None:
        self._set_numbers(2, 4, values)

    @property
    def vertid(self) -> list[list[int]]:
        """The vertices of each bone."""
        return self._column(3)

    @vertid.setter
    def vertid(self, values: Any) -> None:
        self._set_column(3, [[int(vertex) for vertex in bone] for bone in values])

    @property
    def vertweight(self) -> list[list[float]]:
        """Their weights."""
        return self._column(4)

    @vertweight.setter
    def vertweight(self, values: Any) -> None:
        self._set_column(4, [[float(weight) for weight in bone] for bone in values])


class MjsPlugin(MjsElement):
    """A named instance of a plugin, which several elements may share."""

    @property
    def active(self) -> bool:
        """Whether elements to which it is assigned use it."""
        return bool(self._node.is_active)

    @active.setter
    def active(self, active: bool) -> None:
        self._node.is_active = bool(active)

    @property
    def config(self) -> dict[str, str]:
        """Its attributes; assigning replaces all."""
        return dict(self._node.config)

    @config.setter
    def config(self, config: Mapping[str, str]) -> None:
        self._node.config = _config_pairs(config)


class MjsEquality(MjsElement):
    """An equality constraint."""


class MjsWrap:
    """One element of a tendon's path."""

    def __init__(self, tendon: MjsTendon, place: int) -> None:
        self._tendon = tendon
        self._place = place

    def _row(self) -> tuple[int, str, str, float]:
        row: tuple[int, str, str, float] = self._tendon._node.path()[self._place]
        return row

    def _named(self, kind: str, name: str) -> Any:
        node = self._tendon._node.tree.find(kind, name) if name else None
        return None if node is None else wrap(node)

    @property
    def type(self) -> Any:
        """mjtWrap. A geom is a sphere until its type is known."""
        kind = mjtWrap(self._row()[0])
        geom = self.target if kind == mjtWrap.mjWRAP_SPHERE else None
        return mjtWrap.mjWRAP_CYLINDER if geom is not None and geom.type == mjtGeom.mjGEOM_CYLINDER else kind

    @property
    def target(self) -> MjsSite | MjsGeom | MjsJoint | None:
        """The site, geom or joint; None for a pulley."""
        kind = {mjtWrap.mjWRAP_JOINT: "joint", mjtWrap.mjWRAP_SITE: "site", mjtWrap.mjWRAP_SPHERE: "geom"}.get(
            mjtWrap(self._row()[0])
        )
        return cast("MjsSite | MjsGeom | MjsJoint | None", None if kind is None else self._named(kind, self._row()[1]))

    @property
    def sidesite(self) -> MjsSite | None:
        """The site on the side of a geom on which the path goes."""
        return cast("MjsSite | None", self._named("site", self._row()[2]))

    @property
    def coef(self) -> float:
        """The coefficient of a joint."""
        return self._row()[3]

    @property
    def divisor(self) -> float:
        """The divisor of a pulley."""
        return self._row()[3]

    @property
    def info(self) -> str:
        """Added to errors of the compiler: that of the tendon."""
        return str(self._tendon.info)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjsWrap) and (self._tendon, self._place) == (other._tendon, other._place)

    def __hash__(self) -> int:
        return hash((self._tendon, self._place))

    def __repr__(self) -> str:
        return f"<MjsWrap {self._row()[1] or self.divisor}>"


class MjsTendon(MjsElement):
    """A length on which springs, limits and actuators act."""

    def _wrap_last(self, kind: int, target: str, sidesite: str, number: float) -> MjsWrap:
        self._node.add_wrap(int(kind), target, sidesite, number)
        return self.path[-1]

    def wrap_site(self, name: str) -> MjsWrap:
        """Routes the path through a site."""
        return self._wrap_last(mjtWrap.mjWRAP_SITE, name, "", 0.0)

    def wrap_geom(self, name: str, sidesite: str = "") -> MjsWrap:
        """Routes the path around a geom, on the side of a site."""
        return self._wrap_last(mjtWrap.mjWRAP_SPHERE, name, sidesite, 0.0)

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Adds a joint position, times a coefficient, to the length."""
        return self._wrap_last(mjtWrap.mjWRAP_JOINT, name, "", coef)

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Ends a branch; the length of the next one is divided by divisor."""
        return self._wrap_last(mjtWrap.mjWRAP_PULLEY, "", "", divisor)

    @property
    def path(self) -> list[MjsWrap]:
        return [MjsWrap(self, place) for place in range(len(self._node.path()))]


class MjsActuator(_WithPlugin):
    """An actuator. The set_to methods take the attributes of MJCF's shortcuts."""

    def set_to_motor(self) -> None:
        self._node.set_shortcut("motor", {})

    def set_to_position(self, kp: float, **words: Any) -> None:
        """A position servo: kv or dampratio, timeconst, inheritrange."""
        self._node.set_shortcut("position", {"kp": kp, **words})

    def set_to_intvelocity(self, kp: float, *, timeconst: float | None = None, **words: Any) -> None:
        """A position servo whose target moves with the control: kv or dampratio, inheritrange. The dynamics do not use
        timeconst."""
        self._node.set_shortcut("intvelocity", {"kp": kp, **words})
        if timeconst is not None:
            self.dynprm[0] = timeconst

    def set_to_orientation(self, kp: float, **words: Any) -> None:
        """A servo of a rotation in space: kv or dampratio, ctrlspec."""
        self._node.set_shortcut("orientation", {"kp": kp, **words})

    def set_to_pid(self, **words: Any) -> None:
        """kp, kv or dampratio, ki, imax, slewmax."""
        self._node.set_shortcut("pid", words)

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


class MjsSensor(_WithPlugin):
    """A sensor."""

    def get_data_size(self) -> int:
        """How many numbers it measures."""
        return int(self._node.sensor_size())


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

    def _column(self, place: int) -> list[Any]:
        return [item[place] for item in self.items]

    def _set_column(self, place: int, values: list[Any]) -> None:
        """Items beyond the new values stay if something else of them is given."""
        blank: tuple[Any, ...] = (0, "", 0.0)
        rows = [list(item) for item in self.items]
        for row in rows:
            row[place] = blank[place]
        while len(rows) > len(values) and tuple(rows[-1]) == blank:
            rows.pop()
        rows += [list(blank) for _ in range(len(values) - len(rows))]
        for row, value in zip(rows, values):
            row[place] = value
        self._node.set_items([tuple(row) for row in rows])

    @property
    def objtype(self) -> Any:
        """mjtObj of each object."""
        return written_through(np.array(self._column(0), dtype=np.int32), lambda v: setattr(self, "objtype", v))

    @objtype.setter
    def objtype(self, values: Any) -> None:
        self._set_column(0, [int(value) for value in values])

    @property
    def objname(self) -> Words:
        """The name of each object."""
        return Words(self._column(1), lambda names: setattr(self, "objname", names))

    @objname.setter
    def objname(self, names: Any) -> None:
        self._set_column(1, [str(name) for name in names])

    @property
    def objprm(self) -> Any:
        """The number of each object."""
        return written_through(np.array(self._column(2), dtype=float), lambda v: setattr(self, "objprm", v))

    @objprm.setter
    def objprm(self, values: Any) -> None:
        self._set_column(2, [float(value) for value in values])


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

    @property
    def name(self) -> str:
        text: str = self._node.name
        return text

    @name.setter
    def name(self, name: str) -> None:
        self._node.name = name

    def delete(self) -> None:
        """Removes it and the classes below it; elements of the class keep their values."""
        self._node.remove()


class MjsOption(Attributes):
    """Physics options, as in MjOption."""


class MjsStatistic(Attributes):
    """Scales that override those computed by the compiler; NaN: computed."""


class MjsCompiler(Attributes):
    """How the model is interpreted and compiled."""

    eulerseq = characters("eulerseq", 3)

    @property
    def LRopt(self) -> Attributes:
        """How actuator length ranges are computed."""
        return Attributes(self._node.tree.setting("lengthrange"))

    @property
    def authored(self) -> int:
        """The attributes that the file gives, as bits in MuJoCo's order."""
        return authored_bits(self._node.tree, "compiler", _COMPILER_FIELDS)


class MjsVisualGroup(Attributes):
    """A group of settings for a viewer."""


class MjsVisual:
    """Settings for a viewer: global_, quality, headlight, map, scale, rgba."""

    def __init__(self, tree: Any) -> None:
        for group in ("global", "quality", "headlight", "map", "scale", "rgba"):
            settings = MjsVisualGroup(tree.setting(f"visual.{group}"))
            setattr(self, group, settings)
            if group == "global":
                self.global_ = settings

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"visual has no group '{name}'")


class MjsAuthored:
    """Which settings the file gives: for each group of settings the bits of its fields, in MuJoCo's order."""

    def __init__(self, tree: Any) -> None:
        self.option = authored_bits(tree, "option", _OPTION_FIELDS)
        self.disableflags = authored_bits(tree, "option/flag", _names_of(mjtDisableBit, "mjDSBL_"))
        self.enableflags = authored_bits(tree, "option/flag", _names_of(mjtEnableBit, "mjENBL_"))
        self.disableactuator = tree.setting("option").get("disableactuator") if self.option >> 63 & 1 else 0
        self.option &= (1 << 63) - 1
        for group, fields in _VISUAL_FIELDS.items():
            setattr(self, f"visual_{group}", authored_bits(tree, f"visual/{group}", fields))


def authored_bits(tree: Any, section: str, fields: Sequence[str]) -> int:
    given = {path.rpartition("/")[2] for path in tree.authored() if path.rpartition("/")[0] == section}
    return sum(1 << place for place, field in enumerate(fields) if field in given)


def _names_of(enum: Any, prefix: str) -> list[str]:
    """The flags of MJCF, by bit."""
    return [name.removeprefix(prefix).lower() for name in enum.__members__ if name.startswith(prefix)]


# the attributes of MJCF, in the order of the fields of MuJoCo's structs
_COMPILER_FIELDS = """autolimits boundmass boundinertia settotalmass balanceinertia fitaabb angle eulerseq discardvisual
    usethread fusestatic inertiafromgeom inertiagrouprange saveinertial alignfree conflict lengthrange meshdir
    texturedir""".split()
_OPTION_FIELDS = """timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance gravity wind
    magnetic density viscosity o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations
    ls_iterations noslip_iterations ccd_iterations disableflags enableflags disableactuator sdf_initpoints
    sdf_iterations""".split()
_OPTION_FIELDS += [""] * (63 - len(_OPTION_FIELDS)) + ["actuatorgroupdisable"]
_VISUAL_FIELDS = {
    group: [row[1] for row in _sinew._spec_fields(f"visual.{group}")]
    for group in ("global", "quality", "headlight", "map", "scale", "rgba")
}


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
    "skin": MjsSkin,
    "plugin": MjsPlugin,
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
    1: "body", 3: "joint", 5: "geom", 6: "site", 7: "camera", 8: "light", 9: "flex", 10: "mesh", 11: "skin", 25: "plugin", 12: "hfield", 13: "texture",
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
    return [wrap(other) for other in node.tree.list("default")]


def wrap(node: Node) -> Any:
    """The element of a node, always the same object."""
    return wrapper_of(node, CLASSES[node.kind])


def _wrap_body(node: Node) -> MjsBody | None:
    return None if node is None else cast(MjsBody, wrap(node))


def _copy_orientation(to: MjsOrientation, other: MjsOrientation) -> None:
    form = list(MjsOrientation._FORMS)[int(other.type) - 1] if other.type else None
    if form is None:
        to.type = 0
    else:
        setattr(to, form, np.array(getattr(other, form)))


def node_of(element: Attributes | None) -> Node:
    if element is not None and not isinstance(element, Attributes):
        raise TypeError(f"{element!r} is not part of an MjSpec")
    return None if element is None else element._node


_FORMS = tuple(MjsOrientation._FORMS)


def filled(node: Node, values: Mapping[str, Any]) -> Any:
    """A new element with these values; if one of them is invalid, it is not added."""
    element = wrap(node)
    try:
        for forms in (_FORMS, tuple(f"i{form}" for form in _FORMS)):
            if sum(form in values for form in forms) > 1:
                raise ValueError(f"Only one of: {', '.join(forms[:-1])}, or {forms[-1]} can be set.")
        for name, value in values.items():
            if not isinstance(getattr(type(element), name, None), property) and name not in _mjcf_names(node.kind):
                valid = sorted(name for name in dir(type(element)) if isinstance(getattr(type(element), name), property))
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(valid)}.")
            setattr(element, name, value)
    except Exception:
        node.discard()
        raise
    return element


@functools.cache
def _mjcf_names(kind: str) -> frozenset[str]:
    return frozenset(row[1] for row in _sinew._spec_fields(kind))


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
for _kind, _class in CLASSES.items():
    install(_class, _kind)
for _class, _kind in ((MjsOption, "option"), (MjsStatistic, "statistic"), (MjsCompiler, "compiler")):
    install(_class, _kind)
