"""A chain pinned at one end and dropped
======================================

The report's test of its integrators, with energy as the judge. Prints the energy error of each; a player and a chart in
demo/.
"""

from __future__ import annotations

import numpy as np

from condyle import demos
from condyle.gallery import drop, energy_drift


def main(folder: str = "demo") -> None:
    """Drop it with each integrator."""
    print(demos.run("dropping-chain", folder).summary)


def check() -> None:
    """Adaptive Runge-Kutta and Bulirsch-Stoer keep the energy to 1e-7, and the pin stays to round-off."""
    for integrator in ("adaptive", "bulirsch-stoer"):
        trajectory = drop(integrator, 0.8)
        assert energy_drift(trajectory) < 1e-7
        assert np.abs(trajectory.poses().xyz[:, 0]).max() < 1e-15


if __name__ == "__main__":
    main()
