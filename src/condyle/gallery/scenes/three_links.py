"""Three links whose end goes straight while one joint is held: a worked example with its closed forms, corrected.

[ParkFussellBrowne1992, section 4.3]
"""

from __future__ import annotations

import numpy as np

from ... import control as C
from ...model.look.overlays import Line
from ...plots import Panel, curves
from ..chains import planar_chain
from ..scene import Scene, directed_scene

PHI, RATE = np.array([0.4, 0.7, 0.5]), np.array([1.0, 10.0, 0.0])


def three_links(duration: float = 1.0, *, step: float = 0.01) -> C.Directed:
    """The end goes diagonally at 0.5 m/s, joint 3 is held by (φ3 − 0.5)², whose base is φ3 − 0.5."""
    end = C.point("link3", (1.0, 0.0, 0.0), axes="xy", name="end")
    held = C.function(lambda x: (x["link3"] - PHI[2]) ** 2, name="held")
    space = C.AnimationSpace(planar_chain(), [end, held])
    start, speed = space.value(PHI)[:2], np.array([-0.5, 0.5]) / np.sqrt(2)
    return C.direct(space, PHI, {"end": lambda t: start + speed * t}, duration=duration, step=step)


def three_links_scene() -> Scene:
    """The motion and the torques that cause it."""
    motion = three_links()
    words = f"the end is at most {np.abs(motion.error).max():.1e} m off its line; joint 3 is held by (φ3 − 0.5)²"
    model, target = motion.space.model, motion.target[:, :2]
    torques = curves(motion.t, dict(zip(model.coordinates, motion.tau.T, strict=True)))
    panels = [Panel("torques that cause it [N m]", torques, "t [s]")]
    line = Line(None, np.column_stack([target, np.zeros(len(motion.t))]))
    return directed_scene("three-links", motion.trajectory, words, panels, (line,), width=3.2)


def accelerations_by_hand() -> np.ndarray:
    """Joint accelerations for φ' = (1, 10, 0) and u'' = (1, 1, 0) [rad/s²]."""
    (_, p2, p3), a = PHI, np.cumsum(PHI)
    s, c = np.sin(a), np.cos(a)
    half, far = np.cos(p3 / 2), np.cos(p2 + p3 / 2)
    below = half * np.sin(p2 + p3 / 2)
    first = (121 + 121 * np.cos(p3) + half * far + (c[1] + c[2] + s[1] + s[2]) / 2) / below
    second = -(243 + 242 * np.cos(p3) + 244 * half * far + c.sum() + s.sum()) / (2 * below)
    return np.array([first, second, 0.0])


def accelerations() -> np.ndarray:
    """The same from the animation space; the square φ3² is held by its base φ3."""
    square = C.function(lambda x: x["link3"] ** 2, name="still")
    space = C.AnimationSpace(planar_chain(), [C.point("link3", (1, 0, 0), axes="xy", name="end"), square])
    return C.resolve_acceleration(space, PHI, RATE, [1.0, 1.0, 0.0]).motion


def check() -> None:
    """Both agree to 1e-12 of their size; the directed end keeps to its line and the joint to its angle."""
    assert np.allclose(accelerations(), accelerations_by_hand(), rtol=1e-12, atol=1e-10)
    motion = three_links(step=1e-3)
    assert np.abs(motion.error).max() < 1e-6
    assert np.abs(motion.q[:, 2] - PHI[2]).max() < 1e-9
