"""Editable models: the tree between MJCF and MjModel, with the names of MuJoCo's MjSpec."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import IO, Any, cast

import sinew._sinew as _sinew
from sinew._bind import bind
from sinew._elements import (
    CLASSES,
    MjsActuator,
    MjsBody,
    MjsCompiler,
    MjsDefault,
    MjsElement,
    MjsEquality,
    MjsExclude,
    MjsFlex,
    MjsFrame,
    MjsHField,
    MjsKey,
    MjsMaterial,
    MjsMesh,
    MjsNumeric,
    MjsOption,
    MjsPair,
    MjsSensor,
    MjsSite,
    MjsStatistic,
    MjsTendon,
    MjsText,
    MjsTexture,
    MjsTuple,
    MjsVisual,
    attach,
    filled,
    kind_name,
    node_of,
    wrap,
)
from sinew._sinew import MjData, MjModel

__all__ = ["MjSpec"]


def _files(*given: Mapping[str, bytes | str] | None) -> dict[str, bytes]:
    out: dict[str, bytes] = {}
    for files in given:
        for name, content in (files or {}).items():
            out[name] = content.encode() if isinstance(content, str) else bytes(content)
    return out


class MjSpec:
    """An editable model: read or build it, edit it, compile it, write it.

    Attributes have MuJoCo's names; those of MJCF are accepted too. Names are resolved when the model is compiled, so
    the order of edits does not matter. A wrong value or name raises a ValueError that lists the valid ones.
    """

    _tree: Any  # sinew._sinew._SpecTree

    def __init__(self) -> None:
        self._tree = _sinew._SpecTree()

    @classmethod
    def _of(cls, tree: Any) -> MjSpec:
        spec = cls()
        spec._tree = tree
        return spec

    @staticmethod
    def _read(how: str, source: str, files: dict[str, bytes], memory_limit: int | None) -> Any:
        return getattr(_sinew._SpecTree, how)(source, files, memory_limit)

    @property
    def assets(self) -> dict[str, bytes]:
        """Contents of in-memory files, by name."""
        files: dict[str, bytes] = self._tree.assets
        return files

    @assets.setter
    def assets(self, files: Mapping[str, bytes | str]) -> None:
        self._tree.assets = _files(files)

    @property
    def copy_during_attach(self) -> bool:
        """Whether attaching copies. If False in both models, attached elements become part of the other model, with new
        names; existing references to them stay valid."""
        return bool(self._tree.copy_during_attach)

    @copy_during_attach.setter
    def copy_during_attach(self, copies: bool) -> None:
        self._tree.copy_during_attach = bool(copies)

    @classmethod
    def from_file(
        cls,
        filename: str,
        include: Mapping[str, bytes | str] | None = None,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        memory_limit: int | None = None,
    ) -> MjSpec:
        """Reads an MJCF file; `include` and `assets` are contents of in-memory files, `memory_limit` is in bytes
        (default 4 GiB)."""
        files = _files(include, assets)
        spec = cls._of(cls._read("from_file", str(filename), files, memory_limit))
        spec.assets = files
        return spec

    @classmethod
    def from_string(
        cls,
        xml: str,
        include: Mapping[str, bytes | str] | None = None,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        memory_limit: int | None = None,
    ) -> MjSpec:
        """Reads MJCF text."""
        files = _files(include, assets)
        spec = cls._of(cls._read("from_string", xml, files, memory_limit))
        spec.assets = files
        return spec

    def copy(self) -> MjSpec:
        """An independent copy."""
        return self._of(self._tree.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    def compile(self, *, memory_limit: int | None = None) -> MjModel:
        """Compiles to a model; `memory_limit`: bytes allowed for it and one MjData (default 4 GiB)."""
        model: MjModel = self._tree.compile(memory_limit)
        return model

    def recompile(self, model: MjModel, data: MjData) -> tuple[MjModel, MjData]:
        """The model of the edited tree, and a world with the state of everything that both models have."""
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

    def to_zip(self, file: str | IO[bytes]) -> None:
        """Writes MJCF and the in-memory assets to a zip file, in a folder with the name of the model."""
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"{self.modelname}/{self.modelname}.xml", self.to_xml())
            for name, content in self.assets.items():
                archive.writestr(f"{self.modelname}/{name}", content)

    @classmethod
    def from_zip(cls, file: str | IO[bytes]) -> MjSpec:
        """Reads a zip file with one MJCF file and its assets."""
        with zipfile.ZipFile(file) as archive:
            files = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        models = [name for name in files if name.endswith(".xml")]
        if len(models) != 1:
            raise ValueError(f"a zip file of a model must have one .xml file, this one has {', '.join(models) or 'none'}")
        folder = models[0].rpartition("/")[0]
        assets = {name.removeprefix(f"{folder}/"): content for name, content in files.items() if name != models[0]}
        return cls.from_string(files[models[0]].decode(), assets=assets)

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
        """The folder to which asset paths are relative."""
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
        """The class main, from which all others derive."""
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
        return [wrap(node) for node in self._tree.list(kind_name(kind))]

    def find(self, kind: Any, name: str) -> Any:
        """The element with this kind and name, or None."""
        if not isinstance(name, str):
            raise TypeError(f"the name of an element must be a str, not {name!r}")
        return next((element for element in self.find_all(kind) if element.name == name), None)

    def find_default(self, name: str) -> MjsDefault | None:
        return cast("MjsDefault | None", self.find("default", name))

    def delete(self, element: MjsElement | MjsDefault) -> None:
        """Removes an element and everything that refers to it, a body or frame with its contents; or a default class."""
        if not isinstance(element, (MjsElement, MjsDefault)):
            raise TypeError(f"{element!r} is not an element")
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
        """Attaches the contents of another model in a frame or at a site; returns a new frame around them."""
        if not isinstance(child, MjSpec):
            raise TypeError("attach needs an MjSpec")
        if (site is None) == (frame is None):
            raise ValueError("attach needs either site or frame")
        if frame is not None:
            place = (self._named("frame", frame) if isinstance(frame, str) else frame)._node
        else:
            place = (self._named("site", site) if isinstance(site, str) else cast(MjsSite, site))._node.frame_at_site()
        return MjsFrame(attach(place, None, child._tree, (prefix, suffix)))

    def _named(self, kind: str, name: str) -> Any:
        found = self.find(kind, name)
        if found is None:
            raise ValueError(f"there is no {kind} '{name}'")
        return found

    def add_default(self, classname: str, parent: MjsDefault | None = None) -> MjsDefault:
        """A new default class, initially a copy of its parent (default: main)."""
        return MjsDefault(self._tree.add_class(classname, node_of(parent)))

    def _add(self, kind: str, default: MjsDefault | None, values: Mapping[str, Any]) -> Any:
        return filled(self._tree.add(kind, node_of(default)), values)

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

    def add_flex(self, **values: Any) -> MjsFlex:
        return cast(MjsFlex, self._add("flex", None, values))

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


def _elements_of(kind: str) -> property:
    def elements(self: MjSpec) -> list[Any]:
        return self.find_all(kind)

    return property(elements, doc=f"All elements of class {CLASSES[kind].__name__}, in the order of the compiled model.")


def _finder_of(kind: str) -> Any:
    def finder(self: MjSpec, name: str) -> Any:
        return self.find(kind, name)

    finder.__name__ = kind
    finder.__doc__ = f"The {CLASSES[kind].__name__} with this name, or None."
    return finder


for _class in (MjModel, MjData):
    setattr(_class, "bind", bind)

# spec.geoms and spec.geom(name), for every kind of element
_PLURALS = {"body": "bodies", "flex": "flexes", "mesh": "meshes", "equality": "equalities"}
for _kind in CLASSES:
    setattr(MjSpec, _PLURALS.get(_kind, f"{_kind}s"), _elements_of(_kind))
    if _kind != "default":
        setattr(MjSpec, _kind, _finder_of(_kind))
