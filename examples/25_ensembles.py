"""Three ensembles: legs, a knee, markers
======================================

Many members instead of one: what uncertain numbers do to a result.

A population of legs swings; control frames of a knee are moved by a millimetre; markers have noise, and the joint that
is fitted to them differs from the true one. Small versions of what one runs for thousands of members. Leaves a page for
each in demo/ensembles.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd

STEP = {"duration": 0.4, "step": 2e-3, "record": 0.02}
ANGLES, POSES = cd.gallery.knee_poses(30)
KNEE = cd.design.fit_curve(POSES, ANGLES, frames=8).joint
TRUE = KNEE.pose(ANGLES)


def leg() -> cd.Model:
    """A thigh and a shank with a knee that rolls and glides."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body(
        "thigh", joint=cd.joints.revolute("z"), inertia=cd.Inertia.capsule(7.5, 0.07, 0.26, axis=1, com=(0, -0.2, 0))
    )
    shank = cd.Inertia.capsule(3.5, 0.05, 0.30, axis=1, com=(0, -0.2, 0))
    b.add_body("shank", parent="thigh", joint=KNEE, inertia=shank)
    return b.add_limit("shank", low=-2.0, high=0.0, stiffness=500.0, damping=5.0).build()


def largest_flexion(trajectory: cd.Trajectory) -> float:
    """How far the knee bends [rad]."""
    return -float(trajectory["shank"].min())


def population(members: int = 24) -> cd.ensembles.Ensemble:
    """Legs of different masses that start bent differently."""
    ranges = {"thigh.mass": (6.0, 9.0), "shank.mass": (2.5, 4.5), "shank.com[1]": (-0.24, -0.16), "shank": (-0.8, -0.5)}
    design = cd.ensembles.latin_hypercube(ranges, members, seed=1)
    outputs = {"knee angle [rad]": "shank", "largest flexion [rad]": largest_flexion}
    return cd.ensemble(leg(), design, outputs=outputs, q=[0.6, -0.6], **STEP)


def moved_frames(p: dict) -> dict[str, float]:
    """How far the tibia of a knee is at 60° from where it should be, after control frames moved along x [m]."""
    frames = KNEE.controls.frames.copy()
    for k, name in enumerate(("early", "middle", "late")):
        frames[2 + 2 * k, 0, 3] += p[name]
    moved = cd.joints.spline_curve(frames, KNEE.controls.knots)
    return {"shift [mm]": 1e3 * float(moved.pose(-np.pi / 3).xyz[0] - KNEE.pose(-np.pi / 3).xyz[0])}


def knee_sensitivity(members: int = 64) -> cd.ensembles.Ensemble:
    """Which control frame matters where the knee is bent by 60°."""
    ranges = dict.fromkeys(("early", "middle", "late"), (-1e-3, 1e-3))
    return cd.ensemble(moved_frames, cd.ensembles.sensitivity(ranges, members, seed=2))


def refitted(p: dict, rng: np.random.Generator) -> dict[str, float]:
    """The error of a knee that is fitted to poses with noise [mm]."""
    noise = rng.normal(scale=1e-3 * p["noise [mm]"], size=(len(ANGLES), 3))
    poses = np.array(TRUE.as_matrix())
    poses[:, :3, 3] += noise
    fit = cd.design.fit_curve(poses, ANGLES, frames=8)
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
    assert knee.names[int(np.argmax(knee.total_order))] == "middle"
    noise = marker_noise(3)
    low, middle, high = noise["joint error [mm]"].reshape(3, -1).mean(axis=1)
    assert low < middle < high < 2.0  # a fit to thirty poses averages noise out


if __name__ == "__main__":
    main(*sys.argv[1:])
