"""Chains from a table of link parameters: T = Rot(x, α) Trans(x, a) Rot(z, φ) Trans(z, s).

[ParkFussellBrowne1992, eq. 3]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..errors import BadShape, BadValue, require
from ..joints import prismatic, revolute
from ..model import Model, ModelBuilder
from ..spatial import SE3, Inertia, exp_se3
from ..typing import ArrayLike


class Link(NamedTuple):
    """One row of a table of Denavit-Hartenberg parameters, modified after Craig.

    Attributes
    ----------
    inertia : Inertia
        Of the link.
    twist : float
        α of the link before [rad].
    length : float
        a of the link before [m].
    offset : float
        s [m].
    angle : float
        φ [rad].
    slides : bool
        Makes s the coordinate instead of φ; the given φ or s of the coordinate is its zero.
    """

    inertia: Inertia
    twist: float = 0.0
    length: float = 0.0
    offset: float = 0.0
    angle: float = 0.0
    slides: bool = False


def screw_chain(
    links: Sequence[Link], *, gravity: ArrayLike = (0.0, 0.0, -9.81), names: Sequence[str] | None = None
) -> Model:
    """A serial chain of one-freedom joints, "link1", "link2", … from the base; coordinates φ_i (or s_i).

    Parameters
    ----------
    links : sequence of Link
        Parameters of the links, from the base.
    gravity : array_like, shape (3,)
        [m/s²]
    names : sequence of str, optional
        Names of the bodies.

    Returns
    -------
    Model

    Raises
    ------
    BadShape
        If there are not as many names as links.
    """
    given = isinstance(links, Sequence) and all(isinstance(link, Link) for link in links)
    require(given, "screw_chain takes a sequence of cd.control.Link", BadValue, got=links)
    names = [f"link{i + 1}" for i in range(len(links))] if names is None else list(names)
    require(len(names) == len(links), "give one name per link", BadShape, names=names)
    b = ModelBuilder(gravity=gravity)
    for i, (name, link) in enumerate(zip(names, links, strict=True)):
        joint = prismatic("z") if link.slides else revolute("z")
        parent = names[i - 1] if i else None
        b.add_body(name, parent=parent, joint=joint, inertia=link.inertia, placement=SE3.from_matrix(_screws(link)))
    return b.build()


def _screws(link: Link) -> np.ndarray:
    """The two screws at the coordinate's zero."""
    return _screw(0, link.twist, link.length) @ _screw(2, link.angle, link.offset)


def _screw(axis: int, angle: float, shift: float) -> np.ndarray:
    """Screw[axis, shift, angle].  [eq. 2]"""
    n = np.eye(3)[axis]
    return exp_se3(np.concatenate([angle * n, shift * n]))
