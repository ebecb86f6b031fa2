"""Elevation, abduction and twist to a posture."""

from __future__ import annotations

import numpy as np

from ...errors import BadShape, BadValue, NotFinite, OutsideDomain, require
from ...spatial.arrays import for_kernels
from ...typing import ArrayLike
from ..arm_kinematics import side_sign
from ..directions import direction_from_angles, disc_from_direction
from ..kernels.posture_rows import WIDTH, write_forward
from ..kernels.seen_place import seen_places
from ..posture import Posture, posture_of


def forward(
    arm, elevation, abduction, twist: ArrayLike = 0.5, *, flexion: ArrayLike = np.pi / 2, wrist=(0.0, 0.0, 0.0)
) -> Posture:
    """The posture(s) for elevation and abduction [rad], a share 0 … 1 of the twist range, flexion and wrist angles."""
    elevation, abduction, twist, flexion = _fitted(elevation, abduction, twist, flexion, wrist)
    for name, value in (("elevation", elevation), ("abduction", abduction), ("twist", twist), ("flexion", flexion)):
        if not np.isfinite(value).all():
            raise NotFinite(f"forward: {name} must be finite")
    if twist.min(initial=0.0) < 0 or twist.max(initial=1.0) > 1:
        require(False, "twist is a share of its range, from 0 to 1", BadValue, twist=twist.tolist())
    place = place_of_direction(arm, direction_from_angles(elevation, abduction))
    patch = _patches_inside(arm, place, elevation, abduction)
    return posture_at(arm, place, twist, flexion, wrist, patch)


def _fitted(*angles: ArrayLike) -> tuple[np.ndarray, ...]:
    """Elevation, abduction, twist and flexion in one shape (...), to which the wrist's angles (..., 3) fit."""
    *given, wrist = (np.asarray(x, float) for x in angles)
    require(wrist.shape[-1:] == (3,), "forward: wrist is three angles (..., 3)", BadShape, got=wrist.shape)
    if all(x.shape == wrist.shape[:-1] for x in given):
        return tuple(given)
    try:
        return np.broadcast_arrays(*given, wrist[..., 0])[:-1]
    except ValueError:
        words = "forward: elevation, abduction, twist, flexion (...) and wrist (..., 3) must fit each other"
        raise BadShape(f"{words}; got {[x.shape for x in (*given, wrist)]}") from None


def posture_at(arm, place, twist, flexion, wrist, patch: np.ndarray | None = None) -> Posture:
    """The posture(s) at domain places (..., 2), in these patches (...) of the surface if they are known."""
    place = np.asarray(place, float)
    shape = np.broadcast_shapes(place.shape[:-1], np.shape(twist), np.shape(flexion), np.shape(wrist)[:-1])
    flat = for_kernels(_spread(place, (*shape, 2)).reshape(-1, 2))
    patch = arm.surface.complex.locate(flat)[0] if patch is None else np.broadcast_to(patch, shape).ravel()
    wrists = for_kernels(_spread(np.asarray(wrist, float), (*shape, 3)).reshape(-1, 3))
    twists, flexions = (for_kernels(_spread(np.asarray(x, float), shape).ravel()) for x in (twist, flexion))
    rows = np.zeros((len(flat), WIDTH))
    write_forward(arm.tables, patch, flat, twists, flexions, wrists, rows)
    return posture_of(arm, rows.reshape(*shape, WIDTH))


def _spread(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """`np.broadcast_to`, which takes its time even where there is nothing to do."""
    return x if x.shape == shape else np.broadcast_to(x, shape)


def place_of_direction(arm, direction: np.ndarray) -> np.ndarray:
    """Domain places (..., 2) where the elbow is seen from the clavicle in unit directions (..., 3), x lateral.

    Newton on the disc of directions from the nearest vertex of the grid; NaN where no place of the surface has the
    direction.
    """
    wanted = disc_from_direction(direction).reshape(-1, 2)
    place = np.array(arm.grid.at[arm.grid_directions.query(wanted)[1]])
    seen_places(arm.tables, for_kernels(wanted), place)
    return place.reshape(*direction.shape[:-1], 2)


def seen_on_disc(arm, place: np.ndarray) -> np.ndarray:
    """Where on the disc of directions the rigid elbow at domain places (..., 2) is seen from the clavicle."""
    return disc_from_direction(arm.rigid_elbow(place) * [side_sign(arm.side), 1.0, 1.0])


def _patches_inside(arm, place, elevation, abduction) -> np.ndarray:
    """The patches (...) that hold places; directions that the measured workspace does not cover are refused."""
    patch, weights = arm.surface.complex.locate(place)
    bad = np.flatnonzero(~(np.ravel(weights.min(axis=-1)) >= -1e-9))
    if len(bad):
        el, ab = np.degrees(elevation.ravel()[bad[0]]), np.degrees(abduction.ravel()[bad[0]])
        raise OutsideDomain(
            f"elevation {el:.1f}°, abduction {ab:.1f}° is outside the measured workspace"
            f" ({len(bad)} of {place[..., 0].size} directions); the arm was never seen there"
        )
    return patch
