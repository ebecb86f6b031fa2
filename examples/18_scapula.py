"""A shoulder blade on the ribs
============================

A synthetic shoulder blade that glides on the ribs, with a clavicle on damped springs and an arm.

Draws demo/scapula.png: the ribs, the surface that the acromion sweeps, and the bones at a few moments.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from condyle.gallery import scapula
from condyle.gallery.picture import draw
from condyle.gallery.bones.scapula import ACROMION, CLAVICLE, STERNUM, scapulothoracic


def clavicle_misfit(points: int = 41) -> np.ndarray:
    """Distance from sternum to acromion less the clavicle's length over the domain [m]."""
    joint = scapulothoracic()
    q = np.stack(np.meshgrid(*(np.linspace(*d, points) for d in joint.domain), indexing="ij"), axis=-1)
    acromion = (joint.pose(q) @ [*ACROMION, 1.0])[..., :3]
    return np.linalg.norm(acromion - STERNUM, axis=-1) - CLAVICLE


def main(folder: str = "demo") -> None:
    """Swing the arm, draw, and say how well the clavicle fits."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    print(f"over the domain the clavicle misfits by {1e3 * abs(clavicle_misfit()).max():.3f} mm at most")
    scene = scapula()
    trajectory = scene.run(record=0.01)
    energy = trajectory.energy().total
    print(f"{scene.model}: energy {energy[0]:.4f} J, after {scene.duration:g} s {energy[-1]:.4f} J")
    print("\n".join(map(str, trajectory.outside)) or "the blade stays on its domain")
    draw(scene, trajectory, out / "scapula.png", view=(12, -120))
    print(f"Open {out / 'scapula.png'}.")


def check() -> None:
    """The clavicle fits, and the springs only take energy."""
    assert abs(clavicle_misfit()).max() < 1e-4
    trajectory = scapula().run(0.5, record=0.01)
    assert trajectory.stopped is None and not trajectory.outside
    assert np.all(np.diff(trajectory.energy().total) < 1e-6)


if __name__ == "__main__":
    main(*sys.argv[1:])
