"""The package under the name mujoco."""

import importlib
import importlib.util
import sys
import types

import sinew
from sinew import _constants, _enums, _sinew

# modules that clients import from mujoco, and their counterparts here
_MODULES = {
    "_enums": _enums,
    "_constants": _constants,
    "_structs": _sinew,
    "_functions": _sinew,
    "_callbacks": _sinew,
    "_errors": _sinew,
}
_OPTIONAL = ("rollout", "minimize", "viewer", "gl_context", "egl", "glfw", "osmesa", "renderer", "rendering")


def install_as_mujoco() -> types.ModuleType:
    """Makes `import mujoco` return sinew in this process from now on; returns that module.

    It has sinew's contents and MuJoCo's version, which clients check; sinew.__version__ is not changed.
    """
    present = sys.modules.get("mujoco")
    if present is not None:
        if getattr(present, "__sinew__", False):
            return present
        raise RuntimeError("mujoco is already imported; call install_as_mujoco() first")
    module = types.ModuleType("mujoco", sinew.__doc__)
    names = {name: value for name, value in vars(sinew).items() if not name.startswith("__")}
    module.__dict__.update(names)
    module.__dict__.update(
        __sinew__=True, __version__=_sinew._mujoco_version, __file__=sinew.__file__, __path__=[], __package__="mujoco"
    )
    submodules = dict(_MODULES)
    for name in _OPTIONAL:
        if importlib.util.find_spec(f"sinew.{name}") is not None:
            submodules[name] = importlib.import_module(f"sinew.{name}")
    submodules["rendering.classic"] = submodules["rendering"].classic
    sys.modules["mujoco"] = module
    for name, content in submodules.items():
        sys.modules[f"mujoco.{name}"] = content
        if "." not in name:
            setattr(module, name, content)
    return module
