"""A tensegrity prism
==================

Three struts that touch nowhere, held by nine springs: let go out of balance it rings, tumbles and settles. The
springs are inside the skeleton, so its momentum stays what it was; their dampers take energy away.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)

# %%
# Feet and heads stand on two triangles, one above the other. In balance the upper one is turned by 30 degrees; here
# it is turned by more.

radius, height, twist = 0.4, 0.8, 0.9  # [m], [m], [rad]
around = 2.0 * np.pi / 3.0 * np.arange(3)


def triangle(angles: np.ndarray, z: float) -> np.ndarray:
    """Three corners."""
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(3, z)])


feet, heads = triangle(around, -0.5 * height), triangle(around + twist, 0.5 * height)

# %%
# A strut goes from foot k to head k + 1. Its axes are given by a rotation matrix whose third column is its direction;
# all struts turn as one.

spin = np.array([0.5, 1.0, 1.5])  # [rad/s]
b = cd.skeleton.SkeletonBuilder(gravity=(0.0, 0.0, 0.0))
for k in range(3):
    foot, head = feet[k], heads[(k + 1) % 3]
    length, middle = float(np.linalg.norm(head - foot)), 0.5 * (foot + head)
    z = (head - foot) / length
    x = np.cross((0.0, 0.0, 1.0), z)
    x /= np.linalg.norm(x)
    R = np.stack([x, np.cross(z, x), z], axis=1)
    inertia = cd.Inertia.ellipsoid(0.3, (0.04, 0.04, 0.5 * length))
    b.add_body(f"strut{k}", inertia, middle, R, np.cross(spin, middle), R.T @ spin)

# %%
# Nine springs: three between feet, three between heads, three upright. Ends are places in the world at the start.

spring = {"stiffness": 150.0, "length": 0.3, "damping": 0.6}  # [N/m], [m], [N s/m]
for k in range(3):
    after, before = (k + 1) % 3, (k - 1) % 3
    b.add_spring(f"strut{k}", feet[k], f"strut{after}", feet[after], name=f"foot{k}", **spring)
    b.add_spring(f"strut{before}", heads[k], f"strut{k}", heads[after], name=f"head{k}", **spring)
    b.add_spring(f"strut{k}", feet[k], f"strut{before}", heads[k], name=f"upright{k}", **spring)
prism = b.build()

# %%
# Six seconds, and what they kept.

motion = prism.simulate(duration=6.0, step=0.005)
print(f"{motion.skeleton}\n{motion.report()}")

# %%
# A picture, a strip, a player and the report as a figure.

cd.view.export(motion, out / "tensegrity.png", time=1.0)
motion.draw_strip(out / "tensegrity_strip.png")
cd.view.export(motion, out / "tensegrity.html", title="A tensegrity prism")
motion.report().figure(out / "tensegrity_report.png", title="a tensegrity prism")


# %%
# What the tests hold it to; the same prism is `cd.gallery.tensegrity()`.


def check() -> None:
    """Momentum is kept, the dampers alone take energy, and it is the prism of the gallery."""
    drifts, report = motion.report().drifts(), motion.report()
    assert drifts["angular momentum [N m s]"] < 1e-12
    assert drifts["energy less work [J]"] < 0.01 * report.energy[0]
    assert report.energy[-1] < 0.95 * report.energy[0]
    other = cd.gallery.tensegrity().simulate(duration=6.0, step=0.005)
    assert abs(other.report().energy[-1] - report.energy[-1]) < 1e-9 * report.energy[0]
