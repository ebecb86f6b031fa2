"""Directed motion beside spacetime constraints
============================================

The same task, torque cost and error of both. Directing finds joint motion moment by moment; spacetime constraints
(Witkin and Kass, 1988) minimise the torque of the whole motion at once. Prints both, and how the cost converges; a
player and a chart in demo/.
"""

from __future__ import annotations

import sys

from condyle.gallery import SCENES, show


def main(folder: str = "demo") -> None:
    """Both, side by side."""
    print(show("spacetime", folder).summary)


def check() -> None:
    """Both plans meet the goal, as planned and replayed open; spacetime asks for less torque, and converges."""
    SCENES["spacetime"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
