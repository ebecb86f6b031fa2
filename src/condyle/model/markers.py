"""Named points of bodies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadShape, BadValue, require, require_plain
from ..spatial.frozen import Frozen


@dataclass(frozen=True, eq=False)
class Marker(Frozen):
    """A named point of a body, such as a marker that cameras see.

    Parameters
    ----------
    name : str
    body : str or None
        The body; None is the world.
    at : array_like, shape (3,)
        In the axes of the body [m].
    fixed : bool
        Whether placing markers by a static trial leaves it where it is.

    Examples
    --------
    >>> import condyle as cd
    >>> marker = cd.Marker("R.Heel", "calcn_r", (-0.02, 0.02, 0.0))
    >>> marker.at
    array([-0.02,  0.02,  0.  ])
    """

    name: str
    body: str | None
    at: np.ndarray
    fixed: bool = False

    def __post_init__(self) -> None:
        require_plain(self.name, "marker")
        at = np.asarray(self.at, dtype=float)
        require(at.shape == (3,), f"marker {self.name!r}: three numbers [m] say where it is", BadShape, got=at.shape)
        require(np.isfinite(at).all(), f"marker {self.name!r}: its place must be finite", BadValue, got=at.tolist())
        self._keep(at=at)
