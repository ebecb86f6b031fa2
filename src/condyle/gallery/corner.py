"""A body that slides along a wire with a sharp corner: an impulse at the corner, or a small round bend instead.

Two models of the same body, before and after the corner, and the jump between them. In the time of an impact only the
impulses of the wire act, and they do no work on motions that the new wire allows: with S the columns of each side,
M₊ v₊ = Σ S₊ᵀ J S₋ v₋, for a point mass v₊ = v₋ cos θ. This is the plastic corner: energy is lost.

A bend of small radius is not an approximation of that. A wire without friction takes no energy however small its
bend: a point mass leaves with all of its speed, and a body with moment I that must turn by θ stops sliding for about
θ √(I/m) / v, turns, and leaves with all of its speed.
"""

from __future__ import annotations

import numpy as np

from ..dynamics import body_jacobian, forward_kinematics, mass_matrix
from ..errors import BadShape, require
from ..joints import Joint, prismatic, spline_curve
from ..model import Model, ModelBuilder
from ..model.shapes import box, sphere
from ..spatial import SE3, Inertia
from ..view.drawn import Line
from .outlines import UPRIGHT
from .scene import PALETTE, Scene, path_of

__all__ = ["SLIDER", "corner", "corner_bend", "corner_impulse", "rounded"]

SLIDER = (0.12, 0.06, 0.06)  # [m]


def corner_impulse(before: Model, q_before, after: Model, q_after, v) -> np.ndarray:
    """Velocities just after a plastic corner: M₊ v₊ = Σ over bodies of S₊ᵀ J S₋ v₋.

    Both models have the same bodies in the same places, carried by the joints before and after the corner.
    """
    same = before.names == after.names
    require(same, "corner_impulse: the models must have the same bodies", BadShape, before=before.names)
    here, there = (forward_kinematics(m, q).as_matrix() for m, q in ((before, q_before), (after, q_after)))
    gap = float(np.abs(here - there).max())
    require(gap < 1e-8, "corner_impulse: the bodies must have the same poses before and after", gap=gap)
    kept = np.zeros(after.nv)
    for body in before.bodies:
        arriving = body_jacobian(before, q_before, body.name) @ np.asarray(v, float)
        kept += body_jacobian(after, q_after, body.name).T @ body.inertia.spatial() @ arriving
    return np.linalg.solve(mass_matrix(after, q_after), kept)


def corner(angle: float = 0.7, mass: float = 0.5, slope: float = 0.5) -> tuple[Model, Model]:
    """A slider [kg] on a straight wire that falls by `slope` [rad] and bends up by `angle`: models before and after.

    Both coordinates are the distance past the corner [m]. The slider keeps its direction.
    """
    return _slider(_straight(-slope), mass), _slider(_straight(angle - slope), mass)


def _straight(heading: float) -> Joint:
    """A straight wire in the xz plane that rises by `heading`."""
    return prismatic((np.cos(heading), 0.0, np.sin(heading)))


def _slider(joint: Joint, mass: float) -> Model:
    b = ModelBuilder()
    return b.add_body("slider", joint=joint, inertia=Inertia.box(mass, SLIDER), joint_name="along").build()


def rounded(angle: float, radius: float, slope: float, reach: float = 1.0, order: int = 4) -> Joint:
    """Straight, then an arc of small radius, then straight; x along the wire, q about the distance [m] to its middle.

    Control frames are `radius` · angle / 6 apart in the bend and are spread on the straight parts.
    """
    step = radius * angle / 6.0
    straight = np.concatenate([[0.0], np.cumsum(step * 1.35 ** np.arange(60))])
    straight = straight[: np.searchsorted(straight, reach) + 1]
    at = np.concatenate([-straight[::-1] - 3.5 * step, step * np.arange(-3, 4), straight + 3.5 * step])
    heading = angle * np.clip(at / (6.0 * step) + 0.5, 0.0, 1.0) - slope
    steps = np.diff(at)
    middle = 0.5 * (heading[1:] + heading[:-1])
    places = np.concatenate([[[0.0, 0.0]], np.cumsum(steps * np.array([np.cos(middle), np.sin(middle)]), axis=1).T])
    frames = np.array([_frame(h, p) for h, p in zip(heading, places - places[np.argmin(abs(at))], strict=True)])
    outer = at[0] - steps[0] * np.arange(order - 1, 0, -1), at[-1] + steps[-1] * np.arange(1, order)
    knots = np.concatenate([outer[0], at, outer[1]])[order // 2 - 1 :][: len(frames) + order]
    return spline_curve(frames, knots, order=order, name="along")


def _frame(heading: float, place: np.ndarray) -> np.ndarray:
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, -s, 0, place[0]], [s, c, 0, place[1]], [0, 0, 1, 0], [0, 0, 0, 1.0]])


def corner_bend(
    angle: float = 0.7, radius: float = 0.05, mass: float = 0.5, slope: float = 0.5, order: int = 6
) -> Scene:
    """The same wire with a round bend: the slider turns with it and keeps its energy."""
    wire = rounded(angle, radius, slope, reach=3.0, order=order)
    b = ModelBuilder()
    inertia = Inertia.box(mass, SLIDER)
    look = (box(SLIDER, color=PALETTE[1]), sphere(0.025, SE3.from_translation((0.06, 0.0, 0.0))))
    b.add_body("slider", joint=wire, inertia=inertia, placement=UPRIGHT, joint_name="along", shapes=look)
    path = path_of(wire, placement=UPRIGHT)
    near = path[abs(path[:, 0]) < 1.0]
    lines = (Line(None, near, PALETTE[0]),)
    return Scene("corner", b.build(), np.array([-0.8]), np.zeros(1), lines, duration=0.9)
