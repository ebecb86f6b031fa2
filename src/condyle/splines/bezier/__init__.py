"""Bézier curves, Bézier triangles, and surfaces made of them."""

from .bezier_curve import curve_blossom, curve_derivative, curve_points, elevated_curve, split_curve
from .bezier_surface import BezierSurface
from .closest_point import ClosestPoints, closest_points
from .continuity import c0_gap, c1_gap, continuity_matrix, edge_rows, smooth_basis
from .domain_complex import DomainComplex, domain_complex, hexagon, refined
from .sphere_intersection import SphereCurve, sphere_intersection
from .subdivision import elevated, restricted, split_in_four, split_in_three
from .triangle import blossom, de_casteljau, directional_derivative, evaluate, multi_indices

__all__ = [
    "BezierSurface",
    "ClosestPoints",
    "DomainComplex",
    "SphereCurve",
    "blossom",
    "c0_gap",
    "c1_gap",
    "closest_points",
    "continuity_matrix",
    "curve_blossom",
    "curve_derivative",
    "curve_points",
    "de_casteljau",
    "directional_derivative",
    "domain_complex",
    "edge_rows",
    "elevated",
    "elevated_curve",
    "evaluate",
    "hexagon",
    "multi_indices",
    "refined",
    "restricted",
    "smooth_basis",
    "sphere_intersection",
    "split_curve",
    "split_in_four",
    "split_in_three",
]


def __dir__() -> list[str]:
    return sorted(__all__)
