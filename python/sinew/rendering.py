"""mujoco.rendering.classic: the same renderer and contexts under their newer path."""

import sys
import types

from sinew import egl, gl_context, glfw, osmesa, renderer
from sinew.gl_context import GLContext
from sinew.renderer import Renderer

__all__ = ["classic"]

classic = types.ModuleType(__name__ + ".classic", __doc__)
classic.__dict__.update(
    GLContext=GLContext, Renderer=Renderer, gl_context=gl_context, renderer=renderer, egl=egl, glfw=glfw, osmesa=osmesa
)
sys.modules[classic.__name__] = classic
