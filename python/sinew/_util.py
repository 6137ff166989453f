"""MuJoCo's utility functions that are not performance-critical: scalars, type names, pyramids, random numbers."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sinew._constants import mjMAXVAL, mjMINVAL
from sinew._enums import mjtObj

__all__ = [
    "mju_min", "mju_max", "mju_clip", "mju_sign", "mju_round", "mju_isBad", "mju_isZero", "mju_sigmoid",
    "mju_springDamper", "mju_type2Str", "mju_str2Type", "mju_writeNumBytes", "mju_standardNormal", "mju_Halton",
    "mju_insertionSort", "mju_insertionSortInt", "mju_encodePyramid", "mju_decodePyramid",
]  # fmt: skip


def mju_min(a: float, b: float) -> float:
    """The smaller of two numbers."""
    return a if a <= b else b


def mju_max(a: float, b: float) -> float:
    """The larger of two numbers."""
    return a if a >= b else b


def mju_clip(x: float, min: float, max: float) -> float:
    """x within [min, max]."""
    return min if x < min else max if x > max else x


def mju_sign(x: float) -> float:
    """-1, 0 or 1."""
    return float((x > 0) - (x < 0))


def mju_round(x: float) -> int:
    """The nearest integer; halves are rounded away from zero."""
    return int(math.copysign(math.floor(abs(x) + 0.5), x))


def mju_isBad(x: float) -> int:
    """1 if x is NaN or exceeds mjMAXVAL in magnitude."""
    return int(not -mjMAXVAL <= x <= mjMAXVAL)


def mju_isZero(vec: ArrayLike) -> int:
    """1 if all numbers are zero."""
    return int(not np.any(np.asarray(vec)))


def mju_sigmoid(x: float) -> float:
    """A quintic step from 0 at x <= 0 to 1 at x >= 1, with zero first and second derivatives at both ends."""
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    return x**3 * (3 * x * (2 * x - 5) + 10)


def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position after a time dt of x'' = -Kp x - Kv x'."""
    # the roots of r^2 + Kv r + Kp: two real ones, one double, or a complex pair
    det = Kv * Kv - 4 * Kp
    if det > mjMINVAL:
        root = math.sqrt(det)
        r1, r2 = (-Kv + root) / 2, (-Kv - root) / 2
        c1 = (vel0 - pos0 * r2) / (r1 - r2)
        return c1 * math.exp(r1 * dt) + (pos0 - c1) * math.exp(r2 * dt)
    if det > -mjMINVAL:
        r = -Kv / 2
        return math.exp(r * dt) * (pos0 + (vel0 - r * pos0) * dt)
    r, w = -Kv / 2, math.sqrt(-det) / 2
    return math.exp(r * dt) * (pos0 * math.cos(w * dt) + (vel0 - r * pos0) / w * math.sin(w * dt))


_TYPES: dict[int, str] = {
    int(kind): name.removeprefix("mjOBJ_").lower()
    for name, kind in mjtObj.__members__.items()
    if name.startswith("mjOBJ_") and kind != mjtObj.mjOBJ_UNKNOWN
}
_KINDS = {name: kind for kind, name in _TYPES.items()}


def mju_type2Str(type: int) -> str | None:
    """The name of an mjtObj, such as "body"; None if it has none."""
    return _TYPES.get(type)


def mju_str2Type(str: Any) -> int:
    """The mjtObj of a name (str or bytes), or 0."""
    return _KINDS.get(str.decode() if isinstance(str, bytes) else str, 0)


def mju_writeNumBytes(nbytes: int) -> str:
    """A human-readable number of bytes: 2.3 MB."""
    size, unit = float(nbytes), ""
    for unit in ("", "K", "M", "G", "T", "P"):
        if size < 1024 or unit == "P":
            break
        size /= 1024
    return f"{nbytes} bytes" if unit == "" else f"{size:.1f} {unit}B"


def mju_standardNormal(num2: NDArray[np.float64] | None = None) -> float:
    """A random number from the standard normal distribution; num2 receives a second one."""
    if num2 is not None:
        num2[0] = random.gauss(0, 1)
    return random.gauss(0, 1)


def mju_Halton(index: int, base: int) -> float:
    """The Halton sequence: the digits of index in a base, mirrored at the radix point."""
    if base < 2:
        raise ValueError(f"base is {base}, must be at least 2")
    result, fraction = 0.0, 1.0 / base
    while index > 0:
        index, digit = divmod(index, base)
        result += fraction * digit
        fraction /= base
    return result


def _sort(list: NDArray[Any], dtype: DTypeLike) -> None:
    if not isinstance(list, np.ndarray) or list.dtype != dtype or not list.flags.writeable:
        raise TypeError(f"list must be a writable array of {np.dtype(dtype).name}")
    list.sort(kind="stable")


def mju_insertionSort(list: NDArray[np.float64]) -> None:
    """Sorts in place, ascending."""
    _sort(list, np.float64)


def mju_insertionSortInt(list: NDArray[np.int32]) -> None:
    """Sorts in place, ascending."""
    _sort(list, np.int32)


def _output(array: NDArray[np.float64], size: int, name: str) -> NDArray[np.float64]:
    if not isinstance(array, np.ndarray) or array.dtype != np.float64 or not array.flags.writeable:
        raise TypeError(f"{name} must be a writable array of float64")
    if array.size != size:
        raise TypeError(f"{name} has {array.size} numbers instead of {size}")
    return array


def mju_encodePyramid(pyramid: NDArray[np.float64], force: ArrayLike, mu: ArrayLike) -> None:
    """Edge forces of the friction pyramid for a contact force; pairs of edges share the normal force equally."""
    given, friction = np.asarray(force, float), np.asarray(mu, float)
    dim = given.size
    if friction.size < dim - 1 or dim < 1:
        raise TypeError("mu must have dim - 1 numbers")
    if dim == 1:
        _output(pyramid, 1, "pyramid")[0] = given[0]
        return
    normal = given[0] / (dim - 1)
    tangent = np.minimum(given[1:] / friction[: dim - 1], normal)
    edges = _output(pyramid, 2 * (dim - 1), "pyramid").reshape(-1, 2)
    edges[:, 0] = 0.5 * (normal + tangent)
    edges[:, 1] = 0.5 * (normal - tangent)


def mju_decodePyramid(force: NDArray[np.float64], pyramid: ArrayLike, mu: ArrayLike) -> None:
    """The contact force for the edge forces of a friction pyramid."""
    edges, friction = np.asarray(pyramid, float), np.asarray(mu, float)
    dim = 1 if edges.size == 1 else edges.size // 2 + 1
    _output(force, dim, "force")[0] = edges.sum()
    if friction.size < dim - 1:
        raise TypeError("mu must have dim - 1 numbers")
    if dim > 1:
        force[1:] = (edges[0::2] - edges[1::2]) * friction[: dim - 1]
