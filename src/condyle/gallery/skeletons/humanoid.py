"""A humanoid of thirteen boxes that somersaults: joints with friction and limits, knees and elbows driven by motors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...skeleton import Skeleton, SkeletonBuilder
from ...spatial import Inertia
from ..scene import Scene, skeleton_scene
from .mannequin import mannequin

# name: (mass [kg], size of the box [m], centre [m]); z is up, x forward, y to the left
TRUNK = {
    "pelvis": (11.0, (0.16, 0.30, 0.16), (0, 0, 1.00)),
    "chest": (28.0, (0.20, 0.32, 0.42), (0, 0, 1.30)),
    "head": (5.0, (0.16, 0.15, 0.24), (0, 0, 1.66)),
}
LIMBS = {
    "upper_arm": (2.0, (0.08, 0.08, 0.28), (0, 0.22, 1.33)),
    "forearm": (1.6, (0.07, 0.07, 0.28), (0, 0.22, 1.04)),
    "thigh": (9.0, (0.14, 0.14, 0.42), (0, 0.10, 0.72)),
    "shank": (3.5, (0.10, 0.10, 0.42), (0, 0.10, 0.30)),
    "foot": (1.2, (0.24, 0.09, 0.07), (0.06, 0.10, 0.05)),
}
BALLS = {"shoulder": ("upper_arm", "chest", (0, 0.22, 1.48)), "hip": ("thigh", "pelvis", (0, 0.10, 0.94))}
HINGES = {
    "elbow": ("forearm", "upper_arm", (0, 0.22, 1.18)),
    "knee": ("shank", "thigh", (0, 0.10, 0.51)),
    "ankle": ("foot", "shank", (0, 0.10, 0.09)),
}
# angles [rad] where a joint ends, and how hard [N m/rad, N m s/rad]: knees bend backward, elbows forward
LIMITS = {"knee": (0.0, 2.4, 200.0, 5.0), "elbow": (-2.4, 0.0, 60.0, 1.5), "ankle": (-0.8, 0.6, 20.0, 0.5)}
MOTOR = {"knee": 40.0, "elbow": -8.0}  # [N m], the largest torque


def humanoid(
    spin: Sequence[float] = (0.3, 6.8, 0.2), friction: float = 2.0, leap: Sequence[float] = (0.8, 0.0, 4.4)
) -> Skeleton:
    """Thirteen boxes that leap, with six hinges and six balls; knees, elbows and ankles push back where they end.

    Parameters
    ----------
    spin : sequence of 3 floats, optional
        Rates at which all turn as one at the leap [rad/s].
    friction : float, optional
        Of the joints [N m s/rad]; the waist has four times as much.
    leap : sequence of 3 floats, optional
        Velocity of the centre of mass at the leap [m/s].

    Returns
    -------
    Skeleton
    """
    b = SkeletonBuilder()
    parts = _parts()
    center = sum(m * np.array(p, float) for m, _, p in parts.values()) / sum(m for m, _, _ in parts.values())
    for name, (m, size, p) in parts.items():
        velocity = np.cross(spin, np.array(p) - center) + leap
        b.add_body(name, Inertia.box(m, size), position=p, velocity=velocity, angular_velocity=spin)
    b.add_ball("chest", "pelvis", at=(0, 0, 1.09), friction=4 * friction, name="waist")
    b.add_ball("head", "chest", at=(0, 0, 1.53), friction=friction, name="neck")
    for side, sign in (("l", 1.0), ("r", -1.0)):
        for name, (first, second, (x, y, z)) in BALLS.items():
            second = second if second in TRUNK else f"{second}_{side}"
            b.add_ball(f"{first}_{side}", second, at=(x, sign * y, z), friction=friction, name=f"{name}_{side}")
        for name, (first, second, (x, y, z)) in HINGES.items():
            joint = {"at": (x, sign * y, z), "axis": (0, 1, 0), "friction": friction, "name": f"{name}_{side}"}
            b.add_hinge(f"{first}_{side}", f"{second}_{side}", **joint)
            low, high, stiffness, damping = LIMITS[name]
            b.add_limit(f"{name}_{side}", low, high, stiffness=stiffness, damping=damping)
    return b.build()


def _parts() -> dict[str, tuple]:
    """Mass, size and centre of every body, limbs on both sides."""
    parts = dict(TRUNK)
    for side, sign in (("l", 1.0), ("r", -1.0)):
        parts |= {f"{name}_{side}": (m, size, (x, sign * y, z)) for name, (m, size, (x, y, z)) in LIMBS.items()}
    return parts


def tucking(t: float) -> dict[str, float]:
    """Knees and elbows tuck, then stretch; the right a little before the left."""
    return {f"{j}_{s}": a * np.sin(7.0 * t + 0.3 * (s == "r")) for j, a in MOTOR.items() for s in "lr"}


def scene(step: float = 0.005) -> Scene:
    """A somersault; friction by the trapezoidal rule, so that energy less work falls with the square of the step."""
    options = {"duration": 0.86, "step": step, "motors": tucking, "friction": "trapezoidal"}
    seen = {"moments": (0.0, 0.22, 0.44, 0.66, 0.86), "width": 3.0, "camera": (8.0, -65.0)}
    figure = mannequin({name: center for name, (_, _, center) in _parts().items()})
    return replace(skeleton_scene("humanoid", humanoid(), **options), sheets=figure, **seen)


def check() -> None:
    """Gravity, friction, limits and motors leave the angular momentum alone; energy changes by their work."""
    motion = scene().run()
    bent = motion.skeleton.angles(motion.states)
    knees = [motion.skeleton.joint(name) for name in ("knee_l", "knee_r")]
    assert bent[:, knees].min() > -0.25  # the limit gives way a little
    assert bent[:, knees].max() > 1.0
    coarse, fine = motion.report(), scene(0.0025).run().report()
    assert coarse.drifts()["angular momentum [N m s]"] < 1e-10
    assert coarse.drifts()["joint gap [m]"] < 1e-12
    fallen = coarse.linear_momentum[-1] - coarse.linear_momentum[0]
    assert np.allclose(fallen, (0, 0, -9.81 * motion.t[-1] * motion.skeleton.masses.sum()), atol=1e-9)
    assert fine.drifts()["energy less work [J]"] < 0.35 * coarse.drifts()["energy less work [J]"]
