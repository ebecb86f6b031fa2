"""What a person sees while a command works: bars in a terminal, warnings as sentences; a script sees neither."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import click

__all__ = ["bars", "in_terminal", "warnings_in_words"]


def in_terminal() -> bool:
    """Whether a person watches: progress is shown on standard error, and only there."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def bars(quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """A function (stage, done, total) that moves the bar of a stage, on standard error and only in a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console, tasks = Console(stderr=True), {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as progress:

        def moved(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            progress.update(tasks[stage], completed=done, total=total)

        yield moved


@contextmanager
def warnings_in_words() -> Iterator[None]:
    """Warnings go to standard error as 'warning: …', without the line of code that gave them; also before an error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        finally:
            texts = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, UserWarning))
            with suppress(OSError):  # a terminal that is gone hears nothing
                for text in texts:
                    click.echo(f"warning: {text}", err=True)
