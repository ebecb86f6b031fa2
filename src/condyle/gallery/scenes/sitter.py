"""A person on a chair: shank, thigh and trunk in the sagittal plane, the hip held by the seat; rocking, three ways.

[ParkFussellBrowne1992, section 4.5 and figure 3]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ... import control as C
from ...control.ode_steppers import METHODS
from ...dynamics import constraint_forces, forward_dynamics, forward_kinematics, project
from ...joints import revolute
from ...model import Model, ModelBuilder
from ...model.constraints import point
from ...model.look.shapes import Shape, bone, ellipsoid, limb
from ...plots import Panel, curves
from ...simulation import Trajectory
from ...spatial import SE3
from ..chains import rod
from ..scene import Scene, directed_scene
from .chair import chair

LENGTHS, MASSES = (0.43, 0.44, 0.85), (7.0, 15.0, 50.0)  # shank, thigh, trunk of both sides [m, kg]
NAMES, JOINTS = ("shank", "thigh", "trunk"), ("ankle", "knee", "hip")
SITTING = np.array([1.55, 1.62, -1.5])  # ankle, knee, hip [rad]: shank up, thigh back, trunk up
HIP = ("thigh", (LENGTHS[1], 0.0, 0.0))
STIFF, DAMPED = 400.0, 60.0  # of the trunk's own control [N m/rad, N m s/rad]


def sitter(*, held: bool = False) -> Model:
    """Coordinates ankle, knee, hip [rad] of the shank, thigh and trunk; y is up. `held`: the engine pins the hip."""
    b, at, parent = ModelBuilder(gravity=(0.0, -9.81, 0.0)), 0.0, None
    for name, joint, length, mass in zip(NAMES, JOINTS, LENGTHS, MASSES, strict=True):
        place, look = SE3.from_translation((at, 0.0, 0.0)), _look(name, length)
        b.add_body(name, parent, revolute("z"), rod(mass, length), place, joint_name=joint, shapes=look)
        at, parent = length, name
    if held:
        b.add_constraint(point(*HIP, None, seat()))
    return b.build()


def _look(name: str, length: float) -> tuple[Shape, ...]:
    """Bones of both sides, with feet; the trunk is a spine with pelvis, rib cage and head. x is along the body."""
    if name == "trunk":
        eggs = ((0.03, (0.07, 0.07, 0.14)), (0.62 * length, (0.17, 0.10, 0.14)), (length + 0.06, (0.11, 0.085, 0.075)))
        spine = bone((0.0, 0.0, 0.0), (length - 0.05, 0.0, 0.0), 0.045)
        return (spine, *(ellipsoid(size, SE3.from_translation((x, 0.0, 0.0))) for x, size in eggs))
    legs = tuple(bone((0.0, 0.0, z), (length, 0.0, z), 0.048) for z in (-0.09, 0.09))
    feet = tuple(limb((-0.02, 0.04, z), (-0.04, -0.18, z), 0.03) for z in (-0.09, 0.09))
    return (*legs, *feet) if name == "shank" else legs


def seat() -> np.ndarray:
    """Where the hip is held [m]."""
    a, b = np.cumsum(SITTING[:2])
    reach = LENGTHS[0] * np.array([np.cos(a), np.sin(a)]) + LENGTHS[1] * np.array([np.cos(b), np.sin(b)])
    return np.array([*reach, 0.0])


def sitter_hip(model: Model, *, trunk: bool = False) -> C.AnimationSpace:
    """The hip's place less the seat's, zero when seated; with `trunk` its angle too: as many as there are freedoms."""
    hip = C.point(*HIP, axes="xy", name="seat").minus(seat()[:2])
    return C.AnimationSpace(model, [hip, C.joint("hip")] if trunk else [hip])


def rocking(duration: float = 2.0, step: float = 0.01) -> C.Directed:
    """Lean forward, back, and up again, in extended coordinates: the seat held, the trunk's angle led."""
    x = SITTING[2]
    lean = C.keyframes(duration * np.array([0.0, 0.35, 0.7, 1.0]), [x, x - 0.6, x + 0.3, x])
    return C.direct(sitter_hip(sitter(), trunk=True), SITTING, {"hip": lean}, duration=duration, step=step)


def chair_force(motion: C.Directed) -> np.ndarray:
    """Force of the chair on the hip (T, 2) [N] while ankle and knee are slack."""
    acceleration = np.zeros((len(motion.t), 3))
    acceleration[:, 2] = motion.a[:, 2]
    slack = motion.tau * [0.0, 0.0, 1.0]
    return C.reactions(motion.space, motion.q, motion.v, acceleration, slack, motion.t)[:, :2]


@dataclass(frozen=True)
class Seated:
    """A forward simulation of the rocking: its motion, and the chair's force (T, 2) [N] on the hip."""

    motion: Trajectory
    force: np.ndarray

    def slipped(self) -> float:
        """How far the hip left the seat [m]."""
        q = self.motion.q
        return float(np.abs(forward_kinematics(self.motion.model, q)[:, 2].xyz - seat()).max())


def sitting_table(rocked: C.Directed, ways: dict[str, Seated]) -> dict[str, str]:
    """What each forward simulation gave, beside the motion directed in extended coordinates."""
    force, rows = chair_force(rocked), {}
    for name, way in ways.items():
        trunk = np.abs(way.motion.q[:, 2] - rocked.q[:, 2]).max()
        off = np.sqrt(np.mean((way.force - force) ** 2))
        rows[name] = f"hip slips {way.slipped():.1e} m, trunk {trunk:.1e} rad off, chair's force {off:.1e} N off"
    return rows


def seated(rocked: C.Directed, stiffness: float | None = None, *, step: float = 2e-3) -> Seated:
    """Forward under the trunk's torque alone, ankle and knee slack: hard (the engine's), or soft springs [N/m].

    The trunk is led back to its path by its own spring and damper, alike for all.
    """
    chair = _Hard() if stiffness is None else _Soft(stiffness)
    torques = C.torque_functions(rocked)

    def muscle(t, q, v):
        tau = np.zeros_like(q)
        to_q, to_v = torques.at(t, "q")[2], torques.at(t, "v")[2]
        tau[:, 2] = torques.at(t)[2] + STIFF * (to_q - q[:, 2]) + DAMPED * (to_v - v[:, 2])
        return tau

    def rate(t, y):
        q, v = chair.placed(y[:, :3], y[:, 3:])
        return np.concatenate([v, chair.acceleration(q, v, muscle(t, q, v))], axis=1)

    y = np.concatenate([SITTING, np.zeros(3)])[None]
    nodes = METHODS["rk4"](
        rate, y, rocked.t, step, 0.0, lambda y, t: np.concatenate(chair.placed(y[:, :3], y[:, 3:]), 1)
    )
    y = np.concatenate([y, *nodes])
    q, v = y[:, :3], y[:, 3:]
    tau = np.concatenate([muscle(*state) for state in zip(rocked.t, q[:, None], v[:, None], strict=True)])
    return Seated(Trajectory(chair.model, rocked.t, q, v), chair.force(q, v, tau))


class _Hard:
    """The engine holds the hip, by multipliers, and takes out drift by projection."""

    def __init__(self) -> None:
        self.model = sitter(held=True)

    def placed(self, q, v):
        return project(self.model, q, v)

    def acceleration(self, q, v, tau):
        return forward_dynamics(self.model, q, v, tau)

    def force(self, q, v, tau):
        return constraint_forces(self.model, q, v, tau).forces[0].multipliers[:, :2]


class _Soft:
    """Stiff springs and dampers to the seat."""

    def __init__(self, stiffness: float) -> None:
        self.springs = sitter_hip(sitter())
        self.model = self.springs.model
        self.stiffness, self.damping = stiffness, 0.4 * np.sqrt(stiffness * sum(MASSES))

    def placed(self, q, v):
        return q, v

    def acceleration(self, q, v, tau):
        soft = C.soft_forces(self.springs, q, v, stiffness=self.stiffness, damping=self.damping)
        return forward_dynamics(self.model, q, v, tau + soft)

    def force(self, q, v, tau):
        return -self.stiffness * self.springs.value(q) - self.damping * self.springs.rate(q, v)


def sitting_scene() -> Scene:
    """A person rocks on a chair, and what each way to hold the hip gives."""
    rocked = rocking()
    ways = {"hard": seated(rocked)} | {f"soft, {k:.0e} N/m": seated(rocked, k) for k in (1e5, 1e6)}
    words = "\n".join(f"{name:18s} {row}" for name, row in sitting_table(rocked, ways).items())
    force = {"extended coordinates": chair_force(rocked)[:, 1]} | {name: w.force[:, 1] for name, w in ways.items()}
    panels = [Panel("the chair lifts the hip with [N]", curves(rocked.t, force), "t [s]")]
    seen = {"camera": (10.0, -60.0), "moments": (0.0, 0.7, 1.4)}
    x, y, _ = seat() - (0.0, 0.09, 0.0)
    return directed_scene("sitting", rocked.trajectory, words, panels, chair(x, y), **seen, width=2.9)


def accelerations_three_ways(motion: C.Directed, k: int) -> dict[str, np.ndarray]:
    """Accelerations [rad/s²] and chair force [N] at a record of a rocking, driven by the trunk's torque alone."""
    state = (motion.q[k], motion.v[k], motion.tau[k] * [0.0, 0.0, 1.0])
    held = sitter(held=True)
    force = constraint_forces(held, *state).forces[0].multipliers[:2]
    return {
        "hard, multipliers": np.concatenate([forward_dynamics(held, *state), force]),
        "hard, elimination": np.concatenate(C.partitioned_acceleration(sitter_hip(sitter()), *state)),
        "extended coordinates": np.concatenate(C.extended_acceleration(motion.space, "seat", *state)),
    }


def check() -> None:
    """The hip stays; hard and extended agree to 1e-10; soft springs come nearer as they stiffen."""
    motion = rocking()
    assert np.abs(motion.u[:, :2]).max() < 1e-9
    hard, *others = accelerations_three_ways(motion, 60).values()
    assert all(np.allclose(x, hard, rtol=0, atol=1e-10 * np.abs(hard).max()) for x in others)
    assert np.allclose(hard[:3], motion.a[60], atol=1e-6)
    assert np.allclose(hard[3:], chair_force(motion)[60], atol=1e-6)
    quick = rocking(0.8)
    firm, soft, softer = (seated(quick, k) for k in (None, 1e6, 1e5))
    assert firm.slipped() < 1e-9
    assert 5 * soft.slipped() < softer.slipped()
    apart = [np.abs(x.motion.q[:, 2] - firm.motion.q[:, 2]).max() for x in (soft, softer)]
    assert 5 * apart[0] < apart[1]
