"""A hanging chain
===============

A chain of forty links held at both ends swings until friction brings it to rest: a catenary of links.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import hanging_chain
from condyle.skeleton import Trajectory


def run(duration: float = 40.0, step: float = 0.01, record: float = 0.05) -> Trajectory:
    """Let it swing; friction is stiff for such light links, so it acts at the end of each step."""
    return hanging_chain().simulate(duration=duration, step=step, friction="implicit", record=record)


def slopes(motion: Trajectory) -> np.ndarray:
    """dz/dx of every link at the end."""
    along = motion.last.rotations[:, :, 0]
    return along[:, 2] / along[:, 0]


def main(folder: str = "demo") -> None:
    """Swing, print, draw the chain over time."""
    from matplotlib.figure import Figure

    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    motion = run()
    print(f"{motion.skeleton.unknowns} reactions, one loop through the world\n{motion.report()}")
    figure = Figure(figsize=(7, 4), layout="constrained")
    panel = figure.subplots()
    for k in (0, 4, 8, 14, 24, 60, len(motion.t) - 1):
        p = motion.states.positions[k]
        panel.plot(p[:, 0], p[:, 2], label=f"t = {motion.t[k]:.1f} s")
    panel.set(xlabel="x [m]", ylabel="z [m]", aspect="equal", title="a chain comes to rest as a catenary")
    panel.legend(fontsize="small")
    figure.savefig(out / "hanging_chain.png", dpi=120)
    print(f"Open {out / 'hanging_chain.png'}.")


def check() -> None:
    """At rest every link carries the same horizontal pull, so slopes grow evenly: w/H per link; the joints hold."""
    motion = run()
    assert motion.stopped is None
    assert motion.report().drifts()["joint gap [m]"] < 1e-12
    steps = np.diff(slopes(motion))
    assert np.ptp(steps) < 1e-3 * steps.mean()
    pull = motion.skeleton.accelerations(motion.last).point_forces[1:-1, 0]  # horizontal, between links
    assert np.ptp(pull) < 1e-3 * np.abs(pull).mean()
    assert np.isclose(0.05 * 9.81 / np.abs(pull).mean(), steps.mean(), rtol=1e-3)


if __name__ == "__main__":
    main(*sys.argv[1:])
