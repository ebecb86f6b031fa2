"""Work on several threads: how many there are, and chunks of a range for each."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from itertools import pairwise

from ..errors import BadValue, require

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
