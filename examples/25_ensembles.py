"""Three ensembles: legs, a knee, markers
======================================

Many members instead of one: what uncertain numbers do to a result.

A population of legs swings; control frames of a knee are moved by a millimetre; markers have noise, and the joint that
is fitted to them differs from the true one. Small versions of what one runs for thousands of members; the page
*Ensembles and long runs* has what those give. Leaves a page for each in demo/ensembles.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

import condyle as cd

STEP = {"duration": 0.4, "step": 2e-3, "record": 0.02}
ANGLES, POSES = cd.gallery.knee_poses(30)
KNEE = cd.design.fit_curve(POSES, ANGLES, frames=8).joint
TRUE = KNEE.pose(ANGLES)
FRAMES = ("early [m]", "middle [m]", "late [m]")  # control frames that are moved
CLUSTER = 0.06 * np.array([[1, 0, 0], [-1, 0, 0.5], [0, 1, 0.5], [0, -1, -1]])  # markers on a plate [m]
THIGH, SHANK = CLUSTER + [0.05, -0.25, 0.0], CLUSTER + [0.05, -0.15, 0.0]


def leg() -> cd.Model:
    """A thigh and a shank with a knee that rolls and glides."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body(
        "thigh", joint=cd.joints.revolute("z"), inertia=cd.Inertia.capsule(7.5, 0.07, 0.26, axis=1, com=(0, -0.2, 0))
    )
    shank = cd.Inertia.capsule(3.5, 0.05, 0.30, axis=1, com=(0, -0.2, 0))
    b.add_body("shank", parent="thigh", joint=KNEE, inertia=shank)
    return b.add_limit("shank", low=-2.0, high=0.0, stiffness=500.0, damping=5.0).build()


def straight_after(trajectory: cd.Trajectory) -> float:
    """When the knee has swung out of its bend, to within 0.1 rad [s]."""
    return float(np.interp(-0.1, np.maximum.accumulate(trajectory["shank"]), trajectory.t))


def population(members: int = 24) -> cd.ensembles.Ensemble:
    """Legs of different masses that start bent differently."""
    ranges = {"thigh.mass": (6.0, 9.0), "shank.mass": (2.5, 4.5), "shank.com[1]": (-0.24, -0.16), "shank": (-0.8, -0.5)}
    design = cd.ensembles.latin_hypercube(ranges, members, seed=1)
    outputs = {"knee angle [rad]": "shank", "straight after [s]": straight_after}
    return cd.ensemble(leg(), design, outputs=outputs, q=[0.6, -0.6], **STEP)


def moved_frames(p: dict) -> dict[str, float]:
    """How far the tibia of a knee is at 60° from where it should be, after control frames moved along x [m]."""
    frames = KNEE.controls.frames.copy()
    for k, name in enumerate(FRAMES):
        frames[2 + 2 * k, 0, 3] += p[name]
    moved = cd.joints.spline_curve(frames, KNEE.controls.knots)
    return {"shift [mm]": 1e3 * float(moved.pose(-np.pi / 3).xyz[0] - KNEE.pose(-np.pi / 3).xyz[0])}


def knee_sensitivity(members: int = 64) -> cd.ensembles.Ensemble:
    """Which control frame matters where the knee is bent by 60°."""
    ranges = dict.fromkeys(FRAMES, (-1e-3, 1e-3))
    return cd.ensemble(moved_frames, cd.ensembles.sensitivity(ranges, members, seed=2))


def placed(cluster: np.ndarray, measured: np.ndarray) -> np.ndarray:
    """The rigid poses (poses, 4, 4) that bring the markers of a cluster nearest to where they were measured."""
    middle, poses = cluster.mean(axis=0), np.tile(np.eye(4), (len(measured), 1, 1))
    for pose, points in zip(poses, measured, strict=True):
        center = points.mean(axis=0)
        pose[:3, :3] = Rotation.align_vectors(points - center, cluster - middle)[0].as_matrix()
        pose[:3, 3] = center - pose[:3, :3] @ middle
    return poses


def refitted(p: dict, rng: np.random.Generator) -> dict[str, float]:
    """How far the shank of a knee that is fitted to markers with noise is from the true one, over the motion [mm]."""
    seen = []
    for cluster, true in ((THIGH, np.broadcast_to(np.eye(4), (len(ANGLES), 4, 4))), (SHANK, TRUE.as_matrix())):
        points = np.einsum("nij,mj->nmi", true[:, :3, :3], cluster) + true[:, None, :3, 3]
        noise = rng.normal(scale=1e-3 * p["noise [mm]"], size=points.shape)
        seen.append(placed(cluster, points + noise))
    fit = cd.design.fit_curve(np.linalg.inv(seen[0]) @ seen[1], ANGLES, frames=8)
    away = fit.joint.pose(ANGLES).xyz - TRUE.xyz
    return {"joint error [mm]": 1e3 * float(np.sqrt((away**2).sum(axis=1).mean()))}


def marker_noise(members: int = 4) -> cd.ensembles.Ensemble:
    """How much of the markers' noise arrives in the joint."""
    levels = np.repeat([0.5, 1.0, 2.0], members)
    return cd.ensemble(refitted, cd.ensembles.samples({"noise [mm]": levels}), seed=3)


def main(folder: str = "demo/ensembles") -> None:
    """Run the three and leave a page for each."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    studies = {"legs": population(), "knee": knee_sensitivity(), "markers": marker_noise()}
    for name, found in studies.items():
        found.report(Path(folder) / f"{name}.html", title=name)
        print(f"{name}: {found!r}")
    studies["legs"].plot("knee angle [rad]", Path(folder) / "legs.png")


def check() -> None:
    """What the example claims."""
    legs = population(8)
    assert legs.good.all() and legs["knee angle [rad]"].shape == (8, 21)
    spread = np.ptp(legs["knee angle [rad]"], axis=0)
    assert 0.1 < spread[0] < 0.3  # members start within 0.3 rad
    knee = knee_sensitivity(32).sobol_indices("shift [mm]")
    assert abs(knee.first_order.sum() - 1.0) < 0.05  # a sum of small effects: no interactions
    assert knee.names[int(np.argmax(knee.total_order))] == "middle [m]"
    noise = marker_noise(3)
    low, middle, high = noise["joint error [mm]"].reshape(3, -1).mean(axis=1)
    assert low < middle < high  # errors of joints grow as those of markers


if __name__ == "__main__":
    main(*sys.argv[1:])
