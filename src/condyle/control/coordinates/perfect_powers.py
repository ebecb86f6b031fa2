"""Powers of a coordinate, such as (q − a)², lose their gradient at their own zero: find them and take their base.

For f = hᵖ with h linear in the joint coordinates, f ∇∇f = (p − 1)/p ∇f ∇fᵀ at every q, and for nothing else.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...errors import UnknownName
from ...model import Model
from .coordinate import Coordinate
from .jets import Jet
from .pose_jet import Posture, second_derivatives

PROBES, SEED, TOLERANCE = 12, 0, 1e-9
TRUSTED = 3  # probes with the largest value: near its zero a power is lost in round-off
FAR = 10.0  # [rad or m] how far from the posture the root is taken, so that it has one sign


def without_powers(model: Model, coordinates) -> tuple[tuple[Coordinate, ...], dict[str, float]]:
    """Coordinates with powers replaced by their bases, and the names and exponents of those replaced."""
    found = {c.name: power_of(model, c) for c in coordinates if c.size == 1 and c.has_value}
    found = {name: p for name, p in found.items() if p is not None}
    out = tuple(_base(model, c, *found[c.name]) if c.name in found else c for c in coordinates)
    return out, {name: p for name, (p, _) in found.items()}


def power_of(model: Model, coordinate: Coordinate) -> tuple[float, np.ndarray] | None:
    """(p, gradient of the base along velocities) if the coordinate is hᵖ with p ≥ 2 and h joint-linear, else None."""
    q = probes(model)
    try:
        f, g, H = (x[:, 0] for x in second_derivatives(model, coordinate.at, q, np.zeros(PROBES)))
    except UnknownName:
        raise
    except Exception:
        return None  # what is wrong is said when the coordinate is used, with its name
    far = np.argsort(-np.abs(f))[:TRUSTED]
    f, g, H = f[far], g[far], H[far]
    gg = np.einsum("si,sj->sij", g, g)
    scale = np.abs(gg).max(axis=(1, 2))
    if np.any(np.abs(f) < 1e-9) or np.any(scale < 1e-18):
        return None
    kappa = np.einsum("s,sij,sij->s", f, H, gg) / np.einsum("sij,sij->s", gg, gg)
    off = np.abs(f[:, None, None] * H - kappa[:, None, None] * gg).max(axis=(1, 2)) / scale
    if off.max() > TOLERANCE or np.ptp(kappa) > TOLERANCE or not 0.5 - TOLERANCE <= kappa[0] < 1.0 - 1e-6:
        return None
    p = float(np.round(1.0 / (1.0 - kappa[0]), 9))
    c = g[0] * np.abs(f[0]) ** (1.0 / p - 1.0) / p
    even = p % 2.0 == 0.0  # an even power does not know the sign of its base: its first coefficient is made positive
    return p, c * np.sign(c[np.flatnonzero(c)[0]]) if even else c


def probes(model: Model) -> np.ndarray:
    """Some poses (PROBES, nq) near the neutral one, always the same."""
    rng = np.random.default_rng(SEED)
    q = model.neutral() + 0.3 * rng.uniform(0.2, 1.0, (PROBES, model.nq))
    for at, _, _ in model.quaternions:
        q[:, at : at + 4] /= np.linalg.norm(q[:, at : at + 4], axis=1, keepdims=True)
    return q


def _base(model: Model, coordinate: Coordinate, power: float, gradient: np.ndarray) -> Coordinate:
    """h = f(q + δc)^(1/p) − δ|c|²: the root is taken far from zero, where it is smooth and positive."""
    plain_q, plain_v = model.plain_places
    shift = np.zeros(model.nq)
    shift[plain_q] = FAR * gradient[plain_v] / (gradient @ gradient)

    def formula(posture: Posture) -> Jet:
        return coordinate.at(posture.shifted(shift)) ** (1.0 / power) - FAR

    return replace(coordinate, formula=formula)
