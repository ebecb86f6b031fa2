"""Old names that still work: one sentence that names the new one, at the line of the caller."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from .errors import BadValue, require, warn

P = ParamSpec("P")
R = TypeVar("R")


def warn_deprecated(message: str) -> None:
    """Warn with a `DeprecationWarning` at the line of the caller, outside of condyle."""
    warn(message, DeprecationWarning)


def warn_renamed(old: str, new: str) -> None:
    """Warn that a name has another one now."""
    warn_deprecated(f"{old} is called {new} now; the old name will go")


def renamed_arguments(**new_names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function take keywords under their old names: `@renamed_arguments(every="record")`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def translated(*args: P.args, **kwargs: P.kwargs) -> R:
            if not kwargs:  # a call of one state takes little more than this wrapper
                return function(*args)  # pyright: ignore[reportCallIssue]
            if not new_names.keys().isdisjoint(kwargs):
                _translate(function.__name__, new_names, kwargs)
            return function(*args, **kwargs)

        return translated

    return decorate


def _translate(function: str, new_names: dict[str, str], kwargs: dict[str, Any]) -> None:
    """Give keywords their new names, with a warning."""
    for old in new_names.keys() & kwargs.keys():
        new, told = new_names[old], f"{function}: the argument {old}"
        require(new not in kwargs, f"{told} is called {new} now; give one of them", BadValue)
        warn_renamed(told, new)
        kwargs[new] = kwargs.pop(old)
