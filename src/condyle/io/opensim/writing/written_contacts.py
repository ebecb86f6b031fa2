"""Contacts of a model in the classes of OpenSim: surfaces, and a force for each contact."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....forces import BetweenFrames, Element, Surface
from ....model import Model
from ..contacts import FRICTIONS, NORMAL_Z, SMOOTH
from .xml_elements import angles, body_path, element, numbers, plain, text

CONTACTS = ("smooth", "hunt_crossley")


def contacts_of(model: Model) -> list[Element[BetweenFrames]]:
    """The contacts that OpenSim has laws for; its smooth contact is of a sphere and a half space alone."""
    return [f for f in model.pair_forces if f.law == "hunt_crossley" or (f.law == "smooth" and _on_plane(f))]


def _on_plane(force: Element[BetweenFrames]) -> bool:
    surface = force.at.surface_a
    return surface is not None and surface.kind == "half_space" and force.at.share == 0.5


def geometry_elements(model: Model) -> Iterator[str]:
    """The surfaces of all contacts, two for each."""
    for force in contacts_of(model):
        at = force.at
        for end, body, frame, surface in (("a", at.a, at.frame_a, at.surface_a), ("b", at.b, at.frame_b, at.surface_b)):
            assert surface is not None
            yield _surface(
                f"{force.name}_{end}", body_path(None if body < 0 else model.bodies[body].name), frame, surface
            )


def _surface(name: str, path: str, frame: np.ndarray, surface: Surface) -> str:
    flat = surface.kind == "half_space"
    R = frame[:3, :3] @ NORMAL_Z.T if flat else frame[:3, :3]
    place = numbers("location", frame[:3, 3]) + numbers("orientation", angles(R))
    inside = text("socket_frame", path) + place + ("" if flat else numbers("radius", surface.radius))
    return element("ContactHalfSpace" if flat else "ContactSphere", inside, name=name)


def contact_elements(model: Model) -> Iterator[str]:
    """The forces of all contacts."""
    for force in contacts_of(model):
        yield (_smooth if force.law == "smooth" else _hunt_crossley)(force)


def _smooth(force: Element[BetweenFrames]) -> str:
    paths = (f"/contactgeometryset/{plain(force.name)}_{end}" for end in ("a", "b"))
    sockets = text("socket_half_space", next(paths)) + text("socket_sphere", next(paths))
    inside = "".join(numbers(SMOOTH[name][0], x) for name, x in force.named.items())
    return element("SmoothSphereHalfSpaceForce", sockets, inside, name=force.name)


def _hunt_crossley(force: Element[BetweenFrames]) -> str:
    """Two materials with k_1 = k/s and k_2 = k/(1 − s), s the share that the first surface gives: together k."""
    named, give = force.named, min(max(1.0 - force.at.share, 1e-9), 1.0 - 1e-9)
    k = named["modulus"] ** (2.0 / 3.0)
    kind = "HuntCrossleyForce::ContactParameters"
    parts = ""
    for end, stiffness in (("a", k / give), ("b", k / (1.0 - give))):
        inside = text("geometry", f"{plain(force.name)}_{end}") + numbers("stiffness", stiffness**1.5)
        inside += numbers("dissipation", named["dissipation"])
        parts += element(kind, inside, "".join(numbers(name, named[name]) for name in FRICTIONS))
    sets = element(f"{kind}Set", element("objects", parts), name="contact_parameters")
    return element(
        "HuntCrossleyForce", sets, numbers("transition_velocity", named["transition_velocity"]), name=force.name
    )
