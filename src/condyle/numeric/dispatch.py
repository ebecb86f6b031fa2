"""Batches to lanes and threads: one state in float64, a batch in lanes, chunks of it on several threads.

Interleaved, number k of lane l stands at x[k · width + l]. Entries that take rows of states interleave them with `pack`
and `unpack`; those that take whole blocks get them from `interleaved` and `separated`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from itertools import pairwise
from math import prod

import numpy as np

from ..errors import BadValue, require
from .compiler import COMPILED, inlined
from .number_types import ALIGNMENT, DUALS, LANE_WIDTH, LANES, pick, put, width

MOST = 256


def thread_count(threads: int | None = None) -> int:
    """How many threads to use: the argument, else CONDYLE_THREADS, else the cores this process may use."""
    if threads is not None:
        return _checked(threads, "threads")
    wanted = os.environ.get("CONDYLE_THREADS", "").strip()
    if wanted:
        return _checked(int(wanted) if wanted.isdecimal() else wanted, "CONDYLE_THREADS")
    return min(_usable_cores(), MOST)


def _checked(threads, name: str) -> int:
    whole = isinstance(threads, int) or (hasattr(threads, "__index__") and not isinstance(threads, str))
    good = whole and not isinstance(threads, bool) and 1 <= int(threads) <= MOST
    require(good, f"{name} must be a whole number from 1 to {MOST}", BadValue, **{name: threads})
    return int(threads)


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@lru_cache(maxsize=1)
def _pool() -> ThreadPoolExecutor:
    """The shared pool. It starts threads only as chunks wait for one."""
    return ThreadPoolExecutor(MOST, thread_name_prefix="condyle")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked child has the pool but not its threads


def chunks(count: int, block: int, threads: int, grain: int = 1) -> list[tuple[int, int]]:
    """range(count) as at most `threads` even runs of at least `grain` blocks; only the last may end within a block."""
    blocks = -(-count // block)
    pieces = max(1, min(threads, blocks // grain))
    return list(pairwise([*(blocks * i // pieces * block for i in range(pieces)), count]))


def run_chunks(
    call: Callable[[int, int], object], count: int, block: int, threads: int | None = None, *, grain: int = 1
) -> None:
    """Call `call(start, stop)` on contiguous chunks of range(count), each whole blocks long, on several threads.

    A chunk has at least `grain` blocks (raise it where a block is little work). All chunks end before this returns;
    then the first exception, if any, is raised. The caller's thread works too, so one chunk starts no thread.
    """
    wanted = thread_count(threads)
    if count == 0:
        return
    if wanted == 1 or count <= block * grain:
        call(0, count)
        return
    first, *others = chunks(count, block, wanted, grain)
    futures = [_pool().submit(call, *chunk) for chunk in others]
    try:
        call(*first)
    finally:
        wait(futures)
    for future in futures:
        future.result()


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
