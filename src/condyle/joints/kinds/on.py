"""A frame that glides on a surface of one's own: z along its normal, x along its first parameter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.interpolate import NdBSpline

from ...errors import BadValue, NotSupported, require, unknown_name
from ...spatial.twists import pose_matrix
from .. import functions
from ..functions import Function, Sum
from ..functions.function import compiled
from ..joint import Joint
from ..shapes.complex_derivatives import angle_of, lengths, nearest_turn
from ..shapes.poles import farthest_pole
from ..shapes.stored_pieces import TOLERANCE, by_unit
from ..shapes.surface import Surface
from .product import product

TRANSLATIONS, TURN_X, TURN_Y, TURN_Z = np.eye(6)[3:], np.eye(6)[0], np.eye(6)[1], np.eye(6)[2]
ORDER, HIGH = 10, 16  # of pieces; the higher where complex numbers make it worth while: fewer and wider ones
CROWDED = np.cos(np.radians(3.0))
ALONGSIDE = 1e-3  # [rad] between tangent planes: below this a surface touches itself
KEPT = 12  # sets of places: three for each halving of pieces
ROUGH = 1e-9  # where slopes come from pieces


def on(
    surface: Surface | NdBSpline,
    *,
    names: Sequence[str] = ("u", "v"),
    crossings: str = "refuse",
    outside: str = "extend",
) -> Joint:
    """Two freedoms on a surface: the child's origin on it, its z axis along the normal.

    The coordinates are the surface's parameters, x and y for a graph; the x axis goes along the first of them. Places
    and turns are stored as polynomial pieces to 1e-12 (turns to 1e-9 where `Surface.exact` is False).

    Parameters
    ----------
    surface : Surface or scipy NdBSpline
        `Surface.from_heights`, `from_spline`, `from_function` make one.
    names : sequence of two str
        Of the coordinates.
    crossings : {"refuse", "allow"}
        Whether the surface may meet itself: pass through itself, touch itself, or cover a part twice. Edges may always
        meet edges, as at the seam of a tube.
    outside : {"extend", "error"}
        Beyond its edges: continue linearly, which leaves the surface (0.035 m on a ball of 0.3 m, 0.5 rad beyond the
        edge), or raise. `cd.simulate` and `cd.project` warn of it.

    Returns
    -------
    Joint

    Raises
    ------
    BadValue
        If the surface meets itself, with the point and both pairs of parameters.
    NotSupported
        If the directions of the x axis leave no pole to measure turns from (a closed surface): take a part of it.

    Examples
    --------
    A point on a ball, by longitude and latitude [rad]:

    >>> import condyle as cd
    >>> def ball(u, v):
    ...     return 0.3 * np.stack([np.cos(v) * np.cos(u), np.cos(v) * np.sin(u), np.sin(v)], axis=-1)
    >>> glide = cd.joints.on(cd.joints.Surface.from_function(ball, ((-1, 1), (-0.7, 0.7))))
    >>> glide.pose([0.5, 0.2]).as_matrix()[:3, 2].round(9).tolist() == (ball(0.5, 0.2) / 0.3).round(9).tolist()
    True
    """
    surface = Surface.of(surface)
    if crossings not in ("refuse", "allow"):
        raise unknown_name("word", crossings, ("refuse", "allow"), "on")
    if crossings == "refuse":
        require_simple(surface)
    return on_graph(surface, names, outside) if surface.graph else on_parametric(surface, names, outside)


def require_simple(surface: Surface) -> None:
    """A surface that meets itself is refused with a place."""
    for first, second, point, angle in surface.crossings()[:1]:
        near = np.where(np.abs(point) > 1e-12 * surface.size, point, 0.0)
        a, b, place = (", ".join(f"{x:.4g}" for x in row) for row in (first, second, near))
        how = f"at an angle of {np.degrees(angle):.2g}°" if angle > ALONGSIDE else "where it touches or covers itself"
        raise BadValue(
            f"on: {surface.title} meets itself at ({place}) m, at parameters ({a}) and ({b}), {how}. Take a part of it "
            "or one turn of a parameter, or if that is meant, say crossings='allow'."
        )


def on_graph(surface: Surface, names: Sequence[str], outside: str) -> Joint:
    """shift(x, y, h) · turn_y(−atan h_x) · turn_x(atan(h_y / √(1 + h_x²)))."""

    def about_y(q: np.ndarray) -> np.ndarray:
        return -np.arctan(surface.at(q, (1, 0)))

    def about_x(q: np.ndarray) -> np.ndarray:
        return np.arctan(surface.at(q, (0, 1)) / np.sqrt(1.0 + surface.at(q, (1, 0)) ** 2))

    turns = [stored(surface, about_y), stored(surface, about_x)]
    twists = (*TRANSLATIONS, TURN_Y, TURN_X)
    places = (functions.linear(0), functions.linear(1), heights(surface))
    return product(twists, (*places, *turns), coordinates=tuple(names), outside=outside, title="on")


def heights(surface: Surface) -> Function:
    """The heights of a graph: its own spline where it has one order both ways."""
    spline = surface.spline
    if spline is not None and len(set(spline.k)) == 1:
        return functions.spline(tuple(spline.t), spline.c, order=int(spline.k[0]) + 1)
    return stored(surface, lambda q: surface.at(q, (0, 0)))


def stored(surface: Surface, f: Callable[[np.ndarray], np.ndarray]) -> Function:
    """A function of the parameters (N, 2) as pieces."""
    tolerance = by_unit(TOLERANCE if surface.exact else ROUGH, f(surface.samples), min(1.0, surface.size))
    order, around = (HIGH, f) if surface.analytic else (ORDER, None)
    return compiled(f, (0, 1), surface.breaks, order, tolerance, surface.periodic, surface.title, around)


def on_parametric(surface: Surface, names: Sequence[str], outside: str) -> Joint:
    """P · shift · R_z(α) R_y(β) R_x(γ): x along ∂p/∂u, z along the normal."""
    u = surface.slopes(surface.samples)[0]
    P, nearest = farthest_pole(u / np.linalg.norm(u, axis=1, keepdims=True))
    expected = "on: the surface turns its x axis in all directions, which leaves no pole to measure turns from"
    require(nearest < CROWDED, f"{expected}; take a part of it, or exchange its parameters", NotSupported)

    known: dict[bytes, tuple[np.ndarray, np.ndarray]] = {}

    def slopes(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        key = q.tobytes()  # three angles are sampled at the same places
        if key not in known:
            if len(known) == KEPT:
                known.pop(next(iter(known)))
            a, b = surface.slopes(q)
            known[key] = a @ P, np.cross(a, b) @ P
        return known[key]

    def alpha(q: np.ndarray) -> np.ndarray:
        d = slopes(q)[0]
        return angle_of(d[:, 1], d[:, 0])

    def beta(q: np.ndarray) -> np.ndarray:
        d = slopes(q)[0]
        return -angle_of(d[:, 2], lengths(d[:, :2]))

    def gamma(q: np.ndarray) -> np.ndarray:
        a, b, n = alpha(q), beta(q), slopes(q)[1]
        y = n[:, 1] * np.cos(a) - n[:, 0] * np.sin(a)
        z = (n[:, 0] * np.cos(a) + n[:, 1] * np.sin(a)) * np.sin(b) + n[:, 2] * np.cos(b)
        return angle_of(-y, z)

    places = [stored(surface, lambda q, i=i: surface.points(q) @ P[:, i]) for i in range(3)]
    turns = [continued(surface, f) for f in (alpha, beta, gamma)]
    twists = (*TRANSLATIONS, TURN_Z, TURN_Y, TURN_X)
    pose = pose_matrix(P, np.zeros(3))
    return product(twists, (*places, *turns), coordinates=tuple(names), pose=pose, outside=outside, title="on")


def continued(surface: Surface, raw: Callable[[np.ndarray], np.ndarray]) -> Function | Sum:
    """An angle known up to whole turns as pieces; whole turns around a periodic parameter grow linearly."""
    axes = [np.unique(np.concatenate([np.linspace(b[0], b[-1], 129), b])) for b in surface.breaks]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    table = np.unwrap(np.unwrap(raw(grid.reshape(-1, 2)).reshape(grid.shape[:2]), axis=0), axis=1)
    rates = [_rate(surface, table, c) for c in (0, 1)]

    def angle(q: np.ndarray) -> np.ndarray:
        i, j = (np.clip(np.round(np.interp(np.real(q[:, c]), a, np.arange(len(a)))).astype(int), 0, len(a) - 1)
                for c, a in enumerate(axes))  # fmt: skip
        return nearest_turn(raw(q), table[i, j]) - q @ rates

    pieces = stored(surface, angle)
    linear = [functions.linear(c, scale=r) for c, r in enumerate(rates) if r]
    return sum(linear, start=pieces)


def _rate(surface: Surface, table: np.ndarray, c: int) -> float:
    """Whole turns on the way around a periodic parameter, by the parameter."""
    if not surface.periodic[c]:
        return 0.0
    gained = np.take(table, -1, axis=c) - np.take(table, 0, axis=c)
    b = surface.breaks[c]
    return 2.0 * np.pi * round(float(gained.mean()) / (2.0 * np.pi)) / float(b[-1] - b[0])
