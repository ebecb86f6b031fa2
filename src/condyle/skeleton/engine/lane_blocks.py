"""States of skeletons as rows of numbers, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..state import State, as_numbers, from_numbers
from .joint_gaps import hinge_angles, sides
from .kernel_tables import STATE

if TYPE_CHECKING:
    from ..skeleton import Skeleton


_WORLD = np.array([0.0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])


def state_size(skeleton: Skeleton) -> int:
    """How many numbers a state is: 13 for every body and the world, an angle for every limit."""
    return STATE * (len(skeleton.masses) + 1) + len(skeleton.limits)


def packed(skeleton: Skeleton, state: State, batch: tuple[int, ...], *, turned: bool = True) -> np.ndarray:
    """(batch…, numbers): bodies, the world as last of them, then the angles that limits look at.

    Without quaternions of the bodies if they need not be `turned`.
    """
    bodies, count = as_numbers(state, turned=turned), len(skeleton.limits)
    x = np.empty((*batch, state_size(skeleton)))
    x[..., : bodies.shape[-2] * STATE] = bodies.reshape(*state.shape, bodies.shape[-2] * STATE)
    x[..., bodies.shape[-2] * STATE : x.shape[-1] - count] = _WORLD
    if count:
        x[..., -count:] = hinge_angles(skeleton, state, sides(skeleton, state))[..., _limited(skeleton)]
    return x


def unpacked(skeleton: Skeleton, x: np.ndarray) -> State:
    """The state of (..., numbers), with the turns of hinges that have limits."""
    n = len(skeleton.masses)
    state = from_numbers(x[..., : n * STATE].reshape(*x.shape[:-1], n, STATE))
    if not skeleton.limits:
        return state
    joints, turns = _limited(skeleton), np.zeros((*state.shape, len(skeleton.pairs)))
    beyond = x[..., -len(joints) :] - hinge_angles(skeleton, state, sides(skeleton, state))[..., joints]
    turns[..., joints] = np.round(beyond / (2.0 * np.pi))
    return replace(state, turns=turns)


def _limited(skeleton: Skeleton) -> np.ndarray:
    """The joint of every limit."""
    return np.array([limit.joint for limit in skeleton.limits], int)
