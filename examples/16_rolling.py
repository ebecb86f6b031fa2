"""A ball and a disc that roll
===========================

A disc rolls down a plane, and a ball off a ball: two surfaces in contact whose slip a constraint takes away.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)
RED, BLUE = (0.75, 0.22, 0.17), (0.12, 0.47, 0.71)

# %%
# The disc stands on a slope of 0.35 rad: along the plane, up by its radius, and turned about its axle. `roll` binds
# the turn to the way: where it touches, the disc does not slip.

slope, radius = 0.35, 0.25  # [rad], [m]
down = cd.SE3.exp([0.0, slope, 0.0, 0.0, 0.0, 0.0])
along = cd.joints.prismatic("x", name="along")
up = cd.joints.weld(cd.SE3.from_translation((0.0, 0.0, radius)))
b = cd.ModelBuilder()
b.add_body(
    "disc",
    joint=cd.joints.compose(along, up, cd.joints.revolute("y", name="turn")),
    placement=down,
    inertia=cd.Inertia.cylinder(1.0, radius, 1e-3, axis=1),
    shapes=[
        cd.shapes.cylinder(radius, 0.04, cd.SE3.exp([0.5 * np.pi, 0, 0, 0, 0, 0]), BLUE),
        cd.shapes.box((0.02, 0.05, 1.8 * radius)),
    ],
)
b.add_constraint(cd.constraints.roll("disc", along, tangents=(0,)))
disc = b.build()

# %%
# A disc whose mass is spread evenly accelerates by two thirds of what slides.

a = cd.forward_dynamics(disc, [0.0, 0.0], [0.0, 0.0])[0]
expected = 2 / 3 * 9.81 * np.sin(slope)
print(f"the disc accelerates by {a:.8f} m/s², ⅔ g sin 0.35 = {expected:.8f} m/s²")
rolled = cd.simulate(disc, [0.0, 0.0], duration=1.5, step=1e-3, record=0.01)

# %%
# A surface is a joint too: a frame on a sphere, turned about y and x and moved out by the radius, its z axis the
# normal.


def on_sphere(radius: float, names: tuple[str, str]) -> cd.joints.Joint:
    """Two turns, and out along z."""
    first, second = cd.functions.linear(0), cd.functions.linear(1)
    turns = cd.joints.product([(0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)], [first, second], coordinates=names)
    return cd.joints.compose(turns, cd.joints.weld(cd.SE3.from_translation((0.0, 0.0, radius))))


# %%
# Two surfaces that touch are a joint of five coordinates: two places on each, and a spin about the common normal.
# Rolling leaves three velocities free. A joint holds both ways; a ball that only lies there would leave at cos θ =
# 10/17 cos θ₀, where this run ends.

under, over = on_sphere(0.5, ("u", "w")), on_sphere(0.2, ("a", "b"))
b = cd.ModelBuilder()
spot = cd.shapes.sphere(0.03, cd.SE3.from_translation((0.2, 0.0, 0.0)))
look = [cd.shapes.sphere(0.2, color=RED), spot]
b.add_body("ball", joint=cd.joints.contact(under, over), inertia=cd.Inertia.sphere(1.0, 0.2), shapes=look)
b.add_constraint(cd.constraints.roll("ball", under))
ball = b.build()
print(ball.coordinates)
run = cd.simulate(ball, [0.15, 0.1, 0.0, 0.4, 0.3], duration=0.75, step=1e-3, record=0.01)
print(f"the ball keeps its energy to {np.ptp(run.energy().total):.1e} J")

# %%
# What the bodies roll on is drawn as sheets: grids of points.

u, w = np.meshgrid(np.linspace(0, 2 * np.pi, 37), np.linspace(0, np.pi, 19), indexing="ij")
sphere = 0.4975 * np.stack([np.cos(u) * np.sin(w), np.sin(u) * np.sin(w), np.cos(w)], axis=-1)
plane = down.apply(np.array([[(x, y, 0.0) for y in (-0.15, 0.15)] for x in np.linspace(-0.3, 2.9, 17)]))
shown = [
    (run, "rolling", "A ball rolls off a ball", sphere, (20, -70)),
    (rolled, "disc", "A disc rolls", plane, (14, -75)),
]
for thing, name, title, sheet, camera in shown:
    drawn = [cd.view.Sheet(None, sheet, opacity=1.0)]
    cd.view.export(thing, out / f"{name}.png", drawn=drawn, camera=camera, time=0.6)
    cd.view.export(thing, out / f"{name}.html", drawn=drawn, camera=camera, title=title)


# %%
# What the tests hold it to.


def check() -> None:
    """The closed form of the disc; the ball keeps its energy."""
    assert abs(a - expected) < 1e-12
    assert np.ptp(run.energy().total[:41]) < 1e-6
