"""Three bodies, a hinge and a ball
================================

Hakenberg's three bodies: a hinge and a ball join them, and they tumble freely. Momentum and joints stay as they are,
with the default integrator to round-off; the one that the article prints loses both.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# A skeleton is made of free bodies, each with its place and rates. Joints are placed in the world.

b = cd.skeleton.SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
half_axes = {"left": (0.5, 0.25, 0.2), "middle": (0.3, 0.35, 0.2), "right": (0.45, 0.2, 0.3)}  # [m]
rates = {"left": (2.0, -4.0, 8.0), "middle": (-2.0, 6.0, 2.0), "right": (4.0, 4.0, -8.0)}  # [rad/s]
for k, (name, size) in enumerate(half_axes.items()):
    ellipsoid = cd.Inertia.ellipsoid(1.0, size)
    b.add_body(name, ellipsoid, position=(0.9 * k, 0.0, 0.0), angular_velocity=rates[name])
b.add_hinge("left", "middle", at=(0.5, 0, 0), axis=(0, 0.6, 0.8), name="hinge")
b.add_ball("middle", "right", at=(1.3, 0, 0), name="ball")
skeleton = b.build()

# %%
# These rates would tear the joints apart: take the nearest ones that do not.

skeleton = skeleton.starting(skeleton.projected().state)
print(skeleton)

# %%
# Twenty seconds by three integrators, in steps of 10 ms, and what each has kept.

runs = {}
for integrator in ("variational", "rk4", "printed"):
    runs[integrator] = skeleton.simulate(duration=20.0, step=0.01, integrator=integrator)
    print(f"{integrator}: {runs[integrator].stopped or 'reached the end'}\n{runs[integrator].report()}\n")

# %%
# Eight seconds as a strip and a player, and the report as a figure.

motion = skeleton.simulate(duration=8.0, step=0.01)
motion.draw_strip(out / "three_bodies.png")
cd.view.export(motion, out / "three_bodies.html", title="Three bodies, a hinge and a ball")
motion.report().figure(out / "three_bodies_report.png", title="three bodies, variational, 10 ms")


# %%
# What the tests hold it to.


def check() -> None:
    """The default keeps momentum and joints to round-off; the printed scheme loses both."""
    report, lost = runs["variational"].report(), runs["printed"].report().drifts()
    kept = report.drifts()
    assert max(kept[name] for name in ("angular momentum [N m s]", "joint gap [m]", "axis error [rad]")) < 1e-12
    assert kept["energy less work [J]"] < 1e-3 * report.energy[0]
    assert not lost["angular momentum [N m s]"] < 1e-3
    assert not lost["joint gap [m]"] < 1e-3
    assert np.isfinite(list(kept.values())).all()
