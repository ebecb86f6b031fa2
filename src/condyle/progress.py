"""Progress of long calls, one meaning everywhere: `progress(stage, done, total)`, or True for bars in a terminal."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from .deprecation import warn_deprecated
from .errors import BadValue, require
from .typing import Progress

Report = Callable[[str, int, int], object]
T = TypeVar("T")


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@contextmanager
def reporting(progress: Progress | None) -> Iterator[Report]:
    """The function to call with (stage, done, total): the caller's own, bars in a terminal for True, or nothing."""
    good = progress is None or isinstance(progress, bool) or callable(progress)
    require(good, "progress is True, False, or a function of (stage, done, total)", BadValue, got=progress)
    if callable(progress):
        yield _of_three(progress)
    elif progress and in_terminal():
        with bars() as report:
            yield report
    else:
        yield silent


def counted(items: Iterable[T], stage: str, total: int, report: Report) -> Iterator[T]:
    """The items, each reported when the next is asked for."""
    for done, item in enumerate(items, 1):
        yield item
        report(stage, done, total)


def in_terminal() -> bool:
    """Whether standard error, where bars are shown, is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def bars(quiet: bool = False) -> Iterator[Report]:
    """A bar for each stage on standard error, in a terminal only."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console, tasks = Console(stderr=True), {}
    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.fields[rate]}"))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), *times)
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as shown:

        def moved(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = shown.add_task(stage, total=total, rate="")
            speed = shown.tasks[tasks[stage]].speed
            shown.update(tasks[stage], completed=done, total=total, rate=f"{speed:.3g}/s" if speed else "")

        yield moved


def _of_three(progress: Callable[..., Any]) -> Report:
    """The function itself; one that takes the number alone, as some did before, is still called so."""
    try:
        inspect.signature(progress).bind("stage", 0, 1)
    except TypeError:
        warn_deprecated("progress is called with (stage, done, total) now; a function of one number will not do later")
        return lambda stage, done, total: progress(done)
    except ValueError:  # built-in functions do not tell
        pass
    return progress
