"""Steps of inverse kinematics: quadratic functions minimised inside limits and along constraints."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import null_space
from scipy.optimize import lsq_linear, minimize

from condyle.ik.bounded_steps import lowest_points, quadratic_step

RNG = np.random.default_rng(4)
N = 6


def functions(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Matrices H (count, N, N), positive, and slopes g (count, N)."""
    A = RNG.normal(size=(count, N, N))
    return A @ np.swapaxes(A, 1, 2) + 0.1 * np.eye(N), RNG.normal(size=(count, N))


def test_without_limits_the_lowest_point_is_that_of_a_linear_system():
    """Oracle: numpy's solve."""
    H, g = functions(5)
    expected = -np.linalg.solve(H, g[..., None])[..., 0]
    assert_allclose(lowest_points(H, g), expected, rtol=1e-11)
    assert_allclose(quadratic_step(H, g, -np.inf, np.inf), expected, rtol=1e-11)


def test_a_quadratic_program_inside_limits_is_solved_exactly():
    """Oracle: scipy's bounded least squares of |Lᵀdv + L⁻¹g|², H = L Lᵀ."""
    H, g = functions(20)
    low, high = -0.3 * np.ones(g.shape), RNG.uniform(0.0, 0.2, g.shape)
    found = quadratic_step(H, g, low, high)
    for i in range(len(g)):
        L = np.linalg.cholesky(H[i])
        best = lsq_linear(L.T, -np.linalg.solve(L, g[i]), (low[i], high[i]), method="bvls", tol=1e-14)
        assert_allclose(found[i], best.x, atol=1e-9)


def test_a_damped_step_is_lowest_over_what_is_not_at_a_limit():
    """Oracle: the gradient H dv + g vanishes where dv is inside its limits; they hold to the last bit."""
    H, g = functions(20)
    low, high = np.full(g.shape, -0.3), np.full(g.shape, 0.2)
    dv = lowest_points(H, g, low, high)
    inside = (dv > low) & (dv < high)
    assert (dv >= low).all() and (dv <= high).all() and inside.any() and not inside.all()
    assert np.abs((np.einsum("nij,nj->ni", H, dv) + g)[inside]).max() < 1e-11


@pytest.mark.parametrize("limit", [np.inf, 0.15])
def test_along_constraints_the_step_is_lowest_in_their_null_space(limit):
    """Oracle: scipy's null space and, where limits are met, its SLSQP; a repeated row says nothing new."""
    H, g = functions(6)
    C = RNG.normal(size=(6, 3, N))
    C[:, 2] = C[:, 0] - C[:, 1]
    found = quadratic_step(H, g, -limit, limit, C)
    assert np.abs(np.einsum("nij,nj->ni", C, found)).max() < 1e-12
    for i in range(len(g)):
        Z = null_space(C[i], rcond=1e-9)
        best = -Z @ np.linalg.solve(Z.T @ H[i] @ Z, Z.T @ g[i])
        if np.abs(best).max() > limit:
            held = {"type": "eq", "fun": lambda x, i=i: C[i, :2] @ x, "jac": lambda x, i=i: C[i, :2]}
            cost = lambda x, i=i: (0.5 * x @ H[i] @ x + g[i] @ x, H[i] @ x + g[i])  # noqa: E731
            start, bounds = np.zeros(N), [(-limit, limit)] * N
            best = minimize(cost, start, jac=True, bounds=bounds, constraints=held, method="SLSQP", tol=1e-14).x
        assert_allclose(found[i], best, atol=1e-6 if np.isfinite(limit) else 1e-10)
