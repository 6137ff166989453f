"""Models, worlds and matrices as human-readable text."""

from __future__ import annotations

from typing import Any, TextIO

import numpy as np
from numpy.typing import ArrayLike

import sinew._sinew as _sinew
from sinew._sinew import MjData, MjModel

__all__ = [
    "mj_printModel", "mj_printFormattedModel", "mj_printData", "mj_printFormattedData", "mju_printMat",
    "mju_printMatSparse",
]  # fmt: skip

_FORMAT = "%8.2g"


def _row(values: Any, float_format: str) -> str:
    real = np.asarray(values).dtype.kind == "f"
    return " ".join(float_format % value if real else f"{int(value):6d}" for value in np.ravel(values))


def _array(file: TextIO, name: str, values: Any, float_format: str) -> None:
    if isinstance(values, bytes) or values.size == 0:
        return
    file.write(f"\n{name.upper()}\n")
    for row in values:
        file.write(f"  {_row(row, float_format)}\n")


def _struct(file: TextIO, title: str, struct: Any, float_format: str) -> None:
    file.write(f"\n{title}\n")
    for name in (n for n in dir(type(struct)) if not n.startswith("_")):
        file.write(f"  {name:<20}{_row(getattr(struct, name), float_format)}\n")


def _open(filename: str, float_format: str) -> TextIO:
    try:
        _ = float_format % 1.0
    except (TypeError, ValueError) as error:
        raise ValueError(f"float_format is not a valid number format: {float_format!r}") from error
    if not isinstance(filename, str):
        raise TypeError("filename must be a str")
    try:
        return open(filename, "w", encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot write '{filename}': {error}") from error


def _need(m: Any, d: Any = None) -> None:
    if not isinstance(m, MjModel):
        raise TypeError("m must be an MjModel")
    if d is not None and not isinstance(d, MjData):
        raise TypeError("d must be an MjData")


def mj_printFormattedModel(m: MjModel, filename: str, float_format: str) -> None:
    """Writes sizes, options and all arrays of a model to a text file; numbers in a format such as "%8.2g"."""
    _need(m)
    with _open(filename, float_format) as file:
        file.write(f"MuJoCo version {_sinew._mujoco_version}, sinew {_sinew._version}\n\nSIZES\n")
        for name in (n for n in dir(type(m)) if n.startswith("n") and isinstance(getattr(m, n), int)):
            if getattr(m, name):
                file.write(f"  {name:<20}{getattr(m, name)}\n")
        _struct(file, "OPTION", m.opt, float_format)
        _struct(file, "STATISTIC", m.stat, float_format)
        for name, *_ in _sinew._model_fields:
            _array(file, name, getattr(m, name), float_format)


def mj_printModel(m: MjModel, filename: str) -> None:
    """Writes sizes, options and all arrays of a model to a text file."""
    mj_printFormattedModel(m, filename, _FORMAT)


def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: str) -> None:
    """Writes counts, contacts and all arrays of a world to a text file; numbers in a format such as "%8.2g"."""
    _need(m, d)
    with _open(filename, float_format) as file:
        file.write("SIZES\n")
        for name in ("ncon", "ne", "nf", "nl", "nefc", "nJ", "nisland", "nidof"):
            file.write(f"  {name:<20}{getattr(d, name)}\n")
        file.write(f"\nENERGY = {_row(d.energy, float_format)}\n\nTIME = {float_format % d.time}\n")
        for name, *_ in _sinew._data_fields + _sinew._row_fields:
            _array(file, name, getattr(d, name), float_format)
        for i, contact in enumerate(d.contact):
            _struct(file, f"CONTACT {i}", contact, float_format)


def mj_printData(m: MjModel, d: MjData, filename: str) -> None:
    """Writes counts, contacts and all arrays of a world to a text file."""
    mj_printFormattedData(m, d, filename, _FORMAT)


def mju_printMat(mat: ArrayLike) -> None:
    """Prints a matrix (n, m)."""
    rows = np.asarray(mat, float)
    if rows.ndim != 2:
        raise TypeError("mat must have two dimensions")
    for row in rows:
        print(_row(row, "%.8f"))
    print()


def mju_printMatSparse(mat: ArrayLike, rownnz: ArrayLike, rowadr: ArrayLike, colind: ArrayLike) -> None:
    """Prints the nonzeros of a sparse matrix, one line per row, as column: value."""
    values, columns = np.ravel(np.asarray(mat, float)), np.ravel(np.asarray(colind, int))
    for count, start in zip(np.ravel(np.asarray(rownnz, int)), np.ravel(np.asarray(rowadr, int)), strict=True):
        if count < 0 or start < 0 or start + count > min(values.size, columns.size):
            raise TypeError("rownnz and rowadr point outside mat and colind")
        print("  ".join(f"{columns[k]:2d}: {values[k]:.8f}" for k in range(start, start + count)))
    print()
