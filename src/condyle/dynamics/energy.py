"""Energy, momentum and the centre of mass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..model import Model
from ..model.kernels.layout import LIMIT, SPRING_DAMPER
from .bodies import Motion, _checked_motion, body_matrices
from .states import states

__all__ = ["Energy", "Momentum", "center_of_mass", "energy", "momentum"]


class Energy(NamedTuple):
    """Energies [J]."""

    kinetic: np.ndarray
    potential: np.ndarray
    total: np.ndarray


class Momentum(NamedTuple):
    """Linear momentum [N s] and angular momentum about the centre of mass [N m s], in world axes."""

    linear: np.ndarray
    angular: np.ndarray


def _inertias(model: Model) -> tuple[np.ndarray, np.ndarray]:
    return np.array([b.inertia.mass for b in model.bodies]), model.principal_moments


def center_of_mass(model: Model, q, *, threads=None) -> np.ndarray:
    """The centre of mass of all bodies, in the world (..., 3) [m]."""
    s = states(model, q)
    m, _ = _inertias(model)
    p = _checked_motion(model, s, threads=threads).p
    return s.shaped(np.einsum("b,sbi->si", m, p) / m.sum(), 3)


def momentum(model: Model, q, v, *, threads=None) -> Momentum:
    """Total linear momentum, and angular momentum about the centre of mass, each (..., 3)."""
    s = states(model, q, v=v)
    m, moments = _inertias(model)
    x = _checked_motion(model, s, threads=threads)
    velocity = np.einsum("sbij,sbj->sbi", x.R, x.twist[..., 3:])
    spin = np.einsum("sbij,sbj->sbi", x.R, moments * x.twist[..., :3])
    linear = np.einsum("b,sbi->si", m, velocity)
    center = np.einsum("b,sbi->si", m, x.p) / m.sum()
    orbital = np.cross(x.p - center[:, None], m[:, None] * velocity)
    return Momentum(s.shaped(linear, 3), s.shaped((spin + orbital).sum(axis=1), 3))


def energy(model: Model, q, v, *, threads=None) -> Energy:
    """(kinetic, potential, total) energy of each state [J]; gravity, springs, stiffness and limits are potential."""
    s = states(model, q, v=v)
    m, moments = _inertias(model)
    x = _checked_motion(model, s, threads=threads)
    kinetic = 0.5 * (np.einsum("b,sbi,sbi->s", m, x.twist[..., 3:], x.twist[..., 3:])
                     + np.einsum("bi,sbi,sbi->s", moments, x.twist[..., :3], x.twist[..., :3]))  # fmt: skip
    potential = -np.einsum("b,sbi,i->s", m, x.p, model.gravity) + _spring_energy(model, x) + _load_energy(model, s["q"])
    return Energy(s.shaped(kinetic), s.shaped(potential), s.shaped(kinetic + potential))


def _spring_energy(model: Model, x: Motion) -> np.ndarray:
    total = np.zeros(len(x.p))
    if not model.springs:
        return total
    T = body_matrices(model, x)

    def end(body, point):
        return T[:, body, :3, :3] @ point + T[:, body, :3, 3] if body >= 0 else np.broadcast_to(point, (len(T), 3))

    for spring in model.springs:
        length = np.linalg.norm(end(spring.b, spring.point_b) - end(spring.a, spring.point_a), axis=-1)
        total = total + 0.5 * spring.stiffness * (length - spring.length) ** 2
    return total


def _load_energy(model: Model, q: np.ndarray) -> np.ndarray:
    total = np.zeros(len(q))
    for load in model.coordinate_loads:
        x = q[:, load.q]
        if load.kind == SPRING_DAMPER:
            total = total + 0.5 * load.constants[0] * (x - load.constants[1]) ** 2
        elif load.kind == LIMIT:
            low, high, stiffness, _ = load.constants
            past = np.where(x > high, x - high, np.where(x < low, x - low, 0.0))
            total = total + 0.5 * stiffness * past**2
    return total
