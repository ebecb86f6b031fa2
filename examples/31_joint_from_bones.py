"""A joint from meshes of two bones
================================

Meshes of a femur's condyles and a tibia's plateaus, and noisy poses of the tibia, become a joint in one call: articular
surfaces with their errors, contact paths of both compartments, screw axes, and the joint, once through the poses and
once through contact. Draws demo/joint-from-bones.png and writes demo/joint-from-bones.toml and .csv.

Bones and poses are made by code. Two paths of mesh files in millimetres and a table of poses take their place:
`python examples/31_joint_from_bones.py demo femur.stl tibia.stl poses.csv`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery.bones.condyles import fitted, made_flexion, table_flexion
from condyle.gallery.bones.knee_bones import SIDE, KneeBones


def one_mesh(grids: list[np.ndarray], title: str) -> cd.joints.Mesh:
    """Grids of points as one mesh."""
    parts = [cd.joints.Mesh.from_grid(grid) for grid in grids]
    starts = np.cumsum([0, *(len(p.vertices) for p in parts)])
    triangles = np.concatenate([p.triangles + s for p, s in zip(parts, starts, strict=False)])
    return cd.joints.Mesh(np.concatenate([p.vertices for p in parts]), triangles, title)


def made_bones(joint: cd.joints.Joint) -> tuple[cd.joints.Mesh, cd.joints.Mesh]:
    """Condyles and plateaus for a motion, as meshes; triangles face outwards."""
    bones, across = KneeBones(joint), np.linspace(-0.0135, 0.0135, 25)
    condyles = [bones.condyle(side, across) for side in (-SIDE, SIDE)]
    a, b = np.meshgrid(np.linspace(-0.02, 0.02, 41), np.linspace(-0.0125, 0.0125, 25), indexing="ij")
    plates = [
        bones.plateau(side).points(np.stack([a.ravel(), b.ravel()], 1)).reshape(41, 25, 3) for side in (-SIDE, SIDE)
    ]
    return one_mesh(condyles, "femur"), one_mesh(plates, "tibia")


def main(folder: str = "demo", femur: str | None = None, tibia: str | None = None, table: str | None = None) -> None:
    """Make or read the bones, find the joint both ways, say, draw and save."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    t, poses = made_flexion() if table is None else table_flexion(table)
    parent, child = made_bones(fitted(t, poses)[1].joint) if femur is None or tibia is None else (femur, tibia)
    options = {"frames": 12, "name": "flexion", "smoothing": "auto", "metric": 0.05}
    found = cd.design.joint_from_bones(parent, child, poses, t, scale=0.001, options=options)
    print(found)
    closed = cd.design.joint_from_bones(parent, child, poses, t, through="contact", scale=0.001, options=options)
    print(closed.summary().splitlines()[1])
    found.draw(out / "joint-from-bones.png")
    cd.write_table(found.table(), out / "joint-from-bones.csv")
    print(f"Open {out / 'joint-from-bones.png'}; the joint is {cd.save(closed.joint, out / 'joint-from-bones.toml')}.")


def check() -> None:
    """Both compartments are found, and gaps are closed through contact."""
    t, poses = made_flexion(60)
    parent, child = made_bones(fitted(t, poses)[1].joint)
    found = cd.design.joint_from_bones(parent, child, poses, t, through="contact", options={"frames": 10})
    assert len(found.compartments) == 2
    assert all(np.nanmax(np.abs(c.path.gap)) < 1e-5 for c in found.compartments)


if __name__ == "__main__":
    main(*sys.argv[1:])
