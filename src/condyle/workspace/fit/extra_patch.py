"""Where samples fall on a hexagon with the extra patch: those behind and below beyond the hexagon go onto the patch."""

from __future__ import annotations

import numpy as np

from ...errors import BadSamples, require
from ..directions import hexagon_from_disc
from .samples import ArmSamples

MIDDLE, HALF = np.radians(210.0), np.radians(30.0)  # polar angles of the edge at which the patch is joined
NEEDED = 3  # samples on the patch: as many as it has freedoms
EDGE = np.cos(HALF)  # how far the hexagon's edges, and their lines, are from the origin


def seeded_places(samples: ArmSamples) -> tuple[np.ndarray, float]:
    """Domain places (n, 2) of samples, and the radius of the disc that the hexagon covers.

    The hexagon holds all samples that are not behind and below. Radii beyond it there are spread over the patch, the
    farthest onto its outer edges.
    """
    disc = samples.disc
    radius, off = np.linalg.norm(disc, axis=1), np.angle(np.exp(1j * (np.arctan2(disc[:, 1], disc[:, 0]) - MIDDLE)))
    share = 1 - np.abs(off) / HALF  # 1 in the middle of the edge, 0 at its ends, below 0 elsewhere
    elsewhere = radius[share <= 0]
    extent = float(elsewhere.max()) if len(elsewhere) else samples.extent
    beyond = (share > 0) & (radius > extent)
    require(
        beyond.sum() >= NEEDED,
        f"the extra patch needs {NEEDED} samples behind and below, beyond the reach of all others; give its"
        " corner=(R0, R1, R2), measure more there, or fit without it",
        BadSamples,
        found=int(beyond.sum()),
    )
    places = hexagon_from_disc(disc / extent)
    height = (radius[beyond] / extent - 1) / share[beyond]
    part = np.minimum(height / height[share[beyond] > 0.3].max(initial=0.3), 1.0)
    places[beyond] = _onto_patch(off[beyond], part)
    return places, extent


def _onto_patch(off: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Places at polar angle MIDDLE + off, a part of the way from the hexagon's edge to the outer edges of the patch."""
    inner, outer = EDGE / np.cos(off), EDGE / np.cos(2 * HALF - np.abs(off))
    turn, radius = MIDDLE + off, inner + part * (outer - inner)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
