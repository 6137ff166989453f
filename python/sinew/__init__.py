"""Physics engine for robots, creatures and machines, under the names of the package mujoco."""

from sinew._sinew import *  # noqa: F403
from sinew import _sinew

__version__ = _sinew.version
