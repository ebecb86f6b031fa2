"""Chains of rods, in a plane and in space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..dynamics import forward_kinematics
from ..errors import BadShape, require
from ..joints import revolute, universal
from ..model import Model, ModelBuilder
from ..model.look.shapes import COLORS, Shape, limb
from ..spatial import SE3, Inertia


def rod(mass: float, length: float, radius: float = 0.05) -> Inertia:
    """The inertia of a rod along +x from the body's origin.

    Parameters
    ----------
    mass, length : float
        [kg, m]
    radius : float, optional
        As a share of the length.

    Returns
    -------
    Inertia
    """
    thin = 0.5 * mass * (radius * length) ** 2
    across = mass * length**2 / 12.0 + 0.5 * thin
    return Inertia(mass, np.array([0.5 * length, 0.0, 0.0]), np.diag([thin, across, across]))


def planar_chain(
    lengths: Sequence[float] = (1.0, 1.0, 1.0),
    masses: Sequence[float] | None = None,
    *,
    gravity: ArrayLike = (0.0, -9.81, 0.0),
    damping: float = 0.0,
) -> Model:
    """Rods in the x-y plane, each turning about z at the end of the one before.

    Parameters
    ----------
    lengths : sequence of float, optional
        [m]
    masses : sequence of float, optional
        [kg]; 1 kg each if left out.
    gravity : sequence of 3 floats, optional
        [m/s²]
    damping : float, optional
        Of each joint [N m s/rad].

    Returns
    -------
    Model
        Bodies and coordinates "link1", "link2", … [rad].

    Raises
    ------
    BadShape
        If there are not as many masses as lengths.

    Examples
    --------
    >>> from condyle.gallery import planar_chain
    >>> planar_chain((0.4, 0.3)).coordinates
    ('link1', 'link2')
    """
    each = np.ones(len(lengths)) if masses is None else masses
    require(len(each) == len(lengths), "planar_chain: as many masses as lengths", BadShape, masses=len(each))
    b, turn, at = ModelBuilder(gravity=gravity), revolute("z"), 0.0
    for i, (length, mass) in enumerate(zip(lengths, each, strict=True)):
        b.add_body(
            f"link{i + 1}",
            parent=f"link{i}" if i else None,
            joint=turn,
            inertia=rod(float(mass), float(length)),
            placement=SE3.from_translation((at, 0.0, 0.0)),
            shapes=_look(i, float(length)),
        )
        if damping:
            b.add_damping(f"link{i + 1}", damping)
        at = float(length)
    return b.build()


def spatial_chain(
    segments: int = 5, length: float = 0.3, mass: float = 0.5, *, gravity: ArrayLike = (0.0, 0.0, -9.81)
) -> Model:
    """Rods along x, each turning about z and then about y at the end of the one before.

    Parameters
    ----------
    segments : int, optional
    length, mass : float, optional
        Of each rod [m, kg].
    gravity : sequence of 3 floats, optional
        [m/s²]

    Returns
    -------
    Model
        Bodies "link1", …, coordinates "link1.first", "link1.second", … [rad]; ten by default.
    """
    b, turns, inertia = ModelBuilder(gravity=gravity), universal("z", "y"), rod(mass, length)
    for i in range(segments):
        b.add_body(
            f"link{i + 1}",
            parent=f"link{i}" if i else None,
            joint=turns,
            inertia=inertia,
            placement=SE3.from_translation((length if i else 0.0, 0.0, 0.0)),
            shapes=_look(i, length),
        )
    return b.build()


def _look(i: int, length: float) -> tuple[Shape, ...]:
    """Links in two colours by turns."""
    return (limb((0.0, 0.0, 0.0), (length, 0.0, 0.0), 0.06 * length, COLORS[i % 2]),)


def chain_points(model: Model, q, length: float) -> np.ndarray:
    """Origins of a chain's bodies and its tip, `length` [m] along x of the last, (T, bodies + 1, 3)."""
    poses = forward_kinematics(model, q)
    return np.concatenate([poses.xyz, poses[:, -1].apply(np.array([length, 0.0, 0.0]))[:, None]], axis=1)
