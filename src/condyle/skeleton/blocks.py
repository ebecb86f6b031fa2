"""A batch as blocks of states side by side: interleaved by lane for the kernels, and back."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..numeric import LANE_WIDTH, LANES, run_chunks
from .plan import STATE

__all__ = ["interleaved", "lanes_for", "over_blocks", "separated", "with_world"]

_WORLD = np.array([0.0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])


def lanes_for(batch: tuple[int, ...]) -> tuple[object, int]:
    """The zero of the number type and its width: a single state runs on floats, a batch on lanes."""
    return (LANES, LANE_WIDTH) if batch else (0.0, 1)


def with_world(x: np.ndarray) -> np.ndarray:
    """(..., bodies, 13) with the world as last body."""
    world = np.broadcast_to(_WORLD, (*x.shape[:-2], 1, STATE))
    return np.concatenate([x, world], axis=-2)


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
