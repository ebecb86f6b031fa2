"""A batch as blocks of states side by side: interleaved by lane for the kernels, and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..numeric import LANE_WIDTH, LANES, run_chunks
from .plan import STATE
from .residuals import hinge_angles, sides
from .state import State, as_numbers, from_numbers

if TYPE_CHECKING:
    from .data import Skeleton

__all__ = ["interleaved", "lanes_for", "over_blocks", "packed", "separated", "state_size", "unpacked"]

_WORLD = np.array([0.0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])


def lanes_for(batch: tuple[int, ...]) -> tuple[object, int]:
    """The zero of the number type and its width: a single state runs on floats, a batch on lanes."""
    return (LANES, LANE_WIDTH) if batch else (0.0, 1)


def state_size(skeleton: Skeleton) -> int:
    """How many numbers a state is: 13 for every body and the world, an angle for every limit."""
    return STATE * (len(skeleton.masses) + 1) + len(skeleton.limits)


def packed(skeleton: Skeleton, state: State, batch: tuple[int, ...], *, turned: bool = True) -> np.ndarray:
    """(batch…, numbers): bodies, the world as last of them, then the angles that limits look at.

    Without quaternions of the bodies if they need not be `turned`.
    """
    bodies, count = as_numbers(state, turned=turned), len(skeleton.limits)
    x = np.empty((*batch, state_size(skeleton)))
    x[..., : bodies.shape[-2] * STATE] = bodies.reshape(*state.shape, -1)
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


def interleaved(x: np.ndarray, kept: int, lanes: int) -> np.ndarray:
    """(batch…, kept axes…) as (blocks, numbers · lanes); the tail repeats the last state."""
    if lanes == 1:
        return np.array(x, order="C").reshape(-1, int(np.prod(x.shape[x.ndim - kept :], dtype=int)))
    shape = x.shape[: x.ndim - kept]
    flat = x.reshape(int(np.prod(shape, dtype=int)), -1)
    missing = -len(flat) % lanes
    padded = np.concatenate([flat, np.repeat(flat[-1:], missing, axis=0)]) if missing else flat
    blocks = padded.reshape(len(padded) // lanes, lanes, flat.shape[1])
    return np.ascontiguousarray(blocks.swapaxes(1, 2)).reshape(len(blocks), -1)


def separated(x: np.ndarray, batch: tuple[int, ...], shape: tuple[int, ...], lanes: int) -> np.ndarray:
    """(blocks, numbers · lanes) as (batch…, shape…)."""
    if lanes == 1:
        return x.reshape(*batch, *shape)
    flat = x.reshape(len(x), -1, lanes).swapaxes(1, 2).reshape(len(x) * lanes, -1)
    return flat[: int(np.prod(batch, dtype=int))].reshape(*batch, *shape)


def over_blocks(count: int, work: Callable[[int], None], threads: int | None) -> None:
    """Call work(k) for every block, on several threads: kernels release the interpreter."""

    def chunk(start: int, stop: int) -> None:
        for k in range(start, stop):
            work(k)

    run_chunks(chunk, count, 1, threads)
