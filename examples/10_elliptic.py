"""A skate in an ellipse
=====================

A skate slides along an upright ellipse, always tangent to it: figure 2 of the spline-joint paper.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# The joint is a closed form: a point of the ellipse, and the turn that keeps x along the tangent. Its coordinate q is
# the parameter of the ellipse, zero at the lowest point. `pose`, `jacobian` and `hessian` are exact.

joint = cd.joints.elliptic(1.0, 0.6)
print(joint.pose(0.5).xyz.round(4), joint.jacobian(0.5)[:, 0].round(4))

# %%
# The ellipse lies in the x-y plane; a quarter turn about x stands it up. The skate is a body with a mass and a look.

upright = cd.SE3.exp([0.5 * np.pi, 0.0, 0.0, 0.0, 0.0, 0.0])
blue, red = (0.12, 0.47, 0.71), (0.75, 0.22, 0.17)
b = cd.ModelBuilder()
b.add_body(
    "skate",
    joint=joint,
    placement=upright,
    inertia=cd.Inertia.box(1.0, (0.3, 0.1, 0.1)),
    shapes=[cd.shapes.ellipsoid((0.15, 0.06, 0.06), color=blue)],
)
model = b.build()

# %%
# Let go high on the right. Nothing takes energy, so the skate comes back as high on the left.

run = cd.simulate(model, [2.0], duration=4.0, step=1e-3, record=0.01)
print(f"the energy stays within {np.ptp(run.energy().total):.1e} J")

# %%
# Draw it with its wire. Without `drawn` the path of the joint is shown by itself.

around = np.linspace(0.0, 2.0 * np.pi, 201)
wire = cd.view.Line(None, (upright @ joint.pose(around)).xyz, red)
cd.view.export(run, out / "elliptic.png", drawn=[wire], time=0.4, camera=(12.0, -68.0))
cd.view.export(run, out / "elliptic.html", drawn=[wire], title="A skate in an ellipse", camera=(12.0, -68.0))


# %%
# What the tests hold it to.


def check() -> None:
    """Energy stays; the skate stays on the ellipse."""
    x, _, z = run.poses()[:, 0].xyz.T
    assert np.ptp(run.energy().total) < 1e-8
    assert abs((x / 1.0) ** 2 + (z / 0.6) ** 2 - 1.0).max() < 1e-14
