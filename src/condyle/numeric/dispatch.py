"""Batches to lanes and threads: one state in float64, a batch in lanes, chunks of it on several threads.

Interleaved, number k of lane l stands at x[k · width + l]. Entries that take rows of states interleave them with `pack`
and `unpack`; those that take whole blocks get them from `interleaved` and `separated`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from .compiler import inlined
from .entries.code_source import COMPILED
from .number_types import ALIGNMENT, DUALS, LANE_WIDTH, LANES, pick, put, width
from .threads import run_chunks

GRAIN = 8  # blocks of lanes below which a thread is not worth starting


def over_lanes(call: Callable, count: int, single: bool, threads: int | None = None) -> None:
    """call(z, start, stop) for all states: in float64 if there is a single one, else in lanes over threads."""
    if single or not COMPILED:
        if count:
            call(0.0, 0, count)
        return
    run_chunks(lambda start, stop: call(LANES, start, stop), count, LANE_WIDTH, threads, grain=GRAIN)


def over_duals(call: Callable, count: int, threads: int | None = None) -> None:
    """call(DUALS, start, stop) for all states, in lanes over threads: arrays are complex, value + derivative i."""
    run_chunks(lambda start, stop: call(DUALS, start, stop), count, LANE_WIDTH, threads, grain=GRAIN)


def one_by_one(call: Callable, count: int, threads: int | None = None) -> None:
    """call(0.0, start, stop) for all states, spread over threads: for what SIMD lanes cannot do together."""
    run_chunks(lambda start, stop: call(0.0, start, stop), count, 1, threads, grain=GRAIN)


def over_blocks(count: int, work: Callable[[int], None], threads: int | None) -> None:
    """work(k) for every block, on several threads."""

    def chunk(start: int, stop: int) -> None:
        for k in range(start, stop):
            work(k)

    run_chunks(chunk, count, 1, threads)


def lanes_for(batch: tuple[int, ...]) -> tuple[object, int]:
    """The zero of the number type and its width: a single state runs on floats, a batch on lanes."""
    return (LANES, LANE_WIDTH) if batch else (0.0, 1)


def aligned_array(shape: tuple[int, ...]) -> np.ndarray:
    """An uninitialised array whose lanes do not straddle lines of the cache."""
    size = prod(shape)
    room = np.empty(size + ALIGNMENT // 8)
    start = -room.__array_interface__["data"][0] % ALIGNMENT // 8
    return room[start : start + size].reshape(shape)


def aligned_zeros(shape: tuple[int, ...]) -> np.ndarray:
    """The same, of zeros: numpy's own may straddle them, which cost steps of skeletons up to a fifth of their time."""
    room = aligned_array(shape)
    room[...] = 0.0
    return room


def interleaved(x: np.ndarray, kept: int, lanes: int) -> np.ndarray:
    """(batch…, kept axes…) as (blocks, numbers · lanes); the tail repeats the last state."""
    if lanes == 1:
        return np.array(x, order="C").reshape(-1, int(np.prod(x.shape[x.ndim - kept :], dtype=int)))
    shape = x.shape[: x.ndim - kept]
    flat = x.reshape(int(np.prod(shape, dtype=int)), int(np.prod(x.shape[x.ndim - kept :], dtype=int)))
    missing = -len(flat) % lanes
    padded = np.concatenate([flat, np.repeat(flat[-1:], missing, axis=0)]) if missing else flat
    blocks = padded.reshape(len(padded) // lanes, lanes, flat.shape[1])
    return np.ascontiguousarray(blocks.swapaxes(1, 2)).reshape(len(blocks), flat.shape[1] * lanes)


def separated(x: np.ndarray, batch: tuple[int, ...], shape: tuple[int, ...], lanes: int) -> np.ndarray:
    """(blocks, numbers · lanes) as (batch…, shape…)."""
    if lanes == 1:
        return x.reshape(*batch, *shape)
    flat = x.reshape(len(x), x.shape[1] // lanes, lanes).swapaxes(1, 2).reshape(len(x) * lanes, x.shape[1] // lanes)
    return flat[: int(np.prod(batch, dtype=int))].reshape(*batch, *shape)


@inlined
def pack(z, states, first, stop, x):
    """Copy rows first, first + 1, … of `states` into the interleaved x; lanes past the end repeat the last state."""
    w = width(z)
    for l in range(w):
        row = min(first + l, stop - 1)
        for k in range(states.shape[1]):
            put(z, x, k, l, states[row, k])


@inlined
def unpack(z, x, states, first, stop):
    """Copy the interleaved x into rows first, first + 1, … of `states`."""
    w = width(z)
    for l in range(min(w, stop - first)):
        for k in range(states.shape[1]):
            states[first + l, k] = pick(z, x, k, l)
