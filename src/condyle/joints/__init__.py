"""Joints: one constructor for each kind, all of the one form G(q) = H · Π exp(ĝ φ(q))."""

from typing import TYPE_CHECKING, Any

from . import functions
from .joint import Joint
from .kinds.ball_free import ball, free
from .kinds.compliant import compliant
from .kinds.compose import compose
from .kinds.cylindrical import cylindrical
from .kinds.elliptic import elliptic
from .kinds.helical import helical
from .kinds.planar import planar
from .kinds.prismatic import prismatic
from .kinds.product import product
from .kinds.revolute import revolute
from .kinds.spline_curve import spline_curve
from .kinds.spline_surface import spline_surface
from .kinds.track import track
from .kinds.universal import universal
from .kinds.weld import weld
from .rank_check import RankReport, check
from .redesign import design_frames, redesigned
from .screw_axes import ScrewAxes, screw_axes

if TYPE_CHECKING:
    from .contact_paths import ContactPath, conjugate_surface, contact_path
    from .kinds.along import along
    from .kinds.contact import contact
    from .kinds.on import on
    from .shapes.curve import Curve
    from .shapes.surface import Surface
    from .shapes.triangle_meshes.mesh import Mesh

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
    "track",
    "universal",
    "weld",
]

# joints of shapes load scipy's splines, which half of a process's start would be spent on
_SHAPES = {
    "ContactPath": "contact_paths",
    "Curve": "shapes.curve",
    "Mesh": "shapes.triangle_meshes.mesh",
    "Surface": "shapes.surface",
    "along": "kinds.along",
    "conjugate_surface": "contact_paths",
    "contact": "kinds.contact",
    "contact_path": "contact_paths",
    "on": "kinds.on",
}


def __getattr__(name: str) -> Any:
    if name not in _SHAPES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{_SHAPES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
