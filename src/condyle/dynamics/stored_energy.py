"""What forces of a model store: their readings in NumPy, beside the kernels, and the energies of their laws."""

from __future__ import annotations

import numpy as np

from ..errors import NoStoredEnergy, warn
from ..forces import BetweenFrames, Element, OnCoordinate
from ..forces.kernels.declaration import COORDINATE, GAP, LINE, TURNS
from ..forces.registry import CODES
from ..model import Model
from ..model.followers import follower_values
from ..model.memo import once_per_model
from ..spatial.twists import pose_inverse
from .kinematics import Motion, body_matrices

READINGS = {COORDINATE: 0, LINE: 1, TURNS: 2, GAP: 3}  # how the kernel tells them


def stored_energies(model: Model, q: np.ndarray, x: Motion) -> np.ndarray:
    """Energy (count, forces) that every force of a model stores [J]; zero, with a warning, of laws without one."""
    out = np.zeros((len(q), len(model.forces)))
    if not model.forces:
        return out
    _warn_of_missing(model)
    between = any(isinstance(f.at, BetweenFrames) for f in model.forces)
    T = body_matrices(model, x) if between else np.empty((0, 4, 4))
    if any(isinstance(f.at, OnCoordinate) and f.at.q >= model.nq for f in model.forces):
        q = np.concatenate([q, follower_values(model, q)], axis=1)
    for k, force in enumerate(model.forces):
        out[:, k] = law_energy(force, read(force, q, T))
    return out


def law_energy(force: Element, readings: np.ndarray) -> np.ndarray:
    """Energy (count,) of a force's law at readings (count, n)."""
    from .kernels.law_values import law_energies

    out, rows = np.zeros(len(readings)), np.ascontiguousarray(readings, dtype=float)
    constants = np.array(force.constants)
    law_energies(0.0, READINGS[force.declared.reading], CODES[force.law], constants, rows, out)
    return out


def read(force: Element, q: np.ndarray, T: np.ndarray) -> np.ndarray:
    """What the energy of a law is a function of (count, n): a coordinate, a length, turns and shifts, or a depth."""
    if isinstance(force.at, OnCoordinate):
        return q[:, force.at.q, None]
    place = force.at
    A, B = (
        np.broadcast_to(frame if i < 0 else T[:, i] @ frame, (len(q), 4, 4))
        for i, frame in ((place.a, place.frame_a), (place.b, place.frame_b))
    )
    reading = force.declared.reading
    if reading == LINE:
        return np.linalg.norm(B[:, :3, 3] - A[:, :3, 3], axis=-1)[:, None]
    return turns_and_shifts(A, B) if reading == TURNS else gap(place, A, B)


def turns_and_shifts(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """α, β, γ of Rx(α) Ry(β) Rz(γ) and p (count, 6): the frame B seen from A."""
    X = pose_inverse(A) @ B
    R = X[:, :3, :3]
    turns = (
        np.arctan2(-R[:, 1, 2], R[:, 2, 2]),
        np.arcsin(np.clip(R[:, 0, 2], -1.0, 1.0)),
        np.arctan2(-R[:, 0, 1], R[:, 0, 0]),
    )
    return np.stack([*turns, *X[:, :3, 3].T], axis=1)


def gap(place: BetweenFrames, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Relative radius and depth (count, 2) of two surfaces."""
    assert place.surface_a is not None and place.surface_b is not None
    apart, radius = B[:, :3, 3] - A[:, :3, 3], place.surface_b.radius
    if place.surface_a.kind == "half_space":
        depth = radius - (apart * A[:, :3, 2]).sum(axis=-1)
    else:
        depth = place.surface_a.radius + radius - np.linalg.norm(apart, axis=-1)
    return np.stack([np.full_like(depth, place.radius), depth], axis=1)


@once_per_model
def _warn_of_missing(model: Model) -> None:
    """Warn, once for each model, of forces whose law gives no energy that its force is the slope of."""
    named = [repr(f.name) for f in model.forces if f.declared.energy is None and f.law != "constant_force"]
    if named:
        some = ", ".join(named[:4]) + (", …" if len(named) > 4 else "")
        warn(
            f"energy: the laws of {some} do not give the energy that they store. It is not in these energies, so that "
            "what they take and give back looks lost",
            NoStoredEnergy,
        )
