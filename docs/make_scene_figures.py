"""The figures of scenes in docs/figures: `python docs/make_scene_figures.py [name …]` from the root of the repository.

A scene knows its picture: a chart if it was directed, else moments side by side.
"""

from __future__ import annotations

import sys
from pathlib import Path

from condyle.gallery import SCENES
from condyle.gallery.skeletons.three_bodies import tumbling

FIGURES = Path(__file__).parent / "figures"
OTHER_NAMES = {"letters": "letters1", "letters-2": "letters2", "skeleton": "three_bodies"}
SKELETONS = ("skeleton", "humanoid", "ring", "tensegrity")
LEFT_OUT = ("arm", "beads-spinning", "hanging-chain")  # no page shows them
BESIDE = ("smoothing.png", "limits.png", "elastic-energy.png")  # what a page shows of a scene beside its picture


def figure(name: str) -> None:
    """Draw the scene of that name."""
    scene, called = SCENES[name](), OTHER_NAMES.get(name, name).replace("-", "_")
    run = scene.run(record=0.01) if scene.motion is None else scene.run()
    if name in SKELETONS:
        scene.draw(run, FIGURES / f"skeleton_{called}.png")
    elif f"{name}-chart.png" in scene.extras:
        prefix = "" if name == "leg" else "directing_"
        scene.extras[f"{name}-chart.png"](run, FIGURES / f"{prefix}{called}.png")
    else:
        scene.draw(run, FIGURES / f"{called}.png")
    for file in set(BESIDE) & set(scene.extras):
        scene.extras[file](run, FIGURES / file)


def main(*names: str) -> None:
    """Draw all, or those named."""
    for name in names or [name for name in SCENES if name not in LEFT_OUT]:
        figure(name)
    if not names:
        tumbling("variational", 10.0).report().figure(
            FIGURES / "skeleton_report.png", title="three bodies, 10 ms steps"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
