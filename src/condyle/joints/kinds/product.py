"""The form itself: any constant twists, any scalar functions.  [LeeTerzopoulos2008, eq. 26]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from ...errors import BadKnots, BadShape, BadValue, require, unknown_name
from ...spatial import as_pose
from ...typing import ArrayLike
from ..canonical_form import factor_segment, normalized, pose_segment
from ..functions import Function, Sum
from ..functions.function import as_function, restricted
from ..joint import Joint
from ..validate_axes import finite_number, twist_rows


def product(
    twists: ArrayLike,
    functions: Sequence[Any],
    *,
    coordinates: Sequence[str] | None = None,
    pose: ArrayLike | None = None,
    domain: ArrayLike | Mapping[str, ArrayLike] | None = None,
    outside: str = "extend",
    title: str = "product",
) -> Joint:
    """G(q) = pose · Π_k exp(ĝ_k φ_k(q)) for twists g_k [ω; v] and functions φ_k from `condyle.functions`.

    The functions read the joint's coordinates by number.

    Parameters
    ----------
    twists : array_like, shape (k, 6)
        Constant twists [ω; v] in the order of the product: each in the frame that the factors before it have moved.
    functions : sequence of Function or float
        One for each twist. A number is a constant function; a sum of functions is several factors of one twist.
    coordinates : sequence of str, optional
        Names of the coordinates; by default q, or q0, q1, …
    pose : SE3 or array_like, shape (4, 4), optional
        The constant pose before the product; the identity by default.
    domain : pair of floats, one pair for each coordinate, or mapping of name to pair, optional
        Where the joint is known, such as {"q": (0.1, 2.0)}: leave out places where its Jacobian loses rank. Functions
        in closed form become polynomial pieces there, to 1e-12 (their first two derivatives to about 1e-10 and 1e-8).
        A coordinate that a mapping does not name, and all without a domain, keep that of their splines, or none.
    outside : {"extend", "error"}, optional
        Beyond the domain, its own or that of a spline: continue linearly, or raise.
    title : str, optional
        For messages and reports.

    Returns
    -------
    Joint

    Raises
    ------
    BadShape
        If there is not a list of as many functions as twists, or the domain is no pair for each coordinate.
    BadValue
        If a function is not one of `condyle.functions`, or is not smooth enough, or a domain is empty or not finite.
    UnknownName
        If the domain names a coordinate that the joint does not have.
    NotSupported
        If a function without a grid reads a coordinate that the domain names and one that it does not.

    Examples
    --------
    A wheel of radius 0.3 m that rolls along x:

    >>> import condyle as cd
    >>> twists = [(0, 0, 0, 1, 0, 0), (0, 0, 1, 0, 0, 0)]
    >>> wheel = cd.joints.product(twists, [cd.functions.linear(scale=0.3), cd.functions.linear(scale=-1)])
    >>> wheel.pose([1.0]).xyz
    array([0.3, 0. , 0. ])

    A slide along a parabola, known to 0.5 m on both sides:

    >>> x, y = cd.functions.linear(), cd.functions.polynomial([0, 0, 1])
    >>> slide = cd.joints.product([(0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0)], [x, y], domain=(-0.5, 0.5))
    >>> slide.domain
    ((-0.5, 0.5),)
    """
    listed = np.iterable(functions)
    require(listed, f"{title}: functions are a list, one for each twist", BadShape, functions=type(functions).__name__)
    parts = [as_parts(f, k, title) for k, f in enumerate(functions)]
    for index, kinked in enumerate([f for f in added if f.kinked] for added in parts):
        require(
            not kinked,
            f"{title}: function {index} is piecewise linear: velocities would jump at its knots; use order 3 or more",
            BadKnots,
            function=kinked,
        )
    names = coordinate_names(coordinates, parts, title)
    if domain is not None:
        ends = domain_ends(domain, names, title)
        parts = [tuple(_on(f, ends) for f in added) for added in parts]
    return assembled_product(twists, parts, names, pose, outside, title)


def assembled_product(
    twists: ArrayLike,
    functions: Sequence[tuple[Function, ...]],
    coordinates: Sequence[str] | None,
    pose: ArrayLike | None,
    outside: str,
    title: str,
) -> Joint:
    """The product of twists and functions, each of them a tuple that is added up; kinks are the caller's affair."""
    rows = twist_rows(twists, title)
    require(
        len(rows) == len(functions),
        f"{title}: one function for each twist",
        BadShape,
        twists=len(rows),
        functions=len(functions),
    )
    names = coordinate_names(coordinates, list(functions), title)
    factors = [factor_segment(g, f) for g, parts in zip(rows, functions, strict=True) for f in parts]
    return Joint(normalized([pose_segment(as_pose(pose, f"{title}: pose")), *factors]), names, outside, title)


def as_parts(function, index: int, title: str) -> tuple[Function, ...]:
    """The functions added up in one factor."""
    words = f"{title}: function {index} must come from condyle.functions"
    words = f"{words} (from_callable makes one of a Python function)" if callable(function) else words
    require(isinstance(function, (Function, Sum, Real)), words, BadValue, function=type(function).__name__)
    return as_function(function).parts


def coordinate_names(names, functions: list[tuple[Function, ...]], title: str) -> tuple[str, ...]:
    """The given names, checked against the coordinates that are read, or default ones."""
    read = {c for parts in functions for f in parts for c in f.coordinates}
    count = max(read, default=-1) + 1
    if names is None:
        return ("q",) if count == 1 else tuple(f"q{c}" for c in range(count))
    names = (names,) if isinstance(names, str) else tuple(names)
    expected = f"{title}: the functions read coordinates up to number {count - 1}, so {count} names are needed"
    require(len(names) >= count, expected, BadShape, names=names)
    return names


def domain_ends(domain, names: tuple[str, ...], title: str) -> dict[int, tuple[float, float]]:
    """Checked (low, high) by the number of the coordinate."""
    if isinstance(domain, Mapping):
        for name in domain:
            if name not in names:
                raise unknown_name("coordinate", name, names, f"{title}: domain")
        given = {names.index(name): ends for name, ends in domain.items()}
    else:
        rows = [domain] if len(names) == 1 and _is_pair(domain) else domain
        good = isinstance(rows, (Sequence, np.ndarray)) and len(rows) == len(names) and all(map(_is_pair, rows))
        expected = f"{title}: the domain is (low, high) for each of the coordinates {', '.join(names)}"
        require(good, expected, BadShape, domain=domain)
        given = dict(enumerate(rows))
    return {c: _ends(pair, f"{title}: domain of {names[c]!r}") for c, pair in given.items()}


def _is_pair(x) -> bool:
    return isinstance(x, (Sequence, np.ndarray)) and len(x) == 2 and all(np.ndim(y) == 0 for y in x)


def _ends(pair, what: str) -> tuple[float, float]:
    require(_is_pair(pair), f"{what} must be (low, high)", BadShape, got=pair)
    low, high = (finite_number(x, what) for x in pair)
    require(low < high, f"{what}: low must be below high", BadValue, low=low, high=high)
    return low, high


def _on(f: Function, ends: Mapping[int, tuple[float, float]]) -> Function:
    """The function on the domain, if it reads a coordinate of it."""
    return restricted(f, ends) if set(f.coordinates) & ends.keys() else f
