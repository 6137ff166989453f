"""Plugins written in Python: actuators, sensors, passive forces and signed distance fields of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sinew._enums import mjtStage
from sinew._sinew import MjModel

__all__ = ["Plugin"]


class Plugin:
    """A kind of plugin. Pass objects of derived classes to the loading functions as ``plugins=[...]``.

    ``make`` returns the instance of one world: an object with the functions that its capabilities need, or None. World
    and model arguments give copies of fields by name and are valid only during the call.

    - actuators: ``actuator_force(world, actuator) -> float``, and optionally ``act_dot(world, actuator) -> list`` with
      the rates of the activations that are not of the actuator's dyntype
    - sensors: ``sensor(world, sensor) -> list``
    - passive forces: ``passive_force(world) -> list`` of nv numbers
    - optionally ``reset(world)`` and ``advance(world)``, which return the new state (``world.state``) or None

    An instance is copied with a world by ``copy.deepcopy``. ``shape`` returns an object with ``distance(x) -> float``,
    ``box() -> (center, half sizes)`` and optionally ``gradient(x) -> list``; it belongs to the model.
    """

    name: str = ""
    capabilities = 0  # mjtPluginCapabilityBit
    attributes: Sequence[str] = ()
    stage = mjtStage.mjSTAGE_ACC  # of its sensors

    def sensor_size(self, config: Mapping[str, str]) -> int:
        """Number of values of a sensor; config: texts by attribute."""
        return 0

    def state_size(self, config: Mapping[str, str]) -> int:
        """Number of values in plugin_state."""
        return 0

    def make(self, model: MjModel, instance: int, config: Mapping[str, str]) -> Any:
        """The instance in a new world, or None."""
        return None

    def shape(self, config: Mapping[str, str]) -> Any:
        """The signed distance field of an instance, or None."""
        return None
