"""An inchworm
===========

An inchworm crawls: front forward while the rear grips, then the rear after it while the front grips. And a race.

Prints what each cycle advances and how well replayed torques follow, and draws demo/inchworm.png.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import Step, crawl, worm_points, worm_reversed

C = cd.control
SHORT, LONG = 0.034, 0.046  # [m] between its ends, arched and stretched


def replayed(steps: list[Step], feedback: float = 40.0) -> list[np.ndarray]:
    """How far each point was from the directed one (T, points) [m] when torques with feedback drive the worm.

    Each step begins in the pose that the last one ended in, gripped by its other end.
    """
    off, q = [], steps[0].motion.q[0]
    for step in steps:
        q = q + 2 * np.pi * np.round((step.motion.q[0] - q) / (2 * np.pi))  # the same turns
        back = C.replay(step.model, step.torques, q=q, held=step.held, feedback=feedback, step=5e-3, record=0.05)
        at = np.rint((back.trajectory.t - step.motion.t[0]) / (step.motion.t[1] - step.motion.t[0])).astype(int)
        points = worm_points(step.model, back.trajectory.q)
        off.append(np.linalg.norm(points - step.points[at], axis=-1))
        q = worm_reversed(points[-1], back.trajectory.q[-1])[1]
    return off


def race(cycles: int = 3) -> dict[str, list[Step]]:
    """Two worms from the same start towards the same line; one has the longer stride."""
    line = (0.2, 0.0, 0.0)
    return {
        "long stride": crawl(cycles=cycles, goal=line, chords=(SHORT, LONG), step=0.02),
        "short stride": crawl(cycles=cycles, goal=line, chords=(SHORT, 0.042), step=0.02),
    }


def front_of(steps: list[Step]) -> np.ndarray:
    """The front's x after each cycle [m]."""
    return np.array([step.points[0, 0, 0] for step in steps[1::2]])


def draw(steps: list[Step], racers: dict[str, list[Step]], path: Path) -> None:
    """Frames of the crawl, and the race."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (top, bottom) = plt.subplots(2, 1, figsize=(10, 8), layout="constrained", height_ratios=(3, 2))
    for k, step in enumerate(steps[:4]):
        frames = step.points[:: max(1, len(step.points) // 6)]
        for i, points in enumerate(frames):
            color = plt.get_cmap("viridis")(i / len(frames))
            top.plot(1e3 * points[:, 0], 1e3 * points[:, 2] - 20 * k, "-o", markersize=2, color=color)
        top.axhline(-20 * k, color="k", linewidth=0.5)
    top.set(
        title="four half cycles, one under the other; dark to light in time", xlabel="x [mm]", aspect="equal", yticks=[]
    )
    for k, (name, run) in enumerate(racers.items()):
        for points in [step.points[-1] for step in run]:
            bottom.plot(1e3 * points[:, 0], 1e3 * points[:, 2] - 20 * k, "-", color=f"C{k}")
        bottom.plot([], [], color=f"C{k}", label=f"{name}: {1e3 * front_of(run)[-1]:.0f} mm")
    bottom.set(title="the race: the same number of cycles", xlabel="x [mm]", yticks=[], aspect="equal", xlim=(-5, 120))
    bottom.legend(loc="center right")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Crawl, replay, race, draw."""
    steps = crawl(cycles=5, chords=(SHORT, LONG), step=5e-3)
    print("front after each cycle [mm]:", (1e3 * front_of(steps)).round(4))
    print("replay with feedback is off by at most [mm]:", f"{1e3 * max(x.max() for x in replayed(steps)):.2e}")
    racers = race()
    for name, run in racers.items():
        print(f"{name}: front at {1e3 * front_of(run)[-1]:.1f} mm after {len(run) // 2} cycles")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(steps, racers, Path(folder) / "inchworm.png")


def check() -> None:
    """Each cycle advances by the stride, grips hold, and replayed torques stay within a millimetre."""
    steps = crawl(cycles=2, chords=(SHORT, LONG), step=5e-3)
    assert np.allclose(np.diff(front_of(steps)), LONG - SHORT, atol=1e-6)
    for step in steps:
        assert np.abs(step.points[:, 0] - step.points[0, 0]).max() < 1e-9  # the grip
        if step.held is not None:
            assert np.abs(step.points[:, -1, 2]).max() < 1e-9  # the sliding end on the ground
    assert max(x.max() for x in replayed(steps)) < 1e-3
    racers = race(2)
    assert front_of(racers["long stride"])[-1] > front_of(racers["short stride"])[-1]


if __name__ == "__main__":
    main()
