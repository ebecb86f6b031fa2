"""A joint's pose straight from the definitions in `form`, with scipy's matrix exponential.

The oracle for kernels: it reads the segments and computes without condyle (constructors have their oracles in `twins`).
All of it works for complex q, so `reference_jacobian` is exact to round-off by complex step.
"""

import numpy as np
from scipy.linalg import expm

from condyle.joints.segments import ELLIPSE, FACTORS, POLYNOMIAL, SINUSOID, WIDTHS

STEP = 1e-30


def hat(twist):
    """The 4x4 matrix of a twist [ω; v]."""
    x, y, z, a, b, c = twist
    return np.array([[0, -z, y, a], [z, 0, -x, b], [-y, x, 0, c], [0, 0, 0, 0]])


def vee(matrix):
    """The twist of a 4x4 matrix."""
    m = matrix
    return (
        np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 2 * m[0, 3], 2 * m[1, 3], 2 * m[2, 3]]) / 2
    )


def axis_row(breaks, periodic, q):
    """Row along one axis of a grid, and the coordinate after wrapping."""
    if periodic:
        period = breaks[-1] - breaks[0]
        q = q - period * np.floor((np.real(q) - breaks[0]) / period)
    x, last = np.real(q), len(breaks) - 1
    return (last if x == breaks[-1] else sum(b <= x for b in breaks)), q


def axis_center(breaks, row):
    """Where the local variable of a row is zero."""
    if row == 0:
        return breaks[0]
    return breaks[-1] if row == len(breaks) else (breaks[row - 1] + breaks[row]) / 2


def term_value(term, constants, q, centers):
    """φ of one row; `q` and `centers` by coordinate, already wrapped."""
    if term.code == SINUSOID:
        c0, c1, c2, c3 = constants
        return c0 + c1 * np.sin(c2 * q[term.coordinates[0]] + c3)
    if term.code == ELLIPSE:
        (a, b), x = constants, q[term.coordinates[0]]
        return x + np.arctan((b - a) * np.sin(x) * np.cos(x) / (a * np.cos(x) ** 2 + b * np.sin(x) ** 2))
    assert term.code == POLYNOMIAL
    u = [q[c] - centers.get(c, 0.0) for c in term.coordinates]
    return sum(c * np.prod([x**p for x, p in zip(u, powers, strict=True)]) for powers, c in np.ndenumerate(constants))


def quaternion_pose(numbers):
    """The pose of (w, x, y, z), or of (w, x, y, z, px, py, pz)."""
    w, x, y, z = numbers[:4]
    pose = np.eye(4, dtype=numbers.dtype)
    pose[:3, :3] = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    if len(numbers) == 7:
        pose[:3, 3] = numbers[4:]
    return pose


def segment_pose(segment, q):
    """H Π exp(ĝ φ) of the row that holds; `q` maps coordinates to their numbers."""
    if segment.kind != FACTORS:
        return quaternion_pose(q[segment.grid.coordinates[0]])
    q, centers, row = {c: x[0] for c, x in q.items()}, {}, 0
    for c, breaks, periodic in zip(
        *(getattr(segment.grid, n) for n in ("coordinates", "breaks", "periodic")), strict=True
    ):
        here, q[c] = axis_row(breaks, periodic, q[c])
        centers[c] = axis_center(breaks, here)
        row = row * (len(breaks) + 1) + here
    pose = segment.poses[row]
    for twist, term in zip(segment.twists[row], segment.terms, strict=True):
        pose = pose @ expm(hat(twist) * term_value(term, term.constants[row], q, centers))
    return pose


def coordinate_starts(joint):
    """Where each coordinate begins in q and v, and its width."""
    kinds = {s.grid.coordinates[0]: s.kind for s in joint.segments if s.kind != FACTORS}
    widths = [WIDTHS[kinds.get(c, FACTORS)] for c in range(len(joint.coordinates))]
    return [(sum(w[0] for w in widths[:c]), sum(w[1] for w in widths[:c]), *widths[c]) for c in range(len(widths))]


def reference_pose(joint, q):
    """G(q) for one q (nq,), real or complex."""
    q = np.atleast_1d(q)
    numbers = {c: q[at : at + width] for c, (at, _, width, _) in enumerate(coordinate_starts(joint))}
    pose = np.eye(4)
    for segment in joint.segments:
        pose = pose @ segment_pose(segment, numbers)
    return pose


def quaternion_rate(numbers, omega):
    """Half of q ⊗ (0, ω), ω in child axes."""
    w, v = numbers[0], numbers[1:4]
    return 0.5 * np.concatenate([[-v @ omega], w * omega + np.cross(v, omega)])


def coordinate_rates(joint, q):
    """q̇ for v = 1 in each velocity, shape (nq, nv)."""
    starts = coordinate_starts(joint)
    rates = np.zeros((len(q), sum(s[3] for s in starts)))
    for at, v, width, free in starts:
        if width == 1:
            rates[at, v] = 1.0
            continue
        numbers = q[at : at + width]
        for i in range(3):
            rates[at : at + 4, v + i] = quaternion_rate(numbers, np.eye(3)[i])
        if free == 6:
            rates[at + 4 : at + 7, v + 3 : v + 6] = quaternion_pose(numbers)[:3, :3]
    return rates


def reference_jacobian(joint, q):
    """S by complex step of the definition, shape (6, nv)."""
    q = np.atleast_1d(np.asarray(q, float))
    inverse = np.linalg.inv(reference_pose(joint, q))
    columns = [
        vee(inverse @ reference_pose(joint, q + 1j * STEP * rate).imag / STEP) for rate in coordinate_rates(joint, q).T
    ]
    return np.array(columns).reshape(-1, 6).T


def reference_hessian(joint, q, step=1e-3):
    """∂s_i/∂q_j by sixth-order differences of the complex-step Jacobian; only for joints without quaternions."""
    q = np.atleast_1d(np.asarray(q, float))
    weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
    out = np.zeros((6, len(q), len(q)))
    for j in range(len(q)):
        for k, w in weights.items():
            d = k * step * np.eye(len(q))[j]
            out[:, :, j] += w / step * (reference_jacobian(joint, q + d) - reference_jacobian(joint, q - d))
    return out
