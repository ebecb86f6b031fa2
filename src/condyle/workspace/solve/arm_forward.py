"""Elevation, abduction and twist to a posture."""

from __future__ import annotations

import numpy as np

from ...errors import BadValue, NotFinite, OutsideDomain, require
from ...spatial.arrays import for_kernels
from ...typing import ArrayLike
from ..directions import direction_from_angles, disc_from_direction, hexagon_from_disc
from ..kernels.rows import WIDTH, write_forward
from ..posture import Posture


def forward(
    arm, elevation, abduction, twist: ArrayLike = 0.5, *, flexion: ArrayLike = np.pi / 2, wrist=(0.0, 0.0, 0.0)
) -> Posture:
    """The posture(s) for elevation and abduction [rad], a share 0 … 1 of the twist range, flexion and wrist angles."""
    elevation, abduction, twist, flexion = np.broadcast_arrays(
        *(np.asarray(value, float) for value in (elevation, abduction, twist, flexion))
    )
    for name, value in {"elevation": elevation, "abduction": abduction, "twist": twist, "flexion": flexion}.items():
        require(np.isfinite(value).all(), f"forward: {name} must be finite", NotFinite)
    require(
        ((twist >= 0) & (twist <= 1)).all(),
        "twist is a share of its range, from 0 to 1",
        BadValue,
        twist=twist.tolist(),
    )
    place = hexagon_from_disc(disc_from_direction(direction_from_angles(elevation, abduction)) / arm.extent)
    _require_inside(arm, place, elevation, abduction)
    return posture_at(arm, place, twist, flexion, wrist)


def posture_at(arm, place, twist, flexion, wrist) -> Posture:
    """The posture(s) at domain places (..., 2)."""
    place = np.asarray(place, float)
    shape = np.broadcast_shapes(place.shape[:-1], np.shape(twist), np.shape(flexion), np.shape(wrist)[:-1])
    flat = for_kernels(np.broadcast_to(place, (*shape, 2)).reshape(-1, 2))
    patch = arm.surface.complex.locate(flat)[0]
    wrists = for_kernels(np.broadcast_to(np.asarray(wrist, float), (*shape, 3)).reshape(-1, 3))
    twists, flexions = (for_kernels(np.broadcast_to(x, shape).ravel()) for x in (twist, flexion))
    rows = np.zeros((len(flat), WIDTH))
    write_forward(arm.tables, patch, flat, twists, flexions, wrists, rows)
    return Posture(rows.reshape(*shape, WIDTH), tuple(arm.lengths), arm.extent)


def _require_inside(arm, place, elevation, abduction) -> None:
    """Refuse directions that the measured workspace does not cover, with the first one."""
    lowest = arm.surface.complex.locate(place)[1].min(axis=-1)
    bad = np.flatnonzero(np.ravel(lowest) < -1e-9)
    if len(bad):
        el, ab = np.degrees(elevation.ravel()[bad[0]]), np.degrees(abduction.ravel()[bad[0]])
        raise OutsideDomain(
            f"elevation {el:.1f}°, abduction {ab:.1f}° is outside the measured workspace"
            f" ({len(bad)} of {place[..., 0].size} directions); the arm was never seen there"
        )
