"""A squat on two real knees
=========================

Both feet planted, the body's balance kept as a coordinate. Prints the knees' bend; a player and a chart in demo/.
"""

from __future__ import annotations

import numpy as np

import condyle as cd
from condyle import demos
from condyle.gallery import squat, squatter, squatter_feet

C = cd.control


def main(folder: str = "demo") -> None:
    """Squat, print, draw."""
    motion = squat(step=0.01)
    feet = squatter_feet(motion.space.model)
    tau, reactions = C.shared_forces(feet, motion.q, motion.tau)
    print(f"largest torques, left: ankle {np.abs(tau[:, 0]).max():.0f}, knee {np.abs(tau[:, 1]).max():.0f} N m")
    print(f"the ground lifts the right foot with {reactions[:, 1].min():.0f} to {reactions[:, 1].max():.0f} N")
    print(demos.run("squat", folder).summary)


def check() -> None:
    """Feet and balance stay, both knees bend alike, and the torques give the motion when the engine plants the foot."""
    motion = squat()
    feet = squatter_feet(motion.space.model)
    assert np.abs(feet.value(motion.q)).max() < 1e-9
    assert np.abs(motion.u[:, 4] - motion.u[0, 4]).max() < 1e-8
    assert np.abs(motion.error).max() < 1e-6
    assert np.allclose(motion.q[:, 1], motion.q[:, 4], atol=1e-8)
    tau, _ = C.shared_forces(feet, motion.q, motion.tau)
    planted, some = squatter(planted=True), [20, 100, 150]
    a = cd.forward_dynamics(planted, motion.q[some], motion.v[some], tau[some])
    assert np.allclose(a, motion.a[some], atol=1e-6)


if __name__ == "__main__":
    main()
