"""Objects by name or number: model.body("arm"), data.joint(3).

The attributes of a view follow from the field tables: a field with one row per object of the group is an attribute,
without the group's prefix. Fields with several rows per object (qpos of a joint, data of a sensor) are sliced by the
addresses in the model. Attributes are numpy views: the engine reads what is written to them.
"""

from __future__ import annotations

import numpy as np

from sinew import _sinew
from sinew._enums import mjtObj

_NOTHING = np.zeros(0)


class _Cut:
    """How one attribute is sliced from a field of the model or the world."""

    __slots__ = ("field", "rows", "keep")

    def __init__(self, field, rows, keep):
        self.field = field  # name of the field
        self.rows = rows  # model, id -> first row, number of rows
        self.keep = keep  # keep the rows as a dimension

    def __call__(self, owner, model, index):
        array = getattr(owner, self.field)
        first, count = self.rows(model, index)
        if self.keep or array.ndim == 1:
            return array[first : first + count]
        return array[first] if count == 1 else array[first : first + count]


def _own(model, index):
    return index, 1


def _by(adr, num):
    def rows(model, index):
        first = int(getattr(model, adr)[index])
        return (first, int(getattr(model, num)[index])) if first >= 0 else (0, 0)

    return rows


_QPOS_SIZE = (7, 4, 1, 1)
_DOF_SIZE = (6, 3, 1, 1)


def _qpos_rows(model, index):
    return int(model.jnt_qposadr[index]), _QPOS_SIZE[model.jnt_type[index]]


def _dof_rows(model, index):
    return int(model.jnt_dofadr[index]), _DOF_SIZE[model.jnt_type[index]]


class _Group:
    """One kind of object: its names in Python, its size, prefix and other tables with attributes of it."""

    def __init__(self, names, title, kind, size, prefix, more=(), extra=None):
        self.names = names
        self.title = title  # of the view's class
        self.kind = kind  # mjtObj
        self.size = size
        self.prefix = prefix
        self.more = more  # (size, rows, keep): fields with other row counts that belong to the object
        self.extra = extra or {}  # attribute -> (model or data, model, index) -> array


def _hfield_data(owner, model, index):
    first, rows, cols = int(model.hfield_adr[index]), int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    return model.hfield_data[first : first + rows * cols].reshape(rows, cols)


def _tex_data(owner, model, index):
    first = int(model.tex_adr[index])
    shape = model.tex_height[index], model.tex_width[index], model.tex_nchannel[index]
    return model.tex_data[first : first + int(np.prod(shape))].reshape(shape)


def _sensor_data(owner, model, index):
    first = int(model.sensor_adr[index])
    return owner.sensordata[first : first + int(model.sensor_dim[index])]


_CTRL = ("nu", _by("actuator_ctrladr", "actuator_ctrlnum"), False)
_OUT = ("nout", _by("actuator_outadr", "actuator_outnum"), False)
_ACT = ("na", _by("actuator_actadr", "actuator_actnum"), False)
_QPOS = ("nq", _qpos_rows, True)
_DOF = ("nv", _dof_rows, True)

_MODEL_GROUPS = (
    _Group(("actuator",), "Actuator", mjtObj.mjOBJ_ACTUATOR, "nactuator", "actuator_", (_CTRL, _OUT)),
    _Group(("body",), "Body", mjtObj.mjOBJ_BODY, "nbody", "body_"),
    _Group(("cam", "camera"), "Camera", mjtObj.mjOBJ_CAMERA, "ncam", "cam_"),
    _Group(("eq", "equality"), "Equality", mjtObj.mjOBJ_EQUALITY, "neq", "eq_"),
    _Group(("exclude",), "Exclude", mjtObj.mjOBJ_EXCLUDE, "nexclude", "exclude_"),
    _Group(("geom",), "Geom", mjtObj.mjOBJ_GEOM, "ngeom", "geom_"),
    _Group(("hfield",), "Hfield", mjtObj.mjOBJ_HFIELD, "nhfield", "hfield_", (), {"data": _hfield_data}),
    _Group(("jnt", "joint"), "Joint", mjtObj.mjOBJ_JOINT, "njnt", "jnt_", (_QPOS, _DOF)),
    _Group(("light",), "Light", mjtObj.mjOBJ_LIGHT, "nlight", "light_"),
    _Group(("mat", "material"), "Material", mjtObj.mjOBJ_MATERIAL, "nmat", "mat_"),
    _Group(("mesh",), "Mesh", mjtObj.mjOBJ_MESH, "nmesh", "mesh_"),
    _Group(("numeric",), "Numeric", mjtObj.mjOBJ_NUMERIC, "nnumeric", "numeric_",
           (("nnumericdata", _by("numeric_adr", "numeric_size"), True),)),
    _Group(("pair",), "Pair", mjtObj.mjOBJ_PAIR, "npair", "pair_"),
    _Group(("sensor",), "Sensor", mjtObj.mjOBJ_SENSOR, "nsensor", "sensor_"),
    _Group(("site",), "Site", mjtObj.mjOBJ_SITE, "nsite", "site_"),
    _Group(("skin",), "Skin", mjtObj.mjOBJ_SKIN, "nskin", "skin_"),
    _Group(("tendon",), "Tendon", mjtObj.mjOBJ_TENDON, "ntendon", "tendon_"),
    _Group(("tex", "texture"), "Texture", mjtObj.mjOBJ_TEXTURE, "ntex", "tex_", (), {"data": _tex_data}),
    _Group(("text",), "Text", mjtObj.mjOBJ_TEXT, "ntext", "text_"),
    _Group(("tuple",), "Tuple", mjtObj.mjOBJ_TUPLE, "ntuple", "tuple_",
           (("ntupledata", _by("tuple_adr", "tuple_size"), True),)),
    _Group(("key", "keyframe"), "Keyframe", mjtObj.mjOBJ_KEY, "nkey", "key_"),
)  # fmt: skip

_DATA_GROUPS = (
    _Group(("actuator",), "Actuator", mjtObj.mjOBJ_ACTUATOR, "nactuator", "actuator_", (_CTRL, _OUT, _ACT)),
    _Group(("body",), "Body", mjtObj.mjOBJ_BODY, "nbody", "body_"),
    _Group(("cam", "camera"), "Camera", mjtObj.mjOBJ_CAMERA, "ncam", "cam_"),
    _Group(("geom",), "Geom", mjtObj.mjOBJ_GEOM, "ngeom", "geom_"),
    _Group(("jnt", "joint"), "Joint", mjtObj.mjOBJ_JOINT, "njnt", "jnt_", (_QPOS, _DOF)),
    _Group(("light",), "Light", mjtObj.mjOBJ_LIGHT, "nlight", "light_"),
    _Group(("sensor",), "Sensor", mjtObj.mjOBJ_SENSOR, "nsensor", "sensor_", (), {"data": _sensor_data}),
    _Group(("site",), "Site", mjtObj.mjOBJ_SITE, "nsite", "site_"),
    _Group(("ten", "tendon"), "Tendon", mjtObj.mjOBJ_TENDON, "ntendon", "ten_"),
)


def _attributes(group, fields):
    """Attribute name -> cut. The group's own fields take precedence over those of its other tables."""
    cuts = {}
    for name, dtype, rows, _, _ in fields:
        if rows == group.size and dtype != "bytes" and not name.startswith("name_"):
            cuts.setdefault(name.removeprefix(group.prefix), _Cut(name, _own, False))
    for size, rows, keep in group.more:
        for name, dtype, field_rows, _, _ in fields:
            if field_rows == size:
                short = name.removeprefix(group.prefix)
                for prefix in ("dof_", "numeric_", "tuple_"):
                    short = short.removeprefix(prefix)
                cuts.setdefault(short, _Cut(name, rows, keep))
    cuts.update(group.extra)
    return cuts


class _View:
    """One object of a model or a world; its fields are attributes."""

    __slots__ = ("_owner", "_model", "_id", "_arrays")
    _cuts: dict = {}
    _kind = mjtObj.mjOBJ_UNKNOWN

    def __init__(self, owner, model, index):
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_model", model)
        object.__setattr__(self, "_id", index)
        object.__setattr__(self, "_arrays", {})

    @property
    def id(self) -> int:
        return self._id

    @property
    def name(self) -> str:
        return _sinew.mj_id2name(self._model, self._kind, self._id) or ""

    def __repr__(self):
        lines = [f"<{type(self).__name__}"]
        for name in sorted((*self._cuts, "id", "name")):
            lines.append(f"  {name}: {getattr(self, name)!r}")
        return "\n".join((*lines, ">"))


def _property(name, cut, doc):
    def get(view):
        array = view._arrays.get(name)
        if array is None:
            array = cut(view._owner, view._model, view._id)
            if array.dtype.kind == "f":  # arrays of integers are compared before each call as long as they are held
                view._arrays[name] = array
        return array

    def set(view, value):
        get(view)[...] = value

    return property(get, set, doc=doc)


def _view_class(group, fields, of):
    cuts = _attributes(group, fields)
    docs = {name: doc for name, _, _, _, doc in fields}
    body = {"__slots__": (), "_cuts": cuts, "_kind": int(group.kind), "__module__": "sinew"}
    for name, cut in cuts.items():
        body[name] = _property(name, cut, docs.get(getattr(cut, "field", ""), ""))
    return type(f"_{of}{group.title}Views", (_View,), body)


def _names(model, kind, count):
    return [_sinew.mj_id2name(model, kind, i) for i in range(count)]


class _Views:
    """The views of one group of one owner, each made once."""

    __slots__ = ("owner", "model", "cls", "ids", "names", "views")

    def __init__(self, owner, model, cls, count):
        self.owner, self.model, self.cls = owner, model, cls
        self.names = _names(model, cls._kind, count)
        self.ids = {name: i for i, name in enumerate(self.names) if name}
        self.views = [None] * count

    def __call__(self, key):
        if isinstance(key, str):
            index = self.ids.get(key, -1)
            if index < 0:
                raise KeyError(f"Invalid name '{key}'. Valid names: {sorted(self.ids)}")
        else:
            index = key.__index__()
            if not 0 <= index < len(self.views):
                raise IndexError(f"Invalid index {index}. Valid indices from 0 to {len(self.views) - 1}")
        view = self.views[index]
        if view is None:
            view = self.views[index] = self.cls(self.owner, self.model, index)
        return view


def _accessor(group, cls, of_data):
    title = cls.__name__

    def access(self, key=""):
        cache = self._named
        views = cache.get(title)
        if views is None:
            # views refer to another object over the same memory, to avoid a reference cycle
            owner = cache.get("")
            if owner is None:
                owner = cache[""] = self._alias()
            model = owner.model if of_data else owner
            views = cache[title] = _Views(owner, model, cls, int(getattr(model, group.size)))
        try:
            return views(key)
        except AttributeError:
            raise TypeError(f"{group.names[-1]}() takes a name or an index, not {type(key).__name__}") from None

    access.__name__ = group.names[0]
    access.__doc__ = f"The {group.names[-1]} with this name or id."
    return access


def install(model_class, data_class):
    """Adds the methods to MjModel and MjData; returns the view classes."""
    classes = {}
    for cls, groups, fields, of in (
        (model_class, _MODEL_GROUPS, _sinew._model_fields, "MjModel"),
        (data_class, _DATA_GROUPS, _sinew._data_fields, "MjData"),
    ):
        for group in groups:
            view = _view_class(group, fields, of)
            classes[view.__name__] = view
            for name in group.names:
                setattr(cls, name, _accessor(group, view, cls is data_class))
    return classes
