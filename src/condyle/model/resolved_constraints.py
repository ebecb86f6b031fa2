"""Constraints with their names resolved in a model: what a model keeps, packs and reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..joints.joint import Joint
from ..spatial.frozen import Frozen
from .kernels.layout import COUPLE, DISTANCE, LINE, POINT, ROLL, WELD

if TYPE_CHECKING:
    from .model import Model

WORLD_AXES = ("force x", "force y", "force z")
LOOP_AXES = {
    POINT: WORLD_AXES,
    WELD: ("moment x", "moment y", "moment z", *WORLD_AXES),
    DISTANCE: ("force away from the other point",),
    LINE: ("force along x of the line's frame", "force along y of the line's frame"),
}


@dataclass(frozen=True, eq=False)
class Loop(Frozen):
    """A point or a frame of body a on one of body b (−1: the world), `length` away from it, or on its z axis."""

    kind: int
    label: str
    a: int
    frame_a: np.ndarray
    b: int
    frame_b: np.ndarray
    length: float = 0.0

    def __post_init__(self) -> None:
        self._keep(frame_a=self.frame_a, frame_b=self.frame_b)

    @property
    def rows(self) -> int:
        """How many equations it stands for."""
        return len(self.axes)

    @property
    def axes(self) -> tuple[str, ...]:
        """What each multiplier is: a force [N] or moment [N m] on body a, in world axes unless it is told."""
        return LOOP_AXES[self.kind]

    @property
    def unit(self) -> str:
        """The unit of a gap."""
        return "m or rad" if self.kind == WELD else "m"


@dataclass(frozen=True, eq=False)
class Coupling:
    """A coordinate that follows others, at their places (q, v); `slide` moves along x by the function of them."""

    label: str
    q: int
    v: int
    others: tuple[tuple[int, int], ...]
    slide: Joint
    kind: int = COUPLE
    rows: int = 1

    @property
    def read(self) -> tuple[tuple[int, int], ...]:
        """The places that the function reads: all others, or none if it is constant."""
        return self.others[: len(self.slide.coordinates)]

    @property
    def axes(self) -> tuple[str, ...]:
        """What the multiplier is: the generalised force on the coordinate."""
        return ("force on the coordinate",)

    @property
    def unit(self) -> str:
        """The unit of the gap."""
        return "in the coordinate's unit"


@dataclass(frozen=True, eq=False)
class Rolling:
    """A body that does not slip on its parent; `offsets` are where the contact's coordinates stand in the joint."""

    label: str
    body: int
    contact: Joint
    offsets: tuple[tuple[int, int], ...]
    tangents: tuple[int, ...]
    kind: int = ROLL

    @property
    def rows(self) -> int:
        """How many equations it stands for."""
        return len(self.tangents)

    @property
    def axes(self) -> tuple[str, ...]:
        """What each multiplier is: a force [N] on the body along an axis of the contact frame."""
        return tuple(f"force along contact axis {'xyz'[k]}" for k in self.tangents)

    @property
    def unit(self) -> str:
        """The unit of what is slipped."""
        return "m"


def row_starts(model: Model) -> list[int]:
    """Where each constraint's rows begin: those that hold positions first, rolling after them."""
    order = sorted(range(len(model.constraints)), key=lambda i: model.constraints[i].kind == ROLL)
    starts, at = [0] * len(order), 0
    for i in order:
        starts[i] = at
        at += model.constraints[i].rows
    return starts
