"""A person on two legs with two arms whom nothing holds: sits down, stands up, lifts a barbell, takes steps.

The pelvis is free and no motor drives it; feet and seat push, and only push. x is ahead, y left, z up.
"""

from __future__ import annotations

import numpy as np

from ... import control as C
from ...joints import Joint, ball, compose, free, revolute
from ...model import Model, ModelBuilder
from ...model.constraints import point
from ...model.look.shapes import Shape, limb, sphere
from ...plots import Panel, curves
from ...spatial import SE3, Inertia
from ..scene import Scene, directed_scene
from .chair import chair

HIP, SHOULDER = 0.09, 0.18  # [m] from the middle
THIGH, SHANK, ANKLE = 0.43, 0.43, 0.08  # [m]
TRUNK, ARM, FOREARM = 0.45, 0.30, 0.33  # [m]
SOLE = [(x, y, -ANKLE) for x in (-0.05, 0.17) for y in (-0.04, 0.04)]
BUTTOCKS = [(x, y, -0.1) for x in (-0.08, 0.08) for y in (-0.12, 0.12)]
BAR = 20.0  # [kg]
SIDES = {"l": 1.0, "r": -1.0}


def _rod(mass: float, length: float, radius: float) -> Inertia:
    """A bone down from its joint."""
    across, along = mass * length**2 / 12.0, 0.5 * mass * radius**2
    return Inertia(mass, (0.0, 0.0, -0.5 * length), np.diag([across + 0.5 * along, across + 0.5 * along, along]))


def _socket() -> Joint:
    return compose(revolute("y", name="flexion"), revolute("x", name="abduction"), revolute("z", name="turn"))


def _bone(length: float, radius: float) -> tuple[Shape, ...]:
    return (limb((0.0, 0.0, 0.0), (0.0, 0.0, -length), radius),)


def person(*, barbell: bool = False) -> Model:
    """A free pelvis, trunk, head, arms with shoulders and elbows, legs with hips, knees and ankles: 31 freedoms.

    With `barbell` a bar turns freely in the right hand and is tied to the left one by a loop.
    """
    b, at = ModelBuilder(), lambda *x: SE3.from_translation(x)
    b.add_body("pelvis", None, free(), Inertia.box(10.0, (0.2, 0.3, 0.2)), joint_name="root",
               shapes=(limb((0.0, -HIP, 0.0), (0.0, HIP, 0.0), 0.09),))  # fmt: skip
    chest = Inertia.box(24.0, (0.2, 0.32, TRUNK), com=(0.0, 0.0, 0.5 * TRUNK))
    up = (limb((0.0, 0.0, 0.05), (0.0, 0.0, TRUNK), 0.11), limb((0.0, -SHOULDER, TRUNK), (0.0, SHOULDER, TRUNK), 0.06))
    b.add_body("trunk", "pelvis", _socket(), chest, at(0.0, 0.0, 0.05), joint_name="back", shapes=up)
    nod = compose(revolute("z", name="turn"), revolute("y", name="nod"))
    skull = Inertia.sphere(5.0, 0.1, com=(0.0, 0.0, 0.18))
    b.add_body("head", "trunk", nod, skull, at(0.0, 0.0, TRUNK), joint_name="neck",
               shapes=(sphere(0.11, at(0.0, 0.0, 0.18)), limb((0.09, 0.0, 0.17), (0.14, 0.0, 0.16), 0.02)))  # fmt: skip
    for side, y in SIDES.items():
        _add_arm(b, side, y)
        _add_leg(b, side, y)
    if barbell:
        _add_bar(b)
    return b.build()


def _add_arm(b: ModelBuilder, side: str, y: float) -> None:
    at = lambda *x: SE3.from_translation(x)  # noqa: E731
    b.add_body(f"arm_{side}", "trunk", _socket(), _rod(2.0, ARM, 0.05), at(0.0, y * SHOULDER, TRUNK),
               joint_name=f"shoulder_{side}", shapes=_bone(ARM, 0.04))  # fmt: skip
    b.add_body(f"forearm_{side}", f"arm_{side}", revolute("y"), _rod(1.6, FOREARM, 0.04), at(0.0, 0.0, -ARM),
               joint_name=f"elbow_{side}", shapes=_bone(FOREARM, 0.032))  # fmt: skip
    b.set_range(f"elbow_{side}", -2.6, 0.0)


def _add_leg(b: ModelBuilder, side: str, y: float) -> None:
    at = lambda *x: SE3.from_translation(x)  # noqa: E731
    b.add_body(f"thigh_{side}", "pelvis", _socket(), _rod(7.5, THIGH, 0.07), at(0.0, y * HIP, 0.0),
               joint_name=f"hip_{side}", shapes=_bone(THIGH, 0.06))  # fmt: skip
    b.add_body(f"shank_{side}", f"thigh_{side}", revolute("y"), _rod(3.3, SHANK, 0.05), at(0.0, 0.0, -THIGH),
               joint_name=f"knee_{side}", shapes=_bone(SHANK, 0.045))  # fmt: skip
    b.set_range(f"knee_{side}", 0.0, 2.6)
    foot = Inertia.box(1.0, (0.22, 0.08, 0.06), com=(0.06, 0.0, -0.05))
    turns = compose(revolute("y", name="flexion"), revolute("x", name="abduction"))
    b.add_body(f"foot_{side}", f"shank_{side}", turns, foot, at(0.0, 0.0, -SHANK), joint_name=f"ankle_{side}",
               shapes=(limb((-0.04, 0.0, -0.05), (0.16, 0.0, -0.05), 0.03),))  # fmt: skip


def _add_bar(b: ModelBuilder) -> None:
    """A bar along y, gripped where the hands are when the arms hang."""
    grip, middle = SE3.from_translation((0.0, 0.0, -FOREARM)), SE3.from_translation((0.0, -SHOULDER, 0.0))
    ends = [limb((0.0, y, 0.0), (0.0, 1.15 * y, 0.0), 0.16, (0.2, 0.2, 0.2)) for y in (-0.5, 0.5)]
    bar = Inertia.box(BAR, (0.2, 1.2, 0.2))
    look = (limb((0.0, -0.6, 0.0), (0.0, 0.6, 0.0), 0.014, (0.5, 0.5, 0.55)), *ends)
    b.add_body("bar", "forearm_r", ball(), bar, grip, middle, joint_name="grip", shapes=look)
    b.add_constraint(point("forearm_l", (0.0, 0.0, -FOREARM), "bar", (0.0, SHOULDER, 0.0)))


def stance(model: Model, bend: float = 0.3, elbows: float = -0.3) -> np.ndarray:
    """Feet flat side by side, ankles under the hips, knees bent [rad]; the forearms turned by `elbows`."""
    q = model.neutral()
    q[model.q_index("root") + 6] = ANKLE + (THIGH + SHANK) * np.cos(0.5 * bend)
    for side in SIDES:
        for name, x in ((f"hip_{side}.flexion", -0.5), (f"knee_{side}", 1.0), (f"ankle_{side}.flexion", -0.5)):
            q[model.q_index(name)] = x * bend
        q[model.q_index(f"elbow_{side}")] = elbows
    if "grip" in model.coordinates:
        half = 0.5 * -elbows  # the bar stays as it was while the forearm turns
        q[model.q_index("grip") : model.q_index("grip") + 4] = np.cos(half), 0.0, np.sin(half), 0.0
    return q


def driven(model: Model) -> list[str]:
    """What has motors: neither the pelvis nor the grip of a bar."""
    return [name for name in model.coordinates if name not in ("root", "grip")]


def whole_body(model: Model, *led: C.Coordinate) -> C.AnimationSpace:
    """Feet, balance and what is led; after them the trunk's turn and then every joint, to stay where they can."""
    feet = [
        c
        for side in SIDES
        for c in (C.point(f"foot_{side}", name=f"foot_{side}"), C.orientation(f"foot_{side}", name=f"sole_{side}"))
    ]
    columns = [model.q_index(name) for name in driven(model)]
    kept = C.function(lambda x: x.q[:, columns], size=len(columns), name="posture")
    balance, trunk = C.center_of_mass(axes="xy", name="balance"), C.orientation("trunk", name="trunk")
    return C.AnimationSpace(model, [*feet, balance, *led, trunk, kept], redundant=True)


YIELD = ("trunk", "posture")  # coordinates that follow where what is led leaves it open


def carried(space: C.AnimationSpace, q: np.ndarray, goals, contacts, duration: float, **options) -> C.CarriedMotion:
    """The motion of a person: what is led first, then trunk and joints, the trunk with more weight."""
    led = [c.name for c in space.coordinates if c.name not in YIELD]
    how = C.Resolution(priorities=[led, YIELD], row_weights={"trunk": 10.0})
    return C.direct_carried(space, q, goals, contacts=contacts, duration=duration, how=how,
                            actuated=driven(space.model), record=0.02, **options)  # fmt: skip


def soles(during: dict[str, list[tuple[float, float]]] | None = None) -> list[C.Contact]:
    """Contacts of both feet, always or as told."""
    return [C.contact(f"foot_{s}", SOLE, during=None if during is None else during[s]) for s in SIDES]


def _rests(*keys: tuple[float, object]) -> C.Keyframes:
    """Through (time, value), at rest at each."""
    times, values = zip(*keys, strict=True)
    x = np.array([np.broadcast_to(value, np.shape(values[0])) for value in values], dtype=float)
    return C.keyframes(times, x, np.zeros_like(x))


def walk(*, step: float = 0.01) -> C.CarriedMotion:
    """Three steps: weight over one foot, the other swings 0.3 m, then both; 0.6 m in eight seconds."""
    model = person()
    space = whole_body(model, C.point("pelvis", axes="z", name="height"), C.orientation("pelvis", name="upright"))
    q = stance(model, 0.95)  # knees that stay bent: at the end of its range a joint stops with a jerk
    start = space.value(q)
    left, right, level = (start[space.rows(name)] for name in ("foot_l", "foot_r", "balance"))
    first, second, third = (0.05, 0.085), (0.35, -0.085), (0.65, 0.085)
    balance = _rests((0.0, level), (1.2, first), (2.0, first), (3.4, second), (4.2, second), (5.6, third), (6.4, third),
                     (7.6, (0.63, 0.0)))  # fmt: skip
    goals = {
        "balance": balance,
        "foot_r": _swung(right, (1.2, 2.0, 0.3), (5.6, 6.4, 0.3)),
        "foot_l": _swung(left, (3.4, 4.2, 0.6)),
    }
    stands = {"r": [(0.0, 1.2), (2.0, 5.6), (6.4, 99.0)], "l": [(0.0, 3.4), (4.2, 99.0)]}
    return carried(space, q, goals, soles(stands), 7.6, step=step)


def _swung(at: np.ndarray, *swings: tuple[float, float, float]) -> C.Keyframes:
    """A foot that swings ahead, (from, until, by) [s, s, m] each, 6 cm over the ground."""
    times, values, speeds = [0.0], [at], [np.zeros(3)]
    for begin, end, by in swings:
        to = values[-1] + (by, 0.0, 0.0)
        over, fast = 0.5 * (values[-1] + to) + (0.0, 0.0, 0.06), np.array([1.5 * by / (end - begin), 0.0, 0.0])
        times += [begin, 0.5 * (begin + end), end]
        speeds += [np.zeros(3), fast, np.zeros(3)]
        values += [values[-1], over, to]
    return C.keyframes(times, np.array(values), np.array(speeds))


SEAT = 0.45  # [m] over the ground
BACK = -0.22  # [m] of the seated pelvis from the ankles


def sit_and_stand(*, step: float = 0.02) -> C.CarriedMotion:
    """Sit down within two seconds, lean back, lean forward again, stand up."""
    model = person()
    hip, upright = C.point("pelvis", name="pelvis"), C.orientation("pelvis", name="upright")
    space, q = whole_body(model, hip, upright), stance(model, 0.4)
    start = space.value(q)
    here, level = start[space.rows("pelvis")], start[space.rows("balance")]
    seat, over, behind = np.array([BACK, 0.0, SEAT + 0.1]), (0.0, 0.0), (-0.1, 0.0)
    goals = {
        "pelvis": _rests((0.0, here), (2.0, seat), (4.4, seat), (6.4, here)),
        "balance": _rests((0.0, level), (1.0, over), (2.0, over), (3.0, behind), (3.4, behind), (4.4, over),
                          (5.4, over), (6.4, level)),
    }  # fmt: skip
    seated = C.contact("pelvis", BUTTOCKS, during=[(2.0, 4.4)], name="seat")
    return carried(space, q, goals, [*soles(), seated], 6.4, step=step)


def lift(*, step: float = 0.01) -> C.CarriedMotion:
    """Lift a barbell with both hands from hanging arms over the head, and let it down to the chest."""
    model = person(barbell=True)
    bar = C.point("bar", name="bar")
    space = whole_body(model, bar, C.point("pelvis", axes="z", name="height"), C.orientation("pelvis", name="upright"))
    q = stance(model, 0.4, elbows=-0.6)
    here = space.value(q)[space.rows("bar")]
    level = space.value(q)[space.rows("balance")]
    goals = {
        "bar": _rests((0.0, here), (1.2, (0.36, 0.0, 1.2)), (2.6, (0.12, 0.0, 1.85)), (3.0, (0.12, 0.0, 1.85)),
                      (4.0, (0.30, 0.0, 1.3))),
        "balance": _rests((0.0, level), (0.6, (0.05, 0.0))),
    }  # fmt: skip
    return carried(space, q, goals, soles(), 4.0, step=step)


def off_goals(motion: C.CarriedMotion) -> float:
    """How far from its goal anything that is led was [m, rad]."""
    led = np.setdiff1d(np.arange(motion.space.size), motion.space.rows(YIELD))
    return float(np.abs(motion.error[:, led]).max())


MOTIONS = {"sits": sit_and_stand, "lifts": lift, "walks": walk}
SHOWN = {"sits": (0.0, 2.0, 3.2, 5.0), "lifts": (0.0, 1.2, 2.8, 4.0), "walks": 4}  # moments of the picture [s]


def person_scene(name: str, kind: str) -> Scene:
    """A motion of a person from the side, and what carries it."""
    motion = MOTIONS[kind]()
    words = (
        f"at most {off_goals(motion):.1e} m or rad off what is led; force on the pelvis "
        f"{motion.residual.max():.1e} N; friction at most {100.0 * motion.friction_used.max():.0f} % of what there is"
    )
    panels = [Panel("what carries the person [N]", curves(motion.t, _pushes(motion)), "t [s]")]
    drawn, seen = chair(BACK, SEAT, "z") if kind == "sits" else (), {"camera": (8.0, -65.0), "moments": SHOWN[kind]}
    return directed_scene(name, motion.trajectory, words, panels, drawn, **seen, width=2.9)


def _pushes(motion: C.CarriedMotion) -> dict[str, np.ndarray]:
    """Force up of each contact [N]."""
    ends = np.cumsum([0, *(len(x.points) for x in motion.contacts)])
    return {x.name: motion.forces[:, a:b, 2].sum(axis=1)
            for x, a, b in zip(motion.contacts, ends, ends[1:], strict=False)}  # fmt: skip


def check() -> None:
    """It sits down and rises by its own torques: 1e-6 m off its goals, no force on the pelvis, feet and seat push."""
    motion = sit_and_stand()
    assert off_goals(motion) < 1e-6
    assert motion.residual.max() < 1e-8
    assert motion.friction_used.max() < 1.0 + 1e-9
    assert motion.forces[..., 2].min() > -1e-8
    assert not motion.conflicts
    seat = _pushes(motion)["seat"]
    assert seat.max() > 200.0
    assert seat[(motion.t < 1.99) | (motion.t > 4.4)].max() == 0.0
