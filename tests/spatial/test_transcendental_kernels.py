"""Exponential, logarithm and hyperbolic functions in kernels, for one number and for lanes."""

import mpmath
import numpy as np
import pytest

from condyle.numeric import LANES, entry, load, store, width
from condyle.spatial.kernels.transcendental import asinh, clamped, exp, log, sinh, tanh

COUNT = 403
X = {
    "exp": np.linspace(-74.9, 74.9, COUNT),
    "log": np.logspace(-8.0, 8.0, COUNT),
    "asinh": np.sinh(np.linspace(-12.0, 12.0, COUNT)),
    "sinh": np.linspace(-30.0, 30.0, COUNT),
    "tanh": np.linspace(-30.0, 30.0, COUNT),
}


@entry
def all_of_them(z, x, out, count):
    """Each function of its own number, and the number held in −3 to 2."""
    for k in range(count):
        at = 6 * k
        store(z, out, at, exp(z, load(z, x, at)))
        store(z, out, at + 1, log(z, load(z, x, at + 1)))
        store(z, out, at + 2, asinh(z, load(z, x, at + 2)))
        store(z, out, at + 3, sinh(z, load(z, x, at + 3)))
        store(z, out, at + 4, tanh(z, load(z, x, at + 4)))
        store(z, out, at + 5, clamped(z, load(z, x, at + 5), -3.0, 2.0))


def run(z, x):
    """Results (lanes, n, 6) for x (n, 6); each lane gets the rows in another order, which is undone."""
    lanes = range(width(z))
    packed = np.ascontiguousarray(np.stack([np.roll(x, 7 * l, axis=0) for l in lanes], axis=-1).ravel())
    out = np.zeros_like(packed)
    all_of_them(z, packed, out, len(x))
    return np.array([np.roll(out.reshape(*x.shape, -1)[..., l], -7 * l, axis=0) for l in lanes])


@pytest.mark.parametrize("z", [0.0, LANES], ids=["one", "lanes"])
def test_they_are_right_where_they_say_so(z):
    """Oracle: mpmath, 50 digits; of results below one the error is absolute, but for the exponential."""
    found = run(z, np.stack([*X.values(), X["tanh"]], axis=1))
    for k, (name, x) in enumerate(X.items()):
        with mpmath.workdps(50):
            exact = [getattr(mpmath, name)(mpmath.mpf(float(a))) for a in x]
            sizes = [abs(e) if name == "exp" else max(abs(e), 1) for e in exact]
            known = list(zip(exact, sizes, strict=True))
            off = [abs(float(y) - e) / s for row in found[..., k] for y, (e, s) in zip(row, known, strict=True)]
        assert max(off) < 6e-14, name
    assert np.array_equal(found[..., 5], np.broadcast_to(np.clip(X["tanh"], -3.0, 2.0), found.shape[:2]))


@pytest.mark.parametrize("z", [0.0, LANES], ids=["one", "lanes"])
def test_the_exponential_stays_finite_far_out(z):
    """Oracle: e^±75, where it is held; the hyperbolic tangent is ±1 there."""
    far = run(z, np.repeat([[-1e3], [1e3]], 6, axis=1) * [1, 0, 0, 0, 1, 0] + [0, 1, 0, 0, 0, 0])
    assert far[..., 0] == pytest.approx(np.broadcast_to(np.exp([-75.0, 75.0]), far.shape[:2]), rel=1e-13)
    assert far[..., 4] == pytest.approx(np.broadcast_to([-1.0, 1.0], far.shape[:2]), abs=1e-15)
