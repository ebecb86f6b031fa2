"""A chain that reaches
====================

A chain of ten freedoms reaches: freely, with its first segment fixed, out of reach, and yielding only if it must.

Prints how near it came and draws demo/reaching.png.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import condyle as cd
from condyle.gallery import spatial_chain

C = cd.control
START = np.tile([0.3, -0.35], 5)
FIXED = ("link1.first", "link1.second")
NEAR, FAR, BEHIND = np.array([0.6, 0.5, 0.6]), np.array([1.2, 0.9, 0.9]), np.array([-0.9, 0.3, 0.35])


def space(fixed: bool) -> C.AnimationSpace:
    """The tip, and the first segment if it is to be fixed."""
    tip = C.point("link5", (0.3, 0, 0), name="tip")
    return C.AnimationSpace(spatial_chain(5), [tip, *(C.joint(name) for name in FIXED)] if fixed else [tip])


def reach(goal, *, fixed: bool = False, how: C.Resolution | None = None, **options) -> C.Directed:
    """Two seconds (or as said) towards a goal along a smooth path, then stay."""
    made = space(fixed)
    path = C.keyframes([0.0, 2.0], [made.value(START)[:3], goal])
    return C.direct(made, START, {"tip": path}, **{"duration": 2.0, "step": 0.02, **options, "how": how})


def four() -> dict[str, C.Directed]:
    """The report's variants, and one with priorities."""
    damped = C.Resolution(damping=0.1)
    yielding = C.Resolution(priorities=[["tip"], list(FIXED)], damping=0.2)
    return {
        "freely": reach(NEAR),
        "first segment fixed": reach(NEAR, fixed=True),
        "out of reach": reach(FAR, how=damped, duration=6.0, step=0.04),
        "yields to reach": reach(BEHIND, fixed=True, how=yielding, duration=7.0, step=0.04, gain=4.0),
    }


def draw(motions: dict[str, C.Directed], path: Path) -> None:
    """The chain, dark to light in time, seen from the side."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 4, figsize=(16, 4.4), layout="constrained", subplot_kw={"projection": "3d"})
    for ax, (name, motion) in zip(axes, motions.items(), strict=True):
        poses = cd.forward_kinematics(motion.space.model, motion.q)
        tips = poses[:, -1].apply(np.array([0.3, 0.0, 0.0]))
        for k in np.linspace(0, len(motion.t) - 1, 9).astype(int):
            x = np.concatenate([poses[k].xyz, tips[k : k + 1]])
            ax.plot(*x.T, "-o", color=plt.get_cmap("viridis")(k / len(motion.t)), markersize=2.5)
        ax.plot(*motion.target[-1, :3], "r*", markersize=12)
        ax.plot(*tips.T, "r:", linewidth=1)
        ax.set(title=f"{name}: {np.linalg.norm(motion.error[-1, :3]):.1e} m off", aspect="equal")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main(folder: str = "demo") -> None:
    """Run all four, print, draw."""
    motions = four()
    for name, motion in motions.items():
        moved = np.abs(motion.q[:, :2] - START[:2]).max()
        print(f"{name:20s} tip {np.linalg.norm(motion.error[-1, :3]):.2e} m off; first segment moved {moved:.2e} rad")
    print(f"out of reach by {np.linalg.norm(FAR) - 1.5:.6f} m")
    Path(folder).mkdir(parents=True, exist_ok=True)
    draw(motions, Path(folder) / "reaching.png")


def check() -> None:
    """Goals are met; fixed joints stay; out of reach ends at distance less reach; priorities reach and yield."""
    motions = four()
    assert np.abs(motions["freely"].error).max() < 1e-4 and np.abs(motions["freely"].error[-1]).max() < 1e-6
    fixed = motions["first segment fixed"]
    assert np.abs(fixed.error[-1]).max() < 1e-6 and np.abs(fixed.q[:, :2] - START[:2]).max() < 1e-9
    off = np.linalg.norm(motions["out of reach"].error[-1])
    assert abs(off - (np.linalg.norm(FAR) - 1.5)) < 5e-3
    yields = motions["yields to reach"]
    assert np.linalg.norm(yields.error[-1, :3]) < 1e-4
    assert np.abs(yields.q[-1, :2] - START[:2]).max() > 0.05


if __name__ == "__main__":
    main()
