"""A user's Python function, turned into polynomial pieces when the joint is built, so that kernels never call it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import BadShape, BadValue, require
from ...typing import ArrayLike
from ..segments import require_few
from .function import Function, compiled


def from_callable(
    f: Callable,
    domain: ArrayLike,
    coordinates: Sequence[int] = (0,),
    tolerance: float = 1e-12,
    order: int | None = None,
    periodic: bool | tuple[bool, ...] = False,
) -> Function:
    """φ = f(q_0, q_1, …) as C1 pieces, within `tolerance` of max |f|; continued linearly outside.

    `f` takes one argument for each of `coordinates`, numbers or arrays. `domain` is (low, high), or one such pair for
    each coordinate; places between them where f is less smooth (the knots of a spline) become breakpoints. The joint
    then *is* the stored pieces: its derivatives are exact for them. The largest error found between the sampled
    points is `.error`; the first two derivatives are those of f to four times the tolerance, of their largest values,
    or as far as round-off of f allows, and `.derivative_errors` estimates what is left of the first three. An f that
    takes complex numbers (as NumPy's functions do, those of `math` do not) is sampled around the domain too, which
    leaves little of round-off: of f″ some 1e-13, else 1e-11 to 1e-9, more the more narrowly f bends for its size. A
    kink, a jump or a NaN inside the domain is an error that says where.

    Parameters
    ----------
    f : callable
        Takes one argument for each coordinate, numbers or arrays.
    domain : pair of floats, or one pair for each coordinate
        Where it is needed; breakpoints may stand between.
    coordinates : sequence of int
        Numbers of the joint's coordinates that are read.
    tolerance : float, optional
        Largest error, relative to max |f|.
    order : int, optional
        Highest order of the pieces, 4 … 16; they have only as many powers as f needs. By default 16 for one coordinate,
        10 for two, 8 for more: few wide pieces of high order have the most exact derivatives, narrow ones of low order
        are quicker to evaluate.
    periodic : bool or tuple of bool, optional
        Whether the coordinate wraps.

    Returns
    -------
    Function

    Raises
    ------
    BadValue
        A kink, a jump or a NaN inside the domain, with its place.
    NotSupported
        If it reads more than four coordinates.

    Examples
    --------
    >>> import condyle as cd
    >>> f = cd.functions.from_callable(np.tanh, (-2.0, 2.0))
    >>> round(float(f(1.0)), 6), f.error < 1e-12
    (0.761594, True)
    """
    coordinates = (coordinates,) if isinstance(coordinates, int) else tuple(coordinates)
    require_few(len(coordinates), "from_callable")
    domain = validated_domain(domain, len(coordinates))
    require(order is None or 4 <= order <= 16, "from_callable: the order of the pieces must be 4 … 16", order=order)
    require(tolerance > 0, "from_callable: the tolerance must be positive", tolerance=tolerance)
    name = getattr(f, "__name__", type(f).__name__)
    wraps = tuple(periodic) if isinstance(periodic, (tuple, list)) else (bool(periodic),) * len(coordinates)
    return compiled(batched(f, domain, name), coordinates, domain, order, tolerance, wraps, name, lambda z: f(*z.T))


def validated_domain(domain, n: int) -> tuple[np.ndarray, ...]:
    """The box as one (low, high) array for each coordinate."""
    try:
        rows = (domain,) if n == 1 and np.ndim(domain[0]) == 0 else tuple(domain)
        box = tuple(np.asarray(row, float) for row in rows)
    except (TypeError, ValueError, IndexError):
        box = ()
    pairs = len(box) == n and all(b.ndim == 1 and len(b) >= 2 for b in box)
    expected = f"from_callable: the domain must be (low, high) for each of {n} coordinates"
    require(pairs, f"{expected}; got {domain!r}", BadShape)
    growing = all(np.isfinite(b).all() and (np.diff(b) > 0).all() for b in box)
    require(growing, "from_callable: low < high, both finite", domain=domain)
    return box


def batched(f, domain, name: str):
    """f on points (N, n): called once if it takes arrays and means the same by them, else point by point."""
    require(callable(f), "from_callable: the first argument must be a function", BadValue, argument=type(f).__name__)

    def one_by_one(points: np.ndarray) -> np.ndarray:
        return np.array([scalar(f(*map(float, p)), name) for p in points])

    def at_once(points: np.ndarray) -> np.ndarray:
        return np.broadcast_to(np.asarray(f(*points.T), float), points.shape[:1])

    probe = np.stack([b[0] + (b[-1] - b[0]) * np.array([0.21, 0.58, 0.87]) for b in domain], axis=-1)
    try:
        same = np.allclose(at_once(probe), one_by_one(probe), rtol=1e-14, atol=0.0, equal_nan=True)
    except (TypeError, ValueError):
        same = False
    return at_once if same else one_by_one


def scalar(value, name: str) -> float:
    """One real number, or an error that says what came instead."""
    array = np.asarray(value)
    require(
        array.size == 1 and array.dtype.kind in "fiub", f"{name} must return one real number", BadShape, value=value
    )
    return float(array.reshape(()))
