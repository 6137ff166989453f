"""Least squares: laws of sinew.minimize."""

import io

import numpy as np
import pytest
import sinew
from sinew import minimize, rollout

SILENT = minimize.Verbosity.SILENT


def rosenbrock(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def rosenbrock_jacobian(x, r):
    assert r.shape == (2, 1)
    return np.array([[-1.0, 0.0], [-20 * x[0, 0], 10.0]])


@pytest.mark.parametrize("jacobian", [None, rosenbrock_jacobian])
def test_a_curved_valley_is_followed_to_its_end(jacobian):
    out = io.StringIO()
    x, log = minimize.least_squares(np.array([-1.2, 1.0]), rosenbrock, jacobian=jacobian, output=out)
    np.testing.assert_allclose(x, [1, 1], atol=1e-7)
    assert "norm(gradient) < tol" in out.getvalue() and "Terminated after" in out.getvalue()
    objectives = [entry.objective for entry in log]
    assert all(np.diff(objectives) < 0) and objectives[-1] < 1e-14
    assert [entry.reduction for entry in log[:-1]] == pytest.approx(-np.diff(objectives))


@pytest.mark.parametrize("start", [(-1.2, 1.0), (0.3, 0.4), (0.6, -2.0)])
def test_the_minimum_within_the_bounds_is_found(start):
    bounds = [np.array([-1.5, -1.5]), np.array([0.5, 2.0])]
    seen = []

    def residual(x):
        seen.append(x.copy())
        return rosenbrock(x)

    x, _ = minimize.least_squares(np.array(start), residual, bounds=bounds, verbose=SILENT)
    np.testing.assert_allclose(x, [0.5, 0.25], atol=1e-6)
    points = np.concatenate(seen, axis=1)
    assert np.all(points >= bounds[0][:, None]) and np.all(points <= bounds[1][:, None])


def test_another_norm_is_minimized():
    class Smooth(minimize.Norm):
        """sum of sqrt(r^2 + 1) - 1: outliers have less weight."""

        def value(self, r):
            return float(np.sum(np.sqrt(r**2 + 1) - 1))

        def grad_hess(self, r, proj):
            s = np.sqrt(r**2 + 1)
            return proj.T @ (r / s), proj.T @ (proj / s**3)

    data = np.array([1.0, 1.1, 0.9, 50.0])[:, None]
    x, _ = minimize.least_squares(np.array([0.0]), lambda x: x - data, norm=Smooth(), verbose=SILENT)
    mean, _ = minimize.least_squares(np.array([0.0]), lambda x: x - data, verbose=SILENT)
    assert mean[0] == pytest.approx(13.25) and abs(x[0] - 1) < 0.8


def test_the_reason_for_termination_is_reported():
    def end(residual, **options):
        out = io.StringIO()
        minimize.least_squares(np.array([1.0, 1.5]), residual, verbose=minimize.Verbosity.FINAL, output=out, **options)
        return out.getvalue()

    assert "exceeded maximum iterations" in end(rosenbrock, max_iter=1)
    assert "norm(dx) < tol" in end(rosenbrock, xtol=10.0)
    assert "norm(gradient) < tol" in end(rosenbrock, gtol=1e9)
    assert "insufficient reduction" in end(lambda x: np.stack([1 + np.abs(x[0]), x[1]]), jacobian=lambda x, r: -np.eye(2))
    assert "factorization failed" in end(rosenbrock, jacobian=lambda x, r: np.full((2, 2), np.nan))


def test_iterations_are_logged_and_printed():
    seen = []
    out = io.StringIO()
    _, log = minimize.least_squares(
        np.zeros(2), rosenbrock, verbose=minimize.Verbosity.FULLITER, output=out, iter_callback=lambda all: seen.append(len(all))
    )
    assert seen == list(range(1, len(log))) and out.getvalue().count("iter:") == len(log) - 1
    assert log[0].jacobian.shape == (2, 2) and log[0].residual.tolist() == [1, 0] and log[0].step.shape == (2,)
    _, log = minimize.least_squares(np.zeros(2), rosenbrock, verbose=0, output=out)
    assert log[0].jacobian is None


def test_differences_are_jacobians_and_stay_within_bounds():
    x = np.array([[0.5], [0.5]])
    jac, count = minimize.jacobian_fd(rosenbrock, x, rosenbrock(x), 1e-7, 3)
    np.testing.assert_allclose(jac, rosenbrock_jacobian(x, rosenbrock(x)), atol=1e-5)
    assert count == 5
    edge = np.array([[1.0], [-1.0]])
    bounds = [np.full(2, -1.0), np.full(2, 1.0)]
    seen = []
    minimize.jacobian_fd(lambda p: seen.append(p) or rosenbrock(p), edge, rosenbrock(edge), 1e-3, 0, bounds)
    assert np.all(np.abs(seen[0]) <= 1)


def test_misuse_raises():
    start = np.zeros(2)
    for text, options in [
        ("bounds must be a pair", {"bounds": [start]}),
        ("less than the upper", {"bounds": [start, start]}),
        ("size of x0", {"bounds": [np.zeros(3), np.ones(3)]}),
        ("does not match", {"jacobian": lambda x, r: np.eye(2), "check_derivatives": True}),
    ]:
        with pytest.raises(ValueError, match=text):
            minimize.least_squares(start, rosenbrock, verbose=SILENT, **options)
    with pytest.raises(ValueError, match="residual must return"):
        minimize.least_squares(start, lambda x: x[0], verbose=SILENT)
    minimize.least_squares(start, rosenbrock, jacobian=rosenbrock_jacobian, check_derivatives=True, verbose=SILENT)


def test_parameters_of_a_pendulum_are_identified_from_its_motion():
    xml = """<mujoco><worldbody><body><joint axis="0 1 0" damping="{}"/><geom size="0.1" pos="0 0 -{}"/></body>
             </worldbody></mujoco>"""

    def motion(parameters):
        model = sinew.MjModel.from_xml_string(xml.format(*parameters))
        state, _ = rollout.rollout(model, sinew.MjData(model), np.array([0, 1.0, 0.0]), nstep=400)
        return state[0, :, 1]

    recorded = motion([0.3, 0.7])
    residual = lambda x: np.stack([motion(column) - recorded for column in x.T], axis=1)  # noqa: E731
    bounds = [np.array([0.01, 0.2]), np.array([1.0, 1.5])]
    found, _ = minimize.least_squares(np.array([0.1, 1.0]), residual, bounds=bounds, eps=1e-5, verbose=SILENT)
    np.testing.assert_allclose(found, [0.3, 0.7], atol=1e-5)


def valley(x):
    """Variables whose scales differ by five orders of magnitude."""
    return np.stack([1e3 * x[0] - x[1] ** 2 * 1e-2, 1e-2 * (x[1] - 3)])


@pytest.mark.parametrize("scale", [1.0, "jac", np.array([1e-3, 100.0])])
def test_scaled_variables_have_the_same_minimum(scale):
    x, _ = minimize.least_squares(np.array([1.0, 50.0]), valley, x_scale=scale, verbose=0, max_iter=500)
    np.testing.assert_allclose(x, [9e-5, 3], rtol=1e-4)


@pytest.mark.parametrize("scale", ["jak", -1.0, np.array([1.0, np.nan]), np.ones(3)])
def test_wrong_scales_are_refused(scale):
    with pytest.raises(ValueError, match="x_scale"):
        minimize.least_squares(np.zeros(2), valley, x_scale=scale, verbose=0)


class Huber(minimize.Norm):
    """Smooth: sum of sqrt(1 + r^2) - 1, with an error in one of its derivatives."""

    def __init__(self, wrong=""):
        self.wrong = wrong

    def value(self, r):
        return float(np.sum(np.sqrt(r * r + 1) - 1))

    def grad_hess(self, r, proj):
        s = np.sqrt(r * r + 1)
        grad, hess = r / s, np.diagflat(1 / s**3)
        if self.wrong == "gradient":
            grad = grad * 1.01
        if self.wrong == "Hessian does not match":
            hess = hess * 1.01
        if self.wrong == "not symmetric":
            hess[0, 1] += 0.1
        if self.wrong == "not positive definite":
            hess = -hess
        return proj.T @ grad, proj.T @ hess @ proj


def test_derivatives_of_a_norm_are_checked():
    out, start = io.StringIO(), np.array([0.5, 0.4])
    x, _ = minimize.least_squares(start, rosenbrock, norm=Huber(), check_derivatives=True, output=out)
    np.testing.assert_allclose(x, [1, 1], atol=1e-6)
    assert "norm gradient matches" in out.getvalue() and "norm Hessian matches" in out.getvalue()
    for wrong in ("gradient", "Hessian does not match", "not symmetric", "not positive definite"):
        with pytest.raises(ValueError, match=wrong):
            minimize.least_squares(start, rosenbrock, norm=Huber(wrong), check_derivatives=True, output=out)
