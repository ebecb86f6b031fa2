"""Parts of an entry compiled at the same time in another process, which keeps them in the cache for this one.

Numba's compiler is Python and does one thing at a time. An entry may name kernels (`ahead`) that call its larger parts:
all but the last are compiled by a process of their own while this one compiles the last; then the entry is compiled,
and finds both. Nothing depends on that process: what it does not keep is compiled here. Where nothing of the entry is
kept it begins before this process has even loaded Numba.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any

from ...errors import CondyleError
from ..entries.entry import Ahead
from ..threads import thread_count
from .folder import cache_base

LONGEST = 60.0  # seconds that another process is waited for
START = """
import io, pickle, sys
told = io.BytesIO(sys.stdin.buffer.read())
sys.path[:] = pickle.load(told)
from {module} import compile_told
compile_told(told)
"""

JIT = f"{__name__.rsplit('.', 2)[0]}.jit"

_begun: dict[str, subprocess.Popen] = {}  # by the name of an entry: who compiles it
_parts: dict[str, subprocess.Popen] = {}  # and who compiles parts of it


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


def begin_parts(entry: str, ahead: Ahead, arguments: tuple) -> None:
    """Begin a process that compiles all parts of an entry but the last, for the types of arguments.

    Not if something of the entry is kept, maybe for other types, or of another version: `compile_parts` looks closer.
    """
    kept = any(cache_base().glob(f"kernels-*/{entry}-*.nbc"))
    if len(ahead.parts) > 1 and not kept and entry not in _begun and _may_start():
        process = _other_process(ahead.parts[:-1], (arguments[0], arguments[ahead.pair]))
        if process is not None:
            _parts[entry] = process


def compile_parts(dispatcher: Any, kinds: tuple, ahead: Ahead, arguments: tuple) -> None:
    """If an entry is not kept, compile its last part, and wait for who compiles the others, begun now if need be."""
    other, pair = _parts.pop(entry_name(dispatcher), None), (kinds[0], kinds[ahead.pair])
    if is_kept(dispatcher, kinds):
        if other is not None:
            other.kill()  # there is no cache to find its work in
        return
    if other is None and _may_start():
        missing = [part for part in ahead.parts if not is_kept(part.dispatcher, pair)]
        other = _other_process(missing[:-1], (arguments[0], arguments[ahead.pair])) if len(missing) > 1 else None
    if other is not None:
        try:
            ahead.parts[-1].dispatcher.compile(pair)
        finally:
            _wait(other)


def entry_name(dispatcher: Any) -> str:
    """The name of the entry that a dispatcher compiles."""
    return f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"


def _other_process(parts: Collection, arguments: tuple) -> subprocess.Popen | None:
    """A process that compiles parts for the types of arguments; None if it cannot be started."""
    command = [sys.executable, "-c", START.format(module=JIT)]
    try:
        told = pickle.dumps([x for x in sys.path if isinstance(x, str)]) + pickle.dumps((parts, arguments))
        process = subprocess.Popen(command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, env=_environment())
        with suppress(OSError), process.stdin as pipe:  # type: ignore[union-attr]
            pipe.write(told)
    except (OSError, ValueError, TypeError, AttributeError, pickle.PickleError):  # or what cannot be pickled
        return None
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
