"""Bodies that touch the ground with the shapes that a robot's file gives them, as spheres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from ..errors import BadValue, NotInModel, amount, require, unknown_name, warn
from ..forces import LAWS, BetweenFrames, Element, Surface, half_space
from ..forces.element import complete_constants, unused_name
from ..forces.kernels.declaration import GAP
from ..forces.registry import laws_on
from ..joints.segments import FREE
from ..model import Model
from ..model.look.shapes import Shape
from ..model.validate_model import require_model
from ..typing import ArrayLike
from .kinematics import forward_kinematics

ROUNDING = 0.1  # of the least edge of a box, or of a cylinder's radius: the radius of the spheres at its corners
RIM = 8  # spheres on each rim of a cylinder
SINKS = 2e-3  # [m] under the weight on four spheres, where no stiffness is given
DEEP = 5e-3  # [m] in the ground at the neutral pose: worth a warning
GIVEN = {"dissipation": 1.0, "friction": 0.8}  # of Hertz's law, unless told otherwise


def ground_contacts(
    model: Model,
    bodies: Sequence[str] | None = None,
    *,
    point: ArrayLike = (0.0, 0.0, 0.0),
    normal: ArrayLike | None = None,
    law: str = "hertz",
    **constants: float,
) -> Model:
    """A copy of a model whose bodies touch the ground.

    A body touches with its collision shapes (`model.collisions`, of a robot's file) or, without any, with the shapes
    that are drawn of it: a sphere as it is, a capsule by spheres at both ends, a box by small spheres in its eight
    corners, a cylinder by eight in each rim. Other shapes are left out with a warning: give them spheres by
    `cd.ModelBuilder.add_contact`. Bodies do not touch each other.

    Parameters
    ----------
    model : Model
    bodies : sequence of str, optional
        Which bodies; by default all that have shapes.
    point : array_like, shape (3,), optional
        Of the ground [m]; the world's origin by default.
    normal : array_like, shape (3,), optional
        Up; by default opposite to gravity, without gravity z.
    law : str, optional
        A law of contact, of `condyle.forces.LAWS`.
    **constants : float
        Of the law. Hertz's law has a stiffness by default by which the weight on four spheres sinks in by 2 mm, a
        dissipation of 1 s/m and a friction of 0.8.

    Returns
    -------
    Model

    Raises
    ------
    UnknownName
        If there is no such body, law or constant.
    BadValue
        If no body has a shape that can touch, or a constant is missing or out of its range.

    Warns
    -----
    NotInModel
        Of shapes that are left out.
    CondyleWarning
        Of bodies, other than floating ones, that are in the ground at the neutral pose: it would throw them out.

    Examples
    --------
    >>> import condyle as cd
    >>> box, inertia = cd.shapes.box((0.2, 0.1, 0.1)), cd.Inertia.box(1.0, (0.2, 0.1, 0.1))
    >>> b = cd.ModelBuilder().add_body("box", joint=cd.joints.free(), inertia=inertia, shapes=[box])
    >>> model = cd.ground_contacts(b.build())
    >>> len(model.forces), model.forces[0].name
    (8, 'ground@box')
    """
    require_model(model)
    names = model.names if bodies is None else tuple(bodies)
    for name in names:
        if name not in model.names:
            raise unknown_name("body", name, model.names)
    up = (-model.gravity if model.gravity.any() else np.array([0.0, 0.0, 1.0])) if normal is None else normal
    ground = half_space(point, up)
    numbers = _numbers(model, law, constants)
    contacts, left_out = [], []
    for name in names:
        for frame, radius in _spheres(model, name, left_out):
            surfaces = ground.surface, Surface("sphere", radius)
            contacts.append((name, BetweenFrames(-1, ground.frame, model.body_index(name), frame, *surfaces)))
    words = "no body has a sphere, box, capsule or cylinder to touch with; give spheres by ModelBuilder.add_contact"
    require(contacts, f"ground_contacts: {words}", BadValue, bodies=list(names)[:6])
    if left_out:
        some = ", ".join(left_out[:4]) + (", …" if len(left_out) > 4 else "")
        count = amount(len(left_out), "shape")
        warn(f"ground_contacts: {count} left out, which condyle's contact does not have: {some}", NotInModel)
    _warn_of_buried(model, contacts)
    names_taken = dict.fromkeys((f.name for f in model.forces), 1)
    added = (Element(unused_name(f"ground@{body}", names_taken), law, at, numbers) for body, at in contacts)
    return replace(model, forces=(*model.forces, *added))


def _warn_of_buried(model: Model, contacts: list[tuple[str, BetweenFrames]]) -> None:
    """Warn of bodies that are in the ground at the neutral pose; what floats may begin anywhere and is left out."""
    poses, buried = forward_kinematics(model, model.neutral()).as_matrix(), {}
    for body, at in contacts:
        assert at.surface_b is not None
        center = poses[at.b, :3, :3] @ at.frame_b[:3, 3] + poses[at.b, :3, 3]
        depth = at.surface_b.radius - float(at.frame_a[:3, 2] @ (center - at.frame_a[:3, 3]))
        if depth > DEEP and not _floats(model, at.b):
            buried[body] = max(depth, buried.get(body, 0.0))
    if buried:
        deep = [f"{body!r} {1e3 * depth:.0f} mm" for body, depth in buried.items()]
        some = ", ".join(deep[:4]) + (", …" if len(deep) > 4 else "")
        warn(
            f"ground_contacts: at the neutral pose these are in the ground: {some}. It would throw them out: begin "
            "from another pose, name the bodies that touch (bodies=…), or say where the ground is (point=…)"
        )


def _floats(model: Model, body: int) -> bool:
    """Whether a free joint carries a body."""
    while body >= 0:
        if any(segment.kind == FREE for segment in model.bodies[body].joint.segments):
            return True
        body = model.bodies[body].parent
    return False


def _numbers(model: Model, law: str, constants: dict[str, float]) -> tuple[float, ...]:
    """All constants of the law."""
    contacts = [known.name for known in laws_on(GAP)]
    require(law in contacts, f"ground_contacts: {law!r} is no law of contact; take one of {contacts}", BadValue)
    if law == "hertz":
        load = 0.25 * sum(b.inertia.mass for b in model.bodies) * (float(np.linalg.norm(model.gravity)) or 9.81)
        constants = {"stiffness": load / SINKS**1.5, **GIVEN} | constants
    return tuple(complete_constants(LAWS[law], constants, "of the ground").values())


def _spheres(model: Model, body: str, left_out: list[str]) -> Iterator[tuple[np.ndarray, float]]:
    """Frames in the body's and radii of the spheres that stand for its shapes."""
    shapes = model.collisions.get(body) or model.bodies[model.body_index(body)].shapes
    for shape in shapes:
        places = _places(shape)
        if places is None:
            left_out.append(f"a {shape.kind} of {body!r}")
            continue
        for place, radius in places:
            frame = np.eye(4)
            frame[:3, 3] = shape.pose[:3, :3] @ place + shape.pose[:3, 3]
            yield frame, radius


def _places(shape: Shape) -> list[tuple[np.ndarray, float]] | None:
    """Centres in the shape's frame and radii; None of a shape that has no spheres."""
    if shape.kind == "sphere":
        return [(np.zeros(3), shape.size[0])]
    if shape.kind in ("capsule", "bone"):
        radius, length = shape.size
        return [(np.array([0.0, 0.0, side * 0.5 * length]), radius) for side in (-1, 1)]
    if shape.kind == "box":
        half, radius = 0.5 * np.array(shape.size), ROUNDING * min(shape.size)
        return [(np.array(signs) * (half - radius), radius) for signs in product((-1, 1), repeat=3)]
    if shape.kind == "cylinder":
        radius, length = shape.size
        small = ROUNDING * min(radius, length)
        turns = 2.0 * np.pi * np.arange(RIM) / RIM
        rim = (radius - small) * np.column_stack([np.cos(turns), np.sin(turns)])
        return [(np.array([x, y, side * (0.5 * length - small)]), small) for x, y in rim for side in (-1, 1)]
    return None
