"""A chain of ten freedoms reaches, four ways
==========================================

Freely, with its first segment fixed, out of reach, and yielding only if it must. Prints how near it came; players and
charts in demo/.
"""

from __future__ import annotations

import numpy as np

from condyle import demos
from condyle.gallery import REACHES, reach


def main(folder: str = "demo") -> None:
    """Run all four."""
    for name in ("reaching", "reaching-fixed", "reaching-far", "reaching-yields"):
        print(demos.run(name, folder).summary)
    print(f"the goal of 'out of reach' is {np.linalg.norm(REACHES['out of reach'][0]) - 1.5:.6f} m beyond the reach")


def check() -> None:
    """Goals are met; fixed joints stay; out of reach ends at distance less reach; priorities reach and yield."""
    motions = {kind: reach(kind) for kind in REACHES}
    free, fixed, far, yields = motions.values()
    assert np.abs(free.error).max() < 1e-4 and np.abs(free.error[-1]).max() < 1e-6
    assert np.abs(fixed.error[-1]).max() < 1e-6 and np.abs(fixed.q[:, :2] - fixed.q[0, :2]).max() < 1e-9
    beyond = np.linalg.norm(REACHES["out of reach"][0]) - 1.5
    assert abs(np.linalg.norm(far.error[-1]) - beyond) < 5e-3
    assert np.linalg.norm(yields.error[-1, :3]) < 1e-4
    assert np.abs(yields.q[-1, :2] - yields.q[0, :2]).max() > 0.05


if __name__ == "__main__":
    main()
