"""Noisy knees with a known truth, made with scipy's matrix exponential, and what a fit of them costs by definition."""

import numpy as np
from scipy.interpolate import BSpline
from scipy.linalg import expm, logm

TURN_Z = np.array([0, 0, 1, 0, 0, 0.0])


def hat(x):
    """The 4x4 matrix of a twist [ω; v]."""
    a, b, c, u, v, w = x
    return np.array([[0, -c, b, u], [c, 0, -a, v], [-b, a, 0, w], [0, 0, 0, 0]])


def vee(m):
    """The twist of a 4x4 matrix."""
    return np.array([m[2, 1], m[0, 2], m[1, 0], m[0, 3], m[1, 3], m[2, 3]])


def log(T):
    """The twist of a pose, by scipy."""
    return vee(np.real(logm(T)))


def knee_pose(q):
    """A smooth knee: the shank turns by q, screws home a little, rolls and glides."""
    glide = [0.0, 0.0, 0.0, 0.02 * np.sin(q), -0.4 + 0.01 * q * q, 0.0]
    return expm(hat(glide)) @ expm(hat(q * TURN_Z)) @ expm(hat([0.1 * np.sin(q / 2), 0.08 * q, 0, 0, 0, 0.003 * q]))


def noisy_knee(count, angle, distance, seed=0, low=-2.0, high=0.1):
    """Coordinates, true poses and poses with normal noise [rad, m] on the body side."""
    rng = np.random.default_rng(seed)
    q = np.linspace(low, high, count)
    true = np.array([knee_pose(x) for x in q])
    noise = rng.normal(size=(count, 6)) * np.repeat([angle, distance], 3)
    return q, true, np.array([T @ expm(hat(x)) for T, x in zip(true, noise, strict=True)])


def random_walk(seed, step, count=8):
    """Poses, each turned by `step` [rad] about a random axis of the one before and moved by some 0.2 m."""
    rng = np.random.default_rng(seed)
    T = [np.eye(4)]
    for _ in range(count - 1):
        w, v = rng.normal(size=(2, 3))
        T.append(T[-1] @ expm(hat(np.concatenate([step * w / np.linalg.norm(w), 0.1 * v]))))
    return np.array(T)


def curve_pose(frames, knots, q, order=4):
    """The written definition: G_0 Π exp(z_j B̃_j(q)), with B̃ from scipy's B-splines."""
    n = len(frames)
    basis = [BSpline.basis_element(knots[j : j + order + 1], extrapolate=False) for j in range(n)]
    inside = min(q, np.nextafter(knots[-1], -np.inf))
    B = np.nan_to_num([float(b(inside)) for b in basis])
    G = frames[0]
    for j in range(1, n):
        z = log(np.linalg.solve(frames[j - 1], frames[j]))
        G = G @ expm(hat(z * B[j:].sum()))
    return G
