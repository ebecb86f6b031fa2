"""What arrays look like at the border of `spatial`: float64, batched by leading axes."""

from __future__ import annotations

from math import isfinite

import numpy as np

from ..errors import BadShape, NotFinite, require

REAL = "fiub"  # kinds of dtype
DOUBLE = np.dtype(np.float64)
KINDS = {"c": "complex numbers", "U": "text", "S": "text"}


def real_numbers(x, name: str, expected: str = "an array of real numbers") -> np.ndarray:
    """`x` as float64, NaN where it is masked; complex numbers, text and other objects are refused."""
    try:
        array = np.ma.filled(x.astype(float), np.nan) if isinstance(x, np.ma.MaskedArray) else np.asarray(x)
    except (TypeError, ValueError) as trouble:
        raise BadShape(f"{name} must be {expected}: {trouble}") from None
    if array.dtype.kind not in REAL:
        raise BadShape(f"{name} must be {expected}; got {_kind_of(array)}")
    return array.astype(np.float64, copy=False)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a × b of vectors (..., 3), batches broadcast: the numbers of `np.cross` without its cost of each call."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, b))
    (ax, ay, az), (bx, by, bz) = ((x[..., 0], x[..., 1], x[..., 2]) for x in (a, b))
    np.subtract(ay * bz, az * by, out=out[..., 0])
    np.subtract(az * bx, ax * bz, out=out[..., 1])
    np.subtract(ax * by, ay * bx, out=out[..., 2])
    return out


def for_kernels(x: np.ndarray, dtype: type | np.dtype | None = None) -> np.ndarray:
    """A contiguous array that can be written to, copied only if need be: kernels would be compiled anew for others."""
    return np.require(x, dtype, ["C", "W"])


def ready(x, size: int) -> bool:
    """Whether x is a vector of so many finite float64 as `for_kernels` gives it.

    One whose sum overflows is not: it is to be looked at closely. (NumPy would warn; Python adds in silence.)
    """
    if type(x) is not np.ndarray or x.dtype is not DOUBLE or x.shape != (size,) or not x.flags.carray:
        return False
    return isfinite(sum(x.tolist()))


def ready_rows(x, size: int) -> bool:
    """Whether x is rows of so many finite float64 as `for_kernels` gives them."""
    if type(x) is not np.ndarray or x.dtype is not DOUBLE or x.ndim != 2 or x.shape[1] != size or not x.flags.carray:
        return False
    return bool(np.isfinite(x).all())


def _kind_of(array: np.ndarray) -> str:
    """What an array holds that are no real numbers."""
    if array.dtype == object:
        kinds = dict.fromkeys(type(item).__name__ for item in array.ravel()[:100])
        return f"objects of type {', '.join(kinds) or 'object'}"
    return f"{KINDS.get(array.dtype.kind, 'values')} (dtype {array.dtype})"


def finite_vector(x, size: int, what: str) -> np.ndarray:
    """A copy of `size` finite numbers."""
    vector = np.array(real_numbers(x, what))
    count = "three" if size == 3 else size
    require(vector.shape == (size,), f"{what} must be {count} numbers", BadShape, shape=vector.shape)
    require(np.isfinite(vector).all(), f"{what} must be finite", NotFinite, value=vector.tolist())
    return vector


def floats(x, tail: tuple[int, ...], name: str) -> np.ndarray:
    """`x` as float64, checked to end in the axes `tail`."""
    array = real_numbers(x, name)
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
