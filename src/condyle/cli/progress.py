"""What a person sees while a command works: bars in a terminal, warnings as sentences; a script sees neither."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from ..progress import bars, in_terminal

__all__ = ["bars", "in_terminal", "warnings_in_words"]


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
