"""Open-loop simulation from many initial states on many threads."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sinew._sinew as _sinew
from sinew._sinew import MjData, MjModel

__all__ = ["Rollout", "RolloutWarning", "rollout", "shutdown_persistent_pool"]

Array = NDArray[np.float64]

_CTRL: int = _sinew._Rollout.mjSTATE_CTRL
_FULLPHYSICS: int = _sinew._Rollout.mjSTATE_FULLPHYSICS
_USER: int = _sinew._Rollout.mjSTATE_USER


class RolloutWarning(RuntimeWarning):
    """Some rollouts diverged: their remaining rows repeat the last one."""


class Rollout:
    """Rollouts on its own thread pool; a context manager that ends the threads.

    `diverged` describes the last call: for each rollout the step that diverged, or -1.
    """

    def __init__(self, *, nthread: int | None = None) -> None:
        self.nthread = 0 if nthread is None else int(nthread)
        if self.nthread < 0:
            raise ValueError(f"nthread must not be negative, got {self.nthread}")
        self.diverged: NDArray[np.int32] = np.zeros(0, np.int32)
        self._pool = _sinew._Rollout(self.nthread)

    def __enter__(self) -> Rollout:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the threads; later rollouts raise a RuntimeError."""
        self._pool.close()

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: Any,
        control: Any = None,
        *,
        control_spec: int = _CTRL,
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: Any = None,
        state: Array | None = None,
        sensordata: Array | None = None,
        chunk_size: int | None = None,
    ) -> tuple[Array, Array]:
        """Simulates from each initial state with the given controls.

        Args:
          model: one model, or one per rollout (of the same sizes).
          data: one MjData per thread as workspace; its contents do not matter and are overwritten.
          initial_state: (nbatch, nstate) or (nstate,), the parts mjSTATE_FULLPHYSICS.
          control: (nbatch, nstep, ncontrol), (nstep, ncontrol) or (ncontrol,); None: as after a reset.
          control_spec: the parts of mjSTATE_USER that `control` sets before each step.
          skip_checks: assume complete shapes instead of inferring them; requires `nstep`.
          nstep: number of steps, if it does not follow from an array.
          initial_warmstart: (nbatch, nv); None: zero.
          state, sensordata: output arrays; None: new ones.
          chunk_size: number of rollouts that a thread takes at a time.

        Returns:
          state (nbatch, nstep, nstate) and sensordata (nbatch, nstep, nsensordata) after each step. A rollout that
          diverges repeats its last row; see `diverged`.
        """
        models = [model] if isinstance(model, MjModel) else list(model)
        datas = [data] if isinstance(data, MjData) else list(data)
        spec = int(control_spec)
        if not models:
            raise ValueError("rollout needs at least one model")
        if not datas:
            raise ValueError("The list of data instances is empty")
        if self.nthread == 0 and len(datas) > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if len(datas) != max(1, self.nthread):
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")
        if spec & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        nstate = _sinew._Rollout.state_size(models[0], _FULLPHYSICS)

        arrays: dict[str, Any] = {
            "initial_state": initial_state,
            "initial_warmstart": initial_warmstart,
            "control": control,
            "state": state,
            "sensordata": sensordata,
        }
        if skip_checks:
            if nstep is None:
                raise ValueError("nstep must be given with skip_checks")
            nbatch = len(initial_state)
            models = models[:nbatch] if len(models) > 1 else models  # there may be more
        else:
            if not all(_sinew._Rollout.same_sizes(models[0], other) for other in models[1:]):
                raise ValueError("models are not compatible")
            widths = {
                "initial_state": nstate,
                "initial_warmstart": models[0].nv,
                "control": _sinew._Rollout.state_size(models[0], spec),
                "state": nstate,
                "sensordata": models[0].nsensordata,
            }
            nbatch, nstep = _infer(arrays, widths, len(models), nstep)
        given = arrays["state"], arrays["sensordata"]
        states: Array = np.full((nbatch, nstep, nstate), np.nan) if given[0] is None else given[0]
        values: Array = np.full((nbatch, nstep, models[0].nsensordata), np.nan) if given[1] is None else given[1]
        arrays.update(state=states, sensordata=values)
        arrays.update(nbatch=nbatch, nstep=nstep, control_spec=spec, chunk_size=int(chunk_size or 0))
        self.diverged = self._pool.run(models, datas, arrays)
        _report(self.diverged)
        return states, values


_pools: dict[int, Rollout] = {}  # persistent pools by number of threads


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    *states_and_controls: Any,
    persistent_pool: bool = False,
    **options: Any,
) -> tuple[Array, Array]:
    """Simulates from each initial state, with one thread per data instance.

    The arguments are those of Rollout.rollout; with persistent_pool the threads are kept for the next call.
    """
    nthread = 0 if isinstance(data, MjData) or len(data) <= 1 else len(data)
    pool = _pools.get(nthread) if persistent_pool else None
    if pool is None:
        pool = Rollout(nthread=nthread)
        if persistent_pool:
            _pools[nthread] = pool
    try:
        return pool.rollout(model, data, *states_and_controls, **options)
    finally:
        if not persistent_pool:
            pool.close()


def _signature_of_rollout() -> inspect.Signature:
    method = inspect.signature(Rollout.rollout)
    _, *parameters = method.parameters.values()
    return method.replace(parameters=[*parameters, inspect.signature(rollout).parameters["persistent_pool"]])


setattr(rollout, "__signature__", _signature_of_rollout())  # for help() and introspection


def shutdown_persistent_pool() -> None:
    """Ends the threads kept by rollout(persistent_pool=True)."""
    while _pools:
        _pools.popitem()[1].close()


_DIMENSIONS = {"initial_state": 2, "initial_warmstart": 2, "control": 3, "state": 3, "sensordata": 3}
_RESULTS = ("state", "sensordata")


def _infer(arrays: dict[str, Any], widths: dict[str, int], nmodel: int, nstep: int | None) -> tuple[int, int]:
    """Broadcasts the arrays to their full shapes, in place, and returns nbatch and nstep."""
    for name, ndim in _DIMENSIONS.items():
        arrays[name] = _with_dimensions(name, arrays[name], ndim)
    if arrays["initial_state"] is None:
        raise ValueError("initial_state is missing")
    sizes = {name: array.shape for name, array in arrays.items() if array is not None}
    nbatch = _common_size(0, 1, {name: shape[0] for name, shape in sizes.items()})
    if nbatch == 1:
        nbatch = nmodel
    if nmodel not in (1, nbatch):
        raise ValueError(f"nbatch inferred as {nbatch} but model is length {nmodel}")
    nstep = _common_size(1, nstep or 1, {name: shape[1] for name, shape in sizes.items() if len(shape) == 3})
    for name, array in arrays.items():
        if array is None:
            continue
        if array.shape[-1] != widths[name]:
            raise ValueError(f"trailing dimension of {name} must be {widths[name]}, got {array.shape[-1]}")
        full = (nbatch, nstep, widths[name]) if array.ndim == 3 else (nbatch, widths[name])
        if name not in _RESULTS:
            arrays[name] = np.ascontiguousarray(np.broadcast_to(array, full))
            continue
        for dim in range(2):
            if array.shape[dim] != full[dim]:
                raise ValueError(_disagree(dim, full[dim], name, array.shape[dim]))
    return nbatch, nstep


def _with_dimensions(name: str, value: Any, ndim: int) -> Array | None:
    """The value as an array of `ndim` dimensions, with missing ones prepended. An output array is not copied."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (np.ndarray, float, int)):
        raise ValueError(f"{name} must be a numpy array or float")
    if name in _RESULTS:
        if not isinstance(value, np.ndarray) or value.dtype != np.float64 or not value.flags.c_contiguous:
            raise ValueError(f"{name} is written in place: it must be a contiguous array of float64")
        array: Array = value
    else:
        array = np.asarray(value, dtype=np.float64)
    if array.ndim > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    return array.reshape((1,) * (ndim - array.ndim) + array.shape)


def _disagree(dim: int, size: int, name: str, other: int) -> str:
    return f"dimension {dim} inferred as {size} but {name} has {other}"


def _common_size(dim: int, size: int, given: dict[str, int]) -> int:
    """The common size of the arrays in a dimension, ignoring 1."""
    for name, other in given.items():
        if size == 1:
            size = other
        elif other not in (1, size):
            raise ValueError(_disagree(dim, size, name, other))
    return size


def _report(diverged: NDArray[np.int32]) -> None:
    bad = np.flatnonzero(diverged >= 0)
    if bad.size:
        text = f"{bad.size} of {diverged.size} rollouts diverged, the first is {bad[0]} at step {diverged[bad[0]]}"
        warnings.warn(text, RolloutWarning, stacklevel=3)
