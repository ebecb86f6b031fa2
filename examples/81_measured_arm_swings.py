"""A measured arm swings
=====================

A fitted shoulder as a joint of the engine: the measured arm let go from the side swings under gravity.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd

MASSES = {"upper_arm": 2.0, "forearm": 1.6}  # kg, hand included


def rod(mass: float, length: float) -> cd.Inertia:
    """A limb as a rod along z, 4 cm thick."""
    across = mass * (length**2 / 12 + 0.02**2 / 4)
    return cd.Inertia(mass, (0, 0, length / 2), np.diag([across, across, mass * 0.02**2 / 2]))


def model(arm, shoulder) -> cd.Model:
    """Upper arm on the fitted shoulder (forward, up, twist), forearm on a hinge."""
    b = cd.ModelBuilder()
    b.add_body("upper_arm", parent=None, joint=shoulder.joint, inertia=rod(MASSES["upper_arm"], arm.lengths.upper_arm))
    elbow = np.eye(4)
    elbow[2, 3] = arm.lengths.upper_arm
    fore = rod(MASSES["forearm"], arm.lengths.forearm)
    b.add_body(
        "forearm",
        parent="upper_arm",
        joint=cd.joints.revolute((0, 1, 0)),
        inertia=fore,
        placement=cd.SE3.from_matrix(elbow),
    )
    return b.build()


def run(duration: float = 0.25):
    """Let the arm go from the side, elbow a little bent."""
    arm = cd.workspace.fit_arm(cd.workspace.synthetic_subject("male"))
    shoulder = arm.as_joint()
    arm_model = model(arm, shoulder)
    return shoulder, arm_model, cd.simulate(arm_model, [0.2, -0.4, 0.0, 0.4], [0.0] * 4, duration=duration, step=1e-3)


def energies(arm_model, trajectory) -> np.ndarray:
    """Total energy at the first and the last instant [J]."""
    return np.array([cd.energy(arm_model, trajectory.q[n], trajectory.v[n])[2] for n in (0, -1)])


def main(folder: str = "demo") -> None:
    """Refit, simulate, say how good both are, and draw."""
    shoulder, arm_model, trajectory = run()
    print(shoulder)
    start, end = energies(arm_model, trajectory)
    print(f"after {trajectory.t[-1]:.2f} s the coordinates are {np.round(trajectory.q[-1], 3)}")
    Path(folder).mkdir(parents=True, exist_ok=True)
    cd.view.export(trajectory, Path(folder) / "arm-swings.png", time=0.1)
    cd.view.export(trajectory, Path(folder) / "arm-swings.html", title="A measured arm swings")
    print(f"energy {start:.4f} J at the start, {end:.4f} J at the end")


def check() -> None:
    """The refit is within a millimetre, S keeps its rank, and the energy stays."""
    shoulder, arm_model, trajectory = run()
    assert shoulder.elbow_error < 1.0 and shoulder.smallest_singular_value > 0.05
    start, end = energies(arm_model, trajectory)
    assert abs(end - start) < 2e-3


if __name__ == "__main__":
    main(*sys.argv[1:])
