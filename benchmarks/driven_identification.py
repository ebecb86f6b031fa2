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


def over_seeds(frames: int, seeds: int) -> None:
    """Print errors of the control frames, the mass and the spring over what the bound allows."""
    squares, bounds = [], []
    for seen in recorded(np.arange(frames) / 100.0, seeds):
        found = cd.identify_dynamics(start_leg(), seen, unknown=["b1.frames", *PHYSICAL])
        part, numbers = found.of("b1.frames"), [found.quantity(name) for name in PHYSICAL]
        off = [x.value - true for x, true in zip(numbers, PHYSICAL.values(), strict=True)]
        squares.append(np.concatenate([found.values[part], off]) ** 2)
        bounds.append(np.concatenate([found.deviations[part], [x.deviation for x in numbers]]) ** 2)
    shares = np.array(squares) / np.array(bounds)
    last = len(PHYSICAL)
    print(f"{frames} frames, {seeds} seeds: control frames {np.sqrt(shares[:, :-last].mean()):.3f} of the bound, "
          f"mass and spring {np.sqrt(shares[:, -last:].mean()):.3f}, all {np.sqrt(shares.mean()):.3f}; "
          f"{100 * np.mean(shares < 1.96**2):.1f} % covered; {found.evaluations} evaluations")  # fmt: skip


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
