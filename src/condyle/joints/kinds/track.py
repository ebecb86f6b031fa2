"""Wires in a row, with corners between them, as one joint of one coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...errors import BadShape, BadValue, NotSupported, require
from ...spatial import exp_se3
from ...spatial.arrays import real_numbers
from ...spatial.twists import adjoint, pose_inverse
from ...typing import ArrayLike
from ..corner_pieces import recentered
from ..joint import Joint
from ..segments import FACTORS, POLYNOMIAL, Grid, Segment, Term
from .prismatic import prismatic

APART = 1e-8  # [m, and of rotation matrices] between the end of a wire and the start of the next
SMOOTH = 1e-9  # a change of the Jacobian, by its size, that is no corner
EVEN = 1e-9  # m


class Wire(NamedTuple):
    """One wire as rows of a table: breaks (m + 1,), poses (m + 2, 4, 4), twists (m + 2, k, 6), terms (m + 2, order)."""

    breaks: np.ndarray
    poses: np.ndarray
    twists: np.ndarray
    terms: tuple[np.ndarray, ...]


def track(
    wires: ArrayLike | Sequence[Joint | tuple[Joint, float, float]],
    *,
    closed: bool = False,
    outside: str = "extend",
    name: str = "track",
) -> Joint:
    """Wires in a row, any number of them, with a corner wherever one does not go on smoothly into the next.

    The child keeps its axes at a corner, and its velocity jumps there: `cd.simulate` lands on corners and applies the
    impulse that takes what the next wire does not allow (`Trajectory.impacts`).

    Parameters
    ----------
    wires : array_like, shape (n, 2) or (n, 3), or sequence of Joint
        Corners of a polygon [m], along which the child slides without turning; or joints of one coordinate such as
        `cd.joints.along(curve, frame="fixed")`, each of which begins with the pose with which the one before ends. A
        joint without ends is given with its part: (joint, low, high).
    closed : bool
        Whether the last wire leads back to the start of the first; a polygon gets the side that does.
    outside : {"extend", "error"}
        Beyond the ends of an open track: go straight on, or raise.
    name : str
        Of the coordinate: the length along a polygon [m], else that of the wires one after another, from 0.

    Returns
    -------
    Joint
        Its `corners` are where velocities jump.

    Raises
    ------
    BadShape, BadValue, NotFinite
        For too few or repeated points, joints of more coordinates or without ends, wires that do not meet or whose
        frames do not, each with its number and the distance.
    NotSupported
        For joints that are not polynomial pieces of one coordinate.

    Examples
    --------
    >>> import condyle as cd
    >>> zigzag = cd.joints.track([(0, 0, 0.4), (0.3, 0, 0.1), (0.6, 0, 0.3), (1.0, 0, 0.0)])
    >>> zigzag.domain[0][1].__round__(4), [round(c, 4) for c in zigzag.corners[0]]
    (1.2848, [0.4243, 0.7848])
    """
    given = _given(wires, closed)
    parts = [_wire(g, k) for k, g in enumerate(given)]
    starts = np.concatenate([[0.0], np.cumsum([p.breaks[-1] - p.breaks[0] for p in parts])])
    corners = [starts[k + 1] for k in range(len(parts) - 1) if _meets(parts[k], parts[k + 1], k)]
    if closed and _meets(parts[-1], parts[0], len(parts) - 1):
        corners = [0.0, *corners]
    breaks = np.concatenate([[0.0], *(p.breaks[1:] - p.breaks[0] + s for p, s in zip(parts, starts, strict=False))])
    segment = _together(parts, Grid((0,), (breaks,), (bool(closed),)))
    return Joint((segment,), (name,), outside, "track", corners=(tuple(map(float, corners)),))


def _given(wires: Any, closed: bool) -> list[Any]:
    """Joints with their parts, from those or from a polygon."""
    listed = isinstance(wires, (list, tuple)) and any(isinstance(w, Joint) for w in _flat(wires))
    if not listed:
        return _sides(wires, closed)
    return [(w, *w.domain[0]) if isinstance(w, Joint) and w.nv == 1 else w for w in wires]


def _flat(wires: Sequence) -> list:
    return [w[0] if isinstance(w, tuple) and len(w) == 3 else w for w in wires]


def _sides(points: ArrayLike, closed: bool) -> list[Any]:
    """The sides of a polygon as slides."""
    require(not isinstance(points, Joint), "track: give a list of joints, or the corners of a polygon", BadShape)
    p = real_numbers(points, "track: the corners of the polygon")
    good = p.ndim == 2 and p.shape[1] in (2, 3) and len(p) >= (3 if closed else 2)
    require(good, "track: a polygon has 2 corners or more (closed: 3), (n, 2) or (n, 3)", BadShape, shape=p.shape)
    require(np.isfinite(p).all(), "track: the corners must be finite numbers", BadValue)
    p = np.pad(p, [(0, 0), (0, 3 - p.shape[1])])
    p = np.vstack([p, p[:1]]) if closed else p
    sides = np.diff(p, axis=0)
    lengths = np.linalg.norm(sides, axis=1)
    bad = np.flatnonzero(lengths < EVEN)
    require(not len(bad), f"track: corners {bad[:1]} and {bad[:1] + 1} are the same point", BadValue)
    return [(_slide(a, d / n), 0.0, n) for a, d, n in zip(p, sides, lengths, strict=False)]


def _slide(start: np.ndarray, direction: np.ndarray) -> Joint:
    """From a point along a direction."""
    slide = prismatic(direction)
    pose = np.eye(4)
    pose[:3, 3] = start
    (s,) = slide.segments
    return Joint((Segment(pose[None] @ s.poses, s.twists, s.terms, s.grid),), slide.coordinates)


def _wire(given: Any, k: int) -> Wire:
    """One wire as rows; `given` is a joint with the part of it that counts."""
    good = isinstance(given, tuple) and len(given) == 3 and isinstance(given[0], Joint)
    require(good, f"track: wire {k} must be a joint of one coordinate, or (joint, low, high)", BadShape)
    joint, low, high = given
    require(joint.nq == joint.nv == 1, f"track: wire {k} must have one coordinate", BadShape, coordinates=joint.nv)
    words = f"track: wire {k} ({joint.title}) has no ends; give the part of it: (joint, low, high)"
    require(bool(np.isfinite([low, high]).all() and low < high), words, BadValue, low=low, high=high)
    whole = len(joint.segments) == 1 and joint.segments[0].kind == FACTORS and not joint.corners
    whole = whole and all(t.code == POLYNOMIAL for t in joint.segments[0].terms) and not joint.periodic[0]
    words = f"track: wire {k} ({joint.title}) must be one smooth product of polynomial pieces, such as along(…)"
    require(whole, words, NotSupported)
    s = joint.segments[0]
    if not s.grid.breaks:
        return _one_row(s, float(low), float(high))
    ends = s.grid.breaks[0][[0, -1]]
    require(np.allclose(ends, (low, high)), f"track: wire {k} is taken whole, {ends}", NotSupported, part=(low, high))
    rows = len(s.poses)
    return Wire(s.grid.breaks[0], s.poses, s.twists, tuple(np.broadcast_to(t.constants, (rows, t.constants.shape[1]))
                                                            for t in s.terms))  # fmt: skip


def _one_row(s: Segment, low: float, high: float) -> Wire:
    """A joint in closed form: below, between and above its ends it is the same polynomial."""
    centers = (low, 0.5 * (low + high), high)
    terms = tuple(np.stack([recentered(t.constants[0], c) for c in centers]) for t in s.terms)
    return Wire(np.array([low, high]), np.repeat(s.poses, 3, axis=0), np.repeat(s.twists, 3, axis=0), terms)


def _end(wire: Wire, last: bool) -> tuple[np.ndarray, np.ndarray]:
    """Pose and Jacobian (6,) at an end, by the row there."""
    b = wire.breaks
    row, u = (len(b) - 1, 0.5 * (b[-1] - b[-2])) if last else (1, -0.5 * (b[1] - b[0]))
    G, S = wire.poses[row], np.zeros(6)
    for g, constants in zip(wire.twists[row], wire.terms, strict=True):
        c = constants[row]
        E = exp_se3(g * np.polynomial.polynomial.polyval(u, c))
        S = adjoint(pose_inverse(E)) @ S + g * np.polynomial.polynomial.polyval(u, np.polynomial.polynomial.polyder(c))
        G = G @ E
    return G, S


def _meets(before: Wire, after: Wire, k: int) -> bool:
    """Whether there is a corner between two wires, which must meet."""
    (G, S), (H, T) = _end(before, True), _end(after, False)
    gap = float(np.linalg.norm(G[:3, 3] - H[:3, 3]))
    words = f"track: the wire after wire {k} must begin where that ends; they are {gap:.3g} m apart"
    require(gap < APART, words, BadValue)
    turned = float(np.abs(G[:3, :3] - H[:3, :3]).max())
    words = f"track: the frame turns at once after wire {k}, which a body cannot; take along(…, frame='fixed')"
    require(turned < APART, words, BadValue, difference=turned)
    return bool(np.abs(S - T).max() > SMOOTH * max(np.abs(S).max(), np.abs(T).max()))


def _together(parts: list[Wire], grid: Grid) -> Segment:
    """The rows of all wires: continuations at both ends, all spans between; what a wire lacks is zero."""
    most = max(len(p.terms) for p in parts)
    poses = [parts[0].poses[:1], *(p.poses[1:-1] for p in parts), parts[-1].poses[-1:]]
    twists = [np.pad(p.twists, [(0, 0), (0, most - p.twists.shape[1]), (0, 0)]) for p in parts]
    twists = [twists[0][:1], *(t[1:-1] for t in twists), twists[-1][-1:]]
    terms = []
    for j in range(most):
        order = max(p.terms[j].shape[1] for p in parts if j < len(p.terms))
        rows = [np.pad(p.terms[j], [(0, 0), (0, order - p.terms[j].shape[1])]) if j < len(p.terms)
                else np.zeros((len(p.poses), order)) for p in parts]  # fmt: skip
        constants = np.concatenate([rows[0][:1], *(r[1:-1] for r in rows), rows[-1][-1:]])
        terms.append(Term(POLYNOMIAL, (0,), constants))
    return Segment(np.concatenate(poses), np.concatenate(twists), tuple(terms), grid)
