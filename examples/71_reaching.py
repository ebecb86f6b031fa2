"""A chain of ten freedoms reaches, four ways
==========================================

Freely, with its first segment fixed, out of reach, and yielding only if it must: figure 5 of Park, Fussell and
Browne's report.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd

out = Path("demo")
out.mkdir(exist_ok=True)
C = cd.control

# %%
# Five segments of 0.3 m, each on a universal joint: ten freedoms, of which a place of the tip needs three.

chain = cd.gallery.spatial_chain(5, 0.3)
start = np.tile([0.3, -0.35], 5)  # [rad]
tip = C.point("link5", (0.3, 0.0, 0.0), name="tip")
fixed = ("link1.first", "link1.second")
print(chain.coordinates)

# %%
# An animation space has the tip, and where the first segment is to stay, its two joints: what is not spoken of when
# motion is directed keeps its value. All other freedoms follow with the least joint rates.

free = C.AnimationSpace(chain, [tip])
held = C.AnimationSpace(chain, [tip, *(C.joint(name) for name in fixed)])
from_here = free.value(start)[:3]


def to(goal: tuple[float, float, float]):
    """A smooth path of two seconds to a goal, where the tip then stays."""
    return {"tip": C.keyframes([0.0, 2.0], [from_here, goal])}


near, behind, far = (0.6, 0.5, 0.6), (-0.9, 0.3, 0.35), (1.2, 0.9, 0.9)  # [m]

# %%
# Freely, and with the first segment fixed. Both meet the goal.

runs = {
    "freely": C.direct(free, start, to(near), duration=2.0, step=0.02),
    "first segment fixed": C.direct(held, start, to(near), duration=2.0, step=0.02),
}

# %%
# A goal beyond the reach of 1.5 m: damping keeps the joints calm, and the chain ends stretched towards it.

calm = C.Resolution(damping=0.4)
runs["out of reach"] = C.direct(free, start, to(far), how=calm, duration=6.0, step=0.02)

# %%
# A goal that the fixed segment cannot give: with the tip first and the segment second, the segment yields as little
# as it must.

ranks = C.Resolution(priorities=[["tip"], list(fixed)])
runs["yields to reach"] = C.direct(held, start, to(behind), how=ranks, duration=4.0, step=0.02, gain=4.0)

# %%
# How near each came, and what the first segment did; a picture and a player of each.

for name, run in runs.items():
    missed, moved = np.linalg.norm(run.error[-1, :3]), np.abs(run.q[:, :2] - start[:2]).max()
    print(f"{name}: the tip ends {missed:.2e} m from its goal; the first segment moved {moved:.2e} rad")
    path, file = cd.view.Line(None, run.target[:, :3]), name.replace(" ", "-")
    cd.view.export(run.trajectory, out / f"{file}.png", drawn=[path])
    cd.view.export(run.trajectory, out / f"{file}.html", drawn=[path], title=f"A chain reaches: {name}")


# %%
# What the tests hold it to.


def check() -> None:
    """Goals are met; fixed joints stay; out of reach ends at distance less reach; priorities reach and yield."""
    freely, kept, stretched, yields = runs.values()
    assert np.abs(freely.error).max() < 1e-4
    assert np.abs(freely.error[-1]).max() < 1e-6
    assert np.abs(kept.error[-1]).max() < 1e-6
    assert np.abs(kept.q[:, :2] - start[:2]).max() < 1e-9
    assert abs(np.linalg.norm(stretched.error[-1]) - (np.linalg.norm(far) - 1.5)) < 1e-6
    assert np.linalg.norm(yields.error[-1, :3]) < 1e-4
    assert np.abs(yields.q[-1, :2] - start[:2]).max() > 0.01
