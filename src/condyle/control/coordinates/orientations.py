"""Coordinates that are turns: orientations, angles between directions, and spin."""

from __future__ import annotations

from math import comb

import numpy as np

from ...errors import BadShape, HalfTurn, require
from ...typing import ArrayLike
from .coordinate import Coordinate, axis_numbers
from .jets import Jet, angle_of, cross, dot, norm, root, stack
from .pose_jet import Posture

SMALL = 2.5e-3  # sin² below which θ / sin θ comes from its series
SERIES = [comb(2 * n, n) / 4.0**n / (2 * n + 1) for n in range(8)]  # asin(s)/s in powers of s²


def orientation(
    body: str,
    target: ArrayLike | None = None,
    *,
    relative_to: str | None = None,
    axes: str = "xyz",
    name: str | None = None,
) -> Coordinate:
    """The rotation vector [rad] that takes `target` (3x3, default: the axes of `relative_to` or the world) to the body.

    In the axes of the target; zero on target. Good up to half a turn away, where it raises HalfTurn.

    Parameters
    ----------
    body : str
        Name of the body.
    target : array_like, shape (3, 3), optional
        The rotation that counts as zero.
    relative_to : str, optional
        Body in whose axes it is taken; the world if left out.
    axes : str, optional
        Which components: letters of "xyz".
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate

    Raises
    ------
    BadShape
        If the target is not 3x3.
    """
    aim = np.eye(3) if target is None else np.asarray(target, dtype=float)
    require(aim.shape == (3, 3), "an orientation's target must be a rotation matrix (3, 3)", BadShape, shape=aim.shape)
    rows, name = axis_numbers(axes), f"{body}.orientation" if name is None else name

    def formula(posture: Posture) -> Jet:
        R = posture.rotation(body)
        if relative_to is not None:
            R = transposed_times(posture.rotation(relative_to), R)
        return rotation_vector(transposed_times(aim, R), name)[:, rows]

    return Coordinate(name, tuple(f"{name}.{a}" for a in axes), formula)


def transposed_times(A, B: Jet) -> Jet:
    """Aᵀ B."""
    return (A[..., :, :, None] * B[..., :, None, :]).sum(axis=-3)


def rotation_vector(R: Jet, name: str) -> Jet:
    """log R = (θ / sin θ) · (skew part of R)."""
    w = 0.5 * stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], axis=-1)
    c = 0.5 * (R[:, 0, 0] + R[:, 1, 1] + R[:, 2, 2] - 1.0)
    return _angle_over_sine(dot(w, w), c, name)[:, None] * w


def _angle_over_sine(square: Jet, c: Jet, name: str) -> Jet:
    small = np.real(square.value) < SMALL
    if np.any(small & (np.real(c.value) < 0.0) & (np.real(square.value) < 1e-12)):
        raise HalfTurn(
            f"coordinate {name!r} is half a turn from its target; choose a target less than half a turn away"
        )
    near = small & (np.real(c.value) > 0.0)
    series = 0.0 * square + SERIES[-1]
    for k in SERIES[-2::-1]:
        series = series * square + k
    s = root(_where(near, square * 0.0 + 1.0, square))
    return _where(near, series, angle_of(s, c) / s)


def _where(mask: np.ndarray, a: Jet, b: Jet) -> Jet:
    return Jet(np.where(mask, a.value, b.value), np.where(mask[:, None], a.slope, b.slope))


def angle(
    body_a: str,
    axis_a: ArrayLike,
    body_b: str | None,
    axis_b: ArrayLike,
    *,
    about: ArrayLike | None = None,
    name: str | None = None,
) -> Coordinate:
    """Angle [rad] from a direction of body a to one of body b (None: the world), each in its body's axes.

    Without `about` it lies in (0, π) and has no gradient at its ends; with `about`, a direction of body b, it is the
    signed angle about that direction.

    Parameters
    ----------
    body_a : str or None
        Name of the first body; None is the world.
    axis_a : array_like, shape (3,)
        Direction in the axes of the first body.
    body_b : str or None
        Name of the second body; None is the world.
    axis_b : array_like, shape (3,)
        Direction in the axes of the second body.
    about : array_like, shape (3,), optional
        Direction of the second body about which the angle is signed.
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate
    """
    name = f"{body_a}-{body_b or 'world'}.angle" if name is None else name

    def formula(posture: Posture) -> Jet:
        a, b = posture.direction(body_a, axis_a), posture.direction(body_b, axis_b)
        n = cross(a, b)
        s = norm(n) if about is None else dot(posture.direction(body_b, about), n)
        return angle_of(s, dot(a, b))

    return Coordinate(name, (name,), formula)


def spin(body: str, *, axes: str = "xyz", name: str | None = None) -> Coordinate:
    """Angular velocity [rad/s] of a body in world axes, a rate without value.  [ParkFussellBrowne1992, eqs. 18, 19]

    Parameters
    ----------
    body : str
        Name of the body.
    axes : str, optional
        Which components: letters of "xyz".
    name : str, optional
        Name of the coordinate.

    Returns
    -------
    Coordinate
    """
    rows, name = axis_numbers(axes), f"{body}.spin" if name is None else name
    labels = tuple(f"{name}.{a}" for a in axes)
    return Coordinate(name, labels, lambda x: x.rates_only(x.spin_columns(body)[:, rows]), has_value=False)
