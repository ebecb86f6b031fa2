"""Joints: one constructor for each kind, all of the one form G(q) = H · Π exp(ĝ φ(q))."""

from . import functions
from .check import RankReport, check
from .compose import compose
from .cylindrical import cylindrical
from .elliptic import elliptic
from .helical import helical
from .joint import Joint
from .planar import planar
from .prismatic import prismatic
from .product import product
from .quaternion import ball, free
from .redesign import design_frames, redesigned
from .revolute import revolute
from .spline_curve import spline_curve
from .spline_surface import spline_surface
from .universal import universal
from .weld import weld

__all__ = [
    "Joint",
    "RankReport",
    "ball",
    "check",
    "compose",
    "cylindrical",
    "design_frames",
    "elliptic",
    "free",
    "functions",
    "helical",
    "planar",
    "prismatic",
    "product",
    "redesigned",
    "revolute",
    "spline_curve",
    "spline_surface",
    "universal",
    "weld",
]
