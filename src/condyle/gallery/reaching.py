"""A chain of ten freedoms reaches for goals: freely, with its first segment fixed, out of reach, and yielding.

[ParkFussellBrowne1992, section 5.1]
"""

from __future__ import annotations

import numpy as np

from .. import control as C
from .chains import spatial_chain

__all__ = ["REACHES", "reach", "reach_space"]

START = np.tile([0.3, -0.35], 5)
FIXED = ("link1.first", "link1.second")
LENGTH = 0.3  # [m] of a segment
NEAR, FAR, BEHIND = (0.6, 0.5, 0.6), (1.2, 0.9, 0.9), (-0.9, 0.3, 0.35)
YIELDING = C.Resolution(priorities=[["tip"], list(FIXED)], damping=0.2)
# goal [m], whether the first segment is to stay, and how `direct` goes about it
REACHES = {
    "freely": (NEAR, False, {}),
    "first segment fixed": (NEAR, True, {}),
    "out of reach": (FAR, False, {"how": C.Resolution(damping=0.1), "duration": 6.0, "step": 0.04}),
    "yields to reach": (BEHIND, True, {"how": YIELDING, "duration": 7.0, "step": 0.04, "gain": 4.0}),
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
