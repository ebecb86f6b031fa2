"""Joints: one constructor for each kind, all of the one form G(q) = H · Π exp(ĝ φ(q))."""

from . import functions
from .contact_path import ContactPath, conjugate_surface, contact_path
from .joint import Joint
from .kinds.along import along
from .kinds.compliant import compliant
from .kinds.compose import compose
from .kinds.contact import contact
from .kinds.cylindrical import cylindrical
from .kinds.elliptic import elliptic
from .kinds.helical import helical
from .kinds.on import on
from .kinds.planar import planar
from .kinds.prismatic import prismatic
from .kinds.product import product
from .kinds.quaternion import ball, free
from .kinds.revolute import revolute
from .kinds.spline_curve import spline_curve
from .kinds.spline_surface import spline_surface
from .kinds.universal import universal
from .kinds.weld import weld
from .rank_check import RankReport, check
from .redesign import design_frames, redesigned
from .screw_axes import ScrewAxes, screw_axes
from .shapes.curve import Curve
from .shapes.mesh import Mesh
from .shapes.surface import Surface

__all__ = [
    "ContactPath",
    "Curve",
    "Joint",
    "Mesh",
    "RankReport",
    "ScrewAxes",
    "Surface",
    "along",
    "ball",
    "check",
    "compliant",
    "compose",
    "conjugate_surface",
    "contact",
    "contact_path",
    "cylindrical",
    "design_frames",
    "elliptic",
    "free",
    "functions",
    "helical",
    "on",
    "planar",
    "prismatic",
    "product",
    "redesigned",
    "revolute",
    "screw_axes",
    "spline_curve",
    "spline_surface",
    "universal",
    "weld",
]


def __dir__() -> list[str]:
    return sorted(__all__)
