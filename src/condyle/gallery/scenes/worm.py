"""An inchworm: segments with two freedoms each, that grips with one end and moves the other.

[ParkFussellBrowne1992, section 5.2, corrected]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from ... import control as C
from ...dynamics import forward_kinematics, rerooted_state
from ...errors import BadValue, require
from ...joints import universal
from ...model import Model, ModelBuilder
from ...model.look.shapes import COLORS, Shape, limb
from ...spatial import SE3
from ..chains import rod

LENGTH, MASS = 0.005, 0.001  # [m], [kg] of a segment
STEEPEST = 1.45  # [rad] of the first segment; upright it has no heading
LIFT = 0.4  # height of the moving front over its stride
STILL = 1e-6  # [m] of a step that is none


def segment_look(i: int, lane: int = 0) -> tuple[Shape, ...]:
    """Rings in two colours by turns, other ones in each lane."""
    return (limb((0.0, 0.0, 0.0), (LENGTH, 0.0, 0.0), 0.3 * LENGTH, COLORS[(2 * lane + i % 2) % len(COLORS)]),)


def worm(segments: int = 10, foot=(0.0, 0.0, 0.0)) -> Model:
    """Segments "s1", "s2", … from a gripping `foot` [m]; each turns about z, then y (yaw, then pitch)."""
    b, turns, inertia = ModelBuilder(), universal("z", "y"), rod(MASS, LENGTH, radius=0.2)
    for i in range(segments):
        at = np.asarray(foot, dtype=float) if i == 0 else (LENGTH, 0.0, 0.0)
        b.add_body(
            f"s{i + 1}",
            parent=f"s{i}" if i else None,
            joint=turns,
            inertia=inertia,
            placement=SE3.from_translation(at),
            shapes=segment_look(i),
        )
    return b.build()


def from_rear(model: Model) -> bool:
    """Whether the rear grips: segment "s1" is the root."""
    return model.names[0] == "s1"


def free_end(model: Model) -> tuple[str, tuple[float, float, float]]:
    """Body and point of the end that does not grip."""
    return (f"s{model.nbodies}", (LENGTH, 0.0, 0.0)) if from_rear(model) else ("s1", (0.0, 0.0, 0.0))


def worm_points(model: Model, q) -> np.ndarray:
    """Joints from the gripping foot to the free end (..., segments + 1, 3) [m]."""
    poses = forward_kinematics(model, q)[..., [model.body_index(f"s{i + 1}") for i in range(model.nbodies)]]
    tip = poses[..., -1].apply(np.array([LENGTH, 0.0, 0.0]))
    points = np.concatenate([poses.xyz, tip[..., None, :]], axis=-2)
    return points if from_rear(model) else points[..., ::-1, :]


def worm_arc(segments: int, chord: float, heading: float) -> np.ndarray:
    """Coordinates of an arch over the ground with its ends `chord` [m] apart, the free end towards `heading` [rad]."""
    require(
        segments > 1 and 0.0 < chord < segments * LENGTH * (1.0 - 1e-9),
        f"a worm of {segments} segments, {segments * LENGTH:g} m long, cannot arch over this chord [m]; give `chords` "
        "below its length, or more segments",
        BadValue,
        chord=chord,
    )
    half: float = brentq(lambda x: np.sin(segments * x) / np.sin(x) - chord / LENGTH, 1e-6, np.pi / segments)  # type: ignore
    lean = (segments - 1) * half
    require(lean < STEEPEST, "the arch is too tight: its first segment stands upright; use a longer chord", chord=chord)
    q = np.zeros((segments, 2))
    q[:, 1] = 2.0 * half
    q[0] = heading, -lean
    return q.reshape(-1)


def regripped(model: Model, q: np.ndarray) -> tuple[Model, np.ndarray]:
    """The same worm in the same pose, gripping with its other end, rolled about itself as it is there."""
    end, at = free_end(model)
    pose = forward_kinematics(model, q)[model.body_index(end)]
    R = pose.as_matrix()[:3, :3]
    roll = np.arctan2(R[2, 1], R[2, 2])  # R = Rz Ry Rx: the foot turns about z and y, the roll stays
    offset = SE3.from_translation(at) @ SE3.exp([-roll, 0.0, 0.0, 0.0, 0.0, 0.0])
    other = model.rerooted(
        end, universal("z", "y"), placement=SE3.from_translation(pose.apply(np.array(at))), offset=offset
    )
    return other, rerooted_state(model, other, q).q


def landed(model: Model, q: np.ndarray, foot: np.ndarray, free: np.ndarray) -> tuple[Model, np.ndarray]:
    """After a step: grip with the end that came to `foot`, the other end, at `free`, let go; both exactly there."""
    model, q = regripped(model, q)
    root = model.bodies[0]
    model = model.rerooted(0, root.joint, placement=SE3.from_translation(foot), offset=root.offset)
    end = C.point(*free_end(model), name="end")
    return model, C.assembled(C.AnimationSpace(model, [end]), q, free, tolerance=1e-14)


@dataclass(frozen=True)
class Step:
    """One half of a cycle: the model with its gripping foot, the directed motion, and the free end's hold (closed)."""

    model: Model
    motion: C.Directed
    held: C.AnimationSpace | None
    points: np.ndarray  # (T, segments + 1, 3) from the gripping foot

    @property
    def torques(self) -> C.TorqueFunctions:
        """Torques to replay; on the ground the worm leans on its sliding end."""
        return C.torque_functions(self.motion, held=self.held)


def step_once(model: Model, q: np.ndarray, goal: np.ndarray, *, lifts: bool, duration: float, **options) -> Step:
    """Move the free end to `goal`: through the air if it `lifts` (open loop), else on the ground (closed loop).

    `options` go to `cd.control.direct`.
    """
    n = model.nbodies
    points = worm_points(model, q)
    foot, start = points[0], points[-1]
    end_shape = _arc_towards(model, foot, goal, q[0])
    shape = C.keyframes([0.0, duration], [q, end_shape])
    middle = f"s{n // 2 + 1}.second"
    at = model.q_index(middle)
    alpha = C.keyframes([0.0, duration], [q[at], end_shape[at]])
    bent = C.joint(middle, alpha, name="shape")  # φ − α(t): the report squares it, which loses its gradient
    space = C.AnimationSpace(model, [C.point(*free_end(model), name="end"), bent])
    way = _way(start, goal, lifts, duration)

    def wish(t, q):
        there, rate, _ = shape.motion(t)
        return rate + 20.0 * (there - q)

    how = C.Resolution(secondary=wish)
    motion = C.direct(space, q, {"end": way}, duration=duration, how=how, gain=20.0, **options)
    return Step(model, motion, None if lifts else _ground(model, start, goal), worm_points(model, motion.q))


def _way(start: np.ndarray, goal: np.ndarray, lifts: bool, duration: float) -> C.Keyframes:
    if not lifts:
        return C.keyframes([0.0, duration], [start, goal])
    middle = 0.5 * (start + goal)
    middle[2] = LIFT * np.linalg.norm(goal - start)
    return C.keyframes([0.0, 0.5 * duration, duration], [start, middle, goal])


def _arc_towards(model: Model, foot: np.ndarray, goal: np.ndarray, near: float) -> np.ndarray:
    """The arch from foot to goal; its heading is written as the angle next to `near`."""
    way = goal - foot if from_rear(model) else foot - goal  # segments point from rear to front
    heading = np.arctan2(way[1], way[0])
    heading += 2.0 * np.pi * np.round((near - heading) / (2.0 * np.pi))
    q = worm_arc(model.nbodies, float(np.linalg.norm(way)), float(heading))
    if not from_rear(model):
        q[1] = -q[1]  # seen from the front it leans the other way
    return q


def _ground(model: Model, start: np.ndarray, goal: np.ndarray) -> C.AnimationSpace:
    """The sliding end stays on the ground and on its line."""
    across = np.cross([0.0, 0.0, 1.0], goal - start)
    across /= max(np.linalg.norm(across), 1e-300)
    tip = free_end(model)
    side = C.function(lambda x: C.dot(x.point(*tip) - start, across), name="side")
    return C.AnimationSpace(model, [C.point(*tip, axes="z", name="height"), side])


def landing(rear: np.ndarray, goal: np.ndarray, chords, turns) -> np.ndarray:
    """Where to put the front: on the goal if a chord reaches it, else the landing nearest to it of all."""
    way = goal - rear
    if min(chords) <= np.linalg.norm(way) <= max(chords):
        return goal
    angles, lengths = np.meshgrid(np.arctan2(way[1], way[0]) + np.asarray(turns), chords, indexing="ij")
    places = rear + np.stack([lengths * np.cos(angles), lengths * np.sin(angles), 0.0 * angles], axis=-1).reshape(-1, 3)
    return places[np.argmin(np.linalg.norm(places - goal, axis=1))]


def crawl(
    segments: int = 10,
    *,
    goal=(0.2, 0.0, 0.0),
    cycles: int = 3,
    chords: tuple[float, float] = (0.034, 0.046),
    duration: float = 0.4,
    step: float = 0.01,
    integrator: str = "rk4",
) -> list[Step]:
    """Directed steps of a worm towards a `goal`: front forward (rear grips), then rear after it (front grips), …

    It stops with its front on the goal, after `cycles` at most. `chords` [m]: its ends' distance when arched and when
    stretched; each cycle advances by their difference.
    """
    short, long = chords
    goal = np.asarray(goal, dtype=float)
    model, q, steps = worm(segments), worm_arc(segments, short, 0.0), []
    how = {"duration": duration, "step": step, "integrator": integrator}
    for _ in range(cycles):
        rear = worm_points(model, q)[0]
        front = landing(rear, goal, np.linspace(short, long, 5), np.linspace(-0.4, 0.4, 9))
        if np.linalg.norm(worm_points(model, q)[-1] - front) < STILL:
            break  # it is there, or cannot come nearer
        steps.append(step_once(model, q, front, lifts=True, **how))
        model, q = landed(model, steps[-1].motion.q[-1], front, rear)
        back = front + short * (rear - front) / np.linalg.norm(rear - front)
        steps.append(step_once(model, q, back, lifts=False, **how))
        model, q = landed(model, steps[-1].motion.q[-1], back, front)
    return steps
