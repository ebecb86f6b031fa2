"""The one form of every joint: G(q) = H · Π_k exp(ĝ_k φ_k(q)).  [LeeTerzopoulos2008, eq. 26]

A joint is a list of *segments*. A segment looks up one table row by the coordinates of its `grid` (one row if the grid
is empty); the row holds a constant pose H and, for each factor, a constant twist g and the constants of its scalar
function φ. The one other segment is the unit quaternion (`BALL`, `FREE`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..errors import NotSupported, require
from .kernels.layout import BALL, ELLIPSE, FACTORS, FREE, POLYNOMIAL, SINUSOID

__all__ = [
    "BALL",
    "ELLIPSE",
    "FACTORS",
    "FREE",
    "POLYNOMIAL",
    "SINUSOID",
    "WIDTHS",
    "Grid",
    "Segment",
    "Term",
    "require_few",
]

# how many positions and velocities one coordinate of a segment takes
WIDTHS = {FACTORS: (1, 1), BALL: (4, 3), FREE: (7, 6)}
AXES = 4  # coordinates that a grid looks up


def require_few(count: int, what: str) -> None:
    """Refuse a grid of more coordinates than a joint looks up, before its many pieces are made."""
    require(count <= AXES, f"{what}: a joint function reads at most {AXES} looked-up coordinates", NotSupported,
            got=count)  # fmt: skip


@dataclass(frozen=True)
class Grid:
    """Which row holds: one sorted array of breakpoints for each coordinate that is looked up.

    An axis with m + 1 breakpoints has m + 2 rows: a continuation below the first breakpoint, m spans, a continuation
    above the last. Rows of several axes are in C order. A breakpoint belongs to the span on its right, the last one to
    the last span. A periodic axis wraps its coordinate into [first, last).
    """

    coordinates: tuple[int, ...] = ()
    breaks: tuple[np.ndarray, ...] = ()
    periodic: tuple[bool, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows along each axis."""
        return tuple(len(b) + 1 for b in self.breaks)

    @property
    def rows(self) -> int:
        """Rows in all."""
        return int(np.prod(self.shape, dtype=int))

    def centers(self, axis: int) -> np.ndarray:
        """Where the local variable of each row along `axis` is zero: ends for the continuations, else middles."""
        b = self.breaks[axis]
        return np.concatenate([b[:1], 0.5 * (b[1:] + b[:-1]), b[-1:]])


@dataclass(frozen=True)
class Term:
    """A scalar function φ of some of the joint's coordinates, with its constants for each row.

    POLYNOMIAL: `constants` has shape (rows, order_1, …, order_n): φ = Σ c[i, j, …] u_1^i u_2^j …, where u is the
    coordinate less the row's centre on the grid's axis of that coordinate (less 0 if the grid does not have it).
    SINUSOID: (rows, 4), φ = c0 + c1 sin(c2 q + c3). ELLIPSE: (rows, 2), the tangent angle of an ellipse with semi-axes
    a, b: φ = atan2(b sin q, a cos q), continued past π.
    """

    code: int
    coordinates: tuple[int, ...]
    constants: np.ndarray


@dataclass(frozen=True)
class Segment:
    """Consecutive factors that share a grid, or one unit quaternion.

    A quaternion is one coordinate of the joint, `grid.coordinates[0]`, that takes several numbers: `BALL` 4 positions
    and 3 velocities, `FREE` 7 and 6 (`WIDTHS`); its poses, twists and terms are empty.
    """

    poses: np.ndarray  # (rows, 4, 4): H
    twists: np.ndarray  # (rows, m, 6): g, angular part first
    terms: tuple[Term, ...]  # m of them
    grid: Grid = field(default_factory=Grid)
    kind: int = FACTORS
