"""What a spline joint was designed by, kept beside it so that a person can change it. No algorithm reads it."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..spatial.frozen import Frozen


class _Kept(Frozen):
    """Arrays are copies that cannot be written to."""

    def __post_init__(self) -> None:
        self._keep(**{field.name: getattr(self, field.name) for field in fields(self)})  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class CurveControls(_Kept):
    """Arguments of `spline_curve`: control frames (m + 1, 4, 4), knots as they were given."""

    frames: np.ndarray
    knots: np.ndarray | None
    order: int
    periodic: bool


@dataclass(frozen=True, eq=False)
class SurfaceControls(_Kept):
    """Arguments of `spline_surface`: control values (n_1, …, n_n, k) of k twists (k, 6), knots as they were given."""

    controls: np.ndarray
    knots: tuple[np.ndarray | None, ...]
    order: int
    twists: np.ndarray
    periodic: tuple[bool, ...]
    pose: np.ndarray


Controls = CurveControls | SurfaceControls
