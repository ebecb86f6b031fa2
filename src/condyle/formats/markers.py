"""Marker trajectories as every marker file holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BadFile, unknown_name

__all__ = ["Markers", "metres_per"]

UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}


@dataclass(frozen=True)
class Markers:
    """`points` (T, markers, 3) [m] at `times` (T,) [s]; NaN where a marker was not seen."""

    names: tuple[str, ...]
    times: np.ndarray
    points: np.ndarray

    def pick(self, names) -> np.ndarray:
        """The points (T, len(names), 3) of some markers by name."""
        for name in names:
            if name not in self.names:
                raise unknown_name("marker", name, self.names, "this file")
        return self.points[:, [self.names.index(n) for n in names]]


def metres_per(unit: str, path) -> float:
    """Metres in a unit of length."""
    if unit not in UNITS:
        raise BadFile(f"{path}: unknown unit of length {unit!r}; expected one of {', '.join(UNITS)}.")
    return UNITS[unit]
