"""Skeletons on a stage: bones or ellipsoids, cylinders for hinges, spheres for balls, coils for springs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..model.look.bone_surface import bone_grid
from ..model.look.overlays import Drawn, Sheet
from ..model.look.shapes import BONE
from ..skeleton.convert.free_trajectory import at_start
from ..skeleton.drawing import COLORS, Glyph, coil, color_of, ellipsoid_grid, equimomental, joint_shapes, joint_size
from ..skeleton.skeleton import Skeleton
from ..skeleton.springs_and_limits import spring_ends
from ..skeleton.state import State
from ..skeleton.trajectory import Trajectory

LIMB = (1.8, 8.0)  # length for width of a body that is drawn as a bone
COIL = {"turns": 6, "each": 9, "around": 3}  # coarse: every moment of a motion has its own


def drawable(thing: Any, drawn: Sequence[Drawn] | None) -> tuple[Any, Sequence[Drawn] | None]:
    """A skeleton or its motion as bodies that float, and what is drawn on them; other things as they are."""
    if isinstance(thing, Skeleton):
        still = coils_of(thing, thing.initial, np.zeros(1))
        return at_start(thing), (*(drawn or ()), *sheets_of(thing, drawn or ()), *still)
    if isinstance(thing, Trajectory):
        moving = coils_of(thing.skeleton, thing.states, thing.t)
        return thing.as_trajectory(), (*(drawn or ()), *sheets_of(thing.skeleton, drawn or ()), *moving)
    return thing, drawn


def sheets_of(skeleton: Skeleton, drawn: Sequence[Drawn] = ()) -> list[Sheet]:
    """The surfaces of bodies and of joints; a body with a sheet of its own among what is drawn keeps that alone."""
    own = {x.body for x in drawn if isinstance(x, Sheet)}
    bodies = [_body(skeleton, i) for i, name in enumerate(skeleton.body_names) if name not in own]
    joints = [_sheet_of(skeleton, s) for s in joint_shapes(skeleton)]
    return [*bodies, *(s for s in joints if s.body is None or s.body not in own)]


def _body(skeleton: Skeleton, i: int) -> Sheet:
    """A bone where a body is as long for its width as a limb is, else the ellipsoid of its inertia."""
    semi, axes = equimomental(skeleton.masses[i], skeleton.inertias[i])
    thin, wide, long = np.sort(semi)
    glyph = Glyph(skeleton.body_names[i], "body", i, np.empty((0, 0, 3)))
    if LIMB[0] < long / wide < LIMB[1] and wide < 2.0 * thin:
        x, y, z = axes[:, np.argsort(semi)].T[[1, 0, 2]]
        points = bone_grid(wide, 1.5 * long) @ np.stack([x, y * np.linalg.det([x, y, z]), z])
        return Sheet(glyph.name, points, BONE, 1.0, False)
    return Sheet(glyph.name, ellipsoid_grid(semi, axes), tuple(0.5 * np.add(color_of(glyph), BONE)), 1.0, False)


def _sheet_of(skeleton: Skeleton, glyph: Glyph) -> Sheet:
    """One surface, fixed to its body or to the world."""
    body = skeleton.body_names[glyph.body] if glyph.body >= 0 else None
    return Sheet(body, glyph.points, color_of(glyph), 1.0, False)


def coils_of(skeleton: Skeleton, states: State, t: np.ndarray) -> list[Sheet]:
    """Springs as coiled wires, rebuilt for every record; of a batch those of its first member."""
    if not skeleton.springs:
        return []
    starts, ends = (x.reshape(-1, *x.shape[-2:])[: len(t)] for x in spring_ends(skeleton, states))
    last = max(int(np.isfinite(starts + ends).all(axis=(1, 2)).sum()) - 1, 0)
    radius = 0.6 * joint_size(skeleton)

    def wire(k: int):
        def at(time: float) -> np.ndarray:
            row = min(int(np.abs(t - time).argmin()), last)
            return coil(starts[row, k], ends[row, k], radius, **COIL)

        return at

    return [Sheet(None, wire(k), COLORS["spring"], 1.0, False) for k in range(len(skeleton.springs))]
