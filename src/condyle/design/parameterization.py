"""Coordinates along a motion, and knots: uniform, by distance, natural.  [LeeTerzopoulos2008, section 6.1, corrected]

The printed rule puts knot j at the distance of frame j, which is off by half the order and worse than uniform knots.
A control frame acts at its Greville abscissa, so the natural knots are those whose Greville abscissae are as far apart
as the frames: (t_{j+k−1} − t_j)/(k − 1) = |z_j|. Then |dG/dq| is near 1.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import lsq_linear

from ..errors import BadShape, HalfTurn, TooFewPoses, require
from ..joints.kinds.spline_curve import control_twists
from ..spatial import Inertia, as_pose
from ..splines import clamped_knots
from ..typing import ArrayLike
from .problem.metric import metric_factor, twist_norms

SHORTEST = 1e-3  # of the mean span: no natural span is shorter


def uniform_coordinates(count: int, low: float = 0.0, high: float = 1.0) -> np.ndarray:
    """Equal steps from `low` to `high`.

    Parameters
    ----------
    count : int
    low : float, optional
    high : float, optional

    Returns
    -------
    ndarray, shape (count,)
    """
    return np.linspace(low, high, count)


def pose_distances(poses: ArrayLike, metric: float | Inertia | ArrayLike = 1.0) -> np.ndarray:
    """|log(G_i⁻¹ G_{i+1})| of neighbouring poses in a metric (length [m], Inertia, or 6x6).

    Parameters
    ----------
    poses : SE3 or array_like, shape (n, 4, 4)
        Poses of the child in the parent.
    metric : float, Inertia or array_like, shape (6, 6), optional
        How metres compare with radians: a length [m], an inertia, or a positive matrix on twists.

    Returns
    -------
    ndarray, shape (n - 1,)
    """
    return twist_norms(control_twists(as_pose(poses, "poses")), metric_factor(metric))


def chord_coordinates(poses: ArrayLike, metric: float | Inertia | ArrayLike = 1.0) -> np.ndarray:
    """Coordinates from 0 that rise by the distance to the next pose; poses that stand still are an error.

    Parameters
    ----------
    poses : SE3 or array_like, shape (n, 4, 4)
        Poses of the child in the parent.
    metric : float, Inertia or array_like, shape (6, 6), optional
        How metres compare with radians: a length [m], an inertia, or a positive matrix on twists.

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    TooFewPoses
        If the poses do not move.
    HalfTurn
        If neighbouring poses are half a turn apart.
    """
    try:
        steps = pose_distances(poses, metric)
    except HalfTurn as trouble:
        raise HalfTurn(f"chord_coordinates: {trouble} Or give coordinates.") from None
    require(len(steps) > 0 and steps.max() > 0, "chord_coordinates: the poses do not move", TooFewPoses)
    return np.concatenate([[0.0], np.cumsum(np.maximum(steps, 1e-9 * steps.max()))])


def natural_knots(
    frames: ArrayLike,
    order: int = 4,
    clamped: bool = True,
    periodic: bool = False,
    metric: float | Inertia | ArrayLike = 1.0,
) -> np.ndarray:
    """Knots for control frames (n, 4, 4) so that the curve's speed |dG/dq| is near 1.

    Clamped: n + order knots with multiple ends. Not clamped: n + order simple knots. Periodic: the n + 1 breakpoints of
    one period, as `joints.spline_curve` takes them.

    Parameters
    ----------
    frames : SE3 or array_like, shape (n, 4, 4)
        Control frames.
    order : int, optional
        Order of the B-spline: degree + 1; 4 is cubic.
    clamped : bool, optional
    periodic : bool or tuple of bool, optional
        Whether the coordinate wraps.
    metric : float, Inertia or array_like, shape (6, 6), optional
        How metres compare with radians: a length [m], an inertia, or a positive matrix on twists.

    Returns
    -------
    ndarray

    Raises
    ------
    BadShape
        If the frames are not (n, 4, 4).
    TooFewPoses
        If the frames do not move.
    """
    frames = as_pose(frames, "natural_knots: frame ")
    require(frames.ndim == 3, "natural_knots: frames must have shape (n, 4, 4)", BadShape, shape=frames.shape)
    closed = np.concatenate([frames, frames[:1]]) if periodic else frames
    steps = pose_distances(closed, metric)
    require(steps.max(initial=0.0) > 0, "natural_knots: the frames do not move", TooFewPoses)
    if periodic:
        return np.concatenate([[0.0], np.cumsum(cyclic_spans(steps, order))])
    count = len(frames) - order + 1 if clamped else len(frames) + order - 3
    spans = fitted_spans(span_sums(len(steps), count, order, clamped), steps)
    if clamped:
        return clamped_knots(np.concatenate([[0.0], np.cumsum(spans)]), order)
    inner = np.concatenate([[0.0], np.cumsum(spans)])
    inner = np.concatenate([[-spans[0]], inner, [inner[-1] + spans[-1]]])  # the outermost knots act on nothing
    return inner - inner[order - 1]


def span_sums(steps: int, count: int, order: int, clamped: bool) -> np.ndarray:
    """The matrix that adds spans to Greville steps: step j covers order − 1 knot spans, empty ones at clamped ends."""
    A = np.zeros((steps, count))
    for j in range(steps):
        low = j - (order - 2) if clamped else j
        A[j, max(low, 0) : max(min(low + order - 1, count), 0)] = 1.0 / (order - 1)
    return A


def cyclic_spans(steps: np.ndarray, order: int) -> np.ndarray:
    """The spans of a period: step j, from frame j to frame j + 1, covers the order − 1 spans about it."""
    n = len(steps)
    A = np.zeros((n, n))
    for j in range(n):
        # control frame j acts on the periodic knots t_j … t_{j+k} that begin order − 1 spans before the domain
        for s in range(order - 1):
            A[j, (j + 1 - (order - 1) + s) % n] += 1.0 / (order - 1)
    return fitted_spans(A, steps)


def fitted_spans(A: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Positive spans with A·spans nearest to the steps, and among those the evenest."""
    mean = steps.mean()
    even = 1e-4 * np.diff(np.eye(A.shape[1]), axis=0)
    system = np.concatenate([A, even])
    target = np.concatenate([steps, np.zeros(len(even))])
    return lsq_linear(system, target, bounds=(SHORTEST * mean, np.inf)).x


def data_knots(q: np.ndarray, count: int, order: int) -> np.ndarray:
    """Clamped knots that give every control frame its data, so that the fit has one answer.

    As many frames as poses: means of order − 1 neighbouring coordinates (interpolation). Fewer: places that share the
    poses out evenly. More: breakpoints between the poses as well.
    """
    inner = count - order
    if count == len(q):
        means = np.lib.stride_tricks.sliding_window_view(q[1:-1], order - 1).mean(axis=1)[:inner]
    else:
        place = np.linspace(0.0, len(q) - 1.0, inner + 2)[1:-1]
        means = np.interp(place, np.arange(len(q)), q)
    return clamped_knots(np.concatenate([q[:1], means, q[-1:]]), order)


def open_knots(q: np.ndarray, count: int, order: int) -> np.ndarray:
    """Simple equidistant knots whose domain is that of the coordinates."""
    spacing = (q[-1] - q[0]) / (count - order + 1)
    return q[0] + spacing * (np.arange(count + order) - (order - 1.0))
