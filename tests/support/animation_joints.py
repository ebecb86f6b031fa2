"""Every kind of coordinate beside its meaning, written with many digits on the poses of the oracle's tree.

A meaning takes (T, rate): poses and their rates as mpmath matrices, body by body, and gives a list of rows.
"""

import mpmath as mp
import numpy as np

import condyle as cd

C = cd.control
A, B = (0.1, -0.2, 0.3), (-0.15, 0.05, 0.2)


def at(T, p):
    return T[:3, :3] * mp.matrix(p) + T[:3, 3]


def turned(T, p):
    return T[:3, :3] * mp.matrix(p)


def inner(a, b):
    return mp.fsum(x * y for x, y in zip(a, b, strict=True))


def outer(a, b):
    return mp.matrix([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def length(a):
    return mp.sqrt(inner(a, a))


def rotation_vector(R):
    angle = mp.acos((R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)
    skew = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    return [x * angle / (2 * mp.sin(angle)) for x in skew]


def spin_of(T, rate):
    W = rate[:3, :3] * T[:3, :3].T
    return [(W[2, 1] - W[1, 2]) / 2, (W[0, 2] - W[2, 0]) / 2, (W[1, 0] - W[0, 1]) / 2]


def center(T, tree):
    masses = [b.mass for b in tree.bodies]
    total = mp.matrix([0, 0, 0])
    for X, b in zip(T, tree.bodies, strict=True):
        total += at(X, b.com) * float(b.mass)
    return total / float(sum(masses))


def momentum_of(T, rate, tree):
    W = mp.matrix(4, 4)
    for X, V, b in zip(T, rate, tree.bodies, strict=True):
        W += V * mp.matrix(b.pseudo_inertia) * X.T
    linear, about = W[:3, 3], mp.matrix([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])
    return list(linear), list(about - outer(center(T, tree), linear))


TARGET = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def signed(a, b, n):
    return mp.atan2(inner(n, outer(a, b)), inner(a, b))


# name: (coordinate, meaning of poses); bodies of the tree are b0 … b4
PLACES = {
    "point": (C.point("b4", A), lambda T, tree: list(at(T[4], A))),
    "point on an axis": (C.point("b3", A, axes="y"), lambda T, tree: [at(T[3], A)[1]]),
    "point seen from a body": (
        C.point("b4", A, seen_from="b2"),
        lambda T, tree: list(T[2][:3, :3].T * (at(T[4], A) - T[2][:3, 3])),
    ),
    "distance": (C.distance("b4", A, "b3", B), lambda T, tree: [length(at(T[4], A) - at(T[3], B))]),
    "distance to the world": (C.distance("b4", A, None, B), lambda T, tree: [length(at(T[4], A) - mp.matrix(B))]),
    "orientation": (C.orientation("b3", TARGET), lambda T, tree: rotation_vector(mp.matrix(TARGET).T * T[3][:3, :3])),
    "relative orientation": (
        C.orientation("b4", relative_to="b3"),
        lambda T, tree: rotation_vector(T[3][:3, :3].T * T[4][:3, :3]),
    ),
    "angle": (
        C.angle("b4", (1, 0, 0), "b3", (0, 1, 0)),
        lambda T, tree: [mp.acos(inner(turned(T[4], (1, 0, 0)), turned(T[3], (0, 1, 0))))],
    ),
    "signed angle": (
        C.angle("b4", (1, 0, 0), "b3", (0, 1, 0), about=(0, 0, 1)),
        lambda T, tree: [signed(turned(T[4], (1, 0, 0)), turned(T[3], (0, 1, 0)), turned(T[3], (0, 0, 1)))],
    ),
    "center of mass": (C.center_of_mass(), lambda T, tree: list(center(T, tree))),
    "own function": (
        C.function(lambda x: np.exp(np.sin(x.point("b4", A)[:, 0])) / (2 + np.cos(x.point("b3", B)[:, 1])), name="own"),
        lambda T, tree: [mp.exp(mp.sin(at(T[4], A)[0])) / (2 + mp.cos(at(T[3], B)[1]))],
    ),
}
RATES = {
    "spin": (C.spin("b4"), lambda T, rate, tree: spin_of(T[4], rate[4])),
    "linear momentum": (C.momentum("linear"), lambda T, rate, tree: momentum_of(T, rate, tree)[0]),
    "angular momentum": (C.momentum("angular"), lambda T, rate, tree: momentum_of(T, rate, tree)[1]),
}
