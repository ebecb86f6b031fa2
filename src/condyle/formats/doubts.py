"""Doubts about files: what is not as it should be and can be read all the same: told, or refused if asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..errors import BadFile, require, warn

POLICIES = ("error", "warn")  # with tables that are cut off
_STRICT: ContextVar[bool] = ContextVar("strict", default=False)
_TRUNCATED: ContextVar[str] = ContextVar("truncated", default="error")


@contextmanager
def files_read(*, strict: bool = False, truncated: str | None = None) -> Iterator[None]:
    """How files are read inside: whether doubts are refused, and what is done with tables that are cut off.

    What is left out is as it is outside.
    """
    tokens = _STRICT.set(strict or _STRICT.get()), _TRUNCATED.set(policy_of(truncated))
    try:
        yield
    finally:
        _STRICT.reset(tokens[0])
        _TRUNCATED.reset(tokens[1])


def policy_of(truncated: str | None) -> str:
    """What is done with a table that is cut off: as asked here, or outside."""
    chosen = _TRUNCATED.get() if truncated is None else truncated
    require(chosen in POLICIES, "truncated must be 'error' or 'warn'", got=chosen)
    return chosen


def doubt(message: str) -> None:
    """Warn of a doubt, or refuse the file with it."""
    refuse_if_strict(message)
    warn(message)


def refuse_if_strict(message: str) -> None:
    """Refuse the file with a doubt if that is asked; for doubts that are told together."""
    if _STRICT.get():
        raise BadFile(f"{message}; strict=True refuses this, and strict=False takes it with a warning")
