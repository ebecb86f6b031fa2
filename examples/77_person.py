"""A person sits down, lifts a barbell and takes steps
===================================================

Nothing holds the pelvis and no motor drives it: feet and seat push, inside their friction cones. One program finds
accelerations, torques and contact forces at each moment. Players and charts in demo/.
"""

from __future__ import annotations

import sys

from condyle.gallery import SCENES, show


def main(folder: str = "demo") -> None:
    """Sit, lift, walk."""
    for name in ("sits", "lifts", "walks"):
        print(show(name, folder).summary)


def check() -> None:
    """It sits down and rises by its own torques: 1e-6 m off its goals, no force on the pelvis, feet and seat push."""
    SCENES["sits"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
