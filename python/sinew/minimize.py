"""Nonlinear least squares with box bounds, with the names of mujoco.minimize.

Gauss-Newton steps with a regularizer (Levenberg and Marquardt): each solves, within the bounds,

    min over dx of  g dx + 1/2 dx (H + mu D^-2) dx

where g and H are the gradient and the Gauss-Newton Hessian of the norm of the residual, and D the scale of the
variables. mu is increased until a step reduces the objective and decreased if the reduction is close to the predicted
one.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from sinew._sinew import mju_boxQP

__all__ = ["IterLog", "Norm", "Quadratic", "Status", "Verbosity", "jacobian_fd", "least_squares"]

Array = NDArray[np.float64]
Residual = Callable[[Array], Array]


class Verbosity(enum.Enum):
    """How much to print."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "exceeded maximum iterations.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iterate of the search. Arrays are recorded with Verbosity.FULLITER."""

    candidate: Array
    objective: float
    reduction: float
    regularizer: float
    residual: Array | None = None
    jacobian: Array | None = None
    grad: Array | None = None
    step: Array | None = None


class Norm(abc.ABC):
    """The function of the residual to be minimized."""

    @abc.abstractmethod
    def value(self, r: Array) -> float:
        """Its value at the residual r, (nr,) or (nr, 1)."""

    @abc.abstractmethod
    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        """proj^T gradient and proj^T Hessian proj, where proj is the Jacobian."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r: Array) -> float:
        return 0.5 * float(np.sum(r * r))

    def grad_hess(self, r: Array, proj: Array) -> tuple[Array, Array]:
        return proj.T @ r, proj.T @ proj


def jacobian_fd(
    residual: Residual, x: Array, r: Array, eps: float, n_res: int, bounds: Sequence[Array] | None = None
) -> tuple[Array, int]:
    """The Jacobian of the residual by one-sided differences that stay within the bounds.

    Also returns n_res plus the number of evaluations. All points are evaluated in one call of the residual.
    """
    point = np.asarray(x, dtype=float).reshape(-1, 1)
    steps = np.full(point.shape, eps)
    if bounds is not None:
        middle = 0.5 * (np.asarray(bounds[0]) + np.asarray(bounds[1])).reshape(-1, 1)
        steps[point > middle] *= -1  # step toward the middle, which stays within the bounds
    values = np.asarray(residual(point + np.diagflat(steps)), dtype=float)
    return (values - np.reshape(r, (-1, 1))) / steps.T, n_res + point.size


def least_squares(
    x0: Array,
    residual: Residual,
    bounds: Sequence[Array] | None = None,
    jacobian: Callable[[Array, Array], Array] | None = None,
    norm: Norm | None = None,
    eps: float = float(np.finfo(np.float64).eps) ** 0.5,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
    x_scale: float | Array | str = 1.0,
) -> tuple[Array, list[IterLog]]:
    """Minimizes norm(residual(x)).

    Args:
      x0: (nx,), the initial point.
      residual: takes points as columns, (nx, n), and returns their residuals as columns, (nr, n).
      bounds: lower and upper bounds of x.
      jacobian: jacobian(x, r) for one point, (nr, nx); None: finite differences.
      norm: the function to minimize; None: half the sum of squares.
      eps: step of the finite differences.
      mu_min, mu_max, mu_factor: range of the regularizer, and the factor by which it changes.
      xtol, gtol: the search ends if steps or gradients are smaller.
      max_iter: maximum number of iterations.
      verbose, output: how much to print, and where.
      iter_callback: called with the log after each iteration.
      check_derivatives: first compares the given jacobian and norm with finite differences; ValueError if they differ.
      x_scale: the size of typical changes of the variables, one number or one for each; "jac": the inverse of the
        norm of its column of the Jacobian.

    Returns:
      The point, and the log of the search.
    """
    search = _Search(residual, bounds, jacobian, norm or Quadratic(), eps)
    regularizer = _Regularizer(mu_min, mu_max, mu_factor)
    printer = _Printer(Verbosity(verbose), output or sys.stdout)
    x = search.start(x0)
    search.scale = _Scale(x_scale, x.size)
    r = search.residuals(x)
    if check_derivatives:
        for line in search.check_derivatives(x, r, norm is not None):
            print(line, file=printer.output)
    log: list[IterLog] = []
    status: Status | None = None
    full = printer.verbose == Verbosity.FULLITER

    def entry(reduction: float, step: Array | None, derivatives: tuple[Array, Array] | None) -> IterLog:
        arrays: dict[str, Array] = {}
        if full and derivatives is not None:
            arrays = {"residual": r.ravel(), "jacobian": derivatives[0], "grad": derivatives[1].ravel()}
            if step is not None:
                arrays["step"] = step.ravel()
        return IterLog(x.ravel(), search.norm.value(r), reduction, regularizer.mu, **arrays)

    derivatives: tuple[Array, Array] | None = None
    small_step = False
    for _ in range(max_iter):
        jac = search.jacobians(x, r)
        search.scale.see(jac)
        grad, hess = search.norm.grad_hess(r, jac)
        derivatives = jac, grad
        if np.linalg.norm(search.projected(x, grad)) < gtol:
            status = Status.G_TOL
            break
        if small_step:
            status = Status.DX_TOL
            break
        better = search.improve(x, search.norm.value(r), (grad, hess), regularizer)
        if isinstance(better, Status):
            status = better
            break
        step, r_new, reduction = better
        log.append(entry(reduction, step, derivatives))
        printer.iteration(len(log) - 1, log[-1], grad, step)
        if iter_callback is not None:
            iter_callback(log)
        regularizer.adapt(reduction, -float((grad.T @ step).item() + 0.5 * (step.T @ hess @ step).item()))
        x, r, derivatives = x + step, r_new, None
        small_step = bool(np.linalg.norm(step) < xtol)
        if small_step and reduction > 0:  # without a reduction the gradient may say more
            status = Status.DX_TOL
            break
    if full and derivatives is None:
        jac = search.jacobians(x, r)
        derivatives = jac, search.norm.grad_hess(r, jac)[0]
    log.append(entry(0.0, None, derivatives))
    printer.end(status or Status.MAX_ITER, log, search)
    return x.ravel(), log


class _Scale:
    """D: the size of typical changes of the variables."""

    def __init__(self, given: float | Array | str, count: int) -> None:
        self.adapts = isinstance(given, str)
        if isinstance(given, str):
            if given != "jac":
                raise ValueError(f"x_scale must be 'jac' or positive numbers, not '{given}'")
            self.inverse = np.zeros(count)
            return
        scale = np.asarray(given, dtype=float)
        if scale.ndim > 0 and scale.shape != (count,):
            raise ValueError(f"x_scale must be one number or {count}, got the shape {scale.shape}")
        if not np.all(np.isfinite(scale)) or np.any(scale <= 0):
            raise ValueError("x_scale must be positive and finite")
        self.inverse = np.broadcast_to(1 / scale, (count,))

    def see(self, jac: Array) -> None:
        """Takes the norms of the columns of the current Jacobian; a column of zeros says nothing."""
        if self.adapts:
            norms = np.linalg.norm(jac, axis=0)
            self.inverse = np.where(norms > 0, norms, 1.0)

    def matrix(self) -> Array:
        return np.diag(self.inverse**2)


class _Regularizer:
    """mu: zero at first, between its bounds once it is needed."""

    def __init__(self, least: float, most: float, factor: float) -> None:
        self.least, self.most, self.factor = least, most, factor
        self.mu = 0.0

    def grow(self) -> bool:
        """False if it is already at its maximum."""
        if self.mu >= self.most:
            return False
        self.mu = min(self.most, max(self.least, self.mu * self.factor))
        return True

    def adapt(self, reduction: float, predicted: float) -> None:
        if reduction > 0.75 * predicted:
            self.mu = self.mu / self.factor if self.mu > self.least else 0.0
        elif reduction < 0.25 * predicted:
            self.grow()


class _Search:
    """The problem: residuals, derivatives and steps; points are columns."""

    def __init__(
        self,
        residual: Residual,
        bounds: Sequence[Array] | None,
        jacobian: Callable[[Array, Array], Array] | None,
        norm: Norm,
        eps: float,
    ) -> None:
        self.residual, self.jacobian, self.norm, self.eps = residual, jacobian, norm, eps
        self.bounds: list[Array] | None = None
        if bounds is not None:
            if len(bounds) != 2:
                raise ValueError("bounds must be a pair: lower and upper")
            self.bounds = [np.asarray(bound, dtype=float).reshape(-1, 1) for bound in bounds]
            if np.any(self.bounds[0] >= self.bounds[1]):
                raise ValueError("bounds: each lower bound must be less than the upper one")
        self.scale = _Scale(1.0, 1)  # replaced once the number of variables is known
        self.evaluations = 0
        self.seconds = 0.0

    def start(self, x0: Array) -> Array:
        x = np.array(x0, dtype=float).reshape(-1, 1)
        if self.bounds is None:
            return x
        for bound in self.bounds:
            if bound.shape != x.shape:
                raise ValueError(f"bounds must have the size of x0: {bound.size} and {x.size}")
        return np.clip(x, *self.bounds)

    def residuals(self, x: Array) -> Array:
        started = time.perf_counter()
        r = np.asarray(self.residual(x), dtype=float)
        self.seconds += time.perf_counter() - started
        self.evaluations += x.shape[1]
        if r.ndim != 2 or r.shape[1] != x.shape[1]:
            raise ValueError(f"residual must return (nr, {x.shape[1]}) for points of shape {x.shape}, got {r.shape}")
        return r

    def jacobians(self, x: Array, r: Array) -> Array:
        if self.jacobian is not None:
            return np.asarray(self.jacobian(x, r), dtype=float)
        return jacobian_fd(self.residuals, x, r, self.eps, 0, self.bounds)[0]

    def check_derivatives(self, x: Array, r: Array, own_norm: bool) -> list[str]:
        """Compares what the user gives with finite differences; returns what was found correct."""
        found = []
        fd = jacobian_fd(self.residual, x, r, self.eps, 0, self.bounds)[0]
        if self.jacobian is not None:
            given = self.jacobians(x, r)
            if given.shape != fd.shape or not np.allclose(given, fd, rtol=1e-4, atol=1e-4):
                raise ValueError("User-provided Jacobian does not match finite-difference Jacobian")
            found.append("User-provided Jacobian matches its finite-difference approximation.")
        if own_norm:
            found += self._check_norm(r)
        return found

    def _check_norm(self, r: Array) -> list[str]:
        """The gradient and Hessian of the norm with respect to the residual itself."""
        count, eye = r.size, np.eye(r.size)
        grad, hess = self.norm.grad_hess(r, eye)
        step = self.eps**0.5  # central differences: the error is about step squared
        plus = [r + step * eye[:, [i]] for i in range(count)]
        minus = [r - step * eye[:, [i]] for i in range(count)]
        fd_grad = np.array([self.norm.value(p) - self.norm.value(m) for p, m in zip(plus, minus)]) / (2 * step)
        if not np.allclose(np.ravel(grad), fd_grad, rtol=1e-4, atol=1e-5):
            raise ValueError("User-provided norm gradient does not match finite-difference gradient")
        if not np.allclose(hess, hess.T, rtol=1e-9, atol=1e-9):
            raise ValueError("User-provided norm Hessian is not symmetric")
        if np.linalg.eigvalsh(hess)[0] < -1e-9 * max(1.0, float(np.abs(hess).max())):
            raise ValueError("User-provided norm Hessian is not positive definite")
        columns = [self.norm.grad_hess(p, eye)[0] - self.norm.grad_hess(m, eye)[0] for p, m in zip(plus, minus)]
        fd_hess = np.hstack([np.reshape(column, (-1, 1)) for column in columns]) / (2 * step)
        if not np.allclose(hess, fd_hess, rtol=1e-4, atol=1e-5):
            raise ValueError("User-provided norm Hessian does not match finite-difference Hessian")
        return [
            "User-provided norm gradient matches its finite-difference approximation.",
            "User-provided norm Hessian matches its finite-difference approximation.",
        ]

    def projected(self, x: Array, grad: Array) -> Array:
        """The gradient without components that point out of the bounds."""
        if self.bounds is None:
            return grad
        held = ((x <= self.bounds[0]) & (grad > 0)) | ((x >= self.bounds[1]) & (grad < 0))
        return np.where(held, 0.0, grad)

    def improve(
        self, x: Array, y: float, model: tuple[Array, Array], regularizer: _Regularizer
    ) -> tuple[Array, Array, float] | Status:
        """A step that reduces the objective y, with its residual and the reduction; or the reason why there is none."""
        while True:
            step = self.step(x, *model, regularizer.mu)
            if step is not None:
                r = self.residuals(x + step)
                reduction = y - self.norm.value(r)
                if reduction >= 0:  # 0: the change is below the precision of the objective
                    return step, r, reduction
            if not regularizer.grow():
                return Status.FACTORIZATION_FAILED if step is None else Status.NO_IMPROVEMENT

    def step(self, x: Array, grad: Array, hess: Array, mu: float) -> Array | None:
        """The step of the regularized quadratic model; None if it has no minimum."""
        n = x.size
        matrix = hess + mu * self.scale.matrix()
        if self.bounds is None:
            try:
                np.linalg.cholesky(matrix)
                return -np.linalg.solve(matrix, grad)
            except np.linalg.LinAlgError:
                return None
        step, factor, free = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, dtype=np.int32)
        lower, upper = (np.ascontiguousarray((bound - x).ravel()) for bound in self.bounds)
        if mju_boxQP(step, factor, free, np.ascontiguousarray(matrix), grad.ravel(), lower, upper) < 0:
            return None
        return step.reshape(-1, 1)


class _Printer:
    def __init__(self, verbose: Verbosity, output: TextIO) -> None:
        self.verbose, self.output = verbose, output
        self.started = time.perf_counter()

    def iteration(self, number: int, entry: IterLog, grad: Array, step: Array) -> None:
        if self.verbose.value < Verbosity.ITER.value:
            return
        print(
            f"iter: {number:<3} y: {entry.objective:<9.4g} log10mu: "
            f"{np.log10(entry.regularizer) if entry.regularizer else -np.inf:>5.1f} "
            f"dx: {np.linalg.norm(step):<9.2g} grad: {np.linalg.norm(grad):<9.2g} reduction: {entry.reduction:<9.2g}",
            file=self.output,
        )

    def end(self, status: Status, log: list[IterLog], search: _Search) -> None:
        if self.verbose.value < Verbosity.FINAL.value:
            return
        total = time.perf_counter() - self.started
        print(
            f"Terminated after {len(log) - 1} iterations: {_MESSAGES[status]} "
            f"{'exact minimum found. ' if log[-1].objective == 0 else ''}y: {log[0].objective:.4g} -> "
            f"{log[-1].objective:.4g}, {search.evaluations} residuals, {total:.3f} s "
            f"({search.seconds / max(total, 1e-12):.0%} in residuals)",
            file=self.output,
        )
