"""Warnings of a command as sentences on standard error."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click


@contextmanager
def warnings_in_words(but: tuple[type[Warning], ...] = ()) -> Iterator[None]:
    """Warnings go to standard error as 'warning: …', without the line of code that gave them; also before an error.

    Those of the classes `but` are left to the command to say in its own words.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            yield
        finally:
            spoken = [w for w in caught if issubclass(w.category, UserWarning) and not issubclass(w.category, but)]
            texts = dict.fromkeys(str(w.message) for w in spoken)
            with suppress(OSError):  # a terminal that is gone hears nothing
                for text in texts:
                    click.echo(f"warning: {text}", err=True)
