"""The leg's kinematics by hand, from the published table and scipy's splines: no code of condyle."""

import numpy as np
from scipy.interpolate import make_interp_spline

FORWARD = (
    (-2.0944, -1.74533, -1.39626, -1.0472, -0.698132, -0.349066, -0.174533, 0.197344),
    (-0.0032, 0.00179, 0.00411, 0.0041, 0.00212, -0.001, -0.0031, -0.005227),
)
UP = (
    (-2.0944, -1.22173, -0.523599, -0.349066, -0.174533, 0.159149),
    (-0.4226, -0.4082, -0.399, -0.3976, -0.3966, -0.395264),
)
SHANK = 0.246 * 1.8
KNEE = (-2.0944, 0.159149)
SPLINES = [make_interp_spline(*table, k=3) for table in (FORWARD, UP)]


def turned(angle, x, y):
    """A vector turned in the plane."""
    return np.array([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y])


def foot(q):
    """(x, y, angle) of the foot for hip, knee and ankle angles."""
    hip, knee, ankle = np.moveaxis(np.asarray(q), -1, 0)
    x, y = turned(hip, *(s(knee) for s in SPLINES)) + turned(hip + knee, 0.0, -SHANK)
    return np.stack([x, y, hip + knee + ankle], axis=-1)


def pose(x):
    """4x4 poses of (x, y, angle)."""
    T = np.zeros((*x.shape[:-1], 4, 4))
    c, s = np.cos(x[..., 2]), np.sin(x[..., 2])
    T[..., 0, 0], T[..., 0, 1], T[..., 1, 0], T[..., 1, 1] = c, -s, s, c
    T[..., 0, 3], T[..., 1, 3] = x[..., 0], x[..., 1]
    T[..., 2, 2] = T[..., 3, 3] = 1.0
    return T


def random_postures(count, seed=0):
    """Hip, knee and ankle angles of a person."""
    rng = np.random.default_rng(seed)
    return rng.uniform([-0.5, KNEE[0], -0.7], [1.5, KNEE[1], 0.7], (count, 3))
