"""Three links and the coordinates an animator wants
=================================================

The report's worked example with its closed forms, corrected: the end point moves and a joint is held still. Prints the
closed forms beside what condyle computes, and directs the motion: a player and a chart in demo/.
"""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle import demos
from condyle.gallery import planar_chain, three_links

C = cd.control
PHI, RATE = np.array([0.4, 0.7, 0.5]), np.array([1.0, 10.0, 0.0])


def closed_form() -> np.ndarray:
    """Joint accelerations for φ' = (1, 10, 0) and u'' = (1, 1, 0), by hand."""
    (_, p2, p3), a = PHI, np.cumsum(PHI)
    s, c = np.sin(a), np.cos(a)
    half, far = np.cos(p3 / 2), np.cos(p2 + p3 / 2)
    below = half * np.sin(p2 + p3 / 2)
    first = (121 + 121 * np.cos(p3) + half * far + (c[1] + c[2] + s[1] + s[2]) / 2) / below
    second = -(243 + 242 * np.cos(p3) + 244 * half * far + c.sum() + s.sum()) / (2 * below)
    return np.array([first, second, 0.0])


def computed() -> np.ndarray:
    """The same from the animation space; the square φ3² is replaced by φ3."""
    square = C.function(lambda x: x["link3"] ** 2, name="still")
    space = C.AnimationSpace(planar_chain(), [C.point("link3", (1, 0, 0), axes="xy", name="end"), square])
    return C.resolve_acceleration(space, PHI, RATE, [1.0, 1.0, 0.0]).motion


def main(folder: str = "demo") -> None:
    """Print both, direct the motion."""
    print("joint accelerations for the end point's (1, 1) m/s² with joint 3 held [rad/s²]:")
    print("  by hand ", closed_form())
    print("  condyle ", computed())
    print(demos.run("three-links", folder).summary)


def check() -> None:
    """They agree to 1e-12 of their size; the directed end keeps to its line and the joint to its angle."""
    assert np.allclose(computed(), closed_form(), rtol=1e-12, atol=1e-10)
    motion = three_links(step=1e-3)
    assert np.abs(motion.error).max() < 1e-6
    assert np.abs(motion.q[:, 2] - PHI[2]).max() < 1e-9


if __name__ == "__main__":
    main()
