"""A leg with a measured knee
==========================

Poses of a tibia become a joint, the joint becomes a leg's knee, and the leg is let go: once, and a thousand times at
once.

The poses are synthetic: a published knee with stated noise (`cd.gallery.knee_poses`). Those of a motion laboratory
take their place.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# Sixty poses of the tibia in the femur, with a noise of 0.01 rad and 1 mm, at known angles. Ten control frames are
# enough for what is in them; how smooth the joint is, cross-validation decides. `metric` says that 0.1 m count as 1
# rad.

angles, poses = cd.gallery.knee_poses(60)
fit = cd.design.fit_curve(poses, angles, frames=10, smoothing="auto", metric=0.1)
print(fit.summary())

# %%
# The leg hangs from a fixed hip, y up. The knee is a joint like the two hinges beside it; a stop keeps it from
# bending backwards, and the ankle is held by a spring.

b = cd.ModelBuilder(gravity=(0.0, -9.81, 0.0))
b.add_body(
    "thigh",
    joint=cd.joints.revolute("z"),
    joint_name="hip",
    inertia=cd.Inertia.capsule(7.5, 0.07, 0.26, axis=1, com=(0.0, -0.19, 0.0)),
    shapes=[cd.shapes.bone((0.0, 0.0, 0.0), (0.0, -0.385, 0.0), 0.03)],
)
b.add_body(
    "shank",
    parent="thigh",
    joint=fit.joint,
    joint_name="knee",
    inertia=cd.Inertia.capsule(3.5, 0.05, 0.30, axis=1, com=(0.0, -0.19, 0.0)),
    shapes=[
        cd.shapes.bone((0.0, -0.014, 0.0), (0.0, -0.43, 0.0), 0.028),
        cd.shapes.bone((-0.012, -0.05, 0.036), (-0.004, -0.43, 0.03), 0.012),
    ],
)
b.add_body(
    "foot",
    parent="shank",
    joint=cd.joints.revolute("z"),
    joint_name="ankle",
    placement=cd.SE3.from_translation((0.0, -0.44, 0.0)),
    inertia=cd.Inertia.box(1.1, (0.27, 0.06, 0.08), com=(0.05, -0.03, 0.0)),
    shapes=[cd.shapes.bone((-0.04, -0.04, 0.0), (0.17, -0.06, 0.0), 0.02)],
)
b.add_limit("knee", low=-2.0, high=0.0, stiffness=3000.0, damping=15.0)
b.add_stiffness("ankle", 4.0, damping=0.1)
leg = b.build()

# %%
# Let go with the thigh forward and the knee bent. The tibia glides on the femur while the knee stretches.

start = np.array([0.9, -1.4, 0.0])  # hip, knee, ankle [rad]
run = cd.simulate(leg, start, duration=2.0, step=1e-3, record=0.01)
glide = 1e3 * np.ptp(fit.joint.pose(run["knee"]).xyz[:, :2], axis=0)
print(f"the knee bends between {run['knee'].min():.2f} and {run['knee'].max():.2f} rad")
print(f"the tibia glides {glide[0]:.1f} mm forward and {glide[1]:.1f} mm up on the way")

# %%
# A picture of the leg, with the path of its knee, and a player that opens in any browser.

cd.view.export(run, out / "leg.png", time=0.3, camera=(10.0, -80.0))
cd.view.export(run, out / "leg.html", title="A leg with a measured knee", camera=(10.0, -80.0))

# %%
# A batch is the same call: a thousand starts, side by side in SIMD lanes.

many = start + np.random.default_rng(0).normal(scale=0.1, size=(1000, 3))
batch = cd.simulate(leg, many, duration=2.0, record=0.05)
print(
    f"{len(batch.q)} legs; their knees end between {batch.q[:, -1, 1].min():.2f} and {batch.q[:, -1, 1].max():.2f} rad"
)

# %%
# Model, motion and joint go to files, and the fit to a page with its errors. `condyle demo leg` does all of this,
# too.

cd.save(leg, out / "leg.toml")
cd.save(run, out / "leg.npz")
cd.design.report(fit, out / "report.html", title="A knee from sixty noisy poses", force=True)


# %%
# What the tests hold it to.


def check() -> None:
    """The fit is nearer to the truth than the noise of one pose; the dampers take energy and never give it."""
    truth = cd.gallery.knee_poses(60, angle_noise=0.0, distance_noise=0.0)[1]
    away = fit.joint.pose(angles).xyz - truth.xyz
    assert np.sqrt((away**2).sum(axis=1).mean()) < 1e-3  # [m]
    energy = run.energy().total
    assert run.stopped is None
    assert np.diff(energy).max() < 1e-4
    assert energy[-1] < energy[0] - 0.1
    assert run["knee"].max() < 0.15
    assert all(stop is None for stop in batch.stops())
