"""Where a character touches its surroundings: points that push and rub, but do not pull."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import BadShape, BadValue, require
from ...model import Model
from ...spatial.arrays import real_numbers
from ...spatial.frozen import Frozen
from ...typing import ArrayLike


@dataclass(frozen=True, eq=False)
class Contact(Frozen):
    """Points of a body on a plane, while they touch it. Made by `contact`.

    Attributes
    ----------
    name : str
    body : str
    points : ndarray, shape (points, 3)
        In the axes of the body [m].
    normal : ndarray, shape (3,), or None
        The way in which the plane pushes, in the world; None is against gravity.
    friction : float
        Largest share of the push that friction can be.
    during : tuple of pairs of float
        From when to when it touches [s].
    sides : int
        Of the pyramid inside the friction cone.
    """

    name: str
    body: str
    points: np.ndarray
    normal: np.ndarray | None
    friction: float
    during: tuple[tuple[float, float], ...]
    sides: int

    def touches(self, t: float) -> bool:
        """Whether it touches at a time; the end of an interval does not belong to it.

        Parameters
        ----------
        t : float
            [s]

        Returns
        -------
        bool
        """
        return any(low <= t < high for low, high in self.during)

    def push(self, model: Model) -> np.ndarray:
        """The unit vector in which the plane pushes (3,).

        Parameters
        ----------
        model : Model

        Returns
        -------
        ndarray, shape (3,)

        Raises
        ------
        BadValue
            If the contact has no normal and the model no gravity.
        """
        n = -model.gravity if self.normal is None else self.normal
        words = f"contact {self.name!r}: the model has no gravity; give a normal"
        require(np.linalg.norm(n) > 0, words, BadValue)
        return n / np.linalg.norm(n)

    def edges(self, model: Model) -> np.ndarray:
        """Edges of the friction pyramid (sides, 3), in the world: every force of it is a sum of positive shares.

        Parameters
        ----------
        model : Model

        Returns
        -------
        ndarray, shape (sides, 3)
        """
        n = self.push(model)
        first = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
        first /= np.linalg.norm(first)
        turn = 2.0 * np.pi * np.arange(self.sides) / self.sides
        return n + self.friction * (np.outer(np.cos(turn), first) + np.outer(np.sin(turn), np.cross(n, first)))


def contact(
    body: str,
    points: ArrayLike,
    *,
    normal: ArrayLike | None = None,
    friction: float = 0.8,
    during: Sequence[tuple[float, float]] | None = None,
    sides: int = 4,
    name: str | None = None,
) -> Contact:
    """Points of a body that stand on the ground, sit on a chair or lean on a wall.

    Parameters
    ----------
    body : str
    points : array_like, shape (points, 3)
        Where it touches, in the axes of the body [m]: the corners of a sole.
    normal : array_like, shape (3,), optional
        The way in which the plane pushes, in the world; against gravity if left out.
    friction : float, optional
        Largest share of the push that friction can be.
    during : sequence of pairs of float, optional
        From when to when it touches [s]; always if left out.
    sides : int, optional
        Of the pyramid that stands for the friction cone, inside of it.
    name : str, optional
        By default the body's.

    Returns
    -------
    Contact
        For `cd.control.carrying_forces` and `direct_carried`.

    Raises
    ------
    BadShape
        If the points are not (points, 3).
    BadValue
        If friction is negative, there are fewer than three sides, or an interval ends before it begins.

    Examples
    --------
    >>> import condyle as cd
    >>> sole = [(-0.05, -0.04, 0), (0.15, -0.04, 0), (0.15, 0.04, 0), (-0.05, 0.04, 0)]
    >>> foot = cd.control.contact("foot", sole, friction=0.6, during=[(0.0, 1.0)])
    >>> foot.touches(0.5), foot.touches(1.5)
    (True, False)
    """
    at = np.atleast_2d(real_numbers(points, f"contact of {body!r}: points"))
    name = body if name is None else name
    shaped = at.ndim == 2 and at.shape[1] == 3 and len(at) > 0
    require(shaped, f"contact {name!r}: points must be (points, 3), one or more", BadShape, got=at.shape)
    good = np.isfinite(at).all() and np.isfinite(friction) and friction >= 0
    require(good, f"contact {name!r}: points must be finite, friction not negative", BadValue, friction=friction)
    require(sides >= 3, f"contact {name!r}: a friction pyramid has three sides or more", BadValue, sides=sides)
    n = None if normal is None else np.asarray(normal, dtype=float)
    require(n is None or (n.shape == (3,) and np.linalg.norm(n) > 0), f"contact {name!r}: bad normal", BadValue, got=n)
    return Contact(name, body, at, n, float(friction), _intervals(during, name), int(sides))


def _intervals(during, name: str) -> tuple[tuple[float, float], ...]:
    """From when to when, as pairs."""
    try:
        times = ((-np.inf, np.inf),) if during is None else tuple((float(a), float(b)) for a, b in during)
    except (TypeError, ValueError):
        raise BadValue(f"contact {name!r}: during must be pairs (from, until) [s]; got {during!r}") from None
    require(all(a < b for a, b in times), f"contact {name!r}: an interval must end after it begins", BadValue)
    return times
