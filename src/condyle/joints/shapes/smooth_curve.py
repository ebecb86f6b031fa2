"""A smooth curve in space as a function of a parameter, and what is known of it along its length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ...errors import BadValue, require, warn
from ...typing import ArrayLike
from .antiderivative import Antiderivative
from .complex_derivatives import lengths

if TYPE_CHECKING:
    from .crossings import Crossing

ONE = 1e-13  # of the distance from the origin: a curve this small is a point with round-off
LARGE = 20.0  # [m] beyond this a shape may be in millimetres


@dataclass(frozen=True, eq=False, repr=False)
class SmoothCurve:
    """A smooth curve in space [m], closed or open, with its own length as coordinate; `Curve` says how to make one.

    Attributes
    ----------
    at : callable
        `at(t, k)`: the k-th derivative by the parameter at parameters (N,), shape (N, 3).
    breaks : ndarray
        Rising parameters, from the first to the last; the curve is smooth between them.
    closed : bool
        Whether it ends where it begins, going the same way.
    error : float
        How far the curve may be from what was given [m], an estimate; 0 for splines and functions.
    normal : callable, optional
        Normals (N, 3) at points (N, 3) of a surface that it runs on.
    title : str
        For messages.
    analytic : bool
        Whether `at` takes complex parameters too, beside the real ones: derivatives of joints are then the most exact.
    """

    at: Callable[[np.ndarray, int], np.ndarray]
    breaks: np.ndarray
    closed: bool
    error: float = 0.0
    normal: Callable[[np.ndarray], np.ndarray] | None = None
    title: str = "curve"
    analytic: bool = False

    def __post_init__(self) -> None:
        size, away = self.size, float(np.abs(self.at(self.breaks[:1], 0)).max())
        require(size > ONE * away, f"{self.title}: all its points are one", BadValue)
        if size > LARGE:
            warn(f"{self.title}: it is {size:.3g} m large. Are these millimetres? Give scale=0.001, or divide by 1000.")

    @cached_property
    def arc(self) -> Antiderivative:
        """Arc length as a function of the parameter."""
        return Antiderivative(self._speed, self.breaks, self.title)

    def _speed(self, t: np.ndarray) -> np.ndarray:
        return lengths(self.at(t, 1))

    @property
    def length(self) -> float:
        """[m]"""
        return self.arc.total

    @cached_property
    def size(self) -> float:
        """The largest extent along x, y or z [m]."""
        t = np.linspace(self.breaks[0], self.breaks[-1], 257)
        return float(np.ptp(self.at(t, 0), axis=0).max())

    def parameter(self, s: ArrayLike) -> np.ndarray:
        """The parameter at lengths along the curve.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]; a closed curve goes on around.

        Returns
        -------
        ndarray, shape (N,)
        """
        s = np.atleast_1d(np.asarray(s, float))
        return self.arc.inverse(s % self.length if self.closed else s)

    def position(self, s: ArrayLike) -> np.ndarray:
        """Points [m] at lengths along the curve.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]

        Returns
        -------
        ndarray, shape (N, 3)
        """
        return self.at(self.parameter(s), 0)

    def tangent(self, s: ArrayLike) -> np.ndarray:
        """Unit tangents at lengths along the curve.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]

        Returns
        -------
        ndarray, shape (N, 3)
        """
        d = self.at(self.parameter(s), 1)
        return d / np.linalg.norm(d, axis=-1, keepdims=True)

    def curvature(self, s: ArrayLike) -> np.ndarray:
        """Curvature [1/m], never negative.

        Parameters
        ----------
        s : array_like, shape (N,)
            [m]

        Returns
        -------
        ndarray, shape (N,)
        """
        t = self.parameter(s)
        d, dd = self.at(t, 1), self.at(t, 2)
        return np.linalg.norm(np.cross(d, dd), axis=-1) / np.linalg.norm(d, axis=-1) ** 3

    def crossings(self) -> list[Crossing]:
        """Places where the curve meets itself.

        Returns
        -------
        list of Crossing
            The two lengths along the curve [m] and the point; empty if there are none.
        """
        from .crossings import found_crossings

        return found_crossings(self)

    def __repr__(self) -> str:
        kind, error = "closed" if self.closed else "open", f", within {self.error:.2g} m" if self.error else ""
        return f"<{self.title}: {kind}, {self.length:.4g} m{error}>"
