"""A dropped chain
===============

A chain pinned at one end and dropped: the report's test of its integrators, with energy as the judge.

Prints the energy error of each integrator and draws demo/dropping.png.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import planar_chain

C = cd.control
LINKS, LENGTH = 6, 0.2


def drop(integrator: str, duration: float = 1.5) -> cd.Trajectory:
    """From horizontal and at rest, without torques."""
    zero = np.zeros((4, LINKS))
    still = C.TorqueFunctions(np.linspace(0.0, duration, 4), zero, zero, zero)
    model = planar_chain((LENGTH,) * LINKS)
    return C.replay(model, still, integrator=integrator, step=5e-3, record=0.05, tolerance=1e-10).trajectory


def drift(trajectory: cd.Trajectory) -> float:
    """Change of energy as a share of the energy that moves."""
    energy = trajectory.energy()
    return float(np.ptp(energy.total) / np.ptp(energy.kinetic))


def draw(trajectory: cd.Trajectory, path: Path) -> None:
    """The chain, dark to light in time."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(5.5, 5), layout="constrained")
    poses = trajectory.poses()
    tips = poses[:, -1].apply(np.array([LENGTH, 0.0, 0.0]))
    for k in range(0, len(trajectory.t), 2):
        x = np.concatenate([poses[k].xyz, tips[k : k + 1]])
        ax.plot(x[:, 0], x[:, 1], "-o", color=plt.get_cmap("viridis")(k / len(trajectory.t)), markersize=2.5)
    ax.set(title="a chain dropped from horizontal", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Drop it with both integrators."""
    for name in ("rk4", "bulirsch-stoer"):
        trajectory = drop(name)
        print(f"{name:15s} energy drift {drift(trajectory):.1e} of what moves")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(trajectory, Path(folder) / "dropping.png")


def check() -> None:
    """Bulirsch-Stoer keeps the energy to 1e-7 and the pin to round-off."""
    trajectory = drop("bulirsch-stoer", 0.8)
    assert drift(trajectory) < 1e-7
    assert np.abs(trajectory.poses().xyz[:, 0]).max() < 1e-15


if __name__ == "__main__":
    main()
