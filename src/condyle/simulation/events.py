"""Events of a run: a member that stopped, a coordinate that went too far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Outside", "Stopped"]


@dataclass(frozen=True)
class Stopped:
    """Why and when a member of a batch stopped; `q` and `v` are its last good state."""

    time: float
    reason: str
    q: np.ndarray
    v: np.ndarray

    def __str__(self) -> str:
        return f"stopped at t = {self.time:.6g} s: {self.reason}"


@dataclass(frozen=True)
class Outside:
    """A coordinate that left its joint's domain or its range, when it first did, and how far it went."""

    coordinate: str
    time: float
    reached: float
    domain: tuple[float, float]

    def __str__(self) -> str:
        low, high = self.domain
        return f"{self.coordinate} left [{low:g}, {high:g}] at t = {self.time:.4g} s and reached {self.reached:.4g}"
