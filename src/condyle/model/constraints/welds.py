"""A frame of one body held on a frame of another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...spatial.frozen import Frozen
from ...typing import ArrayLike
from ..kernels.layout import WELD
from ..model import Model
from ..resolved_constraints import Loop
from .constraint import Constraint, one_pose, said, two_bodies


@dataclass(frozen=True, eq=False)
class Weld(Frozen, Constraint):
    """A frame of one body stays on a frame of another (None: the world).

    Attributes
    ----------
    body_a, body_b : str or None
        Names of the bodies; None is the world.
    frame_a, frame_b : ndarray, shape (4, 4)
        Frames in the bodies.
    """

    body_a: str | None
    frame_a: np.ndarray
    body_b: str | None
    frame_b: np.ndarray

    def __post_init__(self) -> None:
        self._keep(frame_a=self.frame_a, frame_b=self.frame_b)

    def bound(self, model: Model) -> Loop:
        """Six rows in world axes: how frame a is turned from frame b, and where its origin is from that of b.

        Parameters
        ----------
        model : Model

        Returns
        -------
        Loop

        Raises
        ------
        UnknownName
            If a body does not exist.
        """
        a, b = two_bodies(model, "weld", self.body_a, self.body_b)
        return Loop(WELD, f"weld of {said(self.body_a)} to {said(self.body_b)}", a, self.frame_a, b, self.frame_b)


def weld(body_a: str | None, frame_a: ArrayLike | None, body_b: str | None, frame_b: ArrayLike | None) -> Weld:
    """Hold a frame of `body_a` on a frame of `body_b` (None: the world); frames are SE3, 4x4, or None at the origin.

    Parameters
    ----------
    body_a : str or None
        Name of the first body; None is the world.
    frame_a : SE3, array_like, shape (4, 4), or None
        Frame on the first body.
    body_b : str or None
        Name of the second body; None is the world.
    frame_b : SE3, array_like, shape (4, 4), or None
        Frame on the second body.

    Returns
    -------
    Weld
        To be given to `ModelBuilder.add_constraint`.
    """
    return Weld(body_a, one_pose(frame_a, "frame_a"), body_b, one_pose(frame_b, "frame_b"))
