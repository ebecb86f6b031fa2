"""A person in the sagittal plane on two legs with real knees, both feet on the ground.

The tree stands on its left foot; the right one is closed to the ground by coordinates that are held.
"""

from __future__ import annotations

import numpy as np

from ... import control as C
from ...dynamics import forward_dynamics
from ...joints import revolute
from ...model import Model, ModelBuilder
from ...model.constraints import weld
from ...model.look.overlays import Drawn, Sheet
from ...model.look.shapes import BONE, Shape, bone, ellipsoid, limb
from ...plots import Panel, curves
from ...spatial import SE3, Inertia
from ..bones.knee import knee, segment_inertia
from ..scene import Scene, cross, directed_scene, sphere_points

ANKLE = 0.07  # [m] above the ground
BALANCE = 0.04  # [m] of the centre of mass before the ankle


def squatter(mass: float = 75.0, height: float = 1.8, *, planted: bool = False) -> Model:
    """Coordinates ankle_l, knee_l, hip_l (the trunk on the left thigh), hip_r, knee_r, ankle_r [rad]; y is up.

    With `planted` the engine holds the right foot on the ground, by a constraint; without, the tree is open.
    """
    shank, thigh = 0.246 * height, 0.245 * height
    up, down = SE3.from_translation((0.0, ANKLE, 0.0)), SE3.from_translation((0.0, -shank, 0.0))
    calf = segment_inertia(0.0465 * mass, shank, 0.433, 0.302)
    leg = segment_inertia(0.1 * mass, thigh, 0.433, 0.323)
    b, turn = ModelBuilder(gravity=(0.0, -9.81, 0.0)), revolute("z")
    left, right = ([_long_bone(length, side) for length in (shank, thigh)] for side in (1.0, -1.0))
    b.add_body("shank_l", joint=turn, inertia=calf, placement=up, offset=down, joint_name="ankle_l", shapes=left[0])
    bent = knee().inverse()
    b.add_body("thigh_l", parent="shank_l", joint=bent, inertia=leg, joint_name="knee_l", shapes=left[1])
    trunk, above = _trunk(0.678 * mass, height), _upper(height)
    b.add_body("trunk", parent="thigh_l", joint=turn, inertia=trunk, joint_name="hip_l", shapes=above)
    b.add_body("thigh_r", parent="trunk", joint=turn, inertia=leg, joint_name="hip_r", shapes=right[1])
    b.add_body("shank_r", parent="thigh_r", joint=knee(), inertia=calf, joint_name="knee_r", shapes=right[0])
    foot = Inertia.box(0.0145 * mass, (0.152 * height, 0.06, 0.08), com=(0.05, -0.03, 0.0))
    b.add_body(
        "foot_r", parent="shank_r", joint=turn, inertia=foot, placement=down, joint_name="ankle_r", shapes=_foot()
    )
    if planted:
        b.add_constraint(weld("foot_r", None, None, up))
    return b.build()


def _long_bone(length: float, side: float) -> tuple[Shape, ...]:
    """A bone downwards from the body's origin, drawn on its side of the plane that all move in."""
    z = 0.09 * side
    return (bone((0.0, 0.0, z), (0.0, -length, z), 0.048),)


def _foot() -> tuple[Shape, ...]:
    return (limb((-0.04, -0.03, -0.09), (0.18, -0.05, -0.09), 0.03),)


def _upper(height: float) -> tuple[Shape, ...]:
    """Trunk and head."""
    top = 0.288 * height
    return (
        ellipsoid((0.07, 0.07, 0.14), SE3.from_translation((0.0, 0.03, 0.0))),
        bone((-0.02, 0.05, 0.0), (-0.02, top + 0.1, 0.0), 0.045),
        ellipsoid((0.10, 0.17, 0.14), SE3.from_translation((0.02, 0.72 * top, 0.0))),
        ellipsoid((0.085, 0.11, 0.075), SE3.from_translation((0.02, top + 0.2, 0.0))),
    )


def _trunk(mass: float, height: float) -> Inertia:
    """Head, arms and trunk above the hips, after Winter (2009)."""
    length = 0.288 * height
    across = mass * (0.496 * length) ** 2
    return Inertia(mass, np.array([0.0, 0.626 * length, 0.0]), np.diag([across, 0.2 * across, across]))


def squatter_stance(bend: float = 0.4) -> np.ndarray:
    """Both legs bent alike at the knee [rad], trunk upright, the right foot flat beside the left."""
    lean = 0.5 * bend  # shank forward by half of the bend, thigh back by half
    return np.array([-lean, -bend, lean - bend, bend - lean, -bend, lean])


def squatter_feet(model: Model) -> C.AnimationSpace:
    """The right foot where the left one is: position of its ankle and its tilt, all zero when planted."""
    ankle = C.point("foot_r", axes="xy", name="foot").minus((0.0, ANKLE))
    return C.AnimationSpace(model, [ankle, C.orientation("foot_r", axes="z", name="tilt")])


def squat(depth: float = 0.3, *, step: float = 5e-3) -> C.Directed:
    """Down by `depth` [m] and up again in two seconds, the trunk leaning on the way, balance and feet kept."""
    feet = squatter_feet(squatter())
    height = C.point("trunk", axes="y", name="height")
    balance, lean = C.center_of_mass(axes="x", name="balance"), C.orientation("trunk", axes="z", name="lean")
    space = C.AnimationSpace(feet.model, [*feet.coordinates, height, balance, lean])
    high = space.value(squatter_stance())[3]
    q = C.assembled(space, squatter_stance(), [0.0, 0.0, 0.0, high, BALANCE, -0.15])
    goals = {
        "height": C.keyframes([0.0, 1.0, 2.0], [high, high - depth, high]),
        "lean": C.keyframes([0.0, 1.0, 2.0], [-0.15, -0.6, -0.15]),
    }
    return C.direct(space, q, goals, duration=2.0, step=step, record=0.01)


def squat_scene() -> Scene:
    """Down and up, and the torques of the left leg."""
    motion = squat()
    feet = squatter_feet(motion.space.model)
    bend = np.degrees(-motion.q[:, 1])
    words = (
        f"knees bend from {bend[0]:.0f} to {bend.max():.0f} degrees; feet move "
        f"{np.abs(feet.value(motion.q)).max():.1e} m, balance {np.ptp(motion.u[:, 4]):.1e} m"
    )
    tau = C.shared_forces(feet, motion.q, motion.tau).tau
    torques = curves(motion.t, {name: tau[:, k] for k, name in enumerate(("ankle", "knee", "hip"))})
    panels = [Panel("torques of the left leg [N m]", torques, "t [s]")]
    seen = {"camera": (8.0, -65.0), "moments": (0.0, 0.5, 1.0), "width": 2.9}
    return directed_scene("squat", motion.trajectory, words, panels, _on_the_ground(), **seen)


def _on_the_ground() -> tuple[Drawn, ...]:
    """The left foot, which is no body because it stands, and the place that balance is kept over."""
    foot = sphere_points(1.0) * (0.13, 0.035, 0.045) + (0.06, 0.035, 0.09)
    return (Sheet(None, foot, BONE, opacity=1.0, grid=False), *cross(np.array([BALANCE, 0.0, 0.0]), 0.1))


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
    a = forward_dynamics(planted, motion.q[some], motion.v[some], tau[some])
    assert np.allclose(a, motion.a[some], atol=1e-6)
