"""Editable models: the tree between MJCF and MjModel, with the names of MuJoCo's MjSpec."""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from typing import IO, Any, Union, cast

import numpy as np

import sinew._sinew as _sinew
from sinew._attributes import wrapper_of
from sinew._bind import bind
from sinew._elements import (
    CLASSES,
    MjsActuator,
    MjsAuthored,
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
    MjsPlugin,
    MjsSensor,
    MjsSite,
    MjsSkin,
    MjsStatistic,
    MjsTendon,
    MjsText,
    MjsTexture,
    MjsTuple,
    MjsVisual,
    filled,
    kind_name,
    node_of,
    wrap,
)
from sinew._files import MjVfs
from sinew._plugin import Plugin
from sinew._sinew import MjData, MjModel

__all__ = ["MjSpec", "load_urdf"]


Files = Mapping[str, Union[bytes, str]]


def _files(include: Files | None, assets: Files | None, vfs: MjVfs | None) -> dict[str, bytes | str]:
    """All files in memory by name."""
    if vfs is not None and (include is not None or assets is not None):
        raise ValueError("Cannot specify both 'vfs' and 'include'/'assets'.")
    given = [include or {}, assets or {}, vfs.files if vfs is not None else {}]
    return {name: content for files in given for name, content in files.items()}


def _renamed(path: str, prefix: str, suffix: str) -> str:
    """A file name with a prefix, and a suffix before its extension."""
    folder, slash, name = path.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    return folder + slash + prefix + (f"{stem}{suffix}.{extension}" if dot else name + suffix)


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
    def _read(how: str, source: str, files: dict[str, bytes | str], memory_limit: int | None) -> Any:
        return getattr(_sinew._SpecTree, how)(source, files, memory_limit)

    @property
    def assets(self) -> dict[str, bytes | str]:
        """Contents of in-memory files, by name; assigning adds files."""
        files: dict[str, bytes | str] = self._tree.assets
        return files

    @assets.setter
    def assets(self, files: Files) -> None:
        self._tree.assets.update(files)

    @property
    def override_assets(self) -> bool:
        """Whether an attached model may replace in-memory files."""
        return bool(self._tree.override_assets)

    @override_assets.setter
    def override_assets(self, allowed: bool) -> None:
        self._tree.override_assets = bool(allowed)

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
        include: Files | None = None,
        assets: Files | None = None,
        vfs: MjVfs | None = None,
        *,
        memory_limit: int | None = None,
    ) -> MjSpec:
        """Reads an MJCF, URDF or SDFormat file; `include` and `assets` are contents of in-memory files, `memory_limit` is in bytes
        (default 4 GiB)."""
        spec = cls._of(cls._read("from_file", str(filename), _files(include, assets, vfs), memory_limit))
        spec.assets = {**(include or {}), **(assets or {})}
        return spec

    @classmethod
    def from_string(
        cls,
        xml: str,
        include: Files | None = None,
        assets: Files | None = None,
        vfs: MjVfs | None = None,
        *,
        memory_limit: int | None = None,
    ) -> MjSpec:
        """Reads MJCF, URDF or SDFormat text."""
        spec = cls._of(cls._read("from_string", xml, _files(include, assets, vfs), memory_limit))
        spec.assets = {**(include or {}), **(assets or {})}
        return spec

    def copy(self) -> MjSpec:
        """An independent copy."""
        return self._of(self._tree.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> MjSpec:
        return self.copy()

    def compile(
        self,
        vfs: MjVfs | None = None,
        *,
        memory_limit: int | None = None,
        plugins: Sequence[Plugin] | None = None,
    ) -> MjModel:
        """Compiles to a model; `vfs` are files in memory, `memory_limit` is in bytes, for the model and one MjData
        (default 4 GiB), `plugins` are those of the program."""
        model: MjModel = self._tree.compile(None if vfs is None else vfs.files, memory_limit, plugins)
        return model

    def recompile(
        self, model: MjModel, data: MjData, vfs: MjVfs | None = None, *, plugins: Sequence[Plugin] | None = None
    ) -> tuple[MjModel, MjData]:
        """The model of the edited tree, and a world with the state of everything that both models have."""
        if not isinstance(model, MjModel):
            raise TypeError("recompile needs an MjModel and an MjData")
        new: tuple[MjModel, MjData] = self._tree.recompile(data, None if vfs is None else vfs.files, plugins)
        return new

    def to_xml(self) -> str:
        """MJCF that compiles to the same model, bit for bit."""
        text: str = self._tree.to_xml()
        return text

    def to_file(self, filename: str) -> None:
        """Writes MJCF."""
        self._tree.to_file(str(filename))

    def encode(self, filename: str, model: MjModel | None = None, content_type: str | None = None) -> int:
        """Writes the model to a file whose type follows from its extension or content type: MJCF, or with `model` a
        binary model. Returns the number of bytes."""
        kind = content_type or os.path.splitext(filename)[1]
        if kind in (".xml", ".mjcf", "text/xml"):
            self.to_file(filename)
        elif kind in (".mjb", "application/mjb"):
            _sinew.mj_saveModel(model if model is not None else self.compile(), filename, None)
        else:
            raise _sinew.FatalError(f"encode: no encoder for '{filename}'")
        return os.path.getsize(filename)

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
    def comment(self) -> str:
        """A comment at the top of the MJCF."""
        text: str = self._tree.comment
        return text

    @comment.setter
    def comment(self, text: str) -> None:
        self._tree.comment = text

    @property
    def compiler(self) -> MjsCompiler:
        return wrapper_of(self._tree.setting("compiler"), MjsCompiler)

    @property
    def option(self) -> MjsOption:
        return wrapper_of(self._tree.setting("option"), MjsOption)

    @property
    def stat(self) -> MjsStatistic:
        return wrapper_of(self._tree.setting("statistic"), MjsStatistic)

    @property
    def authored(self) -> MjsAuthored:
        """The settings that the file gives."""
        return MjsAuthored(self._tree)

    @property
    def timer(self) -> np.ndarray[Any, Any]:
        """Seconds of the last compilation, by mjtCTimer; of meshes the sum, as mjCTIMER_MESH_LOAD."""
        return np.array(self._tree.timer)

    @property
    def parent(self) -> MjSpec | None:
        """The model that this one was attached to by reference."""
        tree = self._tree.parent
        return None if tree is None else self._of(tree)

    @property
    def _address(self) -> int:
        return int(self._tree.address)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjSpec) and self._tree is other._tree

    def __hash__(self) -> int:
        return hash(self._address)

    @staticmethod
    def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> list[float]:
        """The quaternion of an orientation in another form; angles in degrees or not, Euler angles by the sequence."""
        form = int(orientation.type)
        name = ("", "axisangle", "xyaxes", "zaxis", "euler")[form]
        numbers = [float(number) for number in getattr(orientation, name)] if name else []
        letters = "".join(sequence) if sequence is not None else "xyz"
        quat: list[float] = _sinew._resolve_orientation(bool(degree), letters, form, numbers)
        return quat

    @property
    def visual(self) -> MjsVisual:
        return MjsVisual(self._tree)

    @property
    def default(self) -> MjsDefault:
        """The class main, from which all others derive."""
        return cast(MjsDefault, wrap(self._tree.setting("default")))

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
        return cast(MjsBody, wrap(self._tree.setting("body")))

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
        node = self._tree.find(kind_name(kind), name)
        return None if node is None else wrap(node)

    def find_default(self, name: str) -> MjsDefault | None:
        return cast("MjsDefault | None", self.find("default", name))

    def delete(self, element: MjsElement | MjsDefault) -> None:
        """Removes an element, or a default class. A body or a frame goes with its contents and everything that refers to
        them; what refers to another element stays, and is an error when the model is compiled."""
        if not isinstance(element, (MjsElement, MjsDefault)):
            raise TypeError(f"{element!r} is not an element")
        if self._tree.is_attached:
            raise ValueError("Cannot delete element from an attached mjSpec.")
        if element._node.tree is not self._tree:
            raise ValueError(f"{element!r} is not part of this MjSpec")
        element.delete()

    def attach(
        self,
        child: MjSpec,
        prefix: str | None = None,
        suffix: str | None = None,
        site: MjsSite | str | None = None,
        frame: MjsFrame | str | None = None,
    ) -> MjsFrame:
        """Attaches the contents of another model in a frame or at a site; returns a new frame around them. In-memory
        files of the other model, and the assets that use them, get the prefix (default "/") and the suffix too."""
        if not isinstance(child, MjSpec):
            raise TypeError("attach needs an MjSpec")
        if site is None and frame is None:
            raise ValueError("One of frame or site must be specified.")
        if site is not None and frame is not None:
            raise ValueError("Only one of frame or site can be specified.")
        names = ("/" if prefix is None else prefix, suffix or "")
        if frame is not None:
            place = self._own("Frame", frame)._node
        else:
            place = self._own("Site", site)._node.frame_at_site()
        own, files = self._tree.assets, child._tree.assets
        renamed = {_renamed(name, *names): content for name, content in files.items()}
        for name in renamed:
            if name in own and not self.override_assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")
        before = {kind: len(self._tree.list(kind)) for kind in ("mesh", "hfield", "texture")}
        added = wrap(place.attach(None, child._tree, *names))
        own.update(renamed)
        for kind, first in before.items():
            for node in self._tree.list(kind)[first:] if files else []:
                if file := node.get("file"):
                    node.set("file", _renamed(file, *names))
        return cast(MjsFrame, added)

    def _own(self, kind: str, given: Any) -> Any:
        """A frame or site of this model, by name or as it is."""
        found = self.find(kind.lower(), given) if isinstance(given, str) else given
        if found is None:
            raise ValueError(f"{kind} not found.")
        if not isinstance(found, CLASSES[kind.lower()]):
            raise TypeError(f"{found!r} is not a {kind.lower()}")
        if found._node.tree is not self._tree:
            raise ValueError(f"{kind} spec does not match parent spec.")
        return found

    def add_default(self, classname: str, parent: MjsDefault | None = None) -> MjsDefault:
        """A new default class, initially a copy of its parent (default: main)."""
        return cast(MjsDefault, wrap(self._tree.add_class(classname, node_of(parent))))

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

    def add_skin(self, **values: Any) -> MjsSkin:
        return cast(MjsSkin, self._add("skin", None, values))

    def add_plugin(self, **values: Any) -> MjsPlugin:
        """A named instance of a plugin: name, plugin_name, active, config."""
        return cast(MjsPlugin, self._add("plugin", None, {"active": False, **values}))

    def activate_plugin(self, name: str) -> None:
        """Lets the model use a plugin, as <extension> does. Whether there is one of this name is checked when the model is
        compiled."""
        self._tree.activate_plugin(name)

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


def load_urdf(
    filename: str,
    *,
    packages: Mapping[str, str] | None = None,
    package_folders: Sequence[str] = (),
    base: str = "as_written",
    actuators: str = "motor",
    kp: float = 0,
    kv: float = 0,
    keep_fixed: bool = False,
    visuals: bool = False,
    frames: bool = False,
    strict: bool = False,
    assets: Mapping[str, bytes | str] | None = None,
    memory_limit: int | None = None,
) -> MjSpec:
    """Reads a URDF or SDFormat file, with what such a file leaves open:

    packages: folder of each package by name; package_folders: folders that contain packages.
    base: "as_written", "fixed", or "floating": a free joint for each link without parent.
    actuators: "none", "motor", or "position" with the gains kp and kv.
    keep_fixed: links on fixed joints stay bodies. visuals: visual geoms are kept. frames: links that are fused leave a site.
    strict: what would be a warning about the file's contents is an error.

    What the file says and a model cannot express is a Python warning.
    """
    files = _files(None, assets, None)
    words = {
        "packages": {name: str(folder) for name, folder in (packages or {}).items()},
        "package_folders": [str(folder) for folder in package_folders],
        "base": base,
        "actuators": actuators,
        "kp": kp,
        "kv": kv,
        "keep_fixed": keep_fixed,
        "visuals": visuals,
        "frames": frames,
        "strict": strict,
    }
    tree, problems = _sinew._SpecTree.from_urdf(str(filename), files, memory_limit, words)
    for problem in problems:
        warnings.warn(problem, stacklevel=2)
    spec = MjSpec._of(tree)
    spec.assets = files
    return spec
