"""GLContext, which clients make before they draw. Pictures need no OpenGL: it does nothing, and always succeeds, whatever
MUJOCO_GL says."""

from typing import Any

__all__ = ["GLContext"]


class GLContext:
    """A token: nothing is allocated."""

    def __init__(self, max_width: int = 0, max_height: int = 0) -> None:
        self._size = (int(max_width), int(max_height))

    def make_current(self) -> None:
        """Nothing to do: no thread owns a picture."""

    def free(self) -> None:
        """Nothing to release."""

    def __enter__(self) -> "GLContext":
        return self

    def __exit__(self, *args: Any) -> None:
        self.free()
