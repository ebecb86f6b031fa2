"""An inchworm crawls, and a race
==============================

Front forward while the rear grips, then the rear after it while the front grips. Prints what each cycle advances and
how well replayed torques follow; players and charts in demo/.
"""

from __future__ import annotations

import numpy as np

from condyle import demos
from condyle.gallery import crawl, front_of, race, replayed

SHORT, LONG = 0.034, 0.046  # [m] between its ends, arched and stretched


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
