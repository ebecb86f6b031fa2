"""A character of motion capture (BVH) directed by keyframes: its hands, where it looks, and its balance.

The skeleton comes from a BVH file, with a person's masses. y is up, z ahead, x left, as such files have it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from ... import control as C
from ...io.characters.character import read_character
from ...model import Model
from ...model.look.overlays import Line
from ...plots import Panel, curves
from ..scene import Scene, directed_scene

# joint, parent and offset [cm]; an end where None is the joint
BONES = (
    ("Hips", None, (0, 96, 0)),
    ("LeftUpLeg", "Hips", (9, -4, 0)), ("LeftLeg", "LeftUpLeg", (0, -43, 0)), ("LeftFoot", "LeftLeg", (0, -42, 0)),
    ("LeftToeBase", "LeftFoot", (0, -6, 13)), (None, "LeftToeBase", (0, 0, 6)),
    ("RightUpLeg", "Hips", (-9, -4, 0)), ("RightLeg", "RightUpLeg", (0, -43, 0)),
    ("RightFoot", "RightLeg", (0, -42, 0)), ("RightToeBase", "RightFoot", (0, -6, 13)),
    (None, "RightToeBase", (0, 0, 6)),
    ("Spine", "Hips", (0, 12, 0)), ("Spine1", "Spine", (0, 18, 0)),
    ("Neck", "Spine1", (0, 25, 0)), ("Head", "Neck", (0, 9, 1)), (None, "Head", (0, 20, 0)),
    ("LeftShoulder", "Spine1", (4, 20, 0)), ("LeftArm", "LeftShoulder", (14, 0, 0)),
    ("LeftForeArm", "LeftArm", (29, 0, 0)), ("LeftHand", "LeftForeArm", (26, 0, 0)), (None, "LeftHand", (17, 0, 0)),
    ("RightShoulder", "Spine1", (-4, 20, 0)), ("RightArm", "RightShoulder", (-14, 0, 0)),
    ("RightForeArm", "RightArm", (-29, 0, 0)), ("RightHand", "RightForeArm", (-26, 0, 0)),
    (None, "RightHand", (-17, 0, 0)),
)  # fmt: skip
SIDES = {"Left": 1.0, "Right": -1.0}
MASS = 70.0  # [kg]
EYES = (0.0, 0.09, 0.09)  # [m] in the head
WALL = 0.6  # [m] ahead: what is looked at is told as a place there
SOLE = [(x, -0.065, z) for x in (-0.04, 0.04) for z in (-0.06, 0.15)]
PALM = 0.08  # [m] from the wrist


def bvh() -> str:
    """The file: the skeleton and one frame of it."""
    children: dict[str | None, list[str]] = {}
    names = {}
    for k, (name, parent, offset) in enumerate(BONES):
        names[name or f"end{k}"] = (name, offset)
        children.setdefault(parent, []).append(name or f"end{k}")

    def block(key: str, deep: str) -> list[str]:
        name, offset = names[key]
        kind = "End Site" if name is None else ("JOINT" if deep else "ROOT") + f" {name}"
        places = "6 Xposition Yposition Zposition" if not deep else "3"
        channels = [] if name is None else [f"{deep}  CHANNELS {places} Zrotation Xrotation Yrotation"]
        inner = [line for child in children.get(name, []) for line in block(child, deep + "  ")] if name else []
        at = f"{deep}  OFFSET {' '.join(map(str, offset))}"
        return [f"{deep}{kind}", f"{deep}{{", at, *channels, *inner, f"{deep}}}"]

    joints = sum(name is not None for name, _, _ in BONES)
    frame = " ".join(["0 96 0", *["0 0 0"] * joints])
    return "\n".join(["HIERARCHY", *block("Hips", ""), "MOTION", "Frames: 2", "Frame Time: 0.02", frame, frame, ""])


def character() -> Model:
    """The model of the file: 21 joints with the file's channels as coordinates, a man of 70 kg."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "character.bvh"
        path.write_text(bvh())
        return read_character(path, unit="cm", mass=MASS).model


def stance(model: Model) -> np.ndarray:
    """Upright, knees a little bent, hands before the body."""
    q = model.neutral()
    q[model.q_index("Hips.Yposition")] = 0.96 - 0.85 * (1.0 - np.cos(0.25))
    for side, sign in SIDES.items():
        turns = {f"{side}Arm.Zrotation": -1.2 * sign, f"{side}ForeArm.Yrotation": -1.5 * sign,
                 f"{side}UpLeg.Xrotation": -0.25, f"{side}Leg.Xrotation": 0.5,
                 f"{side}Foot.Xrotation": -0.25}  # fmt: skip
        for name, angle in turns.items():
            q[model.q_index(name)] = angle
    return q


def _looked_at(x: C.Posture) -> C.Jet:
    """Where the line of sight meets the wall: x and y [m]."""
    eye, way = x.point("Head", EYES), x.direction("Head", (0.0, 0.0, 1.0))
    return eye[..., :2] + way[..., :2] * ((WALL - eye[..., 2:]) / way[..., 2:])


def directed_space(model: Model) -> C.AnimationSpace:
    """Feet, balance, hands and gaze; after them every joint, to stay where it can."""
    feet = [
        c for s in SIDES for c in (C.point(f"{s}Foot", name=f"foot {s}"), C.orientation(f"{s}Foot", name=f"sole {s}"))
    ]
    hands = [C.point(f"{s}Hand", (PALM * SIDES[s], 0.0, 0.0), name=f"hand {s}") for s in SIDES]
    gaze = C.function(_looked_at, size=2, name="gaze")
    balance, posture = (
        C.center_of_mass(axes="xz", name="balance"),
        C.function(lambda x: x.q, size=model.nq, name="posture"),
    )
    return C.AnimationSpace(model, [*feet, balance, *hands, gaze, posture], redundant=True)


SHELF, MIDDLE, TABLE = np.array([-0.35, 1.65, 0.42]), np.array([0.0, 1.15, 0.38]), np.array([0.4, 0.95, 0.36])
TIMES = [0.0, 1.2, 1.6, 2.8, 3.2, 4.4, 5.0]


def keys(space: C.AnimationSpace, q: np.ndarray) -> dict[str, C.Keyframes]:
    """The right hand fetches from a shelf, the left takes over and puts down on a table; the eyes are there first."""
    at = {name: space.value(q)[space.rows(name)] for name in ("hand Left", "hand Right", "balance", "gaze")}
    left, right, level, look = (at[name] for name in ("hand Left", "hand Right", "balance", "gaze"))
    give, take = MIDDLE - (0.06, 0.0, 0.0), MIDDLE + (0.06, 0.0, 0.0)
    toward = lambda x: 1.1 * x[:2]  # noqa: E731  # of a thing before the wall
    goals = {
        "hand Right": [right, SHELF, SHELF, give, give, right, right],
        "hand Left": [left, left, left, take, take, TABLE, TABLE],
        "gaze": [look, toward(SHELF), toward(SHELF), toward(MIDDLE), toward(MIDDLE), toward(TABLE), toward(TABLE)],
        "balance": [level, level + (-0.03, 0.02), level + (-0.03, 0.02), level, level, level + (0.03, 0.0),
                    level + (0.03, 0.0)],
    }  # fmt: skip
    return {name: C.keyframes(TIMES, np.array(x), np.zeros_like(x)) for name, x in goals.items()}


def directed_character(*, step: float = 0.01) -> C.Directed:
    """Five seconds by keyframes, in steps of Adams and Bashforth."""
    model = character()
    space, q = directed_space(model), stance(model)
    led = [c.name for c in space.coordinates if c.name != "posture"]
    trunk = [model.q_index(name) for name in model.coordinates if name.startswith(("Hips", "Spine", "Neck"))]
    stiff = {f"posture.{k}": 20.0 for k in trunk}
    how = C.Resolution(priorities=[led, ["posture"]], row_weights=stiff, conflicts="ignore")
    return C.direct(space, q, keys(space, q), duration=TIMES[-1], step=step, how=how, integrator="adams")


def carried(motion: C.Directed) -> C.CarryingForces:
    """What the feet have to give: no motor drives the hips."""
    model = motion.space.model
    soles = [C.contact(f"{side}Foot", SOLE) for side in SIDES]
    drives = [name for name in model.coordinates if not name.startswith("Hips.")]
    return C.carrying_forces(model, motion.q, motion.v, motion.a, soles, t=motion.t, actuated=drives)


def off_goals(motion: C.Directed) -> float:
    """How far from its goal anything but the posture was [m, rad]."""
    return float(np.nanmax(np.abs(motion.error[:, : motion.space.rows("posture")[0]])))


def character_scene() -> Scene:
    """The character from ahead, and what is led."""
    motion = directed_character()
    space, forces = motion.space, carried(motion)
    words = (
        f"at most {off_goals(motion):.1e} m or rad off its keys; the feet carry it: "
        f"{forces.residual.max():.1e} N are missing of {9.81 * MASS:.0f} N"
    )
    hands = {s: motion.u[:, space.rows(f"hand {s}")] for s in SIDES}
    panels = [
        Panel("heights [m]", curves(motion.t, {f"{s.lower()} hand": x[:, 1] for s, x in hands.items()}
                                | {"looks at": motion.u[:, space.rows("gaze")[1]]}), "t [s]"),
    ]  # fmt: skip
    drawn, seen = [Line(None, x) for x in hands.values()], {"camera": (8.0, 60.0), "moments": (0.0, 1.4, 3.0, 5.0)}
    return directed_scene("character", motion.trajectory, words, panels, drawn, **seen, width=2.9)


def check() -> None:
    """Keys are met, feet stay, eyes are on their places, and feet can carry the motion."""
    motion = directed_character()
    assert off_goals(motion) < 1e-5
    assert carried(motion).residual.max() < 1e-6
