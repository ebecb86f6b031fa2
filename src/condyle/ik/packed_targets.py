"""Targets packed for the kernels: body slots, constants, one goal row per member."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..joints.canonical_form import pose_inverse
from ..model import Model
from .targets import Target

__all__ = ["Asked"]


@dataclass(frozen=True)
class Asked:
    """Points and turns of bodies (their slots and constants, see `kernel_rows`), and a goal for each member."""

    points: int
    turns: int
    bodies: np.ndarray
    fixed: np.ndarray
    goals: np.ndarray  # (count, 3 points + 9 turns)

    @staticmethod
    def of(model: Model, targets: list[Target], batch: tuple[int, ...]) -> Asked:
        """The targets of a batch, flattened."""
        turned = [t for t in targets if t.rotation is not None]
        ends = [pose_inverse(model.inertial_frames[model.body_index(t.body)]) for t in targets]
        at = [np.column_stack([t.at @ X[:3, :3].T + X[:3, 3], t.weight]) for t, X in zip(targets, ends, strict=True)]
        axes = [
            np.append(X[:3, :3], t.rotation_weight)
            for t, X in zip(targets, ends, strict=True)
            if t.rotation is not None
        ]
        slots = [model.body_index(t.body) + 1 for t in targets for _ in t.at]
        slots += [model.body_index(t.body) + 1 for t in turned]
        fixed = np.concatenate([x.ravel() for x in (*at, *axes)])
        return Asked(sum(map(len, at)), len(axes), np.array(slots), fixed, _goals(targets, batch))

    @property
    def rows(self) -> int:
        """How many residuals a member has."""
        return 3 * (self.points + self.turns)

    @property
    def tables(self) -> tuple[tuple[int, int], tuple[np.ndarray, np.ndarray]]:
        """Counts and constants, as the kernels take them."""
        return (self.points, self.turns), (self.bodies, self.fixed)

    def taken(self, members: np.ndarray) -> Asked:
        """The packed targets of some members."""
        return replace(self, goals=self.goals[members])


def _goals(targets: list[Target], batch: tuple[int, ...]) -> np.ndarray:
    """Where each member's points and axes should be."""
    count = int(np.prod(batch, dtype=int))
    places = [np.broadcast_to(t.xyz, (*batch, *t.at.shape)).reshape(count, t.at.size) for t in targets]
    turned = [np.broadcast_to(t.rotation, (*batch, 3, 3)) for t in targets if t.rotation is not None]
    return np.concatenate([*places, *(R.reshape(count, 9) for R in turned)], axis=1)
