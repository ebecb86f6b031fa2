"""A knee from markers and torques over seeds: errors over the Cramér-Rao bound, intervals that cover, time.

Torques are made by virtual work of differences of poses. Run `python -m benchmarks.driven_identification` from the
root, with tests/ on PYTHONPATH.
"""

import sys
from time import perf_counter

import numpy as np

import condyle as cd
from support.driven_leg import DAMPING, REST, SIGMA, STIFFNESS, leg_twin, marked, motion, seen_markers, work_forces

NOISE, SEEDS = 1e-3, 20  # of markers [m]
PHYSICAL = {"b1.mass": 3.2, "b1.stiffness": STIFFNESS, "b1.rest": REST, "b1.damping": DAMPING}


def start_leg() -> cd.Model:
    """Another mass, another spring."""
    return marked(leg_twin(constants=(4.0, 0.6, 0.5)).model.with_parameters({"b1.mass": 3.6}))


def recorded(t: np.ndarray, seeds: int) -> list[cd.MeasuredMotion]:
    """Markers and torques of hip and knee with noise."""
    twin = leg_twin()
    model = marked(twin.model)
    q, tau = motion(t, model)[0], work_forces(twin, t)
    out = []
    for seed in range(seeds):
        noisy = tau + SIGMA * np.random.default_rng(seed).normal(size=tau.shape)
        torques = {"b0.first": noisy[:, 0], "b0.second": noisy[:, 1], "b1": noisy[:, 2]}
        sigma = {"torques": SIGMA, "markers": NOISE}
        out.append(cd.MeasuredMotion(t, q, torques, seen_markers(model, q, seed, NOISE), sigma=sigma))
    return out


def truth(found: cd.identification.IdentifiedDynamics) -> np.ndarray:
    """The shared numbers of the true leg: control frames and markers as at the start, mass and spring not."""
    y = np.zeros(len(found.values))
    y[found.of("b1.mass")] = np.log(PHYSICAL["b1.mass"] / 3.6)
    y[found.of("b1.stiffness")], y[found.of("b1.rest")] = np.log(STIFFNESS / 4.0), REST - 0.6
    y[found.of("b1.damping")] = np.log(DAMPING / 0.5)
    return y


def over_seeds(frames: int, seeds: int) -> None:
    """Print errors over what the bound allows: of all directions together, and of mass and spring."""
    whole, shares, inside = [], [], []
    for seen in recorded(np.arange(frames) / 100.0, seeds):
        found = cd.identify_dynamics(start_leg(), seen, unknown=["b1.frames", *PHYSICAL])
        off = found.values - truth(found)
        whole.append(off @ np.linalg.pinv(found.covariance, rcond=1e-12) @ off / len(off))
        part = np.concatenate([np.arange(*found.of(name).indices(len(off))) for name in PHYSICAL])
        shares.append((off[part] / found.deviations[part]) ** 2)
        inside.append(np.abs(off) < np.diff(found.intervals)[:, 0] / 2)
        assert not found.open
    covered = 100 * np.mean(np.array(shares) < 1.96**2)
    print(f"{frames} frames, {seeds} seeds: {np.sqrt(np.mean(whole)):.3f} of the bound in {len(off)} directions, "
          f"{np.sqrt(np.mean(shares)):.3f} for mass and spring; {100 * np.mean(inside):.1f} % covered "
          f"(mass and spring {covered:.1f} %); {found.evaluations} evaluations")  # fmt: skip


def time_of(frames: int) -> None:
    """Print how long one identification takes."""
    (seen,) = recorded(np.arange(frames) / 100.0, 1)
    began = perf_counter()
    found = cd.identify_dynamics(start_leg(), seen, unknown=["b1.frames", *PHYSICAL])
    print(f"{frames} frames: {perf_counter() - began:.2f} s, {found.rounds} steps, {len(found.values)} shared unknowns")


if __name__ == "__main__":
    time_of(50)  # compiles
    time_of(2000)
    if "time" not in sys.argv:
        over_seeds(400, SEEDS)
