"""B-splines as exact polynomial pieces, and functions compiled to such pieces."""

from .knots import clamped_knots, even_knots, greville, periodic_knots, spline_knots, uniform_knots, validated_knots
from .pieces import Basis, basis_pieces, cumulative_pieces, locate_rows, row_centers, spline_pieces, with_continuation
from .piecewise_interpolation import Pieces, interpolate

__all__ = [
    "Basis",
    "Pieces",
    "basis_pieces",
    "clamped_knots",
    "cumulative_pieces",
    "even_knots",
    "greville",
    "interpolate",
    "locate_rows",
    "periodic_knots",
    "row_centers",
    "spline_knots",
    "spline_pieces",
    "uniform_knots",
    "validated_knots",
    "with_continuation",
]
