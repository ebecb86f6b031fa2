"""A chain of ten freedoms reaches for goals: freely, with its first segment fixed, out of reach, and yielding.

[ParkFussellBrowne1992, section 5.1]
"""

from __future__ import annotations

import numpy as np

from ... import control as C
from ...model.look.overlays import Line
from ...plots import Panel, curves
from ..chains import spatial_chain
from ..scene import Scene, cross, directed_scene

START = np.tile([0.3, -0.35], 5)
FIXED = ("link1.first", "link1.second")
LENGTH = 0.3  # [m] of a segment
NEAR, FAR, BEHIND = (0.6, 0.5, 0.6), (1.2, 0.9, 0.9), (-0.9, 0.3, 0.35)
REACH = 5 * LENGTH
YIELDING = C.Resolution(priorities=[["tip"], list(FIXED)])
# goal [m], whether the first segment is to stay, and how `direct` goes about it
REACHES = {
    "freely": (NEAR, False, {}),
    "first segment fixed": (NEAR, True, {}),
    "out of reach": (FAR, False, {"how": C.Resolution(damping=0.4), "duration": 6.0, "step": 0.02}),
    "yields to reach": (BEHIND, True, {"how": YIELDING, "duration": 4.0, "gain": 4.0}),
}


def reach_space(fixed: bool) -> C.AnimationSpace:
    """The tip of the chain, and its first segment's joints if that is to be fixed."""
    tip = C.point("link5", (LENGTH, 0.0, 0.0), name="tip")
    kept = [C.joint(name) for name in FIXED] if fixed else []
    return C.AnimationSpace(spatial_chain(5, LENGTH), [tip, *kept])


def reach(kind: str = "freely", **options) -> C.Directed:
    """One of `REACHES`: two seconds towards its goal along a smooth path, then stay; `options` go to `direct`."""
    goal, fixed, how = REACHES[kind]
    space = reach_space(fixed)
    path = C.keyframes([0.0, 2.0], [space.value(START)[:3], goal])
    return C.direct(space, START, {"tip": path}, **{"duration": 2.0, "step": 0.02, **how, **options})


def reaching_scene(name: str, kind: str) -> Scene:
    """One of the four ways to reach, and how far its tip is from its goal."""
    motion = reach(kind)
    off = np.linalg.norm(motion.target[-1, :3] - motion.u[:, :3], axis=1)
    moved = np.abs(motion.q[:, :2] - motion.q[0, :2]).max(axis=1)
    missed = np.linalg.norm(motion.error[-1, :3])
    words = f"{kind}: the tip ends {missed:.2e} m from its goal; the first segment moved {moved.max():.2e} rad"
    rows = curves(motion.t, {"tip to its goal [m]": off, "first segment moved [rad]": moved})
    panels = [Panel("on the way", rows, "t [s]")]
    drawn = (Line(None, motion.target[:, :3]), *cross(motion.target[-1, :3], 0.06))
    return directed_scene(name, motion.trajectory, words, panels, drawn, width=3.2)


def check() -> None:
    """Goals are met; fixed joints stay; out of reach ends at distance less reach; priorities reach and yield."""
    free, fixed, far, yields = (reach(kind) for kind in REACHES)
    assert np.abs(free.error).max() < 1e-4 and np.abs(free.error[-1]).max() < 1e-6
    assert np.abs(fixed.error[-1]).max() < 1e-6 and np.abs(fixed.q[:, :2] - fixed.q[0, :2]).max() < 1e-9
    assert abs(np.linalg.norm(far.error[-1]) - (np.linalg.norm(FAR) - REACH)) < 1e-6
    assert np.linalg.norm(yields.error[-1, :3]) < 1e-4
    assert np.abs(yields.q[-1, :2] - yields.q[0, :2]).max() > 0.01
