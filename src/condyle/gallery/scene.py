"""A mechanism ready to be run and drawn: a model, where it starts, and lines and sheets that show its shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..joints import Joint
from ..model import Model
from ..simulation import Trajectory, simulate

__all__ = ["Line", "Scene", "Sheet", "path_of"]


@dataclass(frozen=True, eq=False)
class Line:
    """Points (N, 3) [m] joined in order, in the frame of a body (None: the world)."""

    body: str | None
    points: np.ndarray


@dataclass(frozen=True, eq=False)
class Sheet:
    """A grid of points (n, m, 3) [m] in the frame of a body (None: the world), or a function of time that gives one."""

    body: str | None
    points: np.ndarray | Callable[[float], np.ndarray]

    def at(self, t: float) -> np.ndarray:
        """The grid at time t [s]."""
        return self.points(t) if callable(self.points) else self.points


@dataclass(frozen=True, eq=False)
class Scene:
    """`model` with its start (q, v), what to draw, and how long it is worth watching [s]."""

    name: str
    model: Model
    q: np.ndarray
    v: np.ndarray
    lines: tuple[Line, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    duration: float = 4.0

    def run(self, duration: float | None = None, **options) -> Trajectory:
        """Simulate it from its start; `options` go to `simulate`."""
        return simulate(self.model, self.q, self.v, duration=duration or self.duration, **options)


def path_of(joint: Joint, samples: int = 400, placement=None) -> np.ndarray:
    """Points (samples + 1, 3) that the origin of a joint's moving frame passes, over its single coordinate's domain."""
    low, high = joint.domain[0]
    low, high = (low, high) if np.isfinite([low, high]).all() else (-np.pi, np.pi)
    poses = joint.pose(np.linspace(low, high, samples + 1)[:, None])
    return (poses if placement is None else np.asarray(placement) @ poses)[:, :3, 3]
