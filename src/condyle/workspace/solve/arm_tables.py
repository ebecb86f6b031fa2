"""An arm as flat arrays for the kernels: patches as power series, links and limits."""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np

from ...splines.bezier.surface import BezierSurface
from ...splines.bezier.triangle import multi_indices

__all__ = ["ArmTables", "pack_surface", "power_matrix"]


class ArmTables(NamedTuple):
    """What the kernels read of an arm, apart from its grid. Lengths in metres, angles in radians."""

    degree: int
    coefficients: np.ndarray  # (T · N · 12,): patch, powers of w falling, then of v falling, channel
    frames: np.ndarray  # (T, 9): barycentrics from (x, y, 1), row by row
    neighbors: np.ndarray  # (T, 3)
    lengths: np.ndarray  # clavicle, upper arm, forearm
    limits: np.ndarray  # (4, 2): elbow flexion, then the three wrist angles
    rest: np.ndarray  # (9,): R_a by rows, from the shoulder's zero frame to the clavicle's


def powers(degree: int) -> list[tuple[int, int]]:
    """(power of v, power of w) in the order in which the kernels read coefficients."""
    return [(j, m) for m in range(degree, -1, -1) for j in range(degree - m, -1, -1)]


def power_matrix(degree: int) -> np.ndarray:
    """From a net to the coefficients of v^j w^m, with u = 1 − v − w. Exact integers."""
    at = {pair: n for n, pair in enumerate(powers(degree))}
    out = np.zeros((len(at), len(at)))
    for column, (i, j, k) in enumerate(multi_indices(degree).tolist()):
        outer = factorial(degree) // (factorial(i) * factorial(j) * factorial(k))
        for a in range(i + 1):
            for b in range(i - a + 1):
                inner = factorial(i) // (factorial(a) * factorial(b) * factorial(i - a - b))
                out[at[j + a, k + b], column] += outer * inner * (-1) ** (a + b)
    return out


def pack_surface(surface: BezierSurface) -> np.ndarray:
    """Coefficients of every patch and channel, flat."""
    nets = surface.control[surface.complex.nets]
    return np.ascontiguousarray(np.einsum("pn,tnc->tpc", power_matrix(surface.complex.degree), nets)).ravel()
