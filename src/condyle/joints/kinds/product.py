"""The form itself: any constant twists, any scalar functions.  [LeeTerzopoulos2008, eq. 26]"""

from __future__ import annotations

from numbers import Real

from ...errors import BadKnots, BadShape, BadValue, require
from ...spatial import as_pose
from ..canonical_form import factor_segment, normalised, pose_segment
from ..functions import Function, Sum
from ..functions.function import as_function
from ..joint import Joint
from ..validate_axes import twist_rows


def product(
    twists, functions, *, coordinates=None, pose=None, outside: str = "extend", title: str = "product"
) -> Joint:
    """G(q) = pose · Π_k exp(ĝ_k φ_k(q)) for twists g_k [ω; v] and functions φ_k from `condyle.functions`.

    The functions read the joint's coordinates by number; `coordinates` names them (default q, or q0, q1, …). A number
    is a constant function; a sum of functions is several factors of one twist.
    """
    rows, functions = twist_rows(twists, title), [as_parts(f, k, title) for k, f in enumerate(functions)]
    require(
        len(rows) == len(functions),
        f"{title}: one function for each twist",
        BadShape,
        twists=len(rows),
        functions=len(functions),
    )
    names = coordinate_names(coordinates, functions, title)
    factors = [factor_segment(g, f) for g, parts in zip(rows, functions, strict=True) for f in parts]
    return Joint(normalised([pose_segment(as_pose(pose, f"{title}: pose")), *factors]), names, outside, title)


def as_parts(function, index: int, title: str) -> tuple[Function, ...]:
    """The functions added up in one factor."""
    good = isinstance(function, (Function, Sum, Real))
    require(
        good, f"{title}: function {index} must come from condyle.functions", BadValue, function=type(function).__name__
    )
    parts = as_function(function).parts
    kinked = [f for f in parts if f.kinked]
    require(
        not kinked,
        f"{title}: function {index} is piecewise linear, so velocities would jump at its knots; use order 3 or more",
        BadKnots,
        function=kinked,
    )
    return parts


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
