"""Skeletons on a stage, as the article draws them: inertia ellipsoids, cylinders for hinges, spheres for balls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..skeleton.as_free import at_start
from ..skeleton.data import Skeleton
from ..skeleton.shapes import Surface, body_shapes, color_of, joint_shapes
from ..skeleton.trajectory import Trajectory
from .drawn import Drawn, Sheet

__all__ = ["drawable"]

OPACITY = 0.55  # of bodies: the joints inside them are seen


def drawable(thing: Any, drawn: Sequence[Drawn] | None) -> tuple[Any, Sequence[Drawn] | None]:
    """A skeleton or its motion as bodies that float, and what is drawn on them; other things as they are."""
    if isinstance(thing, Skeleton):
        return at_start(thing), (*(drawn or ()), *sheets_of(thing))
    if isinstance(thing, Trajectory):
        return thing.as_trajectory(), (*(drawn or ()), *sheets_of(thing.skeleton))
    return thing, drawn


def sheets_of(skeleton: Skeleton) -> list[Sheet]:
    """The surfaces of joints, then of bodies: what is seen through is drawn last."""
    return [sheet_of(skeleton, s) for s in (*joint_shapes(skeleton), *body_shapes(skeleton))]


def sheet_of(skeleton: Skeleton, surface: Surface) -> Sheet:
    """One surface, fixed to its body or to the world."""
    body = skeleton.body_names[surface.body] if surface.body >= 0 else None
    return Sheet(body, surface.points, color_of(surface), OPACITY if surface.kind == "body" else 1.0)
