"""Whether two shapes can touch from outside: somewhere they must bulge more than the other is hollow."""

from __future__ import annotations

import numpy as np

from ..errors import BadValue, require
from .joint import Joint
from .rank_check import sample_coordinates

SAMPLES = 128
FLAT = 1e-7  # of the largest curvature, or of one by the smaller shape's extent: less is none
INSTEAD = "; shapes that lie on each other all along move as `planar` or `prismatic` do"


def require_touchable(parent: Joint, child: Joint, *, in_plane: bool) -> None:
    """Refuse shapes that cut into each other wherever they meet, with the places where they come nearest to touching.

    Parameters
    ----------
    parent, child : Joint
        On a surface (two coordinates) or along a curve (one).
    in_plane : bool
        Whether two curves are outlines of plane bodies; in space a curve can be turned to bend away.
    """
    p, c = (sample_coordinates(joint, SAMPLES, 0) for joint in (parent, child))
    a, b = (curvatures(joint, q, in_plane) for joint, q in ((parent, p), (child, c)))
    left = _left(a, b, parent.nq == child.nq)
    i, k = np.unravel_index(int(np.argmax(left)), left.shape)
    extent = min(float(np.ptp(joint.pose(q).xyz, axis=0).max()) for joint, q in ((parent, p), (child, c)))
    best, size = float(left[i, k]), max(np.abs(a).max(), np.abs(b).max(), 1.0 / max(extent, 1e-300))
    expected = "contact: these shapes cannot touch from outside: wherever they meet, one cuts into the other"
    places = {"parent": _place(parent, p[i]), "child": _place(child, c[k])}
    words = f"{expected} (their curvatures add up to {best:.3g} 1/m at best, at these places)"
    require(best > FLAT * size, words + (INSTEAD if abs(best) <= FLAT * size else ""), BadValue, **places)


def _left(a: np.ndarray, b: np.ndarray, alike: bool) -> np.ndarray:
    """How much they bulge away from each other (N, M) [1/m], turned about the common normal as suits them best."""
    if alike:
        return np.minimum(a[:, None, 1] + b[None, :, 0], a[:, None, 0] + b[None, :, 1])
    return a[:, None, 1] + b[None, :, 1]  # a curve touches along one direction only


def _place(joint: Joint, q: np.ndarray) -> dict[str, float]:
    return dict(zip(joint.coordinates, np.round(q, 6).tolist(), strict=True))


def curvatures(joint: Joint, q: np.ndarray, in_plane: bool) -> np.ndarray:
    """(N, 2), rising [1/m], positive where the shape bulges; both are the one of a curve."""
    S = joint.jacobian(q)
    if joint.nq == 1:
        kappa = S[:, 2, 0] if in_plane else np.linalg.norm(S[:, 1:3, 0], axis=1)
        return np.stack(2 * [kappa / S[:, 3, 0]], axis=1)
    tilted = np.stack([S[:, 1], -S[:, 0]], axis=1)  # how the normal turns, by column
    K = tilted @ np.linalg.inv(S[:, 3:5])
    return np.linalg.eigvalsh(0.5 * (K + K.swapaxes(1, 2)))


def require_tangent(joint: Joint, which: str, within: float) -> None:
    """A curve's frame must go along its own x axis, `within` a share of its way."""
    S = joint.jacobian(sample_coordinates(joint, SAMPLES, 0))[:, :, 0]
    off = np.linalg.norm(S[:, 4:], axis=1) / np.maximum(np.linalg.norm(S[:, 3:], axis=1), 1e-300)
    good = bool((S[:, 3] > 0.0).all() and off.max() < within)
    expected = f"contact: the {which}'s frame must move along its own x axis, as `along` makes it"
    require(
        good, f"{expected} with any frame but 'fixed'; a straight edge is prismatic('x')", BadValue, got=joint.title
    )


def is_outline(joint: Joint) -> bool:
    """Whether a curve stays in the xy plane of its own frame."""
    S = joint.jacobian(sample_coordinates(joint, SAMPLES, 0))[:, :, 0]
    return bool(np.abs(S[:, [0, 1, 5]]).max() < 1e-9 * np.abs(S).max())
