"""A shoulder blade made by code: a thin hollow plate with thick borders, spine, acromion, coracoid and socket.

It is of plausible size (15 cm high, 10 cm wide) and nobody's. Axes after the ISB, a right blade: x forward (towards the
ribs), y up, z along the spine to the acromion [m].
"""

from __future__ import annotations

import numpy as np

from .rib_cage import flat_tube

# Corners of the plate's outline (y, z), counterclockwise from the lower angle, seen from behind.
OUTLINE = np.array([
    (-0.090, -0.012), (-0.080, 0.000), (-0.050, 0.018), (-0.020, 0.034), (0.010, 0.046), (0.026, 0.052),
    (0.044, 0.050), (0.050, 0.038), (0.047, 0.024), (0.056, 0.008), (0.066, -0.012), (0.068, -0.024), (0.060, -0.034),
    (0.030, -0.040), (-0.010, -0.040), (-0.050, -0.034), (-0.080, -0.024),
])  # fmt: skip
MIDDLE = np.array([0.0, -0.005])
HOLLOW = (0.17, 0.11)  # [m] radii that the plate bends with, up and across: about those of the ribs
THIN, BORDER, LATERAL = 0.0012, 0.0028, 0.0052  # [m] half thickness in the middle, at the borders, and at the outer one
BEHIND = -0.004  # [m] of the plate's middle, so that it lies on the ribs
ROOT, TIP = np.array([0.028, -0.038]), np.array([0.040, 0.075])  # (y, z) of the spine's ends


def bent(y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Where the plate's middle is [m], forward of the blade's origin: its edges reach around the ribs."""
    return BEHIND + 0.6 * (0.5 * y**2 / HOLLOW[0] + 0.5 * z**2 / HOLLOW[1])


def outline(count: int = 120) -> np.ndarray:
    """The smooth closed outline (count + 1, 2): y and z."""
    from scipy.interpolate import make_interp_spline

    closed = np.concatenate([OUTLINE, OUTLINE[:1]])
    along = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))]
    return make_interp_spline(along, closed, k=3, bc_type="periodic")(np.linspace(0.0, along[-1], count + 1))


def plate() -> np.ndarray:
    """A grid over the front from the middle to the border, and back over the back."""
    edge = outline()
    out = np.concatenate([np.linspace(0.0, 0.97, 12), [1.0], np.linspace(0.97, 0.0, 12)])[:, None]
    side = np.concatenate([np.ones(12), [0.0], -np.ones(12)])[:, None]
    y, z = (MIDDLE[k] + out * (edge[:, k] - MIDDLE[k]) for k in range(2))
    border = BORDER + (LATERAL - BORDER) * np.clip((edge[:, 1] + 0.3 * edge[:, 0]) / 0.03, 0.0, 1.0)
    half = THIN + (border - THIN) * out**6
    return np.stack([bent(y, z) + side * half, y, z], axis=-1)


def spine(acromion: np.ndarray) -> np.ndarray:
    """A grid of the ridge from the inner border, rising backwards to the acromion."""
    s = np.linspace(0.0, 1.0, 24)
    base = ROOT + s[:, None] * (np.array([0.034, 0.046]) - ROOT)
    foot = np.column_stack([bent(*base.T) + 0.001, base])
    crest = foot + np.column_stack([-0.004 - 0.022 * s**0.8, 0.006 * s, 0.014 * s**2])
    crest[-1] = 0.5 * (crest[-1] + acromion + (0.0, -0.002, -0.008))
    thick = np.array([0.0, 1.0, 0.0]) * np.interp(s, (0, 0.2, 1), (0.0015, 0.003, 0.004))[:, None]
    return np.stack(
        [foot - 1.6 * thick, crest - thick, crest + (-0.002, 0.0, 0.0), crest + thick, foot + 1.6 * thick], 1
    )


def processes(acromion: np.ndarray) -> list[np.ndarray]:
    """Grids of the acromion, the coracoid process, the neck and the socket."""
    start = np.array([bent(*TIP) - 0.03, 0.040, 0.058])
    way = np.linspace(0.0, 1.0, 14)[:, None]
    over = start + way * (acromion - start) + np.sin(np.pi * way) * (-0.006, 0.004, 0.004)
    tip = np.concatenate([over, acromion + np.linspace(0.15, 1.0, 6)[:, None] * (0.022, 0.0, 0.004)])
    up = np.tile((0.2, 1.0, 0.0), (len(tip), 1))
    wide = np.interp(np.linspace(0, 1, len(tip)), (0, 0.5, 0.75, 0.95, 1), (0.006, 0.010, 0.013, 0.009, 0.003))
    hook = np.array([(0.002, 0.044, 0.040), (0.008, 0.058, 0.042), (0.020, 0.062, 0.048), (0.032, 0.054, 0.058)])
    beak = _through(hook, 16)
    return [
        flat_tube(tip, up, wide, 0.0042),
        flat_tube(
            beak, np.tile((0.0, 0.3, 1.0), (16, 1)), np.linspace(0.008, 0.005, 16), np.linspace(0.007, 0.004, 16)
        ),
        _socket(np.array([-0.003, 0.030, 0.054]), (0.0105, 0.018, 0.006)),
    ]


def _through(points: np.ndarray, count: int) -> np.ndarray:
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(np.linspace(0.0, 1.0, len(points)), points, k=3)(np.linspace(0.0, 1.0, count))


def _socket(center: np.ndarray, half) -> np.ndarray:
    """A grid of a pear-shaped knob, hollow towards +z."""
    a = np.linspace(0.0, 2.0 * np.pi, 25)
    rows = [(0.0, -1.6), (0.7, -1.4), (0.85, -0.4), (1.0, 0.3), (0.97, 0.5), (0.6, 0.25), (0.0, 0.1)]
    pear = 1.0 - 0.18 * np.sin(a)
    x, y = half[0] * pear * np.cos(a), half[1] * np.sin(a)
    return np.stack([center + np.stack([r * x, r * y, 0.0 * a + half[2] * h], axis=1) for r, h in rows])


def blade_grids(acromion: np.ndarray) -> list[np.ndarray]:
    """All parts of the blade, grids (n, m, 3) [m] in its frame; `acromion` is where the collar bone ends."""
    return [plate(), spine(acromion), *processes(acromion)]
