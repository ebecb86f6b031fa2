"""A chain of ten freedoms reaches, four ways
==========================================

Freely, with its first segment fixed, out of reach, and yielding only if it must. Prints how near it came; players and
charts in demo/.
"""

from __future__ import annotations

import sys

import numpy as np

from condyle.gallery import SCENES, show
from condyle.gallery.scenes.reaching import FAR, REACH


def main(folder: str = "demo") -> None:
    """Run all four."""
    for name in ("reaching", "reaching-fixed", "reaching-far", "reaching-yields"):
        print(show(name, folder).summary)
    print(f"the goal of 'out of reach' is {np.linalg.norm(FAR) - REACH:.6f} m beyond the reach")


def check() -> None:
    """Goals are met; fixed joints stay; out of reach ends at distance less reach; priorities reach and yield."""
    SCENES["reaching"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
