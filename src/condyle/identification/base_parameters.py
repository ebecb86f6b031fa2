"""Base parameters: the combinations of inertial numbers that forces of a motion depend on, by name.

Forces are linear in mass m, first moments m·c and moments about the body's origin of all bodies. Of these ten numbers
of each body only some combinations matter to a mechanism: the rank of the regressor says how many, a pivoted QR
decomposition which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, solve_triangular

from ..model import Model
from ..spatial import hat
from .inertial_unknowns import PAIRS

RANK = 1e-9  # of the largest pivot of scaled columns, below which a column depends on others
SHOWN = 1e-6  # a coefficient of a combination below this is not written
STANDARD = ("m", "mx", "my", "mz", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")


@dataclass(frozen=True)
class BaseParameter:
    """A combination of inertial numbers that the forces depend on.

    Attributes
    ----------
    name : str
        Such as "shank.Iyy + 0.16 foot.m": masses m, first moments mx, my, mz [kg m] and moments about the origin of the
        body [kg m²], in body axes.
    value, deviation : float
        As identified, and its standard deviation.
    """

    name: str
    value: float
    deviation: float


def standard_numbers(model: Model, bodies: list[int]) -> np.ndarray:
    """Ten numbers of each body, one body after the other."""
    out = []
    for i in bodies:
        x = model.bodies[i].inertia
        about = np.asarray(x.moment) - x.mass * hat(x.com) @ hat(x.com)
        out.append([x.mass, *(x.mass * x.com), *(about[j, k] for j, k in PAIRS)])
    return np.array(out, dtype=float).ravel()


def regressor(model: Model, bodies: list[int], pulled: dict[str, np.ndarray]) -> np.ndarray:
    """Derivatives of forces by the standard numbers, (rows, 10 bodies), from cotangents of mass, com and moment."""
    out = []
    for i in bodies:
        b = model.bodies[i]
        mass, com, moment = (pulled[f"{b.name}.{f}"] for f in ("mass", "com", "moment"))
        rows = mass.size
        mass, com, moment = mass.reshape(rows), com.reshape(rows, 3), moment.reshape(rows, 3, 3)
        m, c = b.inertia.mass, np.asarray(b.inertia.com)
        # I = J − m [c]², so that ∂(−m [c]²) = m (2 (c·dc) 1 − c dcᵀ − dc cᵀ)
        turn = 2.0 * (np.trace(moment, axis1=1, axis2=2)[:, None] * c - moment @ c)
        first = com / m - turn
        by_mass = mass - first @ c + np.einsum("rij,ij->r", moment, hat(c) @ hat(c))
        out += [by_mass[:, None], first]
        out += [(moment[:, j, k] * (1.0 if j == k else 2.0))[:, None] for j, k in PAIRS]
    return np.concatenate(out, axis=1)


def combinations(Y: np.ndarray, names: list[str]) -> tuple[np.ndarray, list[str]]:
    """Rows (rank, numbers) that make base parameters of standard numbers, and their names."""
    size = np.linalg.norm(Y, axis=0)
    scale = np.where(size > 1e-12 * size.max(initial=1e-300), size, 1.0)
    scaled = np.where(scale == size, Y / scale, 0.0)
    _, R, order = (np.asarray(x) for x in qr(scaled, mode="economic", pivoting=True))
    pivots = np.abs(np.diag(R))
    rank = int(np.sum(pivots > RANK * max(pivots[0], 1e-300))) if len(pivots) else 0
    rest = solve_triangular(R[:rank, :rank], R[:rank, rank:]) if rank else np.zeros((0, len(names)))
    rows = np.zeros((rank, len(names)))
    rows[np.arange(rank), order[:rank]] = 1.0
    rows[:, order[rank:]] = rest * scale[order[rank:]] / scale[order[:rank], None]
    rows[np.abs(rows) < SHOWN] = 0.0
    return rows, [_written(row, int(order[k]), names) for k, row in enumerate(rows)]


def _written(row: np.ndarray, first: int, names: list[str]) -> str:
    """A combination as text: shank.Iyy + 0.16 foot.m."""
    text = names[first]
    for k in np.flatnonzero(row):
        if k != first:
            factor = "" if abs(abs(row[k]) - 1.0) < SHOWN else f"{abs(row[k]):.4g} "
            text += f" {'+' if row[k] > 0 else '−'} {factor}{names[k]}"
    return text


def standard_slopes(model: Model, body: int, blocks: dict[str, tuple[np.ndarray, np.ndarray]], p: int) -> np.ndarray:
    """Derivatives (10, p) of a body's standard numbers by y; blocks: field → its slopes by its y, and where that is."""
    x = model.bodies[body].inertia
    m, c = x.mass, np.asarray(x.com)
    by_mass, at_mass = blocks["mass"]
    by_com, at_com = blocks["com"]
    by_moment, at_moment = blocks["moment"]
    out, square = np.zeros((10, p)), -hat(c) @ hat(c)
    out[0, at_mass] = by_mass[0]
    out[1:4, at_mass] = c[:, None] * by_mass
    out[1:4, at_com] = m * by_com
    for row, (j, k) in enumerate(PAIRS, start=4):
        out[row, at_mass] = square[j, k] * by_mass[0]
        spread = m * (2.0 * (j == k) * c - c[j] * np.eye(3)[k] - c[k] * np.eye(3)[j])
        out[row, at_com] = spread @ by_com
        out[row, at_moment] = by_moment[row - 4]
    return out
