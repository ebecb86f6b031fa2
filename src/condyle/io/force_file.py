"""Forces of a model in files: `loads` by the words of old laws, `forces` by the names of all others, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..forces import Element, Law, OnCoordinate, Surface
from ..forces.kernels.declaration import LINE
from ..forces.kernels.laws.bushing import BUSHING
from ..forces.surfaces import PlacedSurface
from ..model import ModelBuilder
from .joint_build import pose_of
from .schema import WRITTEN, BushingEntry, ForceEntry, SurfaceEntry

Tables = list[dict[str, Any]]


def described_forces(model: Any, names: dict[int, str]) -> tuple[Tables, Tables]:
    """The tables `loads` and `forces`; `names` are coordinates by their place in v.

    A quaternion's damper is one entry, though it acts on three or six velocities.
    """
    loads, forces = [], []
    for force in model.forces:
        if isinstance(force.at, OnCoordinate) and force.at.v not in names:
            continue
        place = _place(model, force, names)
        if force.declared.file:
            named = {} if "@" in force.name else {"name": force.name}
            loads.append({"type": force.declared.file, **place, **_constants(force), **named})
        else:
            forces.append({"law": force.law, "name": force.name, **place, "constants": _constants(force)})
    return loads, forces


def _place(model: Any, force: Element, names: dict[int, str]) -> dict[str, Any]:
    if isinstance(force.at, OnCoordinate):
        return {"coordinate": names[force.at.v]}
    data: dict[str, Any] = {}
    place, line = force.at, force.declared.reading == LINE and force.declared.file
    for end, body, frame, surface in (
        ("a", place.a, place.frame_a, place.surface_a),
        ("b", place.b, place.frame_b, place.surface_b),
    ):
        data |= {f"body_{end}": model.bodies[body].name} if body >= 0 else {}
        data |= {f"point_{end}": frame[:3, 3]} if line else {f"frame_{end}": frame}
        if surface is not None:
            radius = {"radius": surface.radius} if surface.kind == "sphere" else {}
            data[f"surface_{end}"] = {"type": surface.kind, **radius}
    return data if place.share == 0.5 else data | {"share": place.share}


def _constants(force: Element) -> dict[str, Any]:
    """Constants that are finite; infinity says nothing."""
    if force.law == "bushing":
        numbers = np.array(force.constants)
        return {"stiffness": numbers[:6], "damping": numbers[6:]}
    return {k: x for k, x in force.named.items() if np.isfinite(x)}


def add_load(builder: ModelBuilder, load: Any) -> None:
    """Add an entry of `loads`."""
    if isinstance(load, BushingEntry):
        frames = (pose_of(frame) for frame in (load.frame_a, load.frame_b))
        numbers = (*load.stiffness, *load.damping)
        law, at = BUSHING, (load.body_a, next(frames), load.body_b, next(frames))
        builder.add_force(law.name, at, name=load.name, **dict(zip(law.constants, numbers, strict=True)))
        return
    law = _law(load)
    ends = {"low": -np.inf, "high": np.inf}
    given: dict[str, Any] = {k: ends.get(k) if getattr(load, k) is None else getattr(load, k) for k in law.constants}
    if law.name == "damper":  # which acts on quaternions too
        builder.add_damping(load.coordinate, load.damping)
        return
    at = (load.body_a, load.point_a, load.body_b, load.point_b) if law.reading == LINE else load.coordinate
    builder.add_force(law.name, at, name=load.name, **given)


def _law(load: Any) -> Law:
    """The law of an entry: of those of its word the one that has all constants that are given."""
    laws = WRITTEN[load.type]
    given = {k for law in laws for k in law.constants if getattr(load, k) is not None}
    return min((law for law in laws if given <= law.constants.keys()), key=lambda law: len(law.constants))


def add_force(builder: ModelBuilder, entry: ForceEntry) -> None:
    """Add an entry of `forces`."""
    constants = dict(entry.constants)
    if entry.coordinate is not None:
        builder.add_force(entry.law, entry.coordinate, name=entry.name, **constants)
        return
    first, second = _end(entry.frame_a, entry.surface_a), _end(entry.frame_b, entry.surface_b)
    at = entry.body_a, first, entry.body_b, second
    builder.add_force(entry.law, at, name=entry.name, share=entry.share, **constants)


def _end(pose: Any, surface: SurfaceEntry | None) -> Any:
    frame = pose_of(pose)
    if surface is None:
        return frame
    return PlacedSurface(Surface(surface.type, surface.radius), np.eye(4) if frame is None else frame)
