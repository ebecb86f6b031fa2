"""A person on a chair: a closed loop three ways
=============================================

Shank, thigh and trunk with the hip held by the seat; the trunk rocks. Directed in extended coordinates, then forward
under the trunk's torque alone with a hard seat (the engine's constraint) and with soft springs. Prints what each
gives; a player and a chart in demo/.
"""

from __future__ import annotations

import sys

from condyle.gallery import SCENES, show
from condyle.gallery.scenes.sitter import accelerations_three_ways, rocking


def main(folder: str = "demo") -> None:
    """Rock, print, draw."""
    for name, result in accelerations_three_ways(rocking(), 60).items():
        print(f"{name:22s} joint accelerations {result[:3].round(6)} rad/s², chair {result[3:].round(4)} N")
    print(show("sitting", folder).summary)


def check() -> None:
    """The hip stays; hard and extended agree to 1e-10; soft springs come nearer as they stiffen."""
    SCENES["sitting"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
