"""The twin of a spline knee
=========================

A thigh and a shank with a spline knee, once in minimal coordinates and once as free bodies that their joints hold: the
same accelerations, and motions that come together as the step goes to zero.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery.bones.knee import knee

BONES = (
    cd.shapes.bone((0.0, 0.0, 0.0), (0.0, -0.385, 0.0), 0.03),
    cd.shapes.bone((0.0, -0.014, 0.0), (0.0, -0.43, 0.0), 0.028),
)


def leg() -> cd.Model:
    """A thigh that swings from a hinge and a shank on a spline knee."""
    b = cd.ModelBuilder(gravity=(0, -9.81, 0))
    b.add_body(
        "thigh",
        joint=cd.joints.revolute("z"),
        inertia=cd.Inertia(7.0, (0, -0.19, 0), (0.13, 0.02, 0.13)),
        shapes=BONES[:1],
    )
    b.add_body("shank", "thigh", knee(), cd.Inertia(3.5, (0, -0.18, 0), (0.05, 0.006, 0.05)), shapes=BONES[1:])
    return b.build()


def distance(step: float, integrator: str) -> float:
    """How far the two engines are apart after 0.2 s [rad]."""
    q, v = [0.3, -0.7], [0.5, -1.0]
    expected = cd.simulate(leg(), q, v, duration=0.2, step=2e-4, record=0.2).q[-1]
    motion = cd.skeleton.from_model(leg(), q, v).simulate(duration=0.2, step=step, integrator=integrator)
    return float(abs(motion.q[-1] - expected).max())


def main(folder: str = "demo") -> None:
    """Print how the two come together."""
    held = cd.skeleton.from_model(leg(), [0.3, -0.7], [0.5, -1.0])
    print(held)
    print(f"accelerations differ by {accelerations_apart():.1e}")
    for integrator in ("variational", "rk4"):
        for step in (0.02, 0.01):
            print(f"{integrator}, {1e3 * step:g} ms: {distance(step, integrator):.1e} rad apart after 0.2 s")
    motion = held.simulate(duration=1.0, step=0.01)
    Path(folder).mkdir(parents=True, exist_ok=True)
    tree = cd.simulate(leg(), [0.3, -0.7], [0.5, -1.0], duration=0.2, record=0.005)
    twin = held.simulate(duration=0.2, step=0.005).as_trajectory()
    cd.view.export(tree, Path(folder) / "twin.png", time=0.1, beside=twin)
    cd.view.export(tree, Path(folder) / "twin.html", title="A leg, and its twin of free bodies", beside=twin)
    print(f"joints gape by {motion.gaps().max():.1e}, energy swings by {np.ptp(motion.energy().total):.1e} J")


def accelerations_apart() -> float:
    """The largest difference of the coordinates' accelerations [rad/s²]."""
    q, v = np.array([0.3, -0.7]), np.array([0.5, -1.0])
    found = cd.skeleton.from_model(leg(), q, v).accelerations().coordinates
    return float(abs(found - cd.forward_dynamics(leg(), q, v)).max())


def check() -> None:
    """Accelerations agree to 1e-9; half the step is a quarter of the distance."""
    assert accelerations_apart() < 1e-9
    coarse, fine = (distance(step, "variational") for step in (0.02, 0.01))
    assert 3.0 < coarse / fine < 5.0


if __name__ == "__main__":
    main(*sys.argv[1:])
