"""Rendering. Descriptions of a view are plain data; everything that draws raises NotImplementedError."""

from typing import Any

import numpy as np

__all__ = [
    "GLContext", "MjrContext", "MjrRect", "MjrRendererInfo", "MjvCamera", "MjvFigure", "MjvGLCamera", "MjvGeom",
    "MjvLight", "MjvOption", "MjvPerturb", "MjvScene", "Renderer",
]  # fmt: skip

_MISSING = "sinew has no renderer: {} is not available. Draw data.geom_xpos and data.geom_xmat with another tool."


class MjvCamera:
    """A camera of a viewer."""

    def __init__(self) -> None:
        self.type = 0
        self.fixedcamid = -1
        self.trackbodyid = -1
        self.lookat = np.zeros(3)
        self.distance = 2.0
        self.azimuth = 90.0
        self.elevation = -45.0
        self.orthographic = 0


class MjvOption:
    """What a viewer shows."""

    def __init__(self) -> None:
        self.label = 0
        self.frame = 0
        groups = [1, 1, 1, 0, 0, 0]
        self.geomgroup = np.array(groups, np.uint8)
        self.sitegroup = np.array(groups, np.uint8)
        self.jointgroup = np.array(groups, np.uint8)
        self.tendongroup = np.array(groups, np.uint8)
        self.actuatorgroup = np.array(groups, np.uint8)
        self.flexgroup = np.array(groups, np.uint8)
        self.skingroup = np.array(groups, np.uint8)
        self.flags = np.zeros(31, np.uint8)
        self.bvh_depth = 1
        self.flex_layer = 0


class MjvPerturb:
    """A body perturbed by the user with the mouse."""

    def __init__(self) -> None:
        self.select = 0
        self.flexselect = -1
        self.skinselect = -1
        self.active = 0
        self.active2 = 0
        self.refpos = np.zeros(3)
        self.refquat = np.array([1.0, 0, 0, 0])
        self.refselpos = np.zeros(3)
        self.localpos = np.zeros(3)
        self.localmass = 0.0
        self.scale = 1.0


def _missing(name: str) -> Any:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(_MISSING.format(name))

    return type(name, (), {"__init__": refuse, "__doc__": "Not implemented: sinew has no renderer.", "__module__": "sinew"})


MjvScene = _missing("MjvScene")
MjvFigure = _missing("MjvFigure")
MjvGeom = _missing("MjvGeom")
MjvLight = _missing("MjvLight")
MjvGLCamera = _missing("MjvGLCamera")
MjrRect = _missing("MjrRect")
MjrContext = _missing("MjrContext")
MjrRendererInfo = _missing("MjrRendererInfo")
Renderer = _missing("Renderer")
GLContext = _missing("GLContext")

