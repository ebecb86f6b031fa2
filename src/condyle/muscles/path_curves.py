"""`path_points`: where paths run, with points along what they wrap over, to draw them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..dynamics.arguments import States, states
from ..errors import BadValue, require
from ..model import Model
from ..model.muscle_paths.paths import Muscle, WrapObject
from ..numeric import one_by_one
from ..typing import ArrayLike
from .path_packing import active_wraps, packed_whole_paths

ROUGH = 4  # steps of an ellipsoid's curve from one point to the next


def path_points(model: Model, q: ArrayLike, *, samples: int = 9, threads: int | None = None) -> tuple[np.ndarray, ...]:
    """Points of the paths of all muscles in the world [m], along the wraps as they run over them: to draw paths.

    Parameters
    ----------
    model : Model
    q : array_like, shape (..., nq)
        Coordinates of one state or of a batch [rad, m].
    samples : int, optional
        Points along each wrap that a path touches, its two tangent points among them.
    threads : int, optional
        For batches; by default CONDYLE_THREADS, or all usable cores.

    Returns
    -------
    tuple of ndarray, shape (..., points + samples · wraps, 3)
        One array for each of `model.muscles`. Where a point does not count or a wrap is not touched there are fewer,
        and the last point is repeated, so that the shape does not depend on the pose.

    Raises
    ------
    BadValue
        If the model has no muscles, or `samples` is below 2.

    Examples
    --------
    A path over the top of a drum of 0.1 m:

    >>> import condyle as cd
    >>> b = cd.ModelBuilder().add_body("rod", joint=cd.joints.revolute("z"), inertia=cd.Inertia.point(1.0))
    >>> b = b.add_wrap("drum", "cylinder", quadrant="y", radius=0.1, length=1.0)
    >>> b = b.add_path("rope", [(None, (-1, 0, 0)), ("rod", (1, 0, 0))], wraps=["drum"])
    >>> found = cd.muscles.path_points(b.build(), [0.0], samples=3)[0]
    >>> found.round(3)[2]
    array([0. , 0.1, 0. ])
    """
    require(
        isinstance(samples, int) and samples >= 2, "samples must be a whole number from 2 on", BadValue, got=samples
    )
    s = states(model, q)
    found = path_vertices(model, s, threads)
    return tuple(
        x.reshape(*s.batch, *x.shape[1:])
        for x in (_curve(samples, *given) for given in zip(model.muscles, *found, strict=True))
    )


Parts = list[np.ndarray]


def path_vertices(model: Model, s: States, threads: int | None) -> tuple[Parts, Parts, Parts, Parts, list]:
    """Places (T, n, 3), order (T, n), arcs (T, wraps), frames (T, wraps, 12) and wrap objects of each path."""
    from .kernels.path_vertices import vertex_states

    pair, tables = model.tables, tuple(packed_whole_paths(model))
    wraps = [active_wraps(model, m) for m in model.muscles]
    sizes = [len(m.path.points) + 2 * len(w) for m, w in zip(model.muscles, wraps, strict=True)]
    at, turn = np.cumsum(sizes)[:-1], np.cumsum([len(w) for w in wraps])
    X, order = np.empty((s.count, 3 * sum(sizes))), np.empty((s.count, sum(sizes)))
    arcs, frames = np.zeros((s.count, turn[-1])), np.zeros((s.count, 12 * turn[-1]))
    given = s["q"], X, order, arcs, frames
    one_by_one(lambda z, i, j: vertex_states(z, pair, tables, given, i, j), s.count, threads)
    places = np.split(X.reshape(s.count, -1, 3), at, axis=1)
    ways = np.split(frames.reshape(s.count, -1, 12), turn[:-1], axis=1)
    return places, np.split(order, at, axis=1), np.split(arcs, turn[:-1], axis=1), ways, wraps


def _curve(
    samples: int, muscle: Muscle, X: np.ndarray, order: np.ndarray, arcs: np.ndarray, frames: np.ndarray, wraps: list
) -> np.ndarray:
    """Points (T, n, 3) of one path; states in which it meets its vertices in one order are done together."""
    points = len(muscle.path.points)
    out = np.empty((len(X), points + samples * len(wraps), 3))
    patterns, kind = np.unique(order, axis=0, return_inverse=True)
    for k, pattern in enumerate(patterns):
        here = kind.ravel() == k
        met = pattern[pattern >= 0].astype(int)
        parts = list(_parts(met, points, X[here], arcs[here], frames[here], wraps, samples))
        line = np.concatenate(parts or [X[here][:, :1]], axis=1)
        out[here, : line.shape[1]] = line
        out[here, line.shape[1] :] = line[:, -1:]
    return out


def _parts(met, points: int, X, arcs, frames, wraps: list[WrapObject], samples: int) -> Iterator[np.ndarray]:
    """Vertices one by one, and the points of an arc in place of its two."""
    skip = False
    for n, v in enumerate(met):
        if v < points:
            yield X[:, [v]]
        elif not skip:
            k, before = (v - points) // 2, X[:, met[n - 1]]
            R, o = frames[:, k, :9].reshape(-1, 3, 3), frames[:, k, 9:]
            p, a, b = (np.einsum("tji,tj->ti", R, x - o) for x in (before, X[:, v], X[:, v + 1]))
            curve = _arc(wraps[k], p, a, b, arcs[:, k], samples)
            yield np.einsum("tij,tsj->tsi", R, curve) + o[:, None]
        skip = v >= points and not skip


def _arc(wrap: WrapObject, p, a, b, length: np.ndarray, samples: int) -> np.ndarray:
    """Points (T, samples, 3) from a to b over a wrap, in its frame, for a path that comes from p."""
    way = a - p
    far = np.linalg.norm(way, axis=1, keepdims=True)
    way = np.where(far > 1e-12, way, b - a)
    d = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-300)
    s = length[:, None] * np.linspace(0.0, 1.0, samples)
    curve = CURVES[wrap.kind](wrap, a, d, s, b)
    curve[:, 0], curve[:, -1] = a, b
    return curve


def _helix(wrap: WrapObject, a, d, s, b, radius: float | None = None) -> np.ndarray:
    r = float(wrap.sizes["radius"]) if radius is None else radius
    turn = (a[:, 0] * d[:, 1] - a[:, 1] * d[:, 0])[:, None] / r**2 * s
    c, n = np.cos(turn), np.sin(turn)
    x, y = a[:, :1], a[:, 1:2]
    return np.stack([c * x - n * y, n * x + c * y, a[:, 2:] + d[:, 2:] * s], axis=-1)


def _great_circle(wrap: WrapObject, a, d, s, b) -> np.ndarray:
    angle = s[..., None] / float(wrap.sizes["radius"])
    return np.cos(angle) * a[:, None] + float(wrap.sizes["radius"]) * np.sin(angle) * d[:, None]


def _ellipsoid_curve(wrap: WrapObject, a, d, s, b) -> np.ndarray:
    """The geodesic from a along d, by Runge and Kutta's method."""
    B = 1.0 / np.asarray(wrap.sizes["dimensions"], dtype=float) ** 2

    def bend(x, u):
        n = B * x
        return -n * ((u * B * u).sum(axis=1) / (n * n).sum(axis=1))[:, None]

    x, u, out = a, d, [a]
    for _ in range(s.shape[1] - 1):
        for _ in range(ROUGH):
            x, u = _step(bend, x, u, (s[:, 1:2] - s[:, :1]) / ROUGH)
        out.append(x)
    return np.stack(out, axis=1)


def _step(bend, x, u, h) -> tuple[np.ndarray, np.ndarray]:
    """A step of order 4 of x'' = bend(x, x')."""
    k1 = bend(x, u)
    k2 = bend(x + 0.5 * h * u, u + 0.5 * h * k1)
    k3 = bend(x + 0.5 * h * u + 0.25 * h * h * k1, u + 0.5 * h * k2)
    k4 = bend(x + h * u + 0.5 * h * h * k2, u + h * k3)
    return x + h * u + h * h / 6.0 * (k1 + k2 + k3), u + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


def _round_tube(wrap: WrapObject, a, d, s, b) -> np.ndarray:
    """A helix round the tube of a torus, straight where the path touches it."""
    r, R = float(wrap.sizes["inner_radius"]), float(wrap.sizes["outer_radius"])
    u = np.arctan2(a[:, 1] + b[:, 1], a[:, 0] + b[:, 0])
    for _ in range(20):  # both points are r from the tube's axis
        f, slope = _off_tube(a, b, r, R, u), (_off_tube(a, b, r, R, u + 1e-6) - _off_tube(a, b, r, R, u - 1e-6)) / 2e-6
        u = u - np.clip(f * slope / np.maximum(slope * slope, 1e-18), -0.05, 0.05)
    c, n, zero = np.cos(u), np.sin(u), np.zeros_like(u)
    axes = np.stack([np.stack(v, axis=-1) for v in ((-c, -n, zero), (zero, zero, -zero - 1), (-n, c, zero))], axis=1)
    center = R * np.stack([c, n, zero], axis=-1)
    start, way = (np.einsum("tij,tj->ti", axes, x) for x in (a - center, d))
    curve = _helix(wrap, start, way, s, b, r)
    return np.einsum("tji,tsj->tsi", axes, curve) + center[:, None]


def _off_tube(a, b, r: float, R: float, u) -> np.ndarray:
    """By how much the squared distances of two points from the tube's axis at an angle are not those of its surface."""
    c, n = np.cos(u), np.sin(u)
    first, second = ((R - c * x[:, 0] - n * x[:, 1]) ** 2 + x[:, 2] ** 2 - r * r for x in (a, b))
    return first + second


CURVES = {
    "WrapCylinder": _helix,
    "WrapSphere": _great_circle,
    "WrapEllipsoid": _ellipsoid_curve,
    "WrapTorus": _round_tube,
}
