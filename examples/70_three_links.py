"""Three links and the coordinates an animator wants
=================================================

The worked example of Park, Fussell and Browne's report (its figure 3), with its closed forms corrected: the
end of three links goes along a line while a joint is held still.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery.scenes.three_links import accelerations_by_hand
from condyle.plots import Panel, curves, draw_chart

out = Path("demo")
out.mkdir(exist_ok=True)
C = cd.control

# %%
# Three rods of a metre, each on a hinge at the end of the one before.

rod = cd.Inertia.box(1.0, (1.0, 0.06, 0.06), com=(0.5, 0.0, 0.0))
look = [cd.shapes.limb((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.04)]
b = cd.ModelBuilder(gravity=(0.0, -9.81, 0.0))
end = cd.SE3.from_translation((1.0, 0.0, 0.0))
b.add_body("link1", joint=cd.joints.revolute("z"), inertia=rod, shapes=look)
b.add_body("link2", parent="link1", joint=cd.joints.revolute("z"), inertia=rod, placement=end, shapes=look)
b.add_body("link3", parent="link2", joint=cd.joints.revolute("z"), inertia=rod, placement=end, shapes=look)
model = b.build()

# %%
# An animation space has the coordinates that one wants to speak of: here the place of the end, and a function of the
# third angle that is zero where the joint is to stay.

start = np.array([0.4, 0.7, 0.5])
tip = C.point("link3", (1.0, 0.0, 0.0), axes="xy", name="tip")
held = C.function(lambda x: (x["link3"] - start[2]) ** 2, name="held")
space = C.AnimationSpace(model, [tip, held])

# %%
# The tip goes diagonally at 0.5 m/s; what is not said of a coordinate stays as it is. Joint motion, and the torques
# that cause it, follow.

line, speed = space.value(start)[:2], np.array([-0.5, 0.5]) / np.sqrt(2.0)
motion = C.direct(space, start, {"tip": lambda t: line + speed * t}, duration=1.0, step=0.01)
print(f"the tip is at most {np.abs(motion.error).max():.1e} m off its line")
print(f"the third joint moves by {np.abs(motion.q[:, 2] - start[2]).max():.1e} rad")

# %%
# The report has closed forms for the accelerations at one moment; corrected, they agree.

square = C.function(lambda x: x["link3"] ** 2, name="still")
moment = C.AnimationSpace(model, [tip, square])
computed = C.resolve_acceleration(moment, start, [1.0, 10.0, 0.0], [1.0, 1.0, 0.0]).motion
print("by hand ", accelerations_by_hand())
print("computed", computed)

# %%
# The motion with the line that the tip follows, and its torques.

path = motion.target[:, :2]
drawn = [cd.view.Line(None, np.column_stack([path, np.zeros(len(path))]))]
cd.view.export(motion.trajectory, out / "three-links.png", drawn=drawn, time=0.7)
cd.view.export(motion.trajectory, out / "three-links.html", drawn=drawn, title="Three links, directed by their end")
torques = curves(motion.t, dict(zip(model.coordinates, motion.tau.T, strict=True)))
draw_chart([Panel("torques that cause it [N m]", torques, "t [s]")], out / "three-links-torques.png", size=(8.0, 3.6))


# %%
# What the tests hold it to.


def check() -> None:
    """Both agree to 1e-12 of their size; the directed end keeps to its line and the joint to its angle."""
    assert np.allclose(computed, accelerations_by_hand(), rtol=1e-12, atol=1e-10)
    assert np.abs(motion.error).max() < 1e-4
    assert np.abs(motion.q[:, 2] - start[2]).max() < 1e-9
