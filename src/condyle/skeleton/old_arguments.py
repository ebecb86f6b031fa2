"""Arguments of the builder as they were called before: they still work, with a DeprecationWarning."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ..deprecation import warn_deprecated
from ..errors import BadValue, require

P = ParamSpec("P")
R = TypeVar("R")
BODIES = ("body_a", "body_b")
WORLD = "world"  # the name of the world before it was None
IS_NONE = f"the world is None now, not {WORLD!r}"


def renamed_arguments(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A method whose old arguments (old=new, in their old order) still work, and "world" for None.

    Names of two bodies side by side were the old order of a spring's arguments: its points stood behind both.
    """

    def decorate(method: Callable[P, R]) -> Callable[P, R]:
        @wraps(method)
        def called(*args: Any, **kwargs: Any) -> Any:
            told = f"SkeletonBuilder.{method.__name__}"
            args, kwargs = _in_new_order(told, names, args, kwargs)
            kwargs = _by_new_names(told, names, kwargs)
            return method(*_without_world(told, args), **kwargs)  # type: ignore[arg-type]

        return called

    return decorate


def _in_new_order(told: str, names: dict[str, str], args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Positions of before as names of before; args[0] is the builder."""
    if len(names) < 4 or len(args) < 3 or not isinstance(args[2], str):
        return args, kwargs
    warn_deprecated(f"{told} takes body_a, point_a, body_b, point_b now, in this order")
    return args[:1], dict(zip(names.values(), args[1:], strict=False)) | kwargs


def _by_new_names(told: str, names: dict[str, str], kwargs: dict) -> dict:
    """Names of now, with None for the world."""
    out = {}
    for name, value in kwargs.items():
        new = names.get(name, name)
        require(new not in out, f"{told}: {new} is given twice", BadValue)
        if new != name:
            warn_deprecated(f"{told}: {name} is called {new} now")
        out[new] = value
        if new in BODIES and isinstance(value, str) and value == WORLD:
            warn_deprecated(f"{told}: {IS_NONE}")
            out[new] = None
    return out


def _without_world(told: str, args: tuple) -> list:
    """Positions with None for the world."""
    out = list(args)
    for k, value in enumerate(args):
        if isinstance(value, str) and value == WORLD:
            warn_deprecated(f"{told}: {IS_NONE}")
            out[k] = None
    return out
