"""GLContext under the name of a back end of MuJoCo; see gl_context."""

from sinew.gl_context import GLContext

__all__ = ["GLContext"]
