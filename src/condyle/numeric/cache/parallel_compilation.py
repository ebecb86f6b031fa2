"""Parts of an entry compiled at the same time in another process, which keeps them in the cache for this one.

Numba's compiler is Python and does one thing at a time. An entry may name kernels (`ahead`) that call its larger parts:
all but the last are compiled by a process of their own while this one compiles the last; then the entry is compiled,
and finds both. Nothing depends on that process: what it does not keep is compiled here.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

from ...errors import CondyleError
from ..dispatch import thread_count
from ..entries.entry import Ahead

LONGEST = 60.0  # seconds that another process is waited for
START = "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); import {module} as m; m.compile_told()"


_begun: dict[str, subprocess.Popen] = {}  # by the name of an entry: who compiles it


def begin_apart(command: list[str], entries: Collection[str]) -> None:
    """Begin a process that compiles these entries; whoever needs one of them first waits until it has ended."""
    if _may_start():
        with suppress(OSError):
            process = subprocess.Popen(command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, env=_environment())
            _begun.update(dict.fromkeys(entries, process))


def wait_for(entry: str) -> None:
    """Wait for the process that compiles an entry, if there is one."""
    if entry in _begun:
        _wait(_begun.pop(entry))


def _wait(process: subprocess.Popen) -> None:
    """Wait for a process, but not for ever: one that hangs is ended, and its work done here."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(LONGEST)
        return
    process.kill()


def compile_parts(ahead: Ahead, kinds: tuple) -> None:
    """Compile the parts of an entry for its types, half of them in another process, where that is possible."""
    kinds = kinds[0], kinds[ahead.pair]
    missing = [part for part in ahead.parts if not is_kept(part.dispatcher, kinds)]
    if len(missing) < 2 or not _may_start():
        return
    *others, last = missing
    with _other_process(others, kinds) as other:
        last.dispatcher.compile(kinds)
        if other is not None:
            _wait(other)


def _other_process(parts: list, kinds: tuple) -> AbstractContextManager:
    """A process that compiles parts, and ends before the context does; none if it cannot be started."""
    command = [sys.executable, "-c", START.format(module=__name__)]
    try:
        told = pickle.dumps([x for x in sys.path if isinstance(x, str)]) + pickle.dumps((parts, kinds))
        process = subprocess.Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, env=_environment())
        with suppress(OSError), process.stdin as pipe:  # type: ignore[union-attr]
            pipe.write(told)
    except (OSError, ValueError, pickle.PickleError):
        return nullcontext()
    return process


def _environment() -> dict[str, str]:
    """That of this process, for one that starts no others."""
    return {**os.environ, "CONDYLE_THREADS": "1"}


def is_kept(dispatcher: Any, kinds: tuple) -> bool:
    """Whether the code of a function for these types is here or in the cache; also where there is no cache."""
    cache = dispatcher._cache
    return kinds in dispatcher.overloads or not hasattr(cache, "holds") or cache.holds(kinds, dispatcher.targetctx)


def _may_start() -> bool:
    """Whether there is a second core, and a program that is Python."""
    try:
        return thread_count() > 1 and Path(sys.executable or "").name.startswith("python")
    except CondyleError:
        return False


def compile_told() -> None:
    """What the other process does: compile what standard input names."""
    import gc

    gc.disable()
    parts, kinds = pickle.load(sys.stdin.buffer)
    for part in parts:
        part.dispatcher.compile(kinds)
