"""Calls of a person's own function: what it gives is made a jet, and a call that cannot be differentiated is named."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from ...errors import BadValue
from .jets import Jet, stack

INSTEAD = {
    "scipy/interpolate": "write cd.control.spline(curve, x) for a curve of scipy",
    "scipy": "functions of scipy do not know derivatives: give gradient= and hessian= of your own",
}


def called(f: Callable, x, what: str) -> Any:
    """f(x) of a person's function; a list of numbers becomes one, and a function that cannot take jets gets words."""
    try:
        y = f(x)
    except ValueError as error:
        if "truth value of an array" not in str(error):
            raise
        raise BadValue(
            f"{what} cannot choose by Python's if, and, or, max or min, as it is computed for many states at once; "
            f"{_where(error)} did. Write np.where(condition, a, b), & and |, np.maximum or np.minimum"
        ) from error
    except (TypeError, AttributeError) as error:
        if isinstance(error, AttributeError) and not isinstance(error.obj, Jet):
            raise
        raise BadValue(
            f"{what} must be written with numpy's functions (np.cos, not math.cos), and give several numbers as a list "
            f"or by np.stack, not by np.array; {_where(error)} raised: {error}{_instead(error)}"
        ) from error
    return stack(y, axis=-1) if isinstance(y, (list, tuple)) and any(isinstance(part, Jet) for part in y) else y


def _where(error: Exception) -> str:
    """The line of the person's function that could not go on."""
    frames = traceback.extract_tb(error.__traceback__)
    line = frames[1].line if len(frames) > 1 else ""
    return f"`{line}`" if line else "it"


def _instead(error: Exception) -> str:
    files = [frame.filename.replace("\\", "/") for frame in traceback.extract_tb(error.__traceback__)]
    for part, words in INSTEAD.items():
        if any(f"/{part}/" in name for name in files):
            return f". Instead, {words}"
    return ""
