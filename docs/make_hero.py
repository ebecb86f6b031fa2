"""The animation at the top of the README: `python docs/make_hero.py` from the root of the repository.

On the left the swinging leg, on the right its knee from near by, with the surface that the tibia's plateau sweeps.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from condyle.gallery import SCENES
from condyle.view import Frames, Sheet
from condyle.view.files.rendering import Renderer
from condyle.view.files.still_pictures import animated
from condyle.view.render_scene import Stage, stage_of
from condyle.view.setting import Setting, Shot, setting_of

LEFT, RIGHT = (300, 380), (420, 380)  # pixels
RATE = 20.0  # pictures a second
HALF = 0.055  # [m] of the knee that is seen around its middle


def swept(run) -> tuple[Sheet, Frames]:
    """The surface that a line across the plateau sweeps in the femur, and where the joint's frame is now."""
    angles, across = np.linspace(-1.6, 0.1, 41), np.linspace(-0.05, 0.05, 9)
    poses = run.model.bodies[1].joint.pose(angles)
    line = np.stack([0.0 * across, 0.0 * across, across], axis=1)
    grid = np.stack([pose.apply(line) for pose in poses])
    return Sheet("thigh", grid, (0.20, 0.50, 0.85), 0.75), Frames("shank", np.eye(4)[None], 0.06)


def near_knee(stage: Stage) -> Setting:
    """A camera beside the knee that goes along with it."""
    shot = setting_of(stage, Shot((24.0, -62.0), "shank"))
    corners = HALF * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return replace(shot, outline=corners + (0.0, -0.004, 0.0))


def main(path: Path = Path(__file__).parent / "figures" / "hero.gif") -> None:
    """Draw it."""
    scene = SCENES["leg"]()
    run = scene.run(1.6, record=1.0 / 60.0)
    whole = stage_of(run, drawn=())
    close = stage_of(run, drawn=swept(run))
    left = Renderer(whole, setting_of(whole, Shot((8.0, -66.0))), LEFT)
    right = Renderer(close, near_knee(close), RIGHT)
    pictures = [np.concatenate([left.picture(k), right.picture(k)], axis=1) for k in whole.moments(RATE).tolist()]
    path.write_bytes(animated([Image.fromarray(x) for x in pictures], RATE))


if __name__ == "__main__":
    main()
