"""A squat on two real knees
=========================

A squat on two real knees: both feet planted, the body's balance kept as a coordinate.

Prints the knees' torques and draws demo/squat.png.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import squatter, squatter_feet, squatter_stance

C = cd.control
BALANCE = 0.04  # [m] of the centre of mass before the ankle


def squat() -> tuple[C.Directed, C.AnimationSpace]:
    """Down by 30 cm and up again in two seconds, the trunk leaning forward on the way."""
    model = squatter()
    feet = squatter_feet(model)
    body = [
        C.point("trunk", axes="y", name="height"),
        C.center_of_mass(axes="x", name="balance"),
        C.orientation("trunk", axes="z", name="lean"),
    ]
    space = C.AnimationSpace(model, [*feet.coordinates, *body])
    start = space.value(squatter_stance())
    q = C.assembled(space, squatter_stance(), [0.0, 0.0, 0.0, start[3], BALANCE, -0.15])
    goals = {
        "height": C.keyframes([0.0, 1.0, 2.0], [start[3], start[3] - 0.3, start[3]]),
        "lean": C.keyframes([0.0, 1.0, 2.0], [-0.15, -0.6, -0.15]),
    }
    return C.direct(space, q, goals, duration=2.0, step=5e-3, record=0.01), feet


def draw(motion: C.Directed, tau: np.ndarray, path: Path) -> None:
    """Stick figures, and the torques of the left leg."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
    poses = cd.forward_kinematics(motion.space.model, motion.q)
    ankle, head = np.array([0.0, 0.07, 0.0]), poses[:, 2].apply(np.array([0.0, 0.85, 0.0]))
    for k in np.linspace(0, len(motion.t) // 2, 7).astype(int):
        x = np.stack([ankle, poses.xyz[k, 0], poses.xyz[k, 2], head[k]])
        left.plot(x[:, 0], x[:, 1], "-o", color=plt.get_cmap("viridis")(2 * k / len(motion.t)), markersize=4)
        balance = cd.center_of_mass(motion.space.model, motion.q[k])
        left.plot(balance[0], balance[1], "r.", markersize=5)
    left.plot([-0.06, 0.2], [0.0, 0.0], "k", linewidth=4)
    left.set(title="down, dark to light; red: centre of mass", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    for name, k in (("ankle", 0), ("knee", 1), ("hip", 2)):
        right.plot(motion.t, tau[:, k], label=name)
    right.set(title="torques of the left leg", xlabel="t [s]", ylabel="torque [N m]")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Squat, print, draw."""
    motion, feet = squat()
    tau, reactions = C.shared_forces(feet, motion.q, motion.tau)
    knee = motion.q[:, 1]
    print(f"knee bends from {np.degrees(-knee[0]):.0f} to {np.degrees(-knee.min()):.0f} degrees")
    print(f"largest torques, left: ankle {np.abs(tau[:, 0]).max():.0f}, knee {np.abs(tau[:, 1]).max():.0f} N m")
    print(f"the ground lifts the right foot with {reactions[:, 1].min():.0f} to {reactions[:, 1].max():.0f} N")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(motion, tau, Path(folder) / "squat.png")


def check() -> None:
    """Feet and balance stay, the height follows, both knees bend alike, and torques with reactions give the motion."""
    motion, feet = squat()
    assert np.abs(feet.value(motion.q)).max() < 1e-9
    assert np.abs(motion.u[:, 4] - BALANCE).max() < 1e-8
    assert np.abs(motion.error).max() < 1e-6
    assert np.allclose(motion.q[:, 1], motion.q[:, 4], atol=1e-8)
    tau, _ = C.shared_forces(feet, motion.q, motion.tau)
    for k in (20, 100, 150):
        a = C.partitioned_acceleration(feet, motion.q[k], motion.v[k], tau[k]).a
        assert np.allclose(a, motion.a[k], atol=1e-6)


if __name__ == "__main__":
    main()
