"""Functions of MuJoCo that are not performance-critical and need only the arrays of models and worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

import sinew._sinew as _sinew
from sinew._constants import mjMINVAL
from sinew._enums import mjtTrn
from sinew._sinew import MjData, MjModel

__all__ = [
    "mj_actuatorInputName", "mj_copyBack", "mj_printScene", "mj_printFormattedScene",
    "mj_resetDataDebug", "mju_d2n", "mju_f2n", "mju_getXMLDependencies", "mju_mat2Rot", "mju_n2d", "mju_n2f",
    "mju_raySkin", "mju_threadpool", "mju_transformSpatial",
]  # fmt: skip


def _vector(values: ArrayLike, size: int, name: str) -> NDArray[np.float64]:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf" or array.size != size:
        raise TypeError(f"{name} must be {size} numbers, not {values!r}")
    return np.ravel(array).astype(float)


def _target(array: Any, dtype: DTypeLike, size: int | None, name: str) -> NDArray[Any]:
    if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.writeable:
        raise TypeError(f"{name} must be a writable array of {np.dtype(dtype).name}")
    if size is not None and array.size != size:
        raise TypeError(f"{name} has {array.size} numbers instead of {size}")
    return array


def mj_actuatorInputName(m: MjModel, id: int, input: int) -> str | None:
    """The name of an actuator input: "pos", "vel", "ff", "voltage", "qw"…, "rx"…; None if it has none."""
    if not isinstance(m, MjModel):
        raise TypeError("m must be an MjModel")
    if not 0 <= id < m.nactuator:
        raise ValueError(f"actuator {id} is not in the model: there are {m.nactuator}")
    signature = int(m.actuator_ctrlspec[id])
    if m.actuator_trntype[id] == mjtTrn.mjTRN_SO3:
        names = ["qw", "qx", "qy", "qz"] if signature == 2 else ["rx", "ry", "rz"]
    else:
        names = [name for bit, name in enumerate(("pos", "vel", "ff", "voltage")) if signature >> bit & 1]
    return names[input] if 0 <= input < min(len(names), m.actuator_ctrlnum[id]) else None


# real arrays that a reset initializes
_RESET = {
    "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos",
    "mocap_quat", "userdata", "qacc", "act_dot", "sensordata",
}  # fmt: skip


def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """A reset that fills every byte of computed real arrays with a value, to reveal reads before they are computed."""
    if not 0 <= debug_value <= 255:
        raise ValueError("debug_value must be from 0 to 255")
    _sinew.mj_resetData(m, d)
    for name, dtype, *_ in _sinew._data_fields:
        if dtype == "float64" and name not in _RESET:
            getattr(d, name).view(np.uint8)[...] = debug_value


def _convert(res: Any, vec: Any, to: DTypeLike, of: DTypeLike) -> None:
    source = np.asarray(vec)
    if source.dtype != of:
        raise TypeError(f"vec must be an array of {np.dtype(of).name}")
    np.copyto(_target(res, to, source.size, "res"), source.reshape(res.shape), casting="same_kind")


def mju_f2n(res: NDArray[np.float64], vec: NDArray[np.float32]) -> None:
    """Copies single precision to mjtNum."""
    _convert(res, vec, np.float64, np.float32)


def mju_n2f(res: NDArray[np.float32], vec: NDArray[np.float64]) -> None:
    """Copies mjtNum to single precision."""
    _convert(res, vec, np.float32, np.float64)


def mju_d2n(res: NDArray[np.float64], vec: NDArray[np.float64]) -> None:
    """Copies double precision to mjtNum, which it is."""
    _convert(res, vec, np.float64, np.float64)


def mju_n2d(res: NDArray[np.float64], vec: NDArray[np.float64]) -> None:
    """Copies mjtNum to double precision, which it is."""
    _convert(res, vec, np.float64, np.float64)


def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> int:
    """Rotates quat to the rotation nearest to an arbitrary 3x3 matrix; returns the number of iterations.

    Müller, Bender, Chentanez, Macklin: A robust method to extract the rotational part of deformations (2016). Each
    iteration rotates the axes r_i toward the columns a_i by (sum r_i x a_i) / |sum r_i . a_i|.
    """
    _target(quat, np.float64, 4, "quat")
    columns = _vector(mat, 9, "mat").reshape(3, 3).T
    axes, turn, turned = np.empty(9), np.empty(4), np.empty(4)
    for iteration in range(500):
        _sinew.mju_quat2Mat(axes, quat)
        own = axes.reshape(3, 3).T
        omega = np.cross(own, columns).sum(axis=0) / (abs(np.sum(own * columns)) + mjMINVAL)
        angle = float(np.linalg.norm(omega))
        if not angle >= 1e-9:
            return iteration
        _sinew.mju_axisAngle2Quat(turn, omega / angle, angle)
        _sinew.mju_mulQuat(turned, turn, quat)
        quat[...] = (turned / np.linalg.norm(turned)).reshape(quat.shape)
    return 500


def mju_transformSpatial(
    res: NDArray[np.float64],
    vec: ArrayLike,
    flg_force: int,
    newpos: ArrayLike,
    oldpos: ArrayLike,
    rotnew2old: ArrayLike | None,
) -> None:
    """Transforms a spatial motion or force (rotation, translation) to another point and frame."""
    spatial, shift = _vector(vec, 6, "vec"), _vector(newpos, 3, "newpos") - _vector(oldpos, 3, "oldpos")
    turning, moving = spatial[:3].copy(), spatial[3:].copy()
    if flg_force:
        turning -= np.cross(shift, moving)
    else:
        moving -= np.cross(shift, turning)
    if rotnew2old is not None:
        rotation = _vector(rotnew2old, 9, "rotnew2old").reshape(3, 3)
        turning, moving = rotation.T @ turning, rotation.T @ moving
    _target(res, np.float64, 6, "res").reshape(6)[:] = np.concatenate([turning, moving])


def mju_raySkin(
    nface: int,
    nvert: int,
    face: ArrayLike,
    vert: ArrayLike,
    pnt: ArrayLike,
    vec: ArrayLike,
    vertid: NDArray[np.int32] | None = None,
) -> float:
    """Distance along vec at which a ray hits a triangle mesh, or -1; vertid receives the nearest vertex."""
    corners = np.ravel(np.asarray(face, int))
    points = _vector(vert, 3 * nvert, "vert").reshape(-1, 3)
    if corners.size != 3 * nface or (corners.size and not 0 <= corners.min() <= corners.max() < nvert):
        raise TypeError("face must have three vertex indices for each of nface triangles")
    origin, along = _vector(pnt, 3, "pnt"), _vector(vec, 3, "vec")
    best, nearest = -1.0, -1
    for triangle in corners.reshape(-1, 3):
        a, b, c = points[triangle]
        # origin + x along = a + u (b - a) + v (c - a)
        system = np.stack([b - a, c - a, -along], axis=1)
        if abs(np.linalg.det(system)) < mjMINVAL:
            continue
        u, v, x = np.linalg.solve(system, origin - a)
        if u >= 0 and v >= 0 and u + v <= 1 and x >= 0 and (best < 0 or x < best):
            best = float(x)
            hit = origin + x * along
            nearest = int(triangle[np.argmin(np.sum((points[triangle] - hit) ** 2, axis=1))])
    if vertid is not None and best >= 0:
        _target(vertid, np.int32, 1, "vertid").reshape(1)[0] = nearest
    return best


def mju_getXMLDependencies(filename: str) -> list[str]:
    """The files of a model: itself, included and attached files and assets, whether they exist or not."""
    if not isinstance(filename, str):
        raise TypeError("filename must be a str")
    files: list[str] = _sinew._SpecTree.from_file(filename, {}, None).files()
    return files


def mju_threadpool(d: MjData, nthread: int) -> None:
    """Accepted without effect: one thread steps a world; Batch and rollout step many worlds on all cores."""
    if not isinstance(d, MjData) or not isinstance(nthread, int):
        raise TypeError("mju_threadpool needs an MjData and an int")
    if nthread < 0:
        raise ValueError("nthread must not be negative")


def _refusing(name: str, why: str) -> Any:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{name}: {why}")

    refuse.__name__ = name
    refuse.__doc__ = f"Not implemented: {why}."
    return refuse


mj_printScene = _refusing("mj_printScene", "sinew prints no scenes")
mj_printFormattedScene = _refusing("mj_printFormattedScene", "sinew prints no scenes")
mj_copyBack = _refusing("mj_copyBack", "sinew does not copy values of a model back to its MjSpec; edit the MjSpec instead")
