"""A frame that glides along a curve of one's own: its coordinate is the length along it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import BSpline

from ...errors import BadValue, unknown_name
from ...progress import Report, counted, reporting, silent
from ...spatial.twists import pose_matrix
from ...typing import ArrayLike, Progress
from .. import functions
from ..functions import Function, Sum
from ..joint import Joint
from ..shapes.curve import Curve
from ..shapes.curve_frames import FrameAngles, frame_angles
from ..shapes.stored_pieces import TOLERANCE, stored_pieces
from .product import product

TRANSLATIONS, TURN_Z, TURN_Y, TURN_X = np.eye(6)[3:], np.eye(6)[2], np.eye(6)[1], np.eye(6)[0]
FINEST = 1e-13  # where no arc length stands between the coordinate and the curve
ALONE, TOGETHER = "breakpoints of functions", "functions along the curve"  # stages of progress
BENDING = 1e-8  # rad: how exactly a Frenet frame is stored, since second derivatives are less exact than places


def along(
    curve: Curve | BSpline | ArrayLike | str,
    *,
    frame: str | None = None,
    normal: Callable[[np.ndarray], ArrayLike] | None = None,
    up: ArrayLike | None = None,
    coordinate: str = "length",
    crossings: str = "refuse",
    outside: str = "extend",
    name: str = "along",
    progress: Progress = False,
) -> Joint:
    """One freedom along a curve: the child's origin on it, its x axis along it.

    Position and frame are stored as polynomial pieces to 1e-12 of the curve's size, so the x axis is tangent to that.
    They depend on the curve alone: not on where a closed one begins, nor on how many points it was given by, within
    `Curve.error`.

    Parameters
    ----------
    curve : Curve, scipy BSpline, str or array_like
        Points (n, 2) or (n, 3) [m] of a smooth curve, SVG path text, a B-spline, or a `Curve`, which takes more
        (`Curve.from_points`, `from_svg`, `from_lonlat`, `from_function`).
    frame : {"rotation-minimizing", "frenet", "surface normal", "fixed"}, optional
        How the y and z axes go along. "rotation-minimizing", the default, never turns about the curve (a closed one as
        little and evenly as it takes to close). "frenet": y to the inside of the bend (to
        1e-8 unless `Curve.analytic`); the curve must bend everywhere, always to one side. "surface normal":
        z along `normal`, the default for a curve that has normals. "fixed": no turns.
    normal : callable, optional
        From points (N, 3) to normals (N, 3) of a surface that the curve runs on.
    up : array_like, shape (3,), optional
        Where the z axis of a rotation-minimising frame points on the whole; by default across the plane of a plane
        curve, else along z.
    coordinate : {"length", "parameter"}
        Metres along the curve from its first point, or its own parameter.
    crossings : {"refuse", "allow"}
        Whether the curve may meet itself.
    outside : {"extend", "error"}
        Beyond the ends of an open curve: go straight on, or raise.
    name : str
        Of the coordinate.
    progress : bool or callable, optional
        True for a bar in a terminal, or a function of (stage, done, total): the outline of a letter takes 20 s.

    Returns
    -------
    Joint
        A closed curve has no ends: its coordinate goes around.

    Raises
    ------
    BadValue
        With the place: the curve meets itself, stands still, or has no frame of this kind.

    Examples
    --------
    A bead on a wire through points of a helix:

    >>> import condyle as cd
    >>> t = np.linspace(0.0, 4.0, 60)
    >>> wire = cd.joints.along(np.column_stack([np.cos(3 * t), np.sin(3 * t), t]), name="bead")
    >>> low, high = wire.domain[0]
    >>> round(high, 3), wire.jacobian([2.0])[3:, 0].round(9)  # 4 √10 m; unit speed along x
    (12.649, array([1., 0., 0.]))
    """
    curve = Curve.of(curve)
    for word, known in ((coordinate, ("length", "parameter")), (crossings, ("refuse", "allow"))):
        if word not in known:
            raise unknown_name("word", word, known, "along")
    if crossings == "refuse":
        require_simple(curve)
    frame = frame or ("rotation-minimizing" if curve.normal is None and normal is None else "surface normal")
    finest = TOLERANCE if coordinate == "length" else FINEST
    angles = None if frame == "fixed" else frame_angles(curve, frame, normal, up)
    P = np.eye(3) if angles is None else angles.pole
    with reporting(progress) as report:
        stored = Stored(curve, coordinate, BENDING if frame == "frenet" and not curve.analytic else finest, report)
        start, places = stored.positions(P)
        turns = () if angles is None else stored.turns(angles)
        kept = [(g, f) for g, f in (*zip(TRANSLATIONS, places, strict=True), *turns) if f is not None]
        twists, parts = zip(*kept, strict=True)
        made = stored.together(parts)
    pose = pose_matrix(P, P @ start)
    return product(twists, made, coordinates=(name,), pose=pose, outside=outside, title="along")


def require_simple(curve: Curve) -> None:
    """A curve that meets itself is refused with the first place."""
    for first, second, point in curve.crossings():
        place = ", ".join(f"{x:.4g}" for x in point)
        raise BadValue(
            f"along: the curve meets itself at ({place}), {first:.4g} m and {second:.4g} m along it. If that is meant, "
            "say crossings='allow'."
        )


class Stored:
    """Functions of the joint's coordinate as pieces that all have the same breakpoints."""

    def __init__(self, curve: Curve, coordinate: str, tolerance: float, report: Report = silent) -> None:
        self.curve, self.by_length, self.tolerance, self.report = curve, coordinate == "length", tolerance, report
        self.breaks = curve.arc.sums if self.by_length else curve.arc.spans
        self.extent = float(self.breaks[-1] - self.breaks[0])
        self.known: dict[bytes, np.ndarray] = {}

    def places(self, q: np.ndarray) -> np.ndarray:
        """The curve's parameters at coordinates."""
        if not self.by_length:
            return q
        key = q.tobytes()  # six functions are sampled at the same places
        if key not in self.known:
            inverse = self.curve.arc.complex_inverse if np.iscomplexobj(q) else self.curve.arc.inverse
            self.known[key] = inverse(q)
        return self.known[key]

    def pieces(self, f: Callable[[np.ndarray], np.ndarray], rate: float, breaks: np.ndarray) -> Function:
        """A function of the parameter, less a rate times the coordinate, as pieces of the coordinate."""
        unit = min(1.0, self.curve.size)  # of angles [rad] and places [m]

        def by_coordinate(q: np.ndarray) -> np.ndarray:
            return f(self.places(q)) - rate * q

        around = by_coordinate if self.curve.analytic else None
        return stored_pieces(by_coordinate, breaks, self.curve.closed, self.tolerance, unit, around)

    def positions(self, P: np.ndarray) -> tuple[np.ndarray, list[Callable | None]]:
        """The middle in the axes P, and how far from it the curve is along each; None where it never is."""
        t = self.curve.arc.nodes()[0]
        p = self.curve.at(t, 0) @ P
        middle, still = p.mean(axis=0), np.ptp(p, axis=0) < 1e-13 * self.curve.size
        middle = np.where(still, p[0], 0.0) if not P[:2, 2].any() else middle  # plane curves stay as they were given
        return middle, [None if still[i] else self._component(P, middle, i) for i in range(3)]

    def _component(self, P: np.ndarray, middle: np.ndarray, i: int) -> Callable[[np.ndarray], np.ndarray]:
        return lambda t: self.curve.at(t, 0) @ P[:, i] - middle[i]

    def turns(self, angles: FrameAngles) -> list[tuple[np.ndarray, Callable | None]]:
        """Twists and functions of the three turns."""
        return [(TURN_Z, angles.alpha), (TURN_Y, angles.beta), (TURN_X, angles.gamma)]

    def together(self, parts) -> list[Function | Sum]:
        """All functions on the breakpoints that any of them needs; whole turns of a closed curve grow linearly."""
        rates = [self._rate_of_turns(f) for f in parts]
        every = list(zip(parts, rates, strict=True))
        self.report(ALONE, 0, len(every))  # the first takes longest
        alone = counted((self.pieces(f, r, self.breaks) for f, r in every), ALONE, len(every), self.report)
        breaks = np.unique(np.concatenate([x.grid.breaks[0] for x in alone]))
        kept = breaks[np.r_[True, np.diff(breaks) > 1e-12 * self.extent]]
        kept[-1] = self.breaks[-1]
        pairs = counted(((self.pieces(f, r, kept), r) for f, r in every), TOGETHER, len(every), self.report)
        return [functions.linear(scale=r) + p if r else p for p, r in pairs]

    def _rate_of_turns(self, f: Callable[[np.ndarray], np.ndarray]) -> float:
        """Whole turns [rad] that an angle makes on the way around a closed curve, by the coordinate."""
        gained = float(np.diff(f(self.curve.breaks[[0, -1]]))[0]) if self.curve.closed else 0.0
        return 2.0 * np.pi * round(gained / (2.0 * np.pi)) / self.extent
