"""One freedom along a curve of poses, designed by control frames.  [LeeTerzopoulos2008, section 5.1]"""

from __future__ import annotations

import numpy as np

from ...errors import BadKnots, BadShape, HalfTurn, require
from ...spatial import as_pose, log_se3
from ...spatial.twists import pose_inverse
from ...splines import Basis, cumulative_pieces, spline_knots
from ...typing import ArrayLike
from ..canonical_form import normalized
from ..controls import CurveControls
from ..joint import Joint
from ..segments import POLYNOMIAL, Grid, Segment, Term

HALF_TURN = 1e-6  # [rad] nearer to π than this the direction of the turn is not known


def spline_curve(
    frames: ArrayLike,
    knots: ArrayLike | None = None,
    order: int = 4,
    periodic: bool = False,
    outside: str = "extend",
    *,
    name: str = "q",
) -> Joint:
    """The cumulative B-spline G(q) = G_0 Π_j exp(ẑ_j B̃_j(q)) with z_j = log(G_{j−1}⁻¹ G_j).  [eqs. 21, 24]

    `frames`: control frames, an SE3 batch or (m + 1, 4, 4). `knots`: m + 1 + order of them, non-uniform if you like;
    None means clamped with unit spans, so the curve runs from the first frame at q = 0 to the last one at
    q = m − order + 2. With `periodic` the curve closes through all frames; `knots` are then the m + 2 breakpoints of
    one period (None: 0, 1, …, m + 1). Beyond the domain there is an error, or ("extend") every factor of the curve goes
    on at its end rate: with clamped knots, where one factor moves at an end, that is a screw by the constant end twist;
    with simple knots several factors move, and the twist of the whole changes slowly.
    Only order − 1 exponentials are evaluated, however many frames there are. Order 4 is C2, order 6 C4.

    Parameters
    ----------
    frames : SE3 or array_like, shape (m + 1, 4, 4)
        Control frames.
    knots : array_like or None
        Knots; None gives clamped knots with unit spans.
    order : int, optional
        Order of the B-spline: degree + 1; 4 is cubic.
    periodic : bool or tuple of bool, optional
        Whether the coordinate wraps.
    outside : {"extend", "error"}, optional
        Beyond the domain: continue at the end rates, or raise.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Joint

    Raises
    ------
    BadShape
        Frames and knots do not match.

    Examples
    --------
    A straight path with control frames 1 m apart; a cubic with clamped ends passes through the first and the last:

    >>> import condyle as cd
    >>> frames = cd.SE3.from_translation([[x, 0, 0] for x in range(6)])
    >>> joint = cd.joints.spline_curve(frames)
    >>> joint.domain, joint.pose([3.0]).xyz.round(6)
    (((0.0, 3.0),), array([5., 0., 0.]))
    """
    require(
        order >= 4,
        "spline_curve: order 4 or more; a lower one is not C2, so accelerations would jump",
        BadKnots,
        order=order,
    )
    frames = control_frames(frames, order, periodic)
    controls = CurveControls(frames, None if knots is None else np.asarray(knots, float), order, bool(periodic))
    full = spline_knots(knots, len(frames), order, periodic, "spline_curve")
    if periodic:
        frames = np.concatenate([frames, frames[np.arange(order - 1) % len(frames)]])
    segment = curve_segment(frames, control_twists(frames), cumulative_pieces(full, order), periodic)
    return Joint(normalized([segment]), (name,), outside, "spline_curve", controls)


def control_frames(frames, order: int, periodic: bool) -> np.ndarray:
    """Rigid control frames, enough of them."""
    frames = as_pose(frames, "spline_curve: frame ")
    require(frames.ndim == 3, "spline_curve: frames must have shape (m + 1, 4, 4)", BadShape, shape=frames.shape)
    fewest = 3 if periodic else order
    expected = f"spline_curve: order {order} needs at least {fewest} control frames"
    require(len(frames) >= fewest, expected, BadKnots, frames=len(frames))
    return frames


def control_twists(frames: np.ndarray) -> np.ndarray:
    """z_j = log(G_{j−1}⁻¹ G_j), shape (..., m, 6); neighbours half a turn apart are refused."""
    steps = pose_inverse(frames[..., :-1, :, :]) @ frames[..., 1:, :, :]
    cosine = 0.5 * (np.trace(steps[..., :3, :3], axis1=-2, axis2=-1) - 1.0)
    bad = np.argwhere(cosine < np.cos(np.pi - HALF_TURN))
    if len(bad):
        j = bad[0, -1]
        raise HalfTurn(
            f"spline_curve: control frames {j} and {j + 1} are half a turn apart (within {HALF_TURN:g} rad): the way "
            "between them is ambiguous. Insert a frame between them."
        )
    return log_se3(steps)


def curve_segment(frames: np.ndarray, z: np.ndarray, basis: Basis, periodic: bool) -> Segment:
    """Row of span j: pose G_{j−k+1}, factors z_l with B̃_l for l = j − k + 2 … j; continuations use the end spans."""
    order = basis.table.shape[1]
    factor = basis.first[:, None] + np.arange(order - 1)  # z_1 is z[0], so the twist after frame i is z[i]
    terms = tuple(Term(POLYNOMIAL, (0,), basis.table[:, l]) for l in range(1, order))
    return Segment(frames[basis.first], z[factor], terms, Grid((0,), (basis.breaks,), (periodic,)))
