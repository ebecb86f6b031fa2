"""Dual numbers: every function of numbers gives its derivative beside its value, on lanes and in plain Python."""

import os
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from condyle.numeric import DUALS, LANE_WIDTH, width
from condyle.numeric import number_types as numbers
from condyle.numeric.dual_numbers import Dual
from support.dual_probes import FUNCTIONS, TABLE, run_functions

rng = np.random.default_rng(0)
X = np.concatenate([rng.uniform(0.01, 30.0, 21), [0.5, 1.7, 2.0, 1e7]])  # not whole blocks; one angle is far
Y = rng.uniform(-3.0, 3.0, len(X))
DX, DY = rng.normal(size=(2, len(X)))


def slopes(x, y, dx, dy):
    """The derivatives of all functions of the probe along (dx, dy), written down by hand."""
    s, c, row = np.sin(x), np.cos(x), np.clip(np.floor(x), 0, len(TABLE) // 5 - 2).astype(int) + 1
    row = np.where(x < 0, 0, np.where(x >= len(TABLE) // 5 - 1, len(TABLE) // 5 - 1, row))
    table = TABLE.reshape(-1, 5)
    return {
        "sum": dx + dy,
        "difference": dx - dy,
        "product": x * dy + dx * y,
        "quotient": dx / y - x * dy / y**2,
        "constants": 2.0 * dx - 3.0 * dx / x**2,
        "sine": c * dx,
        "cosine": -s * dx,
        "root": dx / (2 * np.sqrt(x)),
        "arctan": dy / (1 + y**2),
        "floor": np.zeros_like(x),
        "magnitude": np.sign(y) * dy,
        "choice": np.where(y < 0.0, 2.0 * dy, -dx),
        "lookup": table[row, 0] * dx + table[row, 4] * dy,
        "carried": 3 * x**2 * dx,
    }


def test_every_function_gives_its_derivative():
    """Oracle: derivatives written down by hand; values are those of the functions on lanes."""
    found = run_functions(DUALS, X + 1j * DX, Y + 1j * DY)
    values = run_functions(numbers.LANES, X, Y)
    expected = slopes(X, Y, DX, DY)
    assert set(expected) == set(FUNCTIONS)
    for name in FUNCTIONS:
        assert_allclose(found[name].real, values[name], rtol=1e-15, atol=1e-300, err_msg=name)
        assert_allclose(found[name].imag, expected[name], rtol=1e-13, atol=1e-13, err_msg=name)


def test_the_root_of_nothing_has_no_slope_and_a_bad_derivative_is_seen():
    """Oracle: the convention; a derivative that is no number makes the number no number."""
    zero = run_functions(DUALS, np.full(8, 0.0 + 1.0j), np.ones(8, dtype=complex))
    assert not zero["root"].any()
    bad = run_functions(
        DUALS, np.array([1.0, 1.0 + np.inf * 1j, np.nan, 2.0 + 1.0j]), np.ones(4, dtype=complex), "finite"
    )
    assert bad["finite"].real.tolist() == [1.0, 0.0, 0.0, 1.0]


def test_lanes_hold_a_number_and_its_derivative():
    """Oracle: counting."""
    assert width(DUALS) == LANE_WIDTH
    assert repr(Dual(1.0, 2.0)) == "Dual(1.0, 2.0)"
    assert np.isnan((Dual(0.0) / Dual(0.0)).real) and (Dual(-1.0) / 0.0).real == -np.inf


def test_plain_python_gives_the_same(tmp_path):
    """Oracle: the compiled kernels."""
    script = (
        "import sys, numpy as np; sys.path.insert(0, sys.argv[1]); from support.dual_probes import run_functions;"
        "from condyle.numeric import DUALS; x = np.load('x.npy'); np.savez('out.npz', **run_functions(DUALS, *x))"
    )
    x = np.stack([X + 1j * DX, Y + 1j * DY])
    np.save(tmp_path / "x.npy", x)
    command = [sys.executable, "-c", script, os.path.dirname(os.path.dirname(__file__))]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "CONDYLE_COMPILE": "0"}, check=True)
    plain, found = np.load(tmp_path / "out.npz"), run_functions(DUALS, *x)
    for name in FUNCTIONS:
        assert_allclose(plain[name].real, found[name].real, rtol=1e-13, atol=1e-13, err_msg=name)
        assert_allclose(plain[name].imag, found[name].imag, rtol=1e-13, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("function", [numbers.sqrt, numbers.arctan])
def test_a_dual_number_of_plain_python_is_one(function):
    """Oracle: the complex step."""
    found, step = function(Dual(0.7, 1.0)), function(0.7 + 1e-30j)
    assert found.real == pytest.approx(step.real) and found.slope == pytest.approx(step.imag / 1e-30)
