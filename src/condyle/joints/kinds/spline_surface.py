"""Several freedoms: six basis twists driven by tensor-product splines.  [LeeTerzopoulos2008, eq. 25]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...errors import BadShape, BadValue, require
from ...spatial import as_pose
from ...spatial.arrays import real_numbers
from ...typing import ArrayLike
from ..canonical_form import normalized, shifted
from ..controls import SurfaceControls
from ..functions import spline
from ..joint import Joint
from ..segments import Segment
from ..validate_axes import twist_rows
from .product import product

# Three translations, then rotations about x, y and z, so that rotation = R_x(φ4) R_y(φ5) R_z(φ6).
BASIS_TWISTS = np.roll(np.eye(6), 3, axis=1)


def spline_surface(
    controls: ArrayLike,
    knots: Sequence[ArrayLike | None],
    order: int = 4,
    twists: ArrayLike = BASIS_TWISTS,
    *,
    periodic: bool | tuple[bool, ...] = False,
    pose: ArrayLike | None = None,
    outside: str = "extend",
    names: Sequence[str] | None = None,
    base: Mapping[int, Joint] | None = None,
) -> Joint:
    """G(q) = base(q) · pose · Π_k exp(ê_k φ_k(q)), each φ_k a B-spline of n ≥ 2 coordinates.

    `controls` has shape (n_1, …, n_n, len(twists)): controls[…, k] drives twists[k], in order. The default twists are
    three translations [m], then rotations about x, y, z [rad]; these are Euler angles, singular where the second is
    ±π/2. A moving base carries them along: G(q) = B_c(q_c) · B_d(q_d) · … · pose · Π_k exp(ê_k φ_k(q)) with joints of
    one coordinate such as `spline_curve`, so that only what the surface adds to their product has Euler angles, and the
    whole may turn far. `knots`: a tuple with one array for each coordinate (n_i + order of them; None is clamped with
    unit spans; a periodic coordinate takes the breakpoints of one period). `names` are the coordinates'.

    Parameters
    ----------
    controls : array_like, shape (n_1, …, n_n, len(twists))
        Control values of the functions.
    knots : tuple of arrays or None
        One array for each coordinate.
    order : int, optional
        Order of the B-spline: degree + 1; 4 is cubic.
    twists : array_like, shape (k, 6)
        The twists that the functions drive, in order.
    periodic : bool or tuple of bool, optional
        Whether the coordinate wraps.
    pose : SE3 or array_like, shape (4, 4), optional
        A pose; the identity if left out.
    outside : {"extend", "error"}, optional
        Beyond the domain: continue at the end rates, or raise.
    names : sequence of str, optional
        Names of the coordinates.
    base : mapping of int to Joint, optional
        Joints of one coordinate that move the surface, by the number of the coordinate that each reads, in the order in
        which they act. Such a surface keeps no control frames (`design_frames`).

    Returns
    -------
    Joint

    Raises
    ------
    BadShape
        If controls, knots and twists do not go together.
    BadValue
        If a joint of the base has several coordinates, or reads one that the surface does not have.
    BadKnots
        If knots fall, or are too few or too many.

    Examples
    --------
    >>> import condyle as cd
    >>> grid = np.zeros((5, 5, 6))
    >>> grid[..., 0], grid[..., 1] = np.meshgrid(np.arange(5.0), np.arange(5.0), indexing="ij")
    >>> plane = cd.joints.spline_surface(grid, (None, None))
    >>> plane.domain
    ((0.0, 2.0), (0.0, 2.0))
    """
    controls, rows = real_numbers(controls, "spline_surface: the controls"), twist_rows(twists, "spline_surface")
    n = controls.ndim - 1
    expected = "spline_surface: controls need an axis for each of two or more coordinates, then one for the twists"
    require(n >= 2, expected, BadShape, shape=controls.shape)
    expected = f"spline_surface: {len(rows)} twists need controls of shape (…, {len(rows)})"
    require(controls.shape[-1] == len(rows), expected, BadShape, shape=controls.shape)
    functions = [spline(tuple(knots), controls[..., k], order, periodic=periodic) for k in range(len(rows))]
    names = tuple(f"q{c}" for c in range(n)) if names is None else names
    made = product(rows, functions, coordinates=names, pose=pose, outside=outside, title="spline_surface")
    if base:
        return replace(made, segments=normalized([*base_segments(base, n), *made.segments]))
    given = tuple(None if k is None else np.asarray(k, float) for k in knots)
    wraps = tuple(bool(x) for x in np.broadcast_to(periodic, n))
    start = as_pose(pose, "spline_surface: pose")
    return replace(made, controls=SurfaceControls(controls, given, order, rows, wraps, start))


def base_segments(base: Mapping[int, Joint], n: int) -> list[Segment]:
    """The segments of the joints that move a surface of n coordinates, each reading its own."""
    for c, joint in base.items():
        expected = f"spline_surface: the base is {{coordinate number 0 … {n - 1}: joint of one coordinate}}"
        good = c in range(n) and isinstance(joint, Joint) and joint.nq == joint.nv == 1
        require(good, expected, BadValue, coordinate=c, joint=getattr(joint, "title", type(joint).__name__))
    return [shifted(segment, c) for c, joint in base.items() for segment in joint.segments]
