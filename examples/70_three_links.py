"""Three links and the coordinates an animator wants
=================================================

The report's worked example with its closed forms, corrected: the end point moves and a joint is held still. Prints the
closed forms beside what condyle computes, and directs the motion: a player and a chart in demo/.
"""

from __future__ import annotations

import sys

from condyle.gallery import SCENES, show
from condyle.gallery.scenes.three_links import accelerations, accelerations_by_hand


def main(folder: str = "demo") -> None:
    """Print both, direct the motion."""
    print("joint accelerations for the end point's (1, 1) m/s² with joint 3 held [rad/s²]:")
    print("  by hand ", accelerations_by_hand())
    print("  condyle ", accelerations())
    print(show("three-links", folder).summary)


def check() -> None:
    """They agree to 1e-12 of their size; the directed end keeps to its line and the joint to its angle."""
    SCENES["three-links"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
