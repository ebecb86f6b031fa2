"""A chain of letters
==================

The word SIGGRAPH as a chain of letters that slide on each other: on one outline, then on both.

Draws demo/letters1.png and demo/letters2.png, and says where letters that are not neighbours run into each other,
which nothing in the model prevents.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import letters
from condyle.gallery.letters import letter_curve, rim_points, touching
from condyle.gallery.picture import draw


def inside(points: np.ndarray, convex: np.ndarray) -> bool:
    """Whether any of the points (n, 2) is inside a convex counterclockwise outline (m, 2) by more than 1e-9 m²."""
    a, b = convex[:-1], convex[1:]
    edge, toward = b - a, points[:, None] - a
    return bool(np.any(np.all(edge[:, 0] * toward[..., 1] - edge[:, 1] * toward[..., 0] > 1e-9, axis=1)))


def crossings(trajectory: cd.Trajectory, record: int) -> list[tuple[str, str]]:
    """Pairs of letters whose rims overlap in a record."""
    names = trajectory.model.names
    poses = trajectory.poses()[record]
    outlines = [poses[k].apply(rim_points(name[1]))[:, [0, 2]] for k, name in enumerate(names)]
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if i != j]
    return [(names[i], names[j]) for i, j in pairs if inside(outlines[i], outlines[j])]


def main(folder: str = "demo") -> None:
    """Let both chains fall, draw them, and report."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    for kind in (1, 2):
        scene = letters(kind)
        trajectory = scene.run(step=2.5e-4, record=0.01)
        kept = np.ptp(trajectory.energy().total)
        print(f"{scene.name}: {scene.model}; energy kept to {kept:.1e} J in {scene.duration:g} s")
        draw(scene, trajectory, out / f"letters{kind}.png", flat=(0, 2), moments=2, size=6.0)
    first = next((k for k in range(len(trajectory.t)) if crossings(trajectory, k)), None)
    said = "never" if first is None else f"first at t = {trajectory.t[first]:.2f} s: {crossings(trajectory, first)}"
    print(f"letters 2: rims cross away from their contacts {said}")
    print(cd.joints.check(touching(letter_curve("S"), letter_curve("G")), name="plain outlines of S and G"))
    print(f"Open {out / 'letters1.png'} and {out / 'letters2.png'}.")


def check() -> None:
    """Energy stays, neighbours do not cross, and two plain outlines are found to lose rank."""
    scene = letters(2)
    trajectory = scene.run(0.5, record=0.05)
    assert np.ptp(trajectory.energy().total) < 1e-3
    neighbours = {(a, b) for a, b in zip(scene.model.names, scene.model.names[1:], strict=False)}
    found = {tuple(sorted(pair)) for k in range(len(trajectory.t)) for pair in crossings(trajectory, k)}
    assert not neighbours & found
    assert not cd.joints.check(touching(letter_curve("S"), letter_curve("G"))).ok


if __name__ == "__main__":
    main(*sys.argv[1:])
