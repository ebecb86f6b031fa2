"""Sitting on a chair
==================

A person on a chair: shank, thigh and trunk with the hip held, rocking the trunk; a closed loop three ways.

Prints the chair's force by each method and draws demo/sitting.png.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import planar_chain

C = cd.control
LENGTHS, MASSES = (0.43, 0.44, 0.85), (7.0, 15.0, 50.0)  # shank, thigh, trunk of both sides [m, kg]
Q = np.array([1.55, 1.62, -1.5])  # shank up, thigh back, trunk up
HIP = ("link2", (LENGTHS[1], 0.0, 0.0))


def person() -> tuple[C.AnimationSpace, C.AnimationSpace]:
    """The hip on the chair with the trunk's angle (as many coordinates as freedoms), and the hip alone."""
    model = planar_chain(LENGTHS, MASSES)
    seat = cd.forward_kinematics(model, Q)[1].apply(np.array(HIP[1]))[:2]
    hip = C.point(*HIP, axes="xy", name="hip").minus(seat)
    return C.AnimationSpace(model, [hip, C.joint("link3", name="trunk")]), C.AnimationSpace(model, [hip])


def rock() -> C.Directed:
    """Lean forward, back, and up again in two seconds."""
    space, _ = person()
    lean = C.keyframes([0.0, 0.7, 1.4, 2.0], [Q[2], Q[2] - 0.6, Q[2] + 0.3, Q[2]])
    return C.direct(space, Q, {"trunk": lean}, duration=2.0, step=0.01)


def chair_force(motion: C.Directed) -> np.ndarray:
    """Force of the chair on the hip (T, 2) [N] while ankle and knee are slack."""
    acceleration = np.zeros((len(motion.t), 3))
    acceleration[:, 2] = motion.a[:, 2]
    slack = motion.tau * [0.0, 0.0, 1.0]
    return C.reactions(motion.space, motion.q, motion.v, acceleration, slack, motion.t)[:, :2]


def three_ways(motion: C.Directed, k: int) -> dict[str, np.ndarray]:
    """Accelerations and chair force in one moment, driven by the trunk's torque alone."""
    space, hip = person()
    state = (motion.q[k], motion.v[k], motion.tau[k] * [0.0, 0.0, 1.0])
    ways = {
        "multipliers": C.hard_acceleration(hip, *state),
        "elimination": C.partitioned_acceleration(hip, *state),
        "extended coordinates": C.extended_acceleration(space, "hip", *state),
    }
    return {name: np.concatenate(result) for name, result in ways.items()}


def draw(motion: C.Directed, path: Path) -> None:
    """Stick figures and the chair's force."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    poses = cd.forward_kinematics(motion.space.model, motion.q)
    heads = poses[:, 2].apply(np.array([LENGTHS[2], 0.0, 0.0]))
    for k in np.linspace(0, len(motion.t) - 1, 10).astype(int):
        x = np.concatenate([poses[k].xyz, heads[k : k + 1]])
        left.plot(x[:, 0], x[:, 1], "-o", color=plt.get_cmap("viridis")(k / len(motion.t)), markersize=3)
    seat = poses.xyz[0, 2]
    left.plot([seat[0] - 0.25, seat[0] + 0.15], [seat[1], seat[1]], "k", linewidth=4)
    left.set(title="sitting and rocking, dark to light", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    force = chair_force(motion)
    right.plot(motion.t, force[:, 0], label="forward")
    right.plot(motion.t, force[:, 1], label="up")
    right.set(title="force of the chair on the hip", xlabel="t [s]", ylabel="force [N]")
    right.legend()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Rock, print, draw."""
    motion = rock()
    for name, result in three_ways(motion, 60).items():
        print(f"{name:22s} joint accelerations {result[:3].round(6)} rad/s², chair {result[3:].round(4)} N")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(motion, Path(folder) / "sitting.png")


def check() -> None:
    """The hip stays; three methods agree; the chair carries what the ankle does not."""
    motion = rock()
    assert np.abs(motion.u[:, :2]).max() < 1e-9
    ways = list(three_ways(motion, 60).values())
    assert all(np.allclose(way, ways[0], atol=1e-8) for way in ways)
    assert np.allclose(ways[0][:3], motion.a[60], atol=1e-6)
    assert np.allclose(ways[0][3:], chair_force(motion)[60], atol=1e-6)


if __name__ == "__main__":
    main()
