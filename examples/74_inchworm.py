"""An inchworm crawls, and a race
==============================

Front forward while the rear grips, then the rear after it while the front grips. Prints what each cycle advances and
how well replayed torques follow; players and charts in demo/.
"""

from __future__ import annotations

import sys

import numpy as np

from condyle.gallery import SCENES, show
from condyle.gallery.scenes.crawler import STRIDES, crawl, front_of, replayed


def main(folder: str = "demo") -> None:
    """Crawl five cycles, replay them, race."""
    steps = crawl(cycles=5, chords=STRIDES["long_stride"], step=5e-3)
    print("advance per cycle [mm]:", (1e3 * np.diff(front_of(steps))).round(6))
    print(f"replayed with feedback: {max(x.max() for x in replayed(steps)):.1e} rad off at most")
    for name in ("inchworm", "inchworm-race"):
        print(show(name, folder).summary)


def check() -> None:
    """Each cycle advances by the stride; it stops on its goal; torques replayed with feedback follow to 1e-4 rad."""
    SCENES["inchworm"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
