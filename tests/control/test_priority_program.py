"""Least squares by levels inside limits, against independent solvers of scipy and certificates of optimality."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear, nnls

from condyle.control.priority_program import Bounds, Level, by_levels


def problem(rng):
    """A random program: some levels degenerate (repeated, vanishing, conflicting rows), limits that hold zero."""
    n = int(rng.integers(1, 9))
    levels = []
    for _ in range(int(rng.integers(1, 4))):
        m = int(rng.integers(1, n + 3))
        A = rng.normal(size=(m, n)) * 10.0 ** rng.integers(-2, 2)
        kind = rng.integers(5)
        if kind == 0:
            A[-1] = 2.0 * A[0]  # repeated; with another right side it conflicts
        if kind == 1:
            A[0] = 0.0
        if kind == 2 and levels:
            A[0] = levels[0].A[0]
        if kind == 3:
            A = A[:, :1] * rng.normal(size=n)  # rank one
        levels.append(Level(A, rng.normal(size=m)))
    k = int(rng.integers(0, 7))
    C = rng.normal(size=(k, n))
    if k > 1 and rng.integers(3) == 0:
        C[1] = -C[0]
    C = np.vstack([np.eye(n), C]) if rng.integers(2) else C
    low, high = -rng.uniform(0, 0.5, len(C)), rng.uniform(0, 0.5, len(C))
    if len(C) and rng.integers(3) == 0:
        low[0] = high[0] = 0.0
    low[rng.uniform(size=len(C)) < 0.2] = -np.inf
    return levels, Bounds(C, low, high)


def check(levels, bounds):
    """Inside, and at each level the slope of the cost is balanced by limits and by the levels before (KKT)."""
    x = by_levels(levels, bounds).x
    assert bounds.missed(x).max(initial=0.0) <= 1e-9
    y = bounds.C @ x
    up = bounds.C[y >= bounds.high - 1e-7] if len(y) else bounds.C
    down = bounds.C[y <= bounds.low + 1e-7] if len(y) else bounds.C
    above = np.zeros((0, len(x)))
    for level in [*levels, Level(np.eye(len(x)), np.zeros(len(x)))]:
        slope = level.A.T @ (level.A @ x - level.b)
        size = max(1e-300, np.abs(level.A).max() * np.abs(level.b).max(initial=0.0), np.abs(slope).max())
        ways = np.vstack([-up, down, above, -above])
        ways = ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-300)
        left = nnls(ways.T, slope / size)[1] if len(ways) else np.linalg.norm(slope / size)
        assert left <= 1e-7, (left, size)
        above = np.vstack([above, level.A])


@pytest.mark.parametrize("seed", range(200))
def test_every_level_is_optimal_under_those_before_it(seed):
    """Oracle: the conditions of Karush, Kuhn and Tucker, decided by scipy's non-negative least squares."""
    check(*problem(np.random.default_rng(seed)))


@pytest.mark.parametrize("seed", range(40))
def test_rows_that_nothing_moves_slow_nothing(seed):
    """Oracle: the same program without a pace; rows that are not singular are far above what this pace asks for."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, 6))
    upper, lower = np.vstack([A, A[0] + A[1], np.zeros(6)]), np.vstack([A[0], rng.normal(size=(2, 6)), A[2]])
    levels = [Level(x, rng.normal(size=len(x))) for x in (upper, lower)]
    bounds = Bounds(np.eye(6), np.full(6, -0.3), np.full(6, 0.3))
    pace = [x._replace(pace=np.full(len(x.b), 1e-6), rest=rng.normal(size=6)) for x in levels]
    assert by_levels(pace, bounds).x == pytest.approx(by_levels(levels, bounds).x, abs=1e-9)


@pytest.mark.slow
def test_ten_thousand_programs_are_optimal():
    """Oracle: as above."""
    for seed in range(10_000):
        check(*problem(np.random.default_rng(1000 + seed)))


@pytest.mark.parametrize("seed", range(20))
def test_one_level_in_a_box_is_scipys(seed):
    """Oracle: scipy.optimize.lsq_linear, a method of its own (bounded-variable least squares)."""
    rng = np.random.default_rng(seed)
    A, b = rng.normal(size=(9, 6)), rng.normal(size=9)
    low, high = -rng.uniform(0.01, 0.3, 6), rng.uniform(0.01, 0.3, 6)
    expected = lsq_linear(A, b, (low, high), method="bvls", tol=1e-14).x
    got = by_levels([Level(A, b)], Bounds(np.eye(6), low, high))
    assert got.x == pytest.approx(expected, abs=1e-10)
    assert (np.abs(got.x - low) < 1e-12)[got.held].sum() + (np.abs(got.x - high) < 1e-12)[got.held].sum() >= 1


@pytest.mark.parametrize("seed", range(20))
def test_a_damped_level_is_scipys_with_the_damping_as_rows(seed):
    """Oracle: bounded-variable least squares with rows d · x = 0 after the others; most boxes do not hold zero."""
    rng = np.random.default_rng(seed)
    A, b, d = rng.normal(size=(4, 9)), 3.0 * rng.normal(size=4), 0.05
    low = rng.uniform(-0.3, 0.1, 9)
    high = low + rng.uniform(0.1, 0.5, 9)
    rows, goal = np.vstack([A, d * np.eye(9)]), np.concatenate([b, np.zeros(9)])
    expected = lsq_linear(rows, goal, (low, high), method="bvls", tol=1e-15).x
    assert by_levels([Level(A, b, d)], Bounds(np.eye(9), low, high)).x == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", range(20))
def test_damping_going_to_zero_gives_the_undamped_answer(seed):
    """Oracle: the undamped answer, continuous to 1e-8, for conflicting and repeated rows inside limits too."""
    levels, bounds = problem(np.random.default_rng(seed))
    levels = levels[:1]
    plain = by_levels(levels, bounds).x
    damped = by_levels([Level(x.A, x.b, 1e-7) for x in levels], bounds).x
    assert damped == pytest.approx(plain, abs=1e-8)


def test_limits_that_exclude_each_other_are_widened_by_least_squares():
    """Oracle: x ≤ −1 and x ≥ 1 leave x = 0, each missed by one; the other number is free and takes its goal."""
    bounds = Bounds(np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([-np.inf, 1.0]), np.array([-1.0, np.inf]))
    got = by_levels([Level(np.eye(2), np.array([5.0, 3.0]))], bounds)
    assert got.x == pytest.approx([0.0, 3.0], abs=1e-9)
    assert got.widened == pytest.approx([1.0, 1.0], abs=1e-9)
