"""Signals that end a run: it stops where it is, and nothing that was computed is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from ..simulation.driver import Run

HANGUP = getattr(signal, "SIGHUP", None)  # a terminal that was closed; Windows has none
ENDING = (signal.SIGINT, signal.SIGTERM, *([] if HANGUP is None else [HANGUP]))  # Ctrl-C, kill


@contextmanager
def kept_from_signals() -> Iterator[list[int]]:
    """Collect signals that would end the process in the list that is given.

    The first one ends a simulation if it comes in the middle of it. Others only wait to be looked at: none can come
    between a result and its file.
    """
    caught: list[int] = []

    def handle(number: int, frame: FrameType | None) -> None:
        first = not caught
        caught.append(number)
        if first and _marching(frame):
            raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in ENDING}
    ignored = {HANGUP} if before.get(HANGUP) is signal.SIG_IGN else set()  # by nohup
    for number in set(ENDING) - ignored:
        signal.signal(number, handle)
    try:
        yield caught
    finally:
        for number in set(ENDING) - ignored:
            signal.signal(number, before[number])


def _marching(frame: FrameType | None) -> bool:
    """Whether a simulation is advancing: there an interrupt is answered with the records so far."""
    while frame is not None:
        if frame.f_code is Run.march.__code__:
            return True
        frame = frame.f_back
    return False


def ends(caught: list[int]) -> int:
    """The exit code of a process that a signal ended."""
    return 128 + caught[0]
