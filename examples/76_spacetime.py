"""Directed motion beside spacetime constraints
============================================

The same task, torque cost and error of both. Directing finds joint motion moment by moment; spacetime constraints
(Witkin and Kass, 1988) make the whole motion discrete and minimise its torque at once. Prints both; a player and a
chart in demo/.
"""

from __future__ import annotations

import sys

from condyle.gallery import SCENES, show


def main(folder: str = "demo") -> None:
    """Both, side by side."""
    print(show("spacetime", folder).summary)


def check() -> None:
    """Both plans meet the goal; spacetime asks for less torque, directing is truer to the physics."""
    SCENES["spacetime"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
