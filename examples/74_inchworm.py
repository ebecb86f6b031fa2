"""An inchworm crawls, and a race
==============================

Front forward while the rear grips, then the rear after it while the front grips. Prints what each cycle advances and
how well replayed torques follow; players and charts in demo/.
"""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle import demos
from condyle.gallery import Step, crawl, front_of, race, worm_points, worm_reversed

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


def main(folder: str = "demo") -> None:
    """Crawl five cycles, replay them, race."""
    steps = crawl(cycles=5, chords=(SHORT, LONG), step=5e-3)
    print("advance per cycle [mm]:", (1e3 * np.diff(front_of(steps))).round(6))
    print(f"replayed with feedback: {1e3 * max(x.max() for x in replayed(steps)):.3f} mm off at most")
    for name in ("inchworm", "inchworm-race"):
        print(demos.run(name, folder).summary)


def check() -> None:
    """Each cycle advances by the stride; gripping ends stay; torques replayed with feedback follow to 1 mm."""
    steps = crawl(cycles=2, chords=(SHORT, LONG), step=5e-3)
    assert np.allclose(np.diff(front_of(steps)), LONG - SHORT, atol=1e-6)
    for step in steps:
        assert np.abs(step.points[:, 0] - step.points[0, 0]).max() < 1e-9  # the grip
        if step.held is not None:
            assert np.abs(step.points[:, -1, 2]).max() < 1e-9  # the sliding end on the ground
    assert max(x.max() for x in replayed(steps)) < 1e-3
    racers = race(2)
    assert front_of(racers["long_stride"])[-1] > front_of(racers["short_stride"])[-1]


if __name__ == "__main__":
    main()
