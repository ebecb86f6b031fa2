"""What arrays look like at the border of `spatial`: float64, batched by leading axes."""

from __future__ import annotations

import numpy as np

from ..errors import BadShape, NotFinite, require

__all__ = ["first_index", "floats", "frozen", "require_finite"]


def floats(x, tail: tuple[int, ...], name: str) -> np.ndarray:
    """`x` as float64, checked to end in the axes `tail`."""
    try:
        array = np.asarray(x, dtype=np.float64)
    except (TypeError, ValueError) as trouble:
        raise BadShape(f"{name} must be an array of real numbers: {trouble}") from None
    expected = ", ".join(["...", *map(str, tail)])
    require(
        array.shape[-len(tail) :] == tail, f"{name} must have shape ({expected}); got shape {array.shape}", BadShape
    )
    return array


def require_finite(array: np.ndarray, trailing: int, name: str) -> None:
    """Refuse NaN and infinity; name the first bad batch index (the last `trailing` axes belong to one value)."""
    bad = ~np.isfinite(array).all(axis=tuple(range(array.ndim - trailing, array.ndim)))
    if bad.any():
        raise NotFinite(f"{name}{first_index(bad)} holds NaN or infinity; every entry must be a finite number")


def first_index(bad: np.ndarray | np.bool) -> str:
    """The first true index of a batch, written as a subscript; nothing for a single value."""
    where = np.argwhere(bad)[0]
    return f"[{', '.join(map(str, where))}]" if where.size else ""


def frozen(x, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """A read-only copy, broadcast to a shape if one is given."""
    copy = np.array(x if shape is None else np.broadcast_to(x, shape), dtype=np.float64)
    copy.flags.writeable = False
    return copy
