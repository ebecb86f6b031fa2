"""A dressed mannequin: the surfaces of a person's parts, lofted through sections across each part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...model.look.overlays import Sheet

SHIRT, TROUSERS, SKIN = (0.78, 0.30, 0.22), (0.24, 0.33, 0.48), (0.87, 0.68, 0.55)
SHOES, HAIR = (0.20, 0.19, 0.20), (0.33, 0.22, 0.15)
# Sections of a person who stands, feet forward along x and z up: (height, half depth, half width, middle x) [m]. A
# foot's go forward instead: (x, half height, half width, middle z). Limbs are the left ones.
SECTIONS = {
    "pelvis": ((0.90, 0.085, 0.12, 0.0), (0.96, 0.105, 0.165, 0.0), (1.02, 0.10, 0.155, 0.0), (1.09, 0.09, 0.13, 0.0)),
    "chest": (
        (1.06, 0.09, 0.13, 0.0), (1.16, 0.095, 0.135, 0.0), (1.30, 0.115, 0.165, 0.005), (1.40, 0.115, 0.19, 0.005),
        (1.46, 0.095, 0.215, 0.0), (1.49, 0.075, 0.205, 0.0), (1.51, 0.055, 0.10, -0.005), (1.53, 0.05, 0.06, -0.01),
    ),
    "head": (
        (1.50, 0.05, 0.05, -0.012), (1.56, 0.05, 0.05, -0.006), (1.585, 0.07, 0.056, 0.014),
        (1.65, 0.092, 0.070, 0.014), (1.71, 0.097, 0.076, 0.003), (1.75, 0.085, 0.068, 0.0),
    ),
    "hair": (
        (1.60, 0.06, 0.072, -0.05), (1.68, 0.09, 0.080, -0.018),
        (1.72, 0.096, 0.082, -0.008), (1.76, 0.084, 0.07, -0.005),
    ),
    "upper_arm": (
        (1.48, 0.056, 0.05, 0.0), (1.40, 0.054, 0.048, 0.0), (1.26, 0.044, 0.041, 0.0), (1.18, 0.040, 0.038, 0.0),
    ),
    "forearm": (
        (1.18, 0.038, 0.036, 0.0), (1.11, 0.040, 0.037, 0.0), (0.96, 0.028, 0.024, 0.0), (0.93, 0.027, 0.022, 0.0),
    ),
    "hand": (
        (0.94, 0.026, 0.02, 0.0), (0.89, 0.042, 0.017, 0.004), (0.83, 0.040, 0.014, 0.004), (0.78, 0.026, 0.010, 0.0),
    ),
    "thigh": (
        (0.93, 0.092, 0.080, 0.0), (0.84, 0.088, 0.080, 0.0), (0.62, 0.064, 0.060, 0.0), (0.51, 0.056, 0.054, 0.0),
    ),
    "shank": (
        (0.51, 0.054, 0.052, 0.0), (0.39, 0.060, 0.054, -0.014),
        (0.20, 0.042, 0.040, -0.006), (0.10, 0.042, 0.040, 0.0),
    ),
    "foot": (
        (-0.05, 0.036, 0.036, 0.046), (0.03, 0.044, 0.040, 0.052),
        (0.10, 0.028, 0.045, 0.034), (0.17, 0.020, 0.042, 0.026),
    ),
}  # fmt: skip
CLOTHES = {
    "pelvis": TROUSERS, "chest": SHIRT, "head": SKIN, "hair": HAIR, "upper_arm": SHIRT, "forearm": SKIN, "hand": SKIN,
    "thigh": TROUSERS, "shank": TROUSERS, "foot": SHOES,
}  # fmt: skip
WORN_BY = {"hair": "head", "hand": "forearm"}  # parts that move with another
SQUARE = 2.4  # power of the sections: 2 is an ellipse, more is nearer to a box
ALONG, CAP, AROUND = 17, 6, 25  # points of the grid between the first and last section, in a cap, and around


def mannequin(centers: Mapping[str, Sequence[float]]) -> tuple[Sheet, ...]:
    """Surfaces of the parts of a person who stands, each about the centre of its body [m].

    Parameters
    ----------
    centers : mapping of str to 3 floats
        Bodies by their names (`pelvis`, `chest`, `head`, and limbs with `_l` or `_r`) and their centres of mass where
        the person stands.

    Returns
    -------
    tuple of Sheet
    """
    sheets = []
    for body, center in centers.items():
        part, side = body.removesuffix("_l").removesuffix("_r"), -1.0 if body.endswith("_r") else 1.0
        aside = abs(center[1]) if body != part else 0.0
        for name in (part, *(worn for worn, wearer in WORN_BY.items() if wearer == part)):
            points = _loft(np.array(SECTIONS[name]), lying=name == "foot") + (0.0, aside, 0.0)
            sheets.append(Sheet(body, points * (1.0, side, 1.0) - np.asarray(center), CLOTHES[name], 1.0, False))
    return tuple(sheets)


def _loft(sections: np.ndarray, lying: bool) -> np.ndarray:
    """A closed grid (n, AROUND, 3) through sections, with round ends."""
    from scipy.interpolate import PchipInterpolator  # slow to load

    order = np.argsort(sections[:, 0])
    along = PchipInterpolator(sections[order, 0], sections[order, 1:])
    low, high = sections[order[[0, -1]], 0]
    inner = np.linspace(low, high, ALONG)
    rows = np.column_stack([inner, along(inner)])
    angle = np.linspace(0.0, 0.5 * np.pi, CAP)[1:]
    caps = [_cap(rows[end], sign, angle) for end, sign in ((0, -1.0), (-1, 1.0))]
    z, a, b, x = np.concatenate([caps[0][::-1], rows, caps[1]]).T[:, :, None]
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND)
    c, s = (np.sign(f) * np.abs(f) ** (2.0 / SQUARE) for f in (np.cos(turn), np.sin(turn)))
    first, second = x + a * c, b * s
    grid = np.stack(np.broadcast_arrays(first, second, z), axis=-1)
    return grid[..., [2, 1, 0]] if lying else grid


def _cap(row: np.ndarray, sign: float, angle: np.ndarray) -> np.ndarray:
    """Sections (CAP − 1, 4) that close an end as half an ellipsoid does."""
    z, a, b, x = row
    high = 0.7 * min(a, b)
    return np.stack([z + sign * high * np.sin(angle), a * np.cos(angle), b * np.cos(angle), x + 0.0 * angle], axis=1)
