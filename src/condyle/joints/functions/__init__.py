"""Scalar functions of a joint's coordinates, the φ in G(q) = H · Π exp(ĝ φ(q)); all become constants of kernels."""

from collections.abc import Callable

from .compiled import from_callable
from .elementary import constant, ellipse_angle, linear, polynomial, sinusoid
from .function import Function, Sum, composition, product
from .splines import cumulative, piecewise_linear, spline

__all__ = [
    "Function",
    "Sum",
    "composition",
    "constant",
    "cumulative",
    "ellipse_angle",
    "from_callable",
    "linear",
    "piecewise_linear",
    "polynomial",
    "product",
    "sinusoid",
    "spline",
]


def __getattr__(name: str) -> Callable[..., Function]:
    """`callable` is what `from_callable` was called; it hid Python's own."""
    if name != "callable":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ...deprecation import warn_renamed

    warn_renamed("functions.callable", "functions.from_callable")
    return from_callable


def __dir__() -> list[str]:
    return sorted(__all__)
