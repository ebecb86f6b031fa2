"""Link lengths of an arm, and the ranges of its elbow and wrist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import BadValue, require


class Lengths(NamedTuple):
    """Link lengths [m].

    Attributes
    ----------
    clavicle : float
    upper_arm : float
    forearm : float
    """

    clavicle: float
    upper_arm: float
    forearm: float


@dataclass(frozen=True)
class Limits:
    """Ranges of elbow and wrist [rad].

    Parameters
    ----------
    flexion : pair of float, optional
        Of the elbow; 0 is straight.
    wrist : three pairs of float, optional
        About x, y and z of the forearm.
    weights : five floats, optional
        How much each limit matters (the paper's r_i): twist, flexion, wrist x, y, z. They weigh the comfort that
        `solve` looks for, and with keep="orientation" what is broken where limits must be.

    Raises
    ------
    BadValue
        If a range does not rise, or is wider than these angles can be, or a weight is not positive.
    """

    flexion: tuple[float, float] = (0.0, np.radians(145.0))
    wrist: tuple[tuple[float, float], ...] = (
        (-np.radians(70.0), np.radians(70.0)),
        (-np.radians(30.0), np.radians(30.0)),
        (-np.radians(90.0), np.radians(90.0)),
    )
    weights: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0, 1.0)

    def __post_init__(self):
        for name, (low, high) in zip(("flexion", "wrist x", "wrist y", "wrist z"), self.rows, strict=True):
            require(low < high, f"the range of {name} must rise", BadValue, low=float(low), high=float(high))
        low, high = self.wrist[1]
        good = low >= -np.pi / 2 and high <= np.pi / 2
        require(good, "the range of wrist y is within ±π/2", BadValue, low=float(low), high=float(high))
        low, high = self.flexion
        require(low >= 0 and high <= np.pi, "elbow flexion is between 0 and π", BadValue, flexion=self.flexion)
        good = len(self.weights) == 5 and all(np.isfinite(w) and w > 0 for w in self.weights)
        require(
            good, "weights are five positive numbers: twist, flexion, wrist x, y, z", BadValue, weights=self.weights
        )

    @property
    def rows(self) -> np.ndarray:
        """(4, 2): flexion and the three wrist ranges."""
        return np.array([self.flexion, *self.wrist], float)
