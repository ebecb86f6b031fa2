"""A chain pinned at one end and dropped from horizontal: the report's test of its integrators, with energy as judge.

[ParkFussellBrowne1992, section 5]
"""

from __future__ import annotations

import numpy as np

from ... import control as C
from ...plots import Curve, Panel
from ...simulation import Trajectory
from ..chains import planar_chain
from ..scene import Scene, directed_scene


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


def dropping_scene() -> Scene:
    """The chain, and what each integrator does to its energy."""
    runs = {name: drop(name) for name in ("rk4", "adaptive", "bulirsch-stoer")}
    words = "\n".join(f"{name:15s} energy drift {energy_drift(run):.1e} of what moves" for name, run in runs.items())
    errors = []
    for name, run in runs.items():
        energy = run.energy()
        change = np.abs(energy.total - energy.total[0])[1:] / np.ptp(energy.kinetic)
        errors.append(Curve(run.t[1:], change, name))
    panels = [Panel("energy error, of what moves", errors, "t [s]", log="y")]
    seen = {"moments": (0.1, 0.45, 0.8), "width": 3.6, "camera": (8.0, -75.0)}
    return directed_scene("dropping-chain", drop(record=0.01), words, panels, **seen)


def check() -> None:
    """Adaptive Runge-Kutta and Bulirsch-Stoer keep the energy to 1e-7, and the pin stays to round-off."""
    for integrator in ("adaptive", "bulirsch-stoer"):
        run = drop(integrator, 0.8)
        assert energy_drift(run) < 1e-7
        assert np.abs(run.poses().xyz[:, 0]).max() < 1e-15
