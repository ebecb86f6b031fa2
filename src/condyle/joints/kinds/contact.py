"""Two shapes that touch: a frame on one, turned over, and a frame on the other backwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import BadValue, NotSupported, require
from ...spatial import SE3
from ..joint import Joint
from ..rank_check import sample_coordinates
from .compose import compose
from .revolute import revolute
from .weld import weld

OVER = SE3.exp([np.pi, 0.0, 0.0, 0.0, 0.0, 0.0])  # z to −z
AROUND = SE3.exp([0.0, 0.0, np.pi, 0.0, 0.0, 0.0])  # x to −x, y to −y
SURFACES, CURVES = ("u", "v", "spin", "a", "b"), ("on_parent", "on_child")


def contact(parent: Joint, child: Joint, *, names: Sequence[str] | None = None) -> Joint:
    """Two shapes that touch from outside: A(u) · spin · half turn · B(w)⁻¹.

    Surfaces (`on`) have their z axes along their outward normals: the parent's place, the spin about the normal [rad]
    and the child's place are five coordinates. Plane outlines (`along`, counterclockwise, so that the body is on their
    left) have two: a place on each. The contact holds both ways and slides; `cd.constraints.roll` makes it roll. It
    loses rank where one shape is as hollow as the other bulges.

    Parameters
    ----------
    parent, child : Joint
        Frames on the shapes: of two coordinates for surfaces, of one for plane outlines.
    names : sequence of str, optional
        Of the coordinates; by default those of the two joints and "spin", or u, v, spin, a, b (on_parent and on_child)
        where two would be the same.

    Returns
    -------
    Joint

    Raises
    ------
    NotSupported
        If one is a curve and the other a surface.
    BadValue
        If the shapes cannot touch from outside anywhere: wherever they meet, one would cut into the other.

    Examples
    --------
    >>> import condyle as cd
    >>> side = np.linspace(-0.3, 0.3, 9)
    >>> bowl = cd.joints.on(cd.joints.Surface.from_heights(side, side, side[:, None] ** 2 + side**2))
    >>> dome = cd.joints.on(cd.joints.Surface.from_heights(side, side, -3.0 * (side[:, None] ** 2 + side**2)))
    >>> cd.joints.contact(bowl, dome).coordinates
    ('u', 'v', 'spin', 'a', 'b')
    """
    for joint, which in ((parent, "parent"), (child, "child")):
        good = isinstance(joint, Joint) and joint.nq == joint.nv and joint.nq in (1, 2)
        expected = f"contact: the {which} is a joint on a surface (two coordinates) or along a plane outline (one)"
        require(good, expected, BadValue, got=getattr(joint, "title", type(joint).__name__))
    if parent.nq != child.nq:
        raise NotSupported("contact: a curve with a surface is not a contact of this kind; take two curves or surfaces")
    require_touchable(parent, child)
    between = [weld(AROUND)] if parent.nq == 1 else [revolute("z", name="spin"), weld(OVER)]
    own = [*parent.coordinates, *(j.coordinates[0] for j in between if j.nq), *child.coordinates]
    names = names or (own if len(set(own)) == len(own) else CURVES if parent.nq == 1 else SURFACES)
    return replace(compose(parent, *between, child.inverse(), names=names), title="contact")


def require_touchable(parent: Joint, child: Joint) -> None:
    """Somewhere the shapes must bulge more than the other is hollow, in every direction at once."""
    a, b = principal_curvatures(parent), principal_curvatures(child)
    left = np.minimum(a[:, None, 1] + b[None, :, 0], a[:, None, 0] + b[None, :, 1])  # turned as suits them best
    best = float(left.max())
    expected = "contact: these shapes cannot touch from outside: wherever they meet, one cuts into the other"
    size = max(np.abs(a).max(), np.abs(b).max(), 1e-300)
    require(best > 1e-9 * size, f"{expected} (their curvatures add up to {best:.3g} 1/m at best)", BadValue)


def principal_curvatures(joint: Joint, samples: int = 128) -> np.ndarray:
    """(samples, 2), rising [1/m], positive where the shape bulges; both are the one of a plane outline."""
    S = joint.jacobian(sample_coordinates(joint, samples, 0))
    if joint.nq == 1:
        kappa = S[:, 2, 0] / S[:, 3, 0]
        return np.stack([kappa, kappa], axis=1)
    tilted = np.stack([S[:, 1], -S[:, 0]], axis=1)  # how the normal turns, by column
    K = tilted @ np.linalg.inv(S[:, 3:5])
    return np.linalg.eigvalsh(0.5 * (K + K.swapaxes(1, 2)))
