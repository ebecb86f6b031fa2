"""What there is to see: meshes of bodies and their poses over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..dynamics import forward_kinematics
from ..errors import BadValue, NotSupported, require
from ..model import Model
from ..simulation import Trajectory
from ..spatial import SE3
from .drawn import Drawn
from .geometry import body_meshes, looks, up_axis

__all__ = ["Scene", "scene_of"]


@dataclass(frozen=True)
class Scene:
    """Meshes of every body and poses `wxyz` (T, nbodies, 4), `xyz` (T, nbodies, 3) at times `t`."""

    model: Model
    meshes: list[list[tuple[np.ndarray, np.ndarray, tuple]]]
    t: np.ndarray
    q: np.ndarray
    wxyz: np.ndarray
    xyz: np.ndarray
    up: np.ndarray
    drawn: tuple[Drawn, ...] = ()

    def bounds(self) -> tuple[np.ndarray, float]:
        """The middle and half the size of all that is seen."""
        points = np.concatenate(
            [SE3(self.wxyz[::5, i], self.xyz[::5, i])[:, None].apply(_corners(parts)[None]).reshape(-1, 3)
             for i, parts in enumerate(self.meshes) if parts]
        )  # fmt: skip
        low, high = points.min(axis=0), points.max(axis=0)
        return 0.5 * (low + high), float(max(0.5 * np.linalg.norm(high - low), 1e-6))


def _corners(parts) -> np.ndarray:
    vertices = np.concatenate([v for v, _, _ in parts])
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    return np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])


def scene_of(
    thing: Model | Trajectory, *, member: int = 0, rate: float = 60.0, folder: Path | None = None,
    drawn: Sequence[Drawn] = (),
) -> Scene:  # fmt: skip
    """A model at rest or a motion, resampled to at most `rate` pictures a second; `member` of a batch."""
    good = isinstance(thing, (Model, Trajectory))
    require(good, "only a model or a trajectory can be drawn", BadValue, got=type(thing).__name__)
    if isinstance(thing, Model):
        model, t, q = thing, np.zeros(1), thing.neutral()[None]
    else:
        model, t, q = _motion(thing, member, rate)
    poses = forward_kinematics(model, q)
    meshes = [body_meshes(shapes, folder) for shapes in looks(model)]
    if not any(meshes):
        raise NotSupported("there is nothing to draw: give bodies mass or shapes")
    return Scene(model, meshes, t, q, poses.wxyz, poses.xyz, up_axis(model), tuple(drawn))


def _motion(trajectory: Trajectory, member: int, rate: float) -> tuple[Model, np.ndarray, np.ndarray]:
    q = trajectory._filled()[0].reshape(-1, len(trajectory.t), trajectory.model.nq)
    require(0 <= member < len(q), f"the trajectory has members 0 … {len(q) - 1}", BadValue, member=member)
    t = trajectory.t
    wanted = np.arange(t[0], t[-1] + 0.5 / rate, 1.0 / rate)
    keep = np.unique(np.clip(np.searchsorted(t, wanted - 1e-9), 0, len(t) - 1))
    return trajectory.model, t[keep], q[member, keep]
