"""Physics engine for robots, creatures and machines, with the names of the Python package mujoco.

    import sinew as mujoco

    model = mujoco.MjModel.from_xml_path("humanoid.xml")
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=100)
    print(data.qpos, data.body("pelvis").xpos)

Arrays are live views of the engine's memory. docs/python.md describes the differences from mujoco.
"""

import typing as _typing

import numpy as _np

from sinew import _derived, _named, _sinew
from sinew._constants import *  # noqa: F403
from sinew._enums import *  # noqa: F403
from sinew._files import *  # noqa: F403
from sinew._log import *  # noqa: F403
from sinew._plugin import *  # noqa: F403
from sinew._print import *  # noqa: F403
from sinew._render import *  # noqa: F403
from sinew._sinew import *  # noqa: F403
from sinew._support import *  # noqa: F403
from sinew._util import *  # noqa: F403

__version__ = _sinew._version
MJTNUM_DTYPE = _np.float64

_named_views = _named.install(_sinew.MjModel, _sinew.MjData)
globals().update(_named_views)
_derived.install(_sinew.MjData, _sinew._MjStruct)

from sinew._alias import install_as_mujoco  # noqa: E402
from sinew.gl_context import GLContext  # noqa: E402,F401
from sinew.renderer import BatchRenderer, Renderer  # noqa: E402,F401
from sinew._elements import *  # noqa: E402,F403
from sinew.spec import *  # noqa: E402,F403

_STRUCTS = [
    value
    for name, value in sorted(globals().items())
    if isinstance(value, type) and name.startswith("Mj") and not issubclass(value, Exception)
]
MjStruct = _typing.Union[tuple(_STRUCTS)]  # of any kind, for annotations

__all__ = [name for name in dir() if not name.startswith("_")] + sorted(_named_views)
