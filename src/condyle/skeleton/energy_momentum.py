"""Energy and momentum of skeletons, and the power of what drives and brakes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..dynamics import Energy, Momentum
from .engine.joint_gaps import sides
from .springs_and_limits import damper_power, elastic_energy

if TYPE_CHECKING:
    from .skeleton import Skeleton
    from .state import State


class Power(NamedTuple):
    """Power [W] of motors and constant torques, of friction and of dampers (never positive), of external loads.

    Gravity, springs and limits have potential energy instead.
    """

    motors: np.ndarray
    friction: np.ndarray
    dampers: np.ndarray
    external: np.ndarray


def spins(skeleton: Skeleton, state: State) -> np.ndarray:
    """Angular momentum of every body about its own centre of mass, world axes."""
    body = np.einsum("nij,...nj->...ni", skeleton.inertias, state.angular_velocities)
    return np.einsum("...nij,...nj->...ni", state.rotations, body)


def kinetic_energy(masses: np.ndarray, inertias: np.ndarray, state: State) -> np.ndarray:
    """Of all bodies, (...) [J]."""
    v, w = state.velocities, state.angular_velocities
    linear = np.einsum("n,...ni,...ni->...", masses, v, v)
    return 0.5 * (linear + np.einsum("...ni,nij,...nj->...", w, inertias, w))


def energy(skeleton: Skeleton, state: State | None = None) -> Energy:
    """(kinetic, potential, total) [J]; potential are gravity, zero at the origin, springs and limits, zero at rest.

    Parameters
    ----------
    state : State, optional
        The initial one by default.

    Returns
    -------
    Energy
    """
    state = skeleton.checked_state(state)
    kinetic = kinetic_energy(skeleton.masses, skeleton.inertias, state)
    potential = -np.einsum("n,...ni,i->...", skeleton.masses, state.positions, skeleton.gravity) + elastic_energy(
        skeleton, state
    )
    return Energy(kinetic, potential, kinetic + potential)


def momentum(skeleton: Skeleton, state: State | None = None) -> Momentum:
    """Linear momentum, and angular momentum about the centre of mass, (..., 3) in world axes.

    Parameters
    ----------
    state : State, optional
        The initial one by default.

    Returns
    -------
    Momentum
    """
    state = skeleton.checked_state(state)
    m = skeleton.masses
    center = np.einsum("n,...ni->...i", m, state.positions) / m.sum()
    moving = m[:, None] * state.velocities
    orbital = np.cross(state.positions - center[..., None, :], moving).sum(axis=-2)
    return Momentum(moving.sum(axis=-2), orbital + spins(skeleton, state).sum(axis=-2))


def power(skeleton: Skeleton, state: State, loads: np.ndarray) -> Power:
    """Power of `loads` (..., numbers), as `inputs.instant` makes them.  [Hakenberg, theorem: d_t K = Σ e·(ω₁ − ω₂)]"""
    m, n = len(skeleton.pairs), len(skeleton.masses)
    motors = loads[..., : 3 * m].reshape(*loads.shape[:-1], m, 3)
    bodies = loads[..., 3 * m :].reshape(*loads.shape[:-1], n, 6)
    first, second = sides(skeleton, state)
    slip = first.spin - second.spin
    torque = np.einsum("...jab,...jb->...ja", first.rotation, motors)
    spin = np.einsum("...nij,...nj->...ni", state.rotations, state.angular_velocities)
    external = (bodies[..., :3] * state.velocities + bodies[..., 3:] * spin).sum(axis=(-1, -2))
    friction = -(skeleton.friction * (slip * slip).sum(axis=-1)).sum(axis=-1)
    return Power((torque * slip).sum(axis=(-1, -2)), friction, damper_power(skeleton, state), external)
