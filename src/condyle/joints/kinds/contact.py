"""Two shapes that touch: a frame on one, turned over, and a frame on the other backwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import BadValue, NotSupported, require, unknown_name
from ...spatial import SE3
from ..functions import from_callable
from ..joint import Joint
from ..touchable import is_outline, require_tangent, require_touchable
from .compose import compose
from .prismatic import prismatic
from .product import product
from .revolute import revolute
from .weld import weld

OVER = SE3.exp([np.pi, 0.0, 0.0, 0.0, 0.0, 0.0])  # z to −z
AROUND = SE3.exp([0.0, 0.0, np.pi, 0.0, 0.0, 0.0])  # x to −x, y to −y
ROUGHLY, EXACTLY = 0.2, 1e-6  # how far across their x axes frames along a curve may go, by their way along it
PARALLEL = 0.1  # [rad] curves that cross at less lose rank
WAYS = {"surfaces": ("point",), "curves": ("point", "line", "tangent", "crossing"), "mixed": ("tangent",)}


def contact(parent: Joint, child: Joint, *, touching: str | None = None, names: Sequence[str] | None = None) -> Joint:
    """Two shapes that touch from outside: A(u) · what they may do at the contact · B(w)⁻¹.

    Two surfaces (`on`), their z axes along outward normals, touch at a point: the parent's place, the spin about the
    normal [rad] and the child's place, five coordinates. A curve (`along`; a straight edge is `prismatic("x")`) and a
    surface touch where the curve is tangent: place on the surface, spin about its normal, roll about the curve [rad],
    place on the curve, five too. Two curves touch in one of four ways:

    - "point": plane outlines, counterclockwise so that the body is on their left, in one plane; a place on each.
    - "line": such outlines as cylinders, along a line across the plane, by which they slide; three.
    - "tangent": curves in space that share a point and the tangent there; a place on each and the roll, three.
    - "crossing": edges that share a point and cross; places, the rolls about both, and the angle between them, five.

    The contact holds both ways and slides; `cd.constraints.roll` makes it roll. It loses rank where one shape is as
    hollow as the other bulges, along the curve's direction if one is a curve, and where crossing edges are parallel:
    their angle is within 0.1 and π − 0.1.

    Parameters
    ----------
    parent, child : Joint
        Frames on the shapes: of two coordinates for surfaces, of one for curves.
    touching : {"point", "line", "tangent", "crossing"}, optional
        How; "point" by default, and "tangent" for a curve and a surface.
    names : sequence of str, optional
        Of the coordinates; by default those of the two joints and "spin", "roll", …, or u, v, spin, a, b (on_parent
        and on_child) where two would be the same.

    Returns
    -------
    Joint

    Raises
    ------
    NotSupported
        If these shapes do not touch in this way.
    BadValue
        If the shapes cannot touch from outside anywhere (wherever they meet, one would cut into the other), with the
        places that come nearest to it; if a curve's frame does not go along it, or an outline is not plane.

    Examples
    --------
    >>> import condyle as cd
    >>> side = np.linspace(-0.3, 0.3, 9)
    >>> bowl = cd.joints.on(cd.joints.Surface.from_heights(side, side, side[:, None] ** 2 + side**2))
    >>> dome = cd.joints.on(cd.joints.Surface.from_heights(side, side, -3.0 * (side[:, None] ** 2 + side**2)))
    >>> cd.joints.contact(bowl, dome).coordinates
    ('u', 'v', 'spin', 'a', 'b')
    >>> cd.joints.contact(dome, cd.joints.prismatic("x")).coordinates  # a straight edge on a dome
    ('u', 'v', 'spin', 'roll', 'distance')
    """
    kind, way = _checked(parent, child, touching)
    if kind == "curves" and way in ("point", "line"):
        for joint, which in ((parent, "parent"), (child, "child")):
            expected = f"contact: the {which} is not a plane outline; curves in space touch 'tangent' or 'crossing'"
            require(is_outline(joint), expected, BadValue, got=joint.title)
    if way != "crossing":
        require_touchable(parent, child, in_plane=way in ("point", "line"))
    between = _between(way, kind, child.nq == 2)
    parts = [parent, *between, child.inverse()]
    own = [*parent.coordinates, *(c for j in between for c in j.coordinates), *child.coordinates]
    names = names or (own if len(set(own)) == len(own) else _default_names(kind, between, parent.nq))
    return replace(compose(*parts, names=names), title="contact")


def _checked(parent: Joint, child: Joint, touching: str | None) -> tuple[str, str]:
    """What kinds of shapes these are, and the way that they touch."""
    for joint, which in ((parent, "parent"), (child, "child")):
        good = isinstance(joint, Joint) and joint.nq == joint.nv and joint.nq in (1, 2)
        expected = f"contact: the {which} is a joint on a surface (two coordinates) or along a curve (one)"
        require(good, expected, BadValue, got=getattr(joint, "title", type(joint).__name__))
    kind = "mixed" if parent.nq != child.nq else "curves" if parent.nq == 1 else "surfaces"
    if touching is not None and touching not in WAYS["curves"]:
        raise unknown_name("way of touching", touching, WAYS["curves"], "contact")
    way = touching or WAYS[kind][0]
    what = {"surfaces": "two surfaces", "curves": "two curves", "mixed": "a curve and a surface"}[kind]
    require(way in WAYS[kind], f"contact: {what} touch {WAYS[kind]}", NotSupported, touching=touching)
    for joint, which in ((parent, "parent"), (child, "child")):
        if joint.nq == 1:
            require_tangent(joint, which, ROUGHLY if way in ("point", "line") else EXACTLY)
    return kind, way


def _between(way: str, kind: str, surface_last: bool) -> list[Joint]:
    """What the shapes may do at the contact, from the parent's frame to the child's."""
    spin, roll = revolute("z", name="spin"), revolute("x", name="roll")
    if kind == "surfaces":
        return [spin, weld(OVER)]
    if kind == "mixed":
        return [roll, spin] if surface_last else [spin, roll]
    if way == "crossing":
        angle = from_callable(lambda x: x, (PARALLEL, np.pi - PARALLEL))
        across = product([(0.0, 0.0, 1.0, 0.0, 0.0, 0.0)], [angle], coordinates=("angle",))
        return [roll, across, revolute("x", name="roll_of_child")]
    ways = {"point": [], "line": [prismatic("z", name="slide")], "tangent": [roll]}
    return [weld(AROUND), *ways[way]]


def _default_names(kind: str, between: list[Joint], first: int) -> list[str]:
    """Names where the joints' own would be twice: those of places around those of the contact."""
    places = ("u", "v", "a", "b") if kind == "surfaces" else ("on_parent", "on_child")
    if kind == "mixed":
        places = ("u", "v", "length") if first == 2 else ("length", "u", "v")
    return [*places[:first], *(c for j in between for c in j.coordinates), *places[first:]]
