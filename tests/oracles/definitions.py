"""Joint poses from the written definitions, by matrix exponentials only.  [LeeTerzopoulos2008, corrected]

Each function takes coordinates as series (see `series`) and returns a moving pose; nothing here knows a Jacobian.
`at` gives the plain 4x4 pose at real or complex coordinates.
"""

from functools import reduce
from itertools import pairwise

import numpy as np
from scipy.linalg import logm

from .series import cosine_sine, exponential, fixed, reciprocal_root, series, start

__all__ = [
    "PAPER_TWISTS",
    "at",
    "basis",
    "clamped",
    "closed_curve",
    "composed",
    "cumulative",
    "elliptic",
    "inverse",
    "product",
    "quaternion_pose",
    "screw",
    "screws",
    "spline_curve",
    "spline_surface",
    "vee",
]

# the paper's order of the six basis twists: three translations, then x, y, z rotations
PAPER_TWISTS = np.roll(np.eye(6), 3, axis=1)


def at(joint, *q):
    """The 4x4 pose at coordinates q."""
    return joint(*[np.array([[x]]) for x in q])


def multiply(poses):
    return reduce(np.matmul, poses)


def screw(axis, pitch=0.0):
    """Twist of a turn about a unit axis through the origin with `pitch` metres per radian."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    return np.concatenate([axis, pitch * axis])


def screws(*twists):
    """Π exp(ŝ_i q_i): revolute, prismatic, helical (one twist), universal (two), cylindrical, planar …"""
    return lambda *q: factors(twists, q)


def factors(twists, values):
    """Π exp(ĝ_k φ_k)."""
    return multiply([exponential(g, x) for g, x in zip(twists, values, strict=True)])


def product(twists, functions):
    """The form itself: Π exp(ĝ_k φ_k(q)).  [eq. 26]

    The functions take and return series, which are square matrices: products are `q @ q`, a constant c is
    `c * np.eye(len(q))`, cosine and sine are `cosine_sine(q)`. `np.cos(q)`, `q * q` and `q + c` are wrong.
    """
    return lambda *q: factors(twists, [f(*q) for f in functions])


def composed(first, second, split):
    """First joint on the first `split` coordinates, then the second on the rest."""
    return lambda *q: first(*q[:split]) @ second(*q[split:])


def inverse(joint):
    return lambda *q: np.linalg.inv(joint(*q))


def elliptic(a, b):
    """A frame that slides along an ellipse, its x axis tangent to it.  [eqs. 17-18, bottom row (0, 0, 0, 1), k = e_z]

    φ = atan2(b sin q, a cos q) is never formed: cos φ and sin φ are a cos q and b sin q over their common length.
    """

    def pose(q):
        one = np.eye(len(q))
        c, s = cosine_sine(q)
        r = reciprocal_root(a * a * c @ c + b * b * s @ s)
        cos, sin = a * c @ r, b * s @ r
        place = {(0, 0): cos, (0, 1): -sin, (1, 0): sin, (1, 1): cos, (0, 3): a * s, (1, 3): -b * c}
        place |= {(2, 2): one, (3, 3): one}
        return sum(np.kron(x, unit(*where)) for where, x in place.items())

    return pose


def unit(row, column):
    e = np.zeros((4, 4))
    e[row, column] = 1
    return e


def basis(knots, order, x):
    """All B-spline basis functions of `order`, as series, continued linearly outside the domain."""
    low, high = knots[order - 1], knots[len(knots) - order]
    end = np.clip(start(x), low, high)
    if end == start(x):
        return recursion(knots, order, x)
    value, slope = np.moveaxis(recursion(knots, order, series([end, 1.0], 1))[:, 0], 1, 0)
    one = np.eye(len(x))
    return value[:, None, None] * one + slope[:, None, None] * (x - end * one)


def recursion(knots, order, x):
    """All basis functions of `order` at x by the recursion of Cox and de Boor, shape (count, size, size)."""
    b = [np.eye(len(x)) * inside for inside in spans(knots, start(x), order)]
    for k in range(2, order + 1):
        b = [raised(knots, k, i, x, b) for i in range(len(knots) - k)]
    return np.array(b)


def spans(knots, x, order):
    """1 for the span that holds x: the one on the right of a knot, the last of the domain at its end."""
    i = np.searchsorted(knots, x, side="right") - 1
    last = np.searchsorted(knots, knots[len(knots) - order], side="left") - 1
    return (np.arange(len(knots) - 1) == min(i, last)).astype(float)


def raised(knots, k, i, x, b):
    one = np.eye(len(x))
    up = ramp(x - knots[i] * one, knots[i + k - 1] - knots[i])
    down = ramp(knots[i + k] * one - x, knots[i + k] - knots[i + 1])
    return up @ b[i] + down @ b[i + 1]


def ramp(x, width):
    return x / width if width > 0 else 0 * x


def cumulative(knots, order, x):
    """B̃_j = Σ_{l ≥ j} B_l for j = 1 … m.  [eq. 22]"""
    return np.cumsum(basis(knots, order, x)[::-1], axis=0)[::-1][1:]


def spline_curve(frames, knots, order=4):
    """G_0 Π_{j=1}^m exp(z_j B̃_j(q)) with all m exponentials.  [eq. 21]"""
    twists, knots = [vee(logm(np.linalg.inv(a) @ b).real) for a, b in pairwise(frames)], np.asarray(knots, float)
    return lambda q: fixed(frames[0], len(q) - 1) @ factors(twists, cumulative(knots, order, q))


def closed_curve(frames, breaks, order=4):
    """A curve that closes: the first order − 1 frames again at the end, knots continued with the period."""
    breaks, period = np.asarray(breaks, float), breaks[-1] - breaks[0]
    far = [breaks[:-1] + k * period for k in range(-order, order + 1)]
    knots = np.concatenate(far)
    first = np.searchsorted(knots, breaks[0]) - (order - 1)
    knots = knots[first : first + len(breaks) + 2 * (order - 1)]
    again = np.arange(len(frames) + order - 1) % len(frames)
    curve = spline_curve(np.asarray(frames)[again], knots, order)
    return lambda q: curve(q - period * np.floor((start(q) - breaks[0]) / period) * np.eye(len(q)))


def clamped(count, order):
    """Knots with unit spans and order-fold ends."""
    return np.clip(np.arange(count + order) - order + 1.0, 0, count - order + 1)


def vee(m):
    return np.array([m[2, 1], m[0, 2], m[1, 0], *m[:3, 3]])


def spline_surface(controls, knots, order=4, twists=PAPER_TWISTS):
    """Π_k exp(ê_k φ_k(q)) with tensor-product B-splines φ_k of n coordinates.  [eq. 25]"""
    controls, knots = np.moveaxis(np.asarray(controls, float), -1, 0), [np.asarray(k, float) for k in knots]
    return lambda *q: factors(twists, tensor(controls, knots, order, q))


def tensor(controls, knots, order, q):
    """φ_k = Σ c_{kij…} B_i(q_1) B_j(q_2) … for all k."""
    total = controls[..., None, None] * np.eye(len(q[0]))
    for k, x in zip(knots[::-1], q[::-1], strict=True):
        total = np.einsum("...ixy,iyz->...xz", total, basis(k, order, x))
    return total


def quaternion_pose(q):
    """4x4 pose of q = (w, x, y, z) or (w, x, y, z, px, py, pz)."""
    w, u = q[0], np.asarray(q[1:4])
    cross = hat3(u)
    pose = np.eye(4)
    pose[:3, :3] = (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * cross
    pose[:3, 3] = q[4:] if len(q) == 7 else 0
    return pose


def hat3(u):
    return np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
