"""Logarithms of rotations in kernels, from tiny angles to nearly half a turn, for one number and for lanes."""

import mpmath as mp
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from condyle.numeric import LANES, entry, interleaved, load, separated, store, width
from condyle.spatial.kernels.algebra import load3, load9, store3
from condyle.spatial.kernels.logarithm import left_inverse_transposed, rotation_log, rotation_log_to_half_turn

ANGLES = [0.0, 1e-300, 1e-160, 1e-12, 1e-6, 0.01, 0.2, 0.394, 0.396, 0.99, 1.01, 2.0, 3.0, 3.1]


@entry
def both(z, R, y, out, count):
    """The logarithm of each rotation, and Jl⁻ᵀ of it times y."""
    for k in range(count):
        x = rotation_log(z, load9(z, R, 9 * k))
        store3(z, out, 6 * k, x)
        store3(z, out, 6 * k + 3, left_inverse_transposed(z, x, load3(z, y, 3 * k)))
    store(z, out, 6 * count, load(z, y, 0))


def run(z, R, y):
    """(logarithms, Jl⁻ᵀ y) of rotations (n, 9) and vectors (n, 3); each lane gets the cases in another order."""
    n, lanes = len(R), width(z)
    orders = [np.roll(np.arange(n), l) for l in range(lanes)]
    packed = [np.ascontiguousarray(np.stack([x[o].ravel() for o in orders], axis=1).ravel()) for x in (R, y)]
    out = np.zeros((6 * n + 1) * lanes)
    both(z, *packed, out, n)
    found = out.reshape(-1, lanes)[:-1].reshape(n, 6, lanes)
    return [(found[np.argsort(o), :3, l], found[np.argsort(o), 3:, l]) for l, o in enumerate(orders)]


def cases():
    """Rotations by the angles about random axes, with 50 digits, and what the definitions give."""
    rng, R, y, logs, times = np.random.default_rng(5), [], [], [], []
    with mp.workdps(50):
        for angle in ANGLES:
            n = rng.normal(size=3)
            x = mp.matrix([angle * mp.mpf(a) / mp.mpf(np.linalg.norm(n)) for a in n])
            hat = mp.matrix([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])
            exact = mp.expm(hat)
            vector = rng.normal(size=3)
            left = mp.matrix(3, 3)  # Jl = Σ hatⁿ/(n + 1)!
            term = mp.eye(3)
            for k in range(60):
                left += term / mp.factorial(k + 1)
                term = term * hat
            R.append([float(exact[i, j]) for i in range(3) for j in range(3)])
            y.append(vector)
            logs.append([float(a) for a in x])
            times.append([float(a) for a in mp.lu_solve(left.T, mp.matrix(vector.tolist()))])
    return np.array(R), np.array(y), np.array(logs), np.array(times)


@pytest.mark.parametrize("z", [0.0, LANES], ids=["one", "lanes"])
def test_rotation_logarithm_and_jacobian_are_exact_to_round_off(z):
    """Oracle: mpmath's matrix exponential and the series of Jl, 50 digits; lanes hold near and far angles together."""
    R, y, logs, times = cases()
    loose = 4e-15 / np.maximum(1e-3, np.cos(0.5 * np.array(ANGLES)))[:, None]  # half a turn is where tan(θ/2) ends
    for found, product in run(z, R, y):
        assert (np.abs(found - logs) <= loose).all()
        assert (np.abs(product - times) <= 40 * loose).all()


@entry
def up_to_half_turn(z, R, out, count):
    """The logarithm of each rotation."""
    for k in range(count):
        store3(z, out, 3 * k, rotation_log_to_half_turn(z, load9(z, R, 9 * k)))


@pytest.mark.parametrize("z", [0.0, LANES])
def test_the_logarithm_reaches_half_a_turn(z):
    """Oracle: the rotation vectors that scipy's rotations were made from; at the half turn both signs are right."""
    rng, angles = np.random.default_rng(2), np.array([0.0, 1e-9, 1.0, 2.6, 2.7, 3.1, np.pi - 1e-7, np.pi])
    axes = rng.normal(size=(len(angles), 3))
    vectors = angles[:, None] * axes / np.linalg.norm(axes, axis=1, keepdims=True)
    n = width(z)
    R = interleaved(Rotation.from_rotvec(vectors).as_matrix(), 2, n)
    out = np.empty((len(R), 3 * n))
    for k in range(len(R)):
        up_to_half_turn(z, R[k], out[k], 1)
    found = separated(out, (len(angles),), (3,), n)
    found[-1] *= np.sign(found[-1] @ vectors[-1])
    assert np.abs(found - vectors).max() < 1e-14 * 4
