"""A chain pinned at one end and dropped from horizontal: the report's test of its integrators, with energy as judge.

[ParkFussellBrowne1992, section 5]
"""

from __future__ import annotations

import numpy as np

from .. import control as C
from ..simulation import Trajectory
from .chains import planar_chain

__all__ = ["drop", "energy_drift"]


def drop(
    integrator: str = "bulirsch-stoer", duration: float = 1.5, *, links: int = 6, record: float = 0.05
) -> Trajectory:
    """Links of 0.2 m from horizontal and at rest, without torques; `integrator` as in `cd.control.replay`."""
    zero = np.zeros((4, links))
    still = C.TorqueFunctions(np.linspace(0.0, duration, 4), zero, zero, zero)
    model = planar_chain((0.2,) * links)
    return C.replay(model, still, integrator=integrator, step=5e-3, record=record, tolerance=1e-10).trajectory


def energy_drift(trajectory: Trajectory) -> float:
    """Change of energy as a share of the energy that moves."""
    energy = trajectory.energy()
    return float(np.ptp(energy.total) / np.ptp(energy.kinetic))
