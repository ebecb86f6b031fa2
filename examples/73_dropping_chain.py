"""A chain pinned at one end and dropped
======================================

The report's test of its integrators, with energy as the judge. Prints the energy error of each; a player and a chart in
demo/.
"""

from __future__ import annotations

import sys

from condyle.gallery import SCENES, show


def main(folder: str = "demo") -> None:
    """Drop it with each integrator."""
    print(show("dropping-chain", folder).summary)


def check() -> None:
    """Adaptive Runge-Kutta and Bulirsch-Stoer keep the energy to 1e-7, and the pin stays to round-off."""
    SCENES["dropping-chain"].check()


if __name__ == "__main__":
    main(*sys.argv[1:])
