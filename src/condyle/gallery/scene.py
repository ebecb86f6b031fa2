"""A mechanism ready to be run and drawn: a model, where it starts, and lines and sheets that show its shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..joints import Joint
from ..model import Model
from ..simulation import Trajectory, simulate
from ..spatial import SE3
from ..view.overlays import Drawn, Frames, Line, Sheet

__all__ = ["PALETTE", "Scene", "path_of", "sphere_points"]

PALETTE = (
    (0.75, 0.22, 0.17), (0.12, 0.47, 0.71), (0.16, 0.62, 0.29), (0.56, 0.27, 0.68),
    (0.85, 0.51, 0.00), (0.00, 0.55, 0.55), (0.69, 0.23, 0.48), (0.36, 0.43, 0.12),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Scene:
    """`model` with its start (q, v), what to draw, how long it is worth watching and the step it takes well [s].

    `moving` gives what else there is to draw of a run: surfaces whose shape depends on it.
    """

    name: str
    model: Model
    q: np.ndarray
    v: np.ndarray
    lines: tuple[Line, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    duration: float = 4.0
    frames: tuple[Frames, ...] = ()
    moving: Callable[[Trajectory], tuple[Sheet, ...]] | None = None
    step: float = 1e-3

    @property
    def drawn(self) -> tuple[Drawn, ...]:
        """All there is to draw beside the bodies."""
        return (*self.lines, *self.sheets, *self.frames)

    def seen(self, run: Trajectory) -> Scene:
        """The scene with what a run adds to the picture."""
        return self if self.moving is None else replace(self, sheets=(*self.sheets, *self.moving(run)), moving=None)

    def run(self, duration: float | None = None, **options) -> Trajectory:
        """Simulate it from its start; `options` go to `simulate`."""
        options = {"step": self.step, **options}
        return simulate(self.model, self.q, self.v, duration=duration or self.duration, **options)


def path_of(joint: Joint, samples: int = 400, placement=None) -> np.ndarray:
    """Points (samples + 1, 3) that the origin of a joint's moving frame passes, over its single coordinate's domain."""
    low, high = joint.domain[0]
    low, high = (low, high) if np.isfinite([low, high]).all() else (-np.pi, np.pi)
    poses = joint.pose(np.linspace(low, high, samples + 1)[:, None])
    return (poses if placement is None else SE3.from_matrix(placement) @ poses).xyz


def sphere_points(radius: float) -> np.ndarray:
    """A grid (37, 19, 3) of a sphere [m], to be drawn as a sheet."""
    u, w = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(0, np.pi, 19), indexing="ij")
    return radius * np.stack([np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)], axis=-1)
