"""Where a curve meets itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .smooth_curve import SmoothCurve

PLACES = 2048
MEETS = 1e-7  # of the length: nearer than this the curve meets itself


class Crossing(NamedTuple):
    """Two lengths along a curve [m], and the point that they share."""

    first: float
    second: float
    point: np.ndarray


def found_crossings(curve: SmoothCurve) -> list[Crossing]:
    """Pairs of places that are near in space and far along the curve, improved by Gauss-Newton steps."""
    from scipy.spatial import KDTree  # slow to load

    s = np.linspace(0.0, curve.length, PLACES, endpoint=not curve.closed)
    spacing = s[1] - s[0]
    pairs = np.array(list(KDTree(curve.position(s)).query_pairs(1.5 * spacing)), int).reshape(-1, 2)
    pairs = np.sort(pairs, axis=1)
    pairs = pairs[_apart(curve, s[pairs]) > 6.0 * spacing]
    if not len(pairs):
        return []
    found = improved(curve, s[pairs])
    gaps = np.linalg.norm(curve.position(found[:, 0]) - curve.position(found[:, 1]), axis=1)
    good = (gaps < MEETS * curve.length) & (_apart(curve, found) > 2.0 * spacing)
    return distinct(curve, np.sort(found[good], axis=1), spacing)


def _apart(curve: SmoothCurve, pairs: np.ndarray) -> np.ndarray:
    """How far along the curve the two places of pairs (N, 2) are."""
    way = np.abs(pairs[:, 1] - pairs[:, 0])
    return np.minimum(way, curve.length - way) if curve.closed else way


def improved(curve: SmoothCurve, pairs: np.ndarray, rounds: int = 12) -> np.ndarray:
    """Pairs of places (N, 2) moved to where the curve is nearest to itself."""
    pairs = pairs.copy()
    for _ in range(rounds):
        gap = curve.position(pairs[:, 0]) - curve.position(pairs[:, 1])
        J = np.stack([curve.tangent(pairs[:, 0]), -curve.tangent(pairs[:, 1])], axis=-1)
        pairs -= np.einsum("nij,nj->ni", np.linalg.pinv(J, rcond=1e-8), gap)
        pairs = pairs % curve.length if curve.closed else np.clip(pairs, 0.0, curve.length)
    return pairs


def distinct(curve: SmoothCurve, pairs: np.ndarray, spacing: float) -> list[Crossing]:
    """One crossing for each cluster of pairs."""
    out: list[Crossing] = []
    for first, second in pairs[np.lexsort(pairs.T)]:
        if all(max(abs(first - c.first), abs(second - c.second)) > 4.0 * spacing for c in out):
            out.append(Crossing(float(first), float(second), curve.position([first])[0]))
    return sorted(out)
