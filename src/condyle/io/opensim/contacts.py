"""Contact of a file: spheres and half spaces of its geometry, and the laws of its forces between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ...forces import PlacedSurface, Surface
from .osim_document import Node
from .physical_frames import Frames, euler_pose

NORMAL_Z = np.array([[0.0, 0.0, -1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])  # a half space of OpenSim is at x > 0
SMOOTH = {  # constants by their properties in the file, with the defaults of the class
    "modulus": ("stiffness", 1.0),
    "dissipation": ("dissipation", 0.0),
    "static_friction": ("static_friction", 0.0),
    "dynamic_friction": ("dynamic_friction", 0.0),
    "viscous_friction": ("viscous_friction", 0.0),
    "transition_velocity": ("transition_velocity", 0.01),
    "rest": ("constant_contact_force", 1e-5),
    "depth_steepness": ("hertz_smoothing", 300.0),
    "rate_steepness": ("hunt_crossley_smoothing", 50.0),
}
FRICTIONS = ("static_friction", "dynamic_friction", "viscous_friction")


class Touching(NamedTuple):
    """A surface and the body that has it; None is ground."""

    body: str | None
    placed: PlacedSurface


class Material(NamedTuple):
    """What a Hunt-Crossley force says of a surface."""

    name: str
    stiffness: float
    dissipation: float
    frictions: tuple[float, ...]


class Contact(NamedTuple):
    """A law between two surfaces: its name, where it acts, and its constants."""

    law: str
    at: tuple
    constants: dict[str, float]
    share: float = 0.5
    title: str = ""  # of the pair, where a force of the file has several


def surface_of(node: Node, frames: Frames) -> Touching | None:
    """A sphere or a half space; None for shapes that condyle's contact does not have."""
    if node.tag not in ("ContactSphere", "ContactHalfSpace"):
        return None
    text = node.socket("frame", "body_name") or "/ground"
    frame = frames.resolve(text, f"/contactgeometryset/{node.name}", node)
    place, turn = (node.vector(tag, 3, [0.0] * 3) for tag in ("location", "orientation"))
    pose = frame.pose @ euler_pose(place, turn)
    if node.tag == "ContactSphere":
        return Touching(frame.body, PlacedSurface(Surface("sphere", node.number("radius", 0.0)), pose))
    pose[:3, :3] = pose[:3, :3] @ NORMAL_Z
    return Touching(frame.body, PlacedSurface(Surface("half_space"), pose))


def smooth_contacts(node: Node, surfaces: dict[str, Touching]) -> list[Contact]:
    """The contact of a SmoothSphereHalfSpaceForce; none if its surfaces are not known or on one body."""
    names = [(node.socket(tag) or "").rsplit("/", 1)[-1] for tag in ("half_space", "sphere")]
    if not all(name in surfaces for name in names):
        return []
    ends = [surfaces[name] for name in names]
    constants = {name: node.number(tag, default) for name, (tag, default) in SMOOTH.items()}
    if ends[0].body == ends[1].body or constants["modulus"] < 0.0 or min(constants.values()) < 0.0:
        return []
    return [Contact("smooth", (ends[0].body, ends[0].placed, ends[1].body, ends[1].placed), constants)]


def hunt_crossley_contacts(node: Node, surfaces: dict[str, Touching]) -> list[Contact]:
    """The contacts of a HuntCrossleyForce, one for every pair of its surfaces; none if one of them is not known."""
    materials = list(_materials(node))
    if not materials or not all(m.name in surfaces for m in materials):
        return []
    velocity = node.number("transition_velocity", 0.01)
    found = []
    for one, other in combinations(materials, 2):
        a, b = surfaces[one.name], surfaces[other.name]
        flat = [x.placed.surface.kind == "half_space" for x in (a, b)]
        if a.body == b.body or all(flat):
            continue
        first, second = (other, one) if flat[1] else (one, other)
        found.append(_pair(first, second, surfaces, velocity))
    return found


def _pair(first: Material, second: Material, surfaces: dict[str, Touching], velocity: float) -> Contact:
    """Two materials as one: k = k1 k2/(k1 + k2) of k_i = stiffness^(2/3), and what is softer gives more."""
    k = [m.stiffness ** (2.0 / 3.0) for m in (first, second)]
    total = k[0] + k[1]
    give = k[1] / total if total > 0.0 else 0.5  # of the first surface
    constants = {
        "modulus": (k[0] * give) ** 1.5,
        "dissipation": first.dissipation * give + second.dissipation * (1.0 - give),
        "transition_velocity": velocity,
    }
    for name, x, y in zip(FRICTIONS, first.frictions, second.frictions, strict=True):
        constants[name] = 2.0 * x * y / (x + y) if x + y > 0.0 else 0.0
    a, b = surfaces[first.name], surfaces[second.name]
    at = a.body, a.placed, b.body, b.placed
    return Contact("hunt_crossley", at, constants, 1.0 - give, f"{first.name}-{second.name}")


def _materials(node: Node) -> Iterator[Material]:
    """The surfaces of a Hunt-Crossley force with what they are made of."""
    for part in node.element.iter("HuntCrossleyForce::ContactParameters"):
        own = Node(part, node.document)  # type: ignore[arg-type]
        frictions = tuple(own.number(name, 0.0) for name in FRICTIONS)
        for name in (own.text("geometry") or "").split():
            yield Material(name, own.number("stiffness", 1.0), own.number("dissipation", 0.0), frictions)
