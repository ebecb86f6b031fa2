"""Scalar functions of a joint's coordinates, the φ in G(q) = H · Π exp(ĝ φ(q)); all become constants of kernels."""

from .compiled import callable
from .elementary import constant, ellipse_angle, linear, polynomial, sinusoid
from .function import Function, Sum, composition, product
from .splines import cumulative, piecewise_linear, spline

__all__ = [
    "Function",
    "Sum",
    "callable",
    "composition",
    "constant",
    "cumulative",
    "ellipse_angle",
    "linear",
    "piecewise_linear",
    "polynomial",
    "product",
    "sinusoid",
    "spline",
]


def __dir__() -> list[str]:
    return sorted(__all__)
