"""A person's reach
================

A person's reach, fitted to measurements: where the elbow can be, and every posture that puts the wrist on a goal.

The subjects are synthetic (invented arms of the sizes in the paper's Table 1), with 4 mm of sensor noise.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import SCENES

PAPER = {
    "male": (1.64, 5.32),
    "female": (1.34, 4.42),
}  # mean and largest error [cm] of the paper's fits to its own data


def fits() -> dict[str, tuple]:
    """Both subjects: the recommended fit, and the paper's own scheme beside it."""
    out = {}
    for name in PAPER:
        samples = cd.workspace.synthetic_subject(name)
        paper = cd.workspace.fit_arm(samples, method="interpolation")
        out[name] = cd.workspace.fit_arm(samples), paper
    return out


def reach(arm):
    """A goal made by a posture: all elbow curves, the best posture, and a hand orientation the wrist cannot have."""
    made = arm.forward(np.radians(70.0), np.radians(50.0), 0.4, flexion=1.2)
    curves = arm.elbow_curves(made.wrist)
    best = arm.solve(made.wrist)
    twisted = arm.solve(made.wrist, orientation=np.eye(3))
    return made, curves, best, twisted


def main(folder: str = "demo") -> None:
    """Fit two arms, reach for a goal in every possible way, and one goal out of reach; draw the first."""
    for name, (arm, paper) in fits().items():
        print(f"{name}: {arm.report}")
        same = paper.report
        print(f"  the paper's scheme on the same samples: mean {same.mean:.2f} cm, largest {same.largest:.2f} cm")
        print(f"  the paper, on its own data: mean {PAPER[name][0]:.2f} cm, largest {PAPER[name][1]:.2f} cm")
    arm = fits()["male"][0]
    made, curves, best, twisted = reach(arm)
    print(
        f"goal {np.round(made.wrist, 3)} m: {len(curves)} curve(s) of elbow positions, {sum(map(len, curves))} points"
    )
    print(f"best posture, joint angles 1-9 [deg]: {np.round(np.degrees(best.angles), 1)}")
    print(
        f"hand square to the body: position kept, {np.degrees(twisted.orientation_error):.1f}° short of the orientation"
    )
    near = arm.nearest_reachable([0.9, 0.6, 0.1])
    print(
        f"goal (0.9, 0.6, 0.1) m is {100 * near.distance:.1f} cm from the nearest reachable {np.round(near.point, 3)}"
    )
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = SCENES["arm"]()
    print(f"Open {scene.draw(scene.run(), Path(folder) / 'reach.png', player=True)}.")


def check() -> None:
    """What is said above holds."""
    for arm, paper in fits().values():
        assert arm.report.mean <= 0.45 < 0.8 < paper.report.mean
        assert arm.surface.smoothness_gap() < 1e-12
        made, curves, best, twisted = reach(arm)
        assert curves and best.feasible
        for posture in (best, twisted):
            assert np.linalg.norm(posture.skeleton.wrist - made.wrist) < 1e-10
        assert twisted.orientation_error > 0.05
        again = arm.forward(best.elevation, best.abduction, best.twist, flexion=best.flexion)
        assert np.abs(again.wrist - made.wrist).max() < 1e-10


if __name__ == "__main__":
    main(*sys.argv[1:])
